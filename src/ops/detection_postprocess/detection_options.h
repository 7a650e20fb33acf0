// SPDX-License-Identifier: Apache-2.0
// Options of TFLite_Detection_PostProcess, as stored in the model (a FlexBuffer map).
#ifndef TERN_OPS_DETECTION_POSTPROCESS_DETECTION_OPTIONS_H_
#define TERN_OPS_DETECTION_POSTPROCESS_DETECTION_OPTIONS_H_

#include <cstdint>

#include "base/status.h"

namespace tern {

struct DetectionOptions {
  int64_t max_detections = 0;
  int64_t max_classes_per_detection = 0;
  int64_t detections_per_class = 100;
  int64_t num_classes = 0;
  bool use_regular_nms = false;
  float score_threshold = 0, iou_threshold = 0;
  float y_scale = 0, x_scale = 0, h_scale = 0, w_scale = 0;
};

// Every value of the result is usable: counts are positive and fit 31 bits, also multiplied; scales
// are not zero.
StatusOr<DetectionOptions> ReadDetectionOptions(const void* bytes, int size);

}  // namespace tern

#endif  // TERN_OPS_DETECTION_POSTPROCESS_DETECTION_OPTIONS_H_
