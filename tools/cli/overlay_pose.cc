// SPDX-License-Identifier: Apache-2.0
// Draws poses: one skeleton per person, each in its own colour, and says where the key points are.
#include "cli/overlay_pose.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tern::cli {
namespace {

constexpr float kLeastDrawn = 0.3f;
constexpr float kLeastTold = 0.5f;
constexpr const char* kNames[kPosePoints] = {
    "nose",           "left eye",   "right eye",   "left ear",   "right ear",   "left shoulder",
    "right shoulder", "left elbow", "right elbow", "left wrist", "right wrist", "left hip",
    "right hip",      "left knee",  "right knee",  "left ankle", "right ankle"};
constexpr size_t kBones[][2] = {{5, 6},  {5, 7},   {7, 9},   {6, 8},   {8, 10},  {5, 11},
                                {6, 12}, {11, 12}, {11, 13}, {13, 15}, {12, 14}, {14, 16},
                                {0, 1},  {0, 2},   {1, 3},   {2, 4}};

// A pixel of the photo; far outside stays a little outside, where drawing clips.
int PhotoPixel(float position, int input_size, int photo_size) {
  const float fraction = position / static_cast<float>(input_size);
  if (!(fraction > -1)) return -photo_size;
  return static_cast<int>(std::min(fraction, 2.0f) * static_cast<float>(photo_size));
}

void DrawSkeleton(const Pose& pose, const PoseMaps& maps, const std::string& label, Color color,
                  Picture* picture) {
  const int unit = std::max(1, std::max(picture->width, picture->height) / 300);
  const auto px = [&](const KeyPoint& p) { return PhotoPixel(p.x, maps.width, picture->width); };
  const auto py = [&](const KeyPoint& p) { return PhotoPixel(p.y, maps.height, picture->height); };
  for (const auto& bone : kBones) {
    const KeyPoint& a = pose.points[bone[0]];
    const KeyPoint& b = pose.points[bone[1]];
    if (a.score < kLeastDrawn || b.score < kLeastDrawn) continue;
    DrawLine(picture, px(a), py(a), px(b), py(b), 2 * unit, color);
  }
  Color tint;
  std::transform(color.begin(), color.end(), tint.begin(),
                 [](uint8_t c) { return static_cast<uint8_t>((c + 2 * 255) / 3); });
  const KeyPoint* top = nullptr;
  for (const KeyPoint& p : pose.points) {
    if (p.score < kLeastDrawn) continue;
    DrawDot(picture, px(p), py(p), 2 * unit, color);
    DrawDot(picture, px(p), py(p), unit, tint);
    if (top == nullptr || p.y < top->y) top = &p;
  }
  constexpr int kLabelHeight = 26;  // above the head
  if (top != nullptr) {
    DrawLabel(picture, px(*top), py(*top) - kLabelHeight * unit, label, unit, color);
  }
}

}  // namespace

std::optional<Overlay> DrawPose(const std::vector<Values>& outputs, const Picture& photo,
                                int input_width, int input_height) {
  const std::optional<PoseMaps> maps = FindPoseMaps(outputs, input_width, input_height);
  if (!maps) return std::nullopt;
  Overlay overlay{photo, {}};
  int index = 0;
  for (const Pose& pose : DecodePoses(*maps)) {
    overlay.lines.push_back(absl::StrFormat("%8.4f  pose %d", pose.score, index));
    for (size_t k = 0; k < kPosePoints; ++k) {
      const KeyPoint& p = pose.points[k];
      if (p.score < kLeastTold) continue;
      overlay.lines.push_back(absl::StrFormat("%8.4f    %-14s x %.3f  y %.3f", p.score, kNames[k],
                                              p.x / static_cast<float>(input_width),
                                              p.y / static_cast<float>(input_height)));
    }
    DrawSkeleton(pose, *maps, absl::StrCat(index), PaletteColor(index), &overlay.picture);
    ++index;
  }
  if (index == 0) overlay.lines.push_back("no pose with a score of 0.2 or more");
  return overlay;
}

}  // namespace tern::cli
