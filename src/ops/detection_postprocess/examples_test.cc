// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "flatbuffers/flexbuffers.h"
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

void SetOptions(ModelBuilder& b, tflite::TensorType) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.Int("max_detections", 2);
    options.Int("max_classes_per_detection", 1);
    options.Int("num_classes", 2);
    options.Float("nms_iou_threshold", 0.5f);
    for (const char* scale : {"y_scale", "x_scale", "h_scale", "w_scale"}) options.Float(scale, 1);
  });
  options.Finish();
  b.op().custom_options = options.GetBuffer();
}

const Examples kDetectionPostprocessExamples({{"TFLite_Detection_PostProcess",
                                               "T(R:1,3,4) T(1,3,3) T=1(3,4) -> F32 F32 F32 F32",
                                               SetOptions}});

}  // namespace
}  // namespace tern::testing
