// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kUnary({"ABS",         "CEIL",         "COS",        "ELU",        "EXP",
                       "FLOOR",       "GELU",         "HARD_SWISH", "LEAKY_RELU", "LOG",
                       "LOGICAL_NOT", "LOGISTIC",     "NEG",        "RELU",       "RELU6",
                       "RELU_0_TO_1", "RELU_N1_TO_1", "ROUND",      "RSQRT",      "SIGN",
                       "SIN",         "SQRT",         "SQUARE",     "TANH"},
                      "T(R) -> T");
const Examples kBinary({"ADD_N",
                        "ATAN2",
                        "BITWISE_XOR",
                        "DIV",
                        "FLOOR_DIV",
                        "FLOOR_MOD",
                        "LOGICAL_AND",
                        "LOGICAL_OR",
                        "MAXIMUM",
                        "MINIMUM",
                        "MUL",
                        "POW",
                        "RIGHT_SHIFT",
                        "SQUARED_DIFFERENCE",
                        "STABLEHLO_ADD",
                        "STABLEHLO_AND",
                        "STABLEHLO_MAXIMUM",
                        "STABLEHLO_MINIMUM",
                        "STABLEHLO_MULTIPLY",
                        "STABLEHLO_SHIFT_LEFT"},
                       "T(R) T(R) -> T");
const Examples kSums({"ADD", "SUB"}, "T(R) T(R) -> T");

// The custom ops that these were before.
const Examples kCustom({{"Atan2", "T(R) T(R) -> T"}, {"Sign", "T(R) -> T"}});

}  // namespace
}  // namespace tern::testing
