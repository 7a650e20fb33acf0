// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "model/testing/quantize_by_block.h"
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

const Examples kFullyConnectedExamples({
    {"FULLY_CONNECTED", "T(R) W=1(5,c) B=1(5) -> T", With([] {
       tflite::FullyConnectedOptionsT o;
       o.keep_num_dims = true;
       return o;
     }())},
    // Without it, all dimensions but the last one are rows.
    {"FULLY_CONNECTED", "T(R) W=1(5,c) - -> T", With(tflite::FullyConnectedOptionsT())},
    {"FULLY_CONNECTED", "F32(2,64) I4=1(5,64) F32=1(5) -> F32",
     [](ModelBuilder& b, tflite::TensorType) {
       b.op().builtin_options.Set(tflite::FullyConnectedOptionsT());
       QuantizeByBlock(b, b.op().inputs[1], std::vector<float>(10, 0.5f), 32);
     }},
});

}  // namespace
}  // namespace tern::testing
