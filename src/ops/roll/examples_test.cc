// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kRollExamples({{"Roll", "T(R) I32=1() I32=-1() -> T"}});

}  // namespace
}  // namespace tern::testing
