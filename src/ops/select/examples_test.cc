// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kSelectExamples({"SELECT", "SELECT_V2"}, "BOOL(R) T(R) T(R) -> T");

}  // namespace
}  // namespace tern::testing
