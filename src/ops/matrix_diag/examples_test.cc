// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kMatrixDiagExamples({{"MATRIX_DIAG", "T(R) -> T"},
                                    {"MATRIX_SET_DIAG", "T(R:1,2,3,3) T(h) -> T"}});

}  // namespace
}  // namespace tern::testing
