// SPDX-License-Identifier: Apache-2.0
// Reads the FlexBuffer options after checking that its offsets stay inside the bytes.
#include "ops/detection_postprocess/detection_options.h"

#include <cmath>
#include <vector>

#include "flatbuffers/flexbuffers.h"

namespace tern {
namespace {

class MapReader {
 public:
  explicit MapReader(const flexbuffers::Map& map) : map_(map) {}

  int64_t Integer(const char* key, int64_t absent) {
    const flexbuffers::Reference value = map_[key];
    if (value.IsNull()) return absent;
    if (!value.IsIntOrUint() && !value.IsBool()) bad_ = key;
    return value.AsInt64();
  }
  float Number(const char* key, float absent) {
    const flexbuffers::Reference value = map_[key];
    if (value.IsNull()) return absent;
    if (!value.IsNumeric()) bad_ = key;
    return value.AsFloat();
  }
  const char* bad() const { return bad_; }

 private:
  const flexbuffers::Map& map_;
  const char* bad_ = nullptr;
};

Status CheckOptions(const DetectionOptions& o) {
  for (const int64_t count :
       {o.max_detections, o.max_classes_per_detection, o.detections_per_class, o.num_classes}) {
    if (count <= 0 || count > INT32_MAX) return Invalid("a count is out of range (", count, ")");
  }
  if (o.max_detections > INT32_MAX / 4 / o.max_classes_per_detection) {
    return TooLarge("too many detections (", o.max_detections, " times ",
                    o.max_classes_per_detection, ")");
  }
  if (!(o.iou_threshold > 0 && o.iou_threshold <= 1)) {
    return Invalid("nms_iou_threshold must lie in (0, 1] (", o.iou_threshold, ")");
  }
  for (const float scale : {o.y_scale, o.x_scale, o.h_scale, o.w_scale}) {
    if (scale == 0 || !std::isfinite(scale)) return Invalid("a scale is unusable (", scale, ")");
  }
  return OkStatus();
}

}  // namespace

StatusOr<DetectionOptions> ReadDetectionOptions(const void* bytes, int size) {
  const auto* data = static_cast<const uint8_t*>(bytes);
  std::vector<uint8_t> reuse;
  if (data == nullptr || size < 3 ||
      !flexbuffers::VerifyBuffer(data, static_cast<size_t>(size), &reuse)) {
    return Invalid("the options are damaged");
  }
  const flexbuffers::Reference root = flexbuffers::GetRoot(data, static_cast<size_t>(size));
  if (!root.IsMap()) return Invalid("the options are no map");
  const flexbuffers::Map map = root.AsMap();
  MapReader reader(map);
  DetectionOptions o;
  o.max_detections = reader.Integer("max_detections", 0);
  o.max_classes_per_detection = reader.Integer("max_classes_per_detection", 0);
  o.detections_per_class = reader.Integer("detections_per_class", o.detections_per_class);
  o.num_classes = reader.Integer("num_classes", 0);
  o.use_regular_nms = reader.Integer("use_regular_nms", 0) != 0;
  o.score_threshold = reader.Number("nms_score_threshold", 0);
  o.iou_threshold = reader.Number("nms_iou_threshold", 0);
  o.y_scale = reader.Number("y_scale", 0);
  o.x_scale = reader.Number("x_scale", 0);
  o.h_scale = reader.Number("h_scale", 0);
  o.w_scale = reader.Number("w_scale", 0);
  if (reader.bad() != nullptr) return Invalid("option ", reader.bad(), " has the wrong type");
  TERN_RETURN_IF_ERROR(CheckOptions(o));
  return o;
}

}  // namespace tern
