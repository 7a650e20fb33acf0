// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kMatrixDiagExamples({{"MATRIX_DIAG", "T(R) -> T"},
                                    {"MATRIX_SET_DIAG", "T(R:1,2,3,3) T(h) -> T"}});

}  // namespace
}  // namespace tern::testing
