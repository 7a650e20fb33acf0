// SPDX-License-Identifier: Apache-2.0
// Points of a face, a hand, a body or an eye, as networks tell them that look at a picture of that
// alone: rows of x, y and more in pixels of the input, and beside them how sure it is that
// something is there.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/answers/answers.h"
#include "cli/answers/overlay_points.h"

namespace tern::cli {
namespace {

constexpr float kMinPresence = 0.5f;

constexpr Bone kHandBones[] = {{0, 1},   {1, 2},   {2, 3},   {3, 4},   {0, 5},   {5, 6},   {6, 7},
                               {7, 8},   {5, 9},   {9, 10},  {10, 11}, {11, 12}, {9, 13},  {13, 14},
                               {14, 15}, {15, 16}, {13, 17}, {17, 18}, {18, 19}, {19, 20}, {0, 17}};
constexpr Bone kBodyBones[] = {
    {0, 1},   {1, 2},   {2, 3},   {3, 7},   {0, 4},   {4, 5},   {5, 6},   {6, 8},   {9, 10},
    {11, 12}, {11, 13}, {13, 15}, {15, 17}, {15, 19}, {15, 21}, {17, 19}, {12, 14}, {14, 16},
    {16, 18}, {16, 20}, {16, 22}, {18, 20}, {11, 23}, {12, 24}, {23, 24}, {23, 25}, {24, 26},
    {25, 27}, {26, 28}, {27, 29}, {28, 30}, {29, 31}, {30, 32}, {27, 31}, {28, 32}};
// Closed lines of the face: its border, the lips, the eyes.
constexpr uint16_t kFaceOval[] = {10,  338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288,
                                  397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136,
                                  172, 58,  132, 93,  234, 127, 162, 21,  54,  103, 67,  109};
constexpr uint16_t kLips[] = {61,  146, 91,  181, 84,  17, 314, 405, 321, 375,
                              291, 409, 270, 269, 267, 0,  37,  39,  40,  185};
constexpr uint16_t kLeftEye[] = {263, 249, 390, 373, 374, 380, 381, 382,
                                 362, 398, 384, 385, 386, 387, 388, 466};
constexpr uint16_t kRightEye[] = {33,  7,   163, 144, 145, 153, 154, 155,
                                  133, 173, 157, 158, 159, 160, 161, 246};

enum class Lines { kNone, kHand, kBody, kFace };

// A kind is known by how many numbers it has.
struct LandmarkKind {
  size_t numbers;
  size_t beside;  // numbers of an output that such networks have as well
  size_t row;     // of a point
  size_t points;  // that are drawn; what follows helps to follow a body from picture to picture
  size_t metres;  // numbers of an output with the same points in metres; 0: none
  int maps;       // channels of an output with a heat map for each point; 0: none
  const char* name;
  Lines lines;
};
constexpr LandmarkKind kLandmarkKinds[] = {
    {1404, 1, 3, 468, 0, 0, "a face", Lines::kFace},
    {1434, 1, 3, 478, 0, 0, "a face", Lines::kFace},
    {63, 1, 3, 21, 63, 0, "a hand", Lines::kHand},
    {195, 1, 5, 33, 117, 39, "a body", Lines::kBody},
    {213, 15, 3, 71, 0, 0, "an eye and its brow", Lines::kNone},
    {15, 213, 3, 5, 0, 0, "an iris", Lines::kNone}};

std::vector<Bone> BonesOf(Lines lines) {
  std::vector<Bone> bones;
  const auto add = [&bones](const auto& list) {
    bones.insert(bones.end(), std::begin(list), std::end(list));
  };
  const auto close = [&bones](const auto& ring) {
    const size_t count = std::size(ring);
    for (size_t i = 0; i < count; ++i) bones.push_back({ring[i], ring[(i + 1) % count]});
  };
  if (lines == Lines::kHand) add(kHandBones);
  if (lines == Lines::kBody) add(kBodyBones);
  if (lines == Lines::kFace) {
    close(kFaceOval);
    close(kLips);
    close(kLeftEye);
    close(kRightEye);
  }
  return bones;
}

bool IsRow(const Values& v) {
  int64_t others = 1;
  for (size_t i = 0; i + 1 < v.shape.size(); ++i) others *= v.shape[i];
  return !v.shape.empty() && others == 1 && !v.integers &&
         v.data.size() == static_cast<size_t>(v.shape.back());
}

const LandmarkKind* KindOf(const std::vector<Values>& outputs, const Values& v, int input_size) {
  if (!IsRow(v)) return nullptr;
  const auto* kind = std::find_if(std::begin(kLandmarkKinds), std::end(kLandmarkKinds),
                                  [&v](const auto& k) { return k.numbers == v.data.size(); });
  if (kind == std::end(kLandmarkKinds)) return nullptr;
  const bool complete = std::any_of(outputs.begin(), outputs.end(), [kind](const Values& other) {
    return other.data.size() == kind->beside;
  });
  if (!complete) return nullptr;
  // Pixels of the input; a row of the same length in metres or in 0..1 is something else.
  float largest = 0;
  for (size_t i = 0; i < kind->points; ++i) {
    largest = std::max(largest, std::fabs(v.data[i * kind->row]));
  }
  constexpr float kMinPixels = 4;
  return largest > kMinPixels && largest < 3 * static_cast<float>(input_size) ? kind : nullptr;
}

// How sure the network is; 1 where it does not tell. Some tell it before the sigmoid, and those
// have numbers beyond 0..1 sooner or later.
float Presence(const Question& question, size_t* output) {
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    const Values& v = question.outputs[i];
    if (v.data.size() != 1 || v.integers) continue;
    *output = i;
    const float x = v.data[0];
    const bool face = v.shape.size() == 4;
    return face || x < 0 || x > 1 ? 1 / (1 + std::exp(-x)) : x;
  }
  return 1;
}

std::vector<Point> PointsOf(const Values& v, const LandmarkKind& kind, int width, int height) {
  std::vector<Point> points;
  for (size_t i = 0; i < kind.points; ++i) {
    const float* row = &v.data[i * kind.row];
    Point point{row[0] / static_cast<float>(width), row[1] / static_cast<float>(height), 1};
    if (kind.row > 3) point.score = 1 / (1 + std::exp(-row[3]));  // whether it is in sight
    points.push_back(point);
  }
  return points;
}

void ShowLandmarks(const std::vector<Point>& points, const LandmarkKind& kind, int index,
                   Answer* answer) {
  Picture* picture = &answer->overlay;
  const std::vector<Bone> bones = BonesOf(kind.lines);
  const int unit = DrawingUnit(*picture);
  const bool dense = kind.points > 40;
  if (dense) {  // lines first: dots of their size would hide them
    DrawPoints(points, nullptr, 0, kMinPresence, std::max(1, unit / 2), PaletteColor(1), picture);
  }
  DrawPoints(points, bones.data(), bones.size(), kMinPresence, dense ? 0 : 2 * unit,
             PaletteColor(2 * index), picture);
  answer->drawn = true;
}

// Outputs that say the same in other forms.
void TellCompanions(const Question& question, const LandmarkKind& kind, Answer* answer) {
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    const Values& v = question.outputs[i];
    if (!answer->free(i)) continue;
    const bool metres = kind.metres != 0 && IsRow(v) && v.data.size() == kind.metres;
    const bool maps = kind.maps != 0 && v.shape.size() == 4 && v.dim(3) == kind.maps;
    if (!metres && !maps) continue;
    answer->lines.push_back(
        absl::StrFormat("output %d: the same points %s", i, metres ? "in metres" : "as heat maps"));
    answer->Tell(i);
  }
}

}  // namespace

void TellLandmarks(const Question& question, Answer* answer) {
  const int size = std::max(question.input_width, question.input_height);
  if (size <= 0) return;
  size_t presence_output = question.outputs.size();
  const float presence = Presence(question, &presence_output);
  const bool there = presence >= kMinPresence;
  const LandmarkKind* last = nullptr;
  int found = 0;
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    const LandmarkKind* kind =
        answer->free(i) ? KindOf(question.outputs, question.outputs[i], size) : nullptr;
    if (kind == nullptr) continue;
    last = kind;
    answer->Tell(i);
    answer->lines.push_back(absl::StrFormat("output %d: %d points of %s%s", i, kind->points,
                                            kind->name, there ? "" : ", not drawn"));
    if (!there) continue;
    ShowLandmarks(PointsOf(question.outputs[i], *kind, question.input_width, question.input_height),
                  *kind, found++, answer);
  }
  if (last == nullptr) return;
  TellCompanions(question, *last, answer);
  if (presence_output == question.outputs.size() || !answer->free(presence_output)) return;
  answer->lines.push_back(absl::StrFormat("output %d: %s is %s, with a score of %.4f",
                                          presence_output, last->name,
                                          there ? "there" : "not there", presence));
  answer->Tell(presence_output);
}

}  // namespace tern::cli
