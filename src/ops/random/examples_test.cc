// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kShapes({"RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL"}, "I32=sizes(r) -> F32");
const Examples kLogits({"MULTINOMIAL"}, "T(R:2,3) I32=4() -> I64");

const Examples kBits({{"STABLEHLO_RNG_BIT_GENERATOR", "U64(2) -> U64 T",
                       With(tflite::StablehloRngBitGeneratorOptionsT())}});

const Examples kCustomRandom({{"Multinomial", "T(R:2,3) I32=4() -> I64"},
                              {"RandomStandardNormal", "T=2(3) -> F32"},
                              {"RandomUniform", "T=2(3) -> F32"},
                              {"RandomUniformInt", "T=2(3) I32=0() I32=9() -> I32"}});

}  // namespace
}  // namespace tern::testing
