// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kShapes({"RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL"}, "I32=sizes(r) -> F32");
const Examples kLogits({"MULTINOMIAL"}, "T(R:2,3) I32=4() -> I64");

}  // namespace
}  // namespace tern::testing
