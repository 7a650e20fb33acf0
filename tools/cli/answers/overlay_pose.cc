// SPDX-License-Identifier: Apache-2.0
// Draws poses: one skeleton per person, each in its own colour, and says where the key points are.
#include "cli/answers/overlay_pose.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/answers/overlay_points.h"

namespace tern::cli {
namespace {

constexpr float kMinPose = 0.2f;
constexpr float kMinDrawn = 0.3f;
constexpr float kMinReported = 0.5f;
constexpr const char* kPoseNames[] = {
    "nose",           "left eye",   "right eye",   "left ear",   "right ear",   "left shoulder",
    "right shoulder", "left elbow", "right elbow", "left wrist", "right wrist", "left hip",
    "right hip",      "left knee",  "right knee",  "left ankle", "right ankle"};
constexpr Bone kPoseBones[] = {{5, 6},  {5, 7},   {7, 9},   {6, 8},   {8, 10},  {5, 11},
                               {6, 12}, {11, 12}, {11, 13}, {13, 15}, {12, 14}, {14, 16},
                               {0, 1},  {0, 2},   {1, 3},   {2, 4}};

constexpr int kHeatPoints = 14;
constexpr const char* kHeatNames[] = {
    "top of the head", "neck",       "right shoulder", "right elbow", "right wrist",
    "left shoulder",   "left elbow", "left wrist",     "right hip",   "right knee",
    "right ankle",     "left hip",   "left knee",      "left ankle"};
constexpr Bone kHeatBones[] = {{0, 1}, {1, 2}, {2, 3},  {3, 4},  {1, 5},   {5, 6},  {6, 7},
                               {1, 8}, {8, 9}, {9, 10}, {1, 11}, {11, 12}, {12, 13}};

// How a body is reported and drawn.
struct BodyForm {
  const char* const* names;
  const Bone* bones;
  size_t bone_count;
};
constexpr BodyForm kPoseBody = {kPoseNames, kPoseBones, std::size(kPoseBones)};
constexpr BodyForm kHeatBody = {kHeatNames, kHeatBones, std::size(kHeatBones)};

// Whether it was a pose.
bool ShowBody(const std::vector<Point>& points, const BodyForm& form, float score, int index,
              Answer* answer) {
  if (!(score >= kMinPose)) {
    if (index == 0) answer->lines.push_back("no pose with a score of 0.2 or more");
    return false;
  }
  answer->lines.push_back(absl::StrFormat("%8.4f  pose %d", score, index));
  const Point* top = nullptr;
  for (size_t k = 0; k < points.size(); ++k) {
    const Point& p = points[k];
    if (p.score >= kMinDrawn && (top == nullptr || p.y < top->y)) top = &p;
    if (!(p.score >= kMinReported)) continue;
    answer->lines.push_back(
        absl::StrFormat("%8.4f    %-15s x %.3f  y %.3f", p.score, form.names[k], p.x, p.y));
  }
  Picture* picture = &answer->overlay;
  const int unit = std::max(1, std::max(picture->width, picture->height) / 300);
  const Color color = PaletteColor(index);
  DrawPoints(points, form.bones, form.bone_count, kMinDrawn, 2 * unit, color, picture);
  answer->drawn = true;
  constexpr int kLabelHeight = 26;  // above the head
  if (top != nullptr) {
    DrawLabel(picture, PointPixel(top->x, picture->width),
              PointPixel(top->y, picture->height) - kLabelHeight * unit, absl::StrCat(index), unit,
              color);
  }
  return true;
}

// One person as 17 rows of y, x and score in fractions (MoveNet, 1x1x17x3).
bool TellRows(const Question& question, Answer* answer) {
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    const Values& v = question.outputs[i];
    if (!answer->free(i) || v.shape != std::vector<int>{1, 1, kPosePoints, 3}) continue;
    std::vector<Point> points;
    float score = 0;
    for (size_t k = 0; k < kPosePoints && v.data.size() == 3 * kPosePoints; ++k) {
      points.push_back({v.data[3 * k + 1], v.data[3 * k], v.data[3 * k + 2]});
      score += points.back().score / kPosePoints;
    }
    ShowBody(points, kPoseBody, score, 0, answer);
    answer->Tell(i);
    return true;
  }
  return false;
}

// One person by the peaks of 14 heat maps, which are near 0 nearly everywhere.
void TellHeatMaps(const Question& question, Answer* answer) {
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    const Values& v = question.outputs[i];
    if (!answer->free(i) || v.shape.size() != 4 || v.dim(0) != 1 || v.dim(3) != kHeatPoints)
      continue;
    const auto width = static_cast<size_t>(v.dim(2)), height = static_cast<size_t>(v.dim(1));
    const size_t cells = width * height;
    double sum = 0;
    for (const float x : v.data) sum += std::fabs(x);
    constexpr double kMaxMean = 0.05;  // shares of 14 classes have 0.07
    if (cells == 0 || v.data.size() != cells * kHeatPoints ||
        !(sum < kMaxMean * static_cast<double>(v.data.size()))) {
      continue;
    }
    std::vector<Point> points;
    float score = 0;
    for (size_t k = 0; k < kHeatPoints; ++k) {
      size_t best = 0;
      for (size_t cell = 1; cell < cells; ++cell) {
        if (v.data[cell * kHeatPoints + k] > v.data[best * kHeatPoints + k]) best = cell;
      }
      const size_t row = best / width, column = best % width;
      points.push_back({(static_cast<float>(column) + 0.5f) / static_cast<float>(width),
                        (static_cast<float>(row) + 0.5f) / static_cast<float>(height),
                        std::min(1.0f, v.data[best * kHeatPoints + k])});
      score += points.back().score / kHeatPoints;
    }
    ShowBody(points, kHeatBody, score, 0, answer);
    answer->Tell(i);
  }
}

void TellMaps(const Question& question, const PoseMaps& maps, Answer* answer) {
  int index = 0;
  for (const Pose& pose : DecodePoses(maps)) {
    std::vector<Point> points;
    for (const KeyPoint& p : pose.points) {
      points.push_back(
          {p.x / static_cast<float>(maps.width), p.y / static_cast<float>(maps.height), p.score});
    }
    if (!ShowBody(points, kPoseBody, pose.score, index++, answer)) break;
  }
  if (index == 0) answer->lines.push_back("no pose with a score of 0.2 or more");
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    const Values* v = &question.outputs[i];
    for (const Values* map :
         {maps.heat, maps.offsets, maps.displacements, maps.to_limbs, maps.to_nose}) {
      if (v == map) answer->Tell(i);
    }
  }
}

}  // namespace

void TellPose(const Question& question, Answer* answer) {
  if (TellRows(question, answer)) return;
  if (question.input_width <= 0 || question.input_height <= 0) return;
  const std::optional<PoseMaps> maps =
      FindPoseMaps(question.outputs, question.input_width, question.input_height);
  if (!maps) return TellHeatMaps(question, answer);
  TellMaps(question, *maps, answer);
}

}  // namespace tern::cli
