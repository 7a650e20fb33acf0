// SPDX-License-Identifier: Apache-2.0
// The mask of a segmentation model: class scores per pixel (1xHxWxC), or class indices (1xHxW).
#include <algorithm>
#include <map>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/answers/answers.h"

namespace tern::cli {
namespace {

struct Mask {
  int width = 0;
  int height = 0;
  int classes = 0;         // 0: not known
  std::vector<int> index;  // class of every pixel

  int at(int x, int y) const {
    return index[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  }
};

std::optional<Mask> ReadMask(const Values& output) {
  constexpr int kMinSize = 9;  // smaller ones are class scores or feature maps
  if (output.dim(0) != 1 || output.dim(1) < kMinSize || output.dim(2) < kMinSize) {
    return std::nullopt;
  }
  Mask mask{output.dim(2), output.dim(1), 0, {}};
  const size_t pixels = static_cast<size_t>(mask.width) * static_cast<size_t>(mask.height);
  const bool indices = output.integers && (output.shape.size() == 3 ||
                                           (output.shape.size() == 4 && output.dim(3) == 1));
  if (indices && output.data.size() == pixels) {
    constexpr float kMost = 1e6f;
    for (float v : output.data) mask.index.push_back(static_cast<int>(std::clamp(v, -1.0f, kMost)));
    return mask;
  }
  // Three channels are a picture, not classes.
  if (output.shape.size() != 4 || output.dim(3) < 2 || output.dim(3) == 3) return std::nullopt;
  mask.classes = output.dim(3);
  const auto classes = static_cast<size_t>(mask.classes);
  if (output.data.size() != pixels * classes) return std::nullopt;
  for (size_t p = 0; p < pixels; ++p) {
    const auto first = output.data.begin() + static_cast<std::ptrdiff_t>(p * classes);
    mask.index.push_back(static_cast<int>(std::max_element(first, first + mask.classes) - first));
  }
  return mask;
}

// Pixels of a picture that each class has.
std::map<int, int> CountPixels(const Mask& mask, const Picture& picture) {
  std::map<int, int> pixels;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      ++pixels[mask.at(x * mask.width / picture.width, y * mask.height / picture.height)];
    }
  }
  return pixels;
}

// The largest class chooses first; the background has none.
std::map<int, Color> ColorsOf(const std::map<int, int>& pixels) {
  std::vector<std::pair<int, int>> by_size;  // -pixels, class
  by_size.reserve(pixels.size());
  for (const auto& [index, count] : pixels) by_size.emplace_back(-count, index);
  std::sort(by_size.begin(), by_size.end());
  std::vector<int> classes;
  for (const auto& [size, index] : by_size) {
    if (index != 0) classes.push_back(index);
  }
  return DistinctColors(classes);
}

void Tint(const Mask& mask, const std::map<int, Color>& colors, Picture* picture) {
  for (int y = 0; y < picture->height; ++y) {
    for (int x = 0; x < picture->width; ++x) {
      const int index = mask.at(x * mask.width / picture->width, y * mask.height / picture->height);
      if (index != 0) TintPixel(picture, x, y, colors.at(index));
    }
  }
}

void ShowMask(const Mask& mask, const Labels& labels, Answer* answer) {
  constexpr double kMinShare = 0.005;  // of a class that the picture names
  answer->Warn(mask.classes > 0 ? labels.Misfit(mask.classes) : "");
  Picture* picture = &answer->overlay;
  const std::map<int, int> pixels = CountPixels(mask, *picture);
  const std::map<int, Color> colors = ColorsOf(pixels);
  Tint(mask, colors, picture);
  answer->drawn = true;
  const int unit = DrawingUnit(*picture);
  int row = 0;
  for (const auto& [index, count] : pixels) {
    const double share =
        static_cast<double>(count) / (picture->width * static_cast<double>(picture->height));
    const std::string name = labels.Class(index, mask.classes);
    answer->lines.push_back(absl::StrFormat("%8.4f  %s", share, name));
    if (index == 0 || share < kMinShare) continue;
    DrawLabel(picture, 4 * unit, (4 + 16 * row++) * unit,
              absl::StrFormat("%s %.0f%%", name, share * 100), unit, colors.at(index));
  }
}

}  // namespace

void TellClassMask(const Question& question, Answer* answer) {
  if (answer->overlay.width == 0) return;
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    if (!answer->free(i)) continue;
    const std::optional<Mask> mask = ReadMask(question.outputs[i]);
    if (!mask) continue;
    answer->lines.push_back(absl::StrCat("output ", i, ": a class for each of ", mask->width, "x",
                                         mask->height, " pixels; shares of the picture"));
    ShowMask(*mask, question.LabelsOf(i), answer);
    answer->Tell(i);
    return;  // a second mask would hide the first
  }
}

}  // namespace tern::cli
