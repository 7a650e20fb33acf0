// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
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
