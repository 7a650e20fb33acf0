// SPDX-License-Identifier: Apache-2.0
// Reads the FlexBuffer options after checking that its offsets stay inside the bytes.
#include "ops/detection_postprocess/detection_options.h"

#include <cmath>
#include <utility>

#include "base/flex_map.h"

namespace tern {
namespace {

Status ReadCount(const FlexMap& map, const char* key, int64_t& value) {
  const auto number = map.Find(key);
  if (!number.ok()) return WithPrefix(number.status(), StrCat("option ", key));
  if (!number->has_value()) return OkStatus();
  if (!(*number)->integer) return Invalid("option ", key, " must be a whole number");
  value = (*number)->as_integer;
  return OkStatus();
}

Status ReadFactor(const FlexMap& map, const char* key, float& value) {
  const auto number = map.Find(key);
  if (!number.ok()) return WithPrefix(number.status(), StrCat("option ", key));
  if (number->has_value()) value = static_cast<float>((*number)->as_double);
  return OkStatus();
}

Status CheckOptions(const DetectionOptions& o) {
  const std::pair<const char*, int64_t> counts[] = {
      {"max_detections", o.max_detections},
      {"max_classes_per_detection", o.max_classes_per_detection},
      {"detections_per_class", o.detections_per_class},
      {"num_classes", o.num_classes}};
  for (const auto& [key, count] : counts) {
    if (count <= 0 || count > INT32_MAX) {
      return Invalid("option ", key, " must lie in 1..", INT32_MAX, " (", count, ")");
    }
  }
  if (o.max_detections > INT32_MAX / 4 / o.max_classes_per_detection) {
    return TooLarge("too many detections (", o.max_detections, " times ",
                    o.max_classes_per_detection, ", at most ", INT32_MAX / 4, ")");
  }
  if (!(o.iou_threshold > 0 && o.iou_threshold <= 1)) {
    return Invalid("nms_iou_threshold must lie in (0, 1] (", o.iou_threshold, ")");
  }
  const std::pair<const char*, float> scales[] = {{"y_scale", o.y_scale},
                                                  {"x_scale", o.x_scale},
                                                  {"h_scale", o.h_scale},
                                                  {"w_scale", o.w_scale}};
  for (const auto& [key, scale] : scales) {
    if (scale == 0 || !std::isfinite(scale)) {
      return Invalid("option ", key, " must be finite and not 0 (", scale, ")");
    }
  }
  return OkStatus();
}

}  // namespace

StatusOr<DetectionOptions> ReadDetectionOptions(const void* bytes, int size) {
  if (size < 0) return Invalid("the options are damaged");
  TERN_ASSIGN_OR_RETURN(const FlexMap map, FlexMap::Open(bytes, static_cast<size_t>(size)));
  DetectionOptions o;
  int64_t regular = 0;
  TERN_RETURN_IF_ERROR(ReadCount(map, "max_detections", o.max_detections));
  TERN_RETURN_IF_ERROR(ReadCount(map, "max_classes_per_detection", o.max_classes_per_detection));
  TERN_RETURN_IF_ERROR(ReadCount(map, "detections_per_class", o.detections_per_class));
  TERN_RETURN_IF_ERROR(ReadCount(map, "num_classes", o.num_classes));
  TERN_RETURN_IF_ERROR(ReadCount(map, "use_regular_nms", regular));
  TERN_RETURN_IF_ERROR(ReadFactor(map, "nms_score_threshold", o.score_threshold));
  TERN_RETURN_IF_ERROR(ReadFactor(map, "nms_iou_threshold", o.iou_threshold));
  TERN_RETURN_IF_ERROR(ReadFactor(map, "y_scale", o.y_scale));
  TERN_RETURN_IF_ERROR(ReadFactor(map, "x_scale", o.x_scale));
  TERN_RETURN_IF_ERROR(ReadFactor(map, "h_scale", o.h_scale));
  TERN_RETURN_IF_ERROR(ReadFactor(map, "w_scale", o.w_scale));
  o.use_regular_nms = regular != 0;
  TERN_RETURN_IF_ERROR(CheckOptions(o));
  return o;
}

}  // namespace tern
