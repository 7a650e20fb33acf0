// SPDX-License-Identifier: Apache-2.0
// Boxes and greedy non-maximum suppression.
#ifndef TERN_OPS_DETECTION_POSTPROCESS_NMS_H_
#define TERN_OPS_DETECTION_POSTPROCESS_NMS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tern {

struct Box {
  float ymin, xmin, ymax, xmax;
};

// Area of the intersection over area of the union; 0 when a box has no area.
inline float IntersectionOverUnion(const Box& a, const Box& b) {
  const float area_a = (a.ymax - a.ymin) * (a.xmax - a.xmin);
  const float area_b = (b.ymax - b.ymin) * (b.xmax - b.xmin);
  if (area_a <= 0 || area_b <= 0) return 0;
  const float height = std::max(std::min(a.ymax, b.ymax) - std::max(a.ymin, b.ymin), 0.0f);
  const float width = std::max(std::min(a.xmax, b.xmax) - std::max(a.xmin, b.xmin), 0.0f);
  const float common = height * width;
  return common / (area_a + area_b - common);
}

// Indices of at most `limit` boxes, best score first. Boxes below the score threshold are left out,
// and so are those that overlap a better chosen one by more than iou_threshold. Of equal scores the
// lower index comes first.
inline std::vector<int> SelectBoxes(const std::vector<Box>& boxes, const std::vector<float>& scores,
                                    float score_threshold, float iou_threshold, int64_t limit) {
  std::vector<int> order;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] >= score_threshold) order.push_back(static_cast<int>(i));
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return scores[a] > scores[b]; });
  std::vector<int> chosen;
  for (const int candidate : order) {
    if (static_cast<int64_t>(chosen.size()) >= limit) break;
    const bool hidden = std::any_of(chosen.begin(), chosen.end(), [&](int better) {
      return IntersectionOverUnion(boxes[better], boxes[candidate]) > iou_threshold;
    });
    if (!hidden) chosen.push_back(candidate);
  }
  return chosen;
}

}  // namespace tern

#endif  // TERN_OPS_DETECTION_POSTPROCESS_NMS_H_
