// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kComplexExamples({{"COMPLEX_ABS", "T(R) -> F32"},
                                 {"COMPLEX_ABS", "T(R) -> F64"},
                                 {"IMAG", "T(R) -> F32"},
                                 {"IMAG", "T(R) -> F64"},
                                 {"Irfft2d", "T(R:1,1,4,3) I32=4(2) -> F32"},
                                 {"REAL", "T(R) -> F32"},
                                 {"REAL", "T(R) -> F64"},
                                 {"RFFT2D", "T(R:1,1,4,4) I32=4(2) -> C64"}});

}  // namespace
}  // namespace tern::testing
