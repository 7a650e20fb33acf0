// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include <cstdint>
#include <cstring>

#include "ops/testing/example.h"

namespace tern::testing {
namespace {

tflite::TransposeConvOptionsT TransposeOptions() {
  tflite::TransposeConvOptionsT o;
  o.stride_h = o.stride_w = 1;
  return o;
}

// Padding SAME, strides.
void SetNumbers(ModelBuilder& b, tflite::TensorType) {
  constexpr int32_t kNumbers[] = {1, 1, 1};
  b.op().custom_options.resize(sizeof kNumbers);
  std::memcpy(b.op().custom_options.data(), kNumbers, sizeof kNumbers);
}

const Examples kTransposeConvExamples({
    {"TRANSPOSE_CONV", "I32=1,4,4,5(4) W=1(5,2,2,3) T(R:1,4,4,3) B=1(5) -> T",
     With(TransposeOptions())},
    {"Convolution2DTransposeBias", "T(R:1,4,4,3) W=1(5,2,2,3) B=1(5) -> T", SetNumbers},
});

}  // namespace
}  // namespace tern::testing
