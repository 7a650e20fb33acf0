// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include <cstdint>
#include <cstring>
#include <vector>

#include "flatbuffers/flexbuffers.h"
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

void SetPool3d(ModelBuilder& b, tflite::TensorType) {
  flexbuffers::Builder options;
  options.Map([&] {
    for (const char* key : {"ksize", "strides"}) {
      options.Vector(key, [&] {
        for (const int v : {1, 2, 2, 2, 1}) options.Int(v);
      });
    }
    options.String("padding", "SAME");
  });
  options.Finish();
  b.op().custom_options = options.GetBuffer();
}

const Examples kVolumes({"AvgPool3D", "MaxPool3D"}, "T(R:1,2,3,4,2) -> T", SetPool3d);

tflite::Pool2DOptionsT Window() {
  tflite::Pool2DOptionsT o;
  o.stride_h = o.stride_w = o.filter_height = o.filter_width = 2;
  return o;
}

// 32-bit integers.
Example::Finish WithNumbers(std::vector<int32_t> numbers) {
  return [numbers](ModelBuilder& b, tflite::TensorType) {
    std::vector<uint8_t>& bytes = b.op().custom_options;
    bytes.resize(numbers.size() * sizeof(int32_t));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
  };
}

const Examples kPools({"AVERAGE_POOL_2D", "L2_POOL_2D", "MAX_POOL_2D"}, "T(R:1,4,4,3) -> T",
                      With(Window()));
const Examples kCustomPools({
    {"MaxPoolingWithArgmax2D", "T(R:1,4,4,3) -> T I32", WithNumbers({1, 2, 2, 2, 2, 0})},
    {"MaxUnpooling2D", "T(R:1,4,4,3) I32(R) -> T", WithNumbers({1, 2, 2, 2, 2, 0})},
});

}  // namespace
}  // namespace tern::testing
