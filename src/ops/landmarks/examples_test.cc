// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "flatbuffers/flexbuffers.h"
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

void SetMatrix(ModelBuilder& b, tflite::TensorType) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.TypedVector("subset_idxs", [&] {
      for (const int point : {0, 1, 2}) options.Int(point);
    });
    options.Int("left_rotation_idx", 0);
    options.Int("right_rotation_idx", 1);
    options.Float("target_rotation_radians", 0);
    for (const char* key : {"output_height", "output_width", "scale_x", "scale_y"})
      options.Int(key, 4);
  });
  options.Finish();
  b.op().custom_options = options.GetBuffer();
}

void SetLandmarkSize(ModelBuilder& b, tflite::TensorType) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.TypedVector("output_size", [&] {
      for (const int size : {3, 4}) options.Int(size);
    });
  });
  options.Finish();
  b.op().custom_options = options.GetBuffer();
}

const Examples kLandmarksExamples({{"Landmarks2TransformMatrix", "T(R:1,4,3) -> T", SetMatrix},
                                   {"TransformLandmarks", "T(R:1,4,3) T(1,4,4) -> T"}});
const Examples kTensors({"TransformTensor", "TransformTensorBilinear"},
                        "T(R:1,4,4,3) T(1,4,4) -> T", SetLandmarkSize);

}  // namespace
}  // namespace tern::testing
