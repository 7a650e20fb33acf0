// SPDX-License-Identifier: Apache-2.0
// The mask of a segmentation model: class scores per pixel (1xHxWxC), or class indices (1xHxW).
#include <algorithm>
#include <map>

#include "absl/strings/str_format.h"
#include "cli/answers.h"

namespace tern::cli {
namespace {

struct Mask {
  int width = 0;
  int height = 0;
  int classes = 0;         // 0: not known
  std::vector<int> index;  // class of every pixel
};

std::optional<Mask> ReadMask(const Values& output) {
  constexpr int kLeastSize = 9;  // smaller ones are class scores or feature maps
  if (output.dim(0) != 1 || output.dim(1) < kLeastSize || output.dim(2) < kLeastSize) {
    return std::nullopt;
  }
  Mask mask{output.dim(2), output.dim(1), 0, {}};
  const size_t pixels = static_cast<size_t>(mask.width) * static_cast<size_t>(mask.height);
  const bool indices = output.integers && (output.shape.size() == 3 ||
                                           (output.shape.size() == 4 && output.dim(3) == 1));
  if (indices && output.data.size() == pixels) {
    for (float v : output.data) mask.index.push_back(static_cast<int>(v));
    return mask;
  }
  // Three channels are a picture, not classes.
  if (output.shape.size() != 4 || output.dim(3) < 4) return std::nullopt;
  mask.classes = output.dim(3);
  const auto classes = static_cast<size_t>(mask.classes);
  if (output.data.size() != pixels * classes) return std::nullopt;
  for (size_t p = 0; p < pixels; ++p) {
    const auto first = output.data.begin() + static_cast<std::ptrdiff_t>(p * classes);
    mask.index.push_back(static_cast<int>(std::max_element(first, first + mask.classes) - first));
  }
  return mask;
}

}  // namespace

std::optional<Overlay> DrawMask(const std::vector<Values>& outputs, const Labels& labels,
                                const Picture& photo) {
  if (outputs.size() != 1) return std::nullopt;
  const std::optional<Mask> mask = ReadMask(outputs[0]);
  if (!mask) return std::nullopt;
  Overlay overlay{photo, {}};
  std::map<int, int> pixels;
  for (int y = 0; y < photo.height; ++y) {
    for (int x = 0; x < photo.width; ++x) {
      const int mx = x * mask->width / photo.width;
      const int my = y * mask->height / photo.height;
      const int index = mask->index[static_cast<size_t>(my) * static_cast<size_t>(mask->width) +
                                    static_cast<size_t>(mx)];
      ++pixels[index];
      if (index == 0) continue;  // background
      const Color color = PaletteColor(index);
      uint8_t* p = overlay.picture.at(x, y);
      for (size_t c = 0; c < 3; ++c) p[c] = static_cast<uint8_t>((p[c] * 2 + color[c] * 3) / 5);
    }
  }
  const int unit = std::max(1, std::max(photo.width, photo.height) / 400);
  int row = 0;
  for (const auto& [index, count] : pixels) {
    const double share =
        static_cast<double>(count) / (photo.width * static_cast<double>(photo.height));
    const std::string name = labels.Class(index, mask->classes);
    overlay.lines.push_back(absl::StrFormat("%8.4f  %s", share, name));
    if (index == 0 || share < 0.005) continue;
    DrawLabel(&overlay.picture, 4 * unit, (4 + 16 * row++) * unit,
              absl::StrFormat("%s %.0f%%", name, share * 100), unit, PaletteColor(index));
  }
  return overlay;
}

}  // namespace tern::cli
