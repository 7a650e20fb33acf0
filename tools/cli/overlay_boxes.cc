// SPDX-License-Identifier: Apache-2.0
// Boxes of an object detector: boxes 1xNx4 (ymin, xmin, ymax, xmax as fractions), classes, scores,
// count.
#include <algorithm>

#include "absl/strings/str_format.h"
#include "cli/answers.h"

namespace tern::cli {

std::optional<Overlay> DrawDetections(const std::vector<Values>& outputs, const Labels& labels,
                                      const Picture& photo) {
  constexpr float kLeastScore = 0.4f;
  if (outputs.size() != 4) return std::nullopt;
  const Values& boxes = outputs[0];
  const Values& classes = outputs[1];
  const Values& scores = outputs[2];
  if (boxes.shape.size() != 3 || boxes.dim(2) != 4 || outputs[3].data.size() != 1) {
    return std::nullopt;
  }
  const size_t rows = std::min({boxes.data.size() / 4, classes.data.size(), scores.data.size(),
                                static_cast<size_t>(std::max(0.0f, outputs[3].data[0]))});
  Overlay overlay{photo, {}};
  const int unit = std::max(1, std::max(photo.width, photo.height) / 400);
  for (size_t i = 0; i < rows; ++i) {
    if (scores.data[i] < kLeastScore) continue;
    const float* box = &boxes.data[i * 4];
    const auto pixel = [](float fraction, int size) {
      return static_cast<int>(std::clamp(fraction, 0.0f, 1.0f) * static_cast<float>(size));
    };
    const int y0 = pixel(box[0], photo.height);
    const int x0 = pixel(box[1], photo.width);
    const int y1 = pixel(box[2], photo.height);
    const int x1 = pixel(box[3], photo.width);
    const int index = static_cast<int>(classes.data[i]);
    const std::string name = labels.Detected(index);
    const Color color = PaletteColor(index);
    DrawRect(&overlay.picture, x0, y0, x1, y1, 2 * unit, color);
    DrawLabel(&overlay.picture, x0, y0, absl::StrFormat("%s %.2f", name, scores.data[i]), unit,
              color);
    overlay.lines.push_back(
        absl::StrFormat("%8.4f  %s  x %d..%d  y %d..%d", scores.data[i], name, x0, x1, y0, y1));
  }
  if (overlay.lines.empty()) overlay.lines.push_back("no object with a score of 0.4 or more");
  return overlay;
}

}  // namespace tern::cli
