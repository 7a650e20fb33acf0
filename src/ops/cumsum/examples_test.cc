// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kCumsumExamples({{"CUMSUM", "T(R) I32=0() -> T"}});

}  // namespace
}  // namespace tern::testing
