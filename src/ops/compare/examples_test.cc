// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kCompare({"EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "NOT_EQUAL"},
                        "T(R) T(R) -> BOOL");

}  // namespace
}  // namespace tern::testing
