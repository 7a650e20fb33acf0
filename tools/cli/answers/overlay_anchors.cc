// SPDX-License-Identifier: Apache-2.0
// Detectors that tell boxes and key points as distances from anchors. The anchors lie in no file:
// they are the centres of the cells of one grid after the other, some at each, and a detector is
// known by how many that makes for its input.
#include <cmath>
#include <initializer_list>
#include <optional>

#include "cli/answers/overlay_boxes.h"

namespace tern::cli {
namespace {

constexpr float kMinAnchoredScore = 0.5f;
constexpr float kMaxShared = 0.3f;

struct AnchorGrid {
  int stride;   // input pixels from cell to cell
  int anchors;  // at each cell
};

// By the numbers for a box: four for its place and size, two for each key point.
struct AnchoredKind {
  int numbers;
  const char* name;
  std::vector<AnchorGrid> grids;
};

const std::vector<AnchoredKind>& AnchoredKinds() {
  static const auto* const kinds =
      new std::vector<AnchoredKind>{{16, "face", {{8, 2}, {16, 6}}},   // BlazeFace, short range
                                    {16, "face", {{16, 2}, {32, 6}}},  // for the back camera
                                    {16, "face", {{4, 1}}},            // full range
                                    {18, "palm", {{8, 2}, {16, 6}}},   // of today
                                    {18, "palm", {{8, 2}, {16, 2}, {32, 6}}},     // the first one
                                    {12, "person", {{8, 2}, {16, 2}, {32, 6}}}};  // of BlazePose
  return *kinds;
}

int CellsOf(int size, int stride) { return (size + stride - 1) / stride; }

// Centres as fractions of the input: x, y.
std::vector<std::pair<float, float>> AnchorsOf(const AnchoredKind& kind, int width, int height) {
  std::vector<std::pair<float, float>> anchors;
  for (const AnchorGrid& grid : kind.grids) {
    const int columns = CellsOf(width, grid.stride), rows = CellsOf(height, grid.stride);
    for (int i = 0; i < rows * columns * grid.anchors; ++i) {
      const int row = i / grid.anchors / columns, column = i / grid.anchors % columns;
      anchors.emplace_back((static_cast<float>(column) + 0.5f) / static_cast<float>(columns),
                           (static_cast<float>(row) + 0.5f) / static_cast<float>(rows));
    }
  }
  return anchors;
}

struct AnchoredOutputs {
  size_t boxes = 0, scores = 0;
};

// A row of numbers for each of N anchors (1xNxM), and a score for each (1xNx1).
std::optional<AnchoredOutputs> FindAnchored(const Question& question, const Answer& answer) {
  std::optional<size_t> boxes, scores;
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    const Values& v = question.outputs[i];
    if (!answer.free(i) || v.shape.size() != 3 || v.dim(0) != 1 || v.dim(1) < 1) continue;
    if (v.dim(2) == 1) scores = i;
    if (v.dim(2) > 4) boxes = i;
  }
  if (!boxes || !scores) return std::nullopt;
  const Values& places = question.outputs[*boxes];
  const Values& certain = question.outputs[*scores];
  const auto rows = static_cast<size_t>(places.dim(1));
  if (certain.data.size() != rows ||
      places.data.size() != rows * static_cast<size_t>(places.dim(2))) {
    return std::nullopt;
  }
  return AnchoredOutputs{*boxes, *scores};
}

Box BoxAt(const float* numbers, size_t count, std::pair<float, float> anchor, float width,
          float height) {
  const float x = anchor.first + numbers[0] / width, y = anchor.second + numbers[1] / height;
  const float dx = numbers[2] / width / 2, dy = numbers[3] / height / 2;
  Box box;
  box.x0 = x - dx;
  box.x1 = x + dx;
  box.y0 = y - dy;
  box.y1 = y + dy;
  for (size_t k = 4; k + 1 < count; k += 2) {
    box.points.emplace_back(anchor.first + numbers[k] / width,
                            anchor.second + numbers[k + 1] / height);
  }
  return box;
}

}  // namespace

void TellAnchored(const Question& question, Answer* answer) {
  const std::optional<AnchoredOutputs> found = FindAnchored(question, *answer);
  if (!found || question.input_width <= 0 || question.input_height <= 0) return;
  const Values& places = question.outputs[found->boxes];
  const Values& scores = question.outputs[found->scores];
  for (const AnchoredKind& kind : AnchoredKinds()) {
    if (kind.numbers != places.dim(2)) continue;
    const auto anchors = AnchorsOf(kind, question.input_width, question.input_height);
    if (anchors.size() != scores.data.size()) continue;
    const auto numbers = static_cast<size_t>(kind.numbers);
    std::vector<Box> boxes;
    for (size_t i = 0; i < anchors.size(); ++i) {
      const float score = 1 / (1 + std::exp(-scores.data[i]));
      if (!(score > kMinAnchoredScore)) continue;  // 0.5 is what no number gives
      boxes.push_back(BoxAt(&places.data[i * numbers], numbers, anchors[i],
                            static_cast<float>(question.input_width),
                            static_cast<float>(question.input_height)));
      boxes.back().score = score;
      boxes.back().name = kind.name;
    }
    ShowBoxes(WithoutOverlaps(std::move(boxes), kMaxShared), kind.name, kMinAnchoredScore, answer);
    answer->Tell(found->boxes);
    answer->Tell(found->scores);
    return;
  }
}

}  // namespace tern::cli
