// SPDX-License-Identifier: Apache-2.0
// The pose of one person: for each of 17 key points the heatmap's peak, moved by the offset stored
// there (heatmaps 1xhxwx17, offsets 1xhxwx34: first the 17 vertical, then the 17 horizontal ones,
// in input pixels).
#include <cmath>

#include "absl/strings/str_format.h"
#include "cli/answers.h"

namespace tern::cli {
namespace {

constexpr int kPoints = 17;
constexpr const char* kNames[kPoints] = {
    "nose",           "left eye",   "right eye",   "left ear",   "right ear",   "left shoulder",
    "right shoulder", "left elbow", "right elbow", "left wrist", "right wrist", "left hip",
    "right hip",      "left knee",  "right knee",  "left ankle", "right ankle"};
constexpr int kBones[][2] = {{5, 6},  {5, 7},   {7, 9},   {6, 8},   {8, 10},  {5, 11},
                             {6, 12}, {11, 12}, {11, 13}, {13, 15}, {12, 14}, {14, 16},
                             {0, 1},  {0, 2},   {1, 3},   {2, 4}};

struct KeyPoint {
  float x = 0, y = 0;  // fractions of the picture
  float score = 0;
};

const Values* WithChannels(const std::vector<Values>& outputs, int channels) {
  for (const Values& v : outputs) {
    if (v.shape.size() == 4 && v.dim(0) == 1 && v.dim(3) == channels) return &v;
  }
  return nullptr;
}

// The pixel at the middle of cell `i` of `cells` that span `size` pixels corner to corner.
float CellCenter(size_t i, size_t cells, int size) {
  return cells > 1
             ? static_cast<float>(i) * static_cast<float>(size - 1) / static_cast<float>(cells - 1)
             : 0.0f;
}

KeyPoint FindPoint(const Values& heat, const Values& offsets, size_t k, int width, int height) {
  const auto rows = static_cast<size_t>(heat.dim(1));
  const auto columns = static_cast<size_t>(heat.dim(2));
  size_t best = 0;
  for (size_t cell = 1; cell < rows * columns; ++cell) {
    if (heat.data[cell * kPoints + k] > heat.data[best * kPoints + k]) best = cell;
  }
  const size_t row = best / columns;
  const size_t offset = best * 2 * kPoints + k;
  KeyPoint point;
  point.y = (CellCenter(row, rows, height) + offsets.data[offset]) / static_cast<float>(height);
  point.x = (CellCenter(best % columns, columns, width) + offsets.data[offset + kPoints]) /
            static_cast<float>(width);
  point.score = 1 / (1 + std::exp(-heat.data[best * kPoints + k]));
  return point;
}

}  // namespace

std::optional<Overlay> DrawPose(const std::vector<Values>& outputs, const Picture& photo,
                                int input_width, int input_height) {
  constexpr float kLeastScore = 0.5f;
  const Values* heat = WithChannels(outputs, kPoints);
  const Values* offsets = WithChannels(outputs, 2 * kPoints);
  if (heat == nullptr || offsets == nullptr || offsets->data.size() != 2 * heat->data.size() ||
      heat->data.empty()) {
    return std::nullopt;
  }
  Overlay overlay{photo, {}};
  std::vector<KeyPoint> points;
  for (size_t k = 0; k < kPoints; ++k) {
    points.push_back(FindPoint(*heat, *offsets, k, input_width, input_height));
    const KeyPoint& p = points.back();
    overlay.lines.push_back(
        absl::StrFormat("%8.4f  %-14s x %.3f  y %.3f", p.score, kNames[k], p.x, p.y));
  }
  const int unit = std::max(1, std::max(photo.width, photo.height) / 300);
  const auto px = [&](const KeyPoint& p) {
    return static_cast<int>(p.x * static_cast<float>(photo.width));
  };
  const auto py = [&](const KeyPoint& p) {
    return static_cast<int>(p.y * static_cast<float>(photo.height));
  };
  int color = 0;
  for (const auto& bone : kBones) {
    const KeyPoint& a = points[static_cast<size_t>(bone[0])];
    const KeyPoint& b = points[static_cast<size_t>(bone[1])];
    ++color;
    if (a.score < kLeastScore || b.score < kLeastScore) continue;
    DrawLine(&overlay.picture, px(a), py(a), px(b), py(b), 2 * unit, PaletteColor(color));
  }
  for (const KeyPoint& p : points) {
    if (p.score >= kLeastScore) DrawDot(&overlay.picture, px(p), py(p), 2 * unit, {255, 220, 0});
  }
  return overlay;
}

}  // namespace tern::cli
