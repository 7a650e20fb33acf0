// SPDX-License-Identifier: Apache-2.0
// What docs/ops.md tries of the operations in this folder.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kQuantizeExamples({
    {"DEQUANTIZE", "T(R) -> F32"},
    {"QUANTIZE", "T(R) -> I8@-6"},
    {"FAKE_QUANT", "T(R) -> T", With([] {
       tflite::FakeQuantOptionsT o;
       o.max = 6;
       o.num_bits = 8;
       return o;
     }())},
});

}  // namespace
}  // namespace tern::testing
