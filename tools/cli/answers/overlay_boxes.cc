// SPDX-License-Identifier: Apache-2.0
// Boxes of object detectors, with names and key points.
#include "cli/answers/overlay_boxes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tern::cli {
namespace {

constexpr size_t kMaxBoxLines = 20;

// Of the area that two boxes cover, how much both do.
float SharedPart(const Box& a, const Box& b) {
  const float width = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
  const float height = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
  if (!(width > 0) || !(height > 0)) return 0;
  const float both = width * height;
  const float all = (a.x1 - a.x0) * (a.y1 - a.y0) + (b.x1 - b.x0) * (b.y1 - b.y0) - both;
  return all > 0 ? both / all : 0;
}

// A position that is no number lands at the border.
int BoxPixel(float fraction, int size) {
  if (!(fraction > 0)) return 0;
  return static_cast<int>(std::min(fraction, 1.0f) * static_cast<float>(size));
}

// The borders of a box in a picture.
struct PixelBox {
  PixelBox(const Box& box, const Picture& picture)
      : x0(BoxPixel(box.x0, picture.width)),
        y0(BoxPixel(box.y0, picture.height)),
        x1(BoxPixel(box.x1, picture.width)),
        y1(BoxPixel(box.y1, picture.height)) {}
  int x0, y0, x1, y1;
};

// Where each role stands among the outputs of a detection post-process.
struct DetectionRoles {
  size_t boxes = 0, classes = 0, scores = 0, count = 0;
};

// Boxes 1xNx4, one number, and two rows of N: in the order of the operator, or, as some converters
// give them, in another. Integers are the classes.
std::optional<DetectionRoles> FindRoles(const std::vector<Values>& outputs) {
  if (outputs.size() != 4) return std::nullopt;
  std::optional<size_t> boxes, count;
  std::vector<size_t> rows;
  for (size_t i = 0; i < 4; ++i) {
    const Values& v = outputs[i];
    if (v.shape.size() == 3 && v.dim(0) == 1 && v.dim(2) == 4 && !boxes)
      boxes = i;
    else if (v.data.size() == 1 && !count)
      count = i;
    else
      rows.push_back(i);
  }
  if (!boxes || !count || rows.size() != 2) return std::nullopt;
  const size_t number = outputs[*boxes].data.size() / 4;
  for (const size_t row : rows) {
    if (outputs[row].data.size() != number || outputs[row].shape.size() > 2) return std::nullopt;
  }
  const auto whole = [&outputs](size_t row) {
    return std::all_of(outputs[row].data.begin(), outputs[row].data.end(),
                       [](float v) { return v == std::floor(v); });
  };
  if (!whole(rows[0]) && whole(rows[1])) std::swap(rows[0], rows[1]);
  return DetectionRoles{*boxes, rows[0], rows[1], *count};
}

}  // namespace

int ClassNumber(float value) {
  constexpr float kMost = 1e6f;
  return value >= 0 ? static_cast<int>(std::min(value, kMost)) : -1;
}

std::vector<Box> WithoutOverlaps(std::vector<Box> boxes, float overlap) {
  std::stable_sort(boxes.begin(), boxes.end(),
                   [](const Box& a, const Box& b) { return a.score > b.score; });
  std::vector<Box> kept;
  for (Box& box : boxes) {
    const bool covered = std::any_of(kept.begin(), kept.end(), [&](const Box& better) {
      return better.index == box.index && SharedPart(better, box) > overlap;
    });
    if (!covered) kept.push_back(std::move(box));
  }
  return kept;
}

void ShowBoxes(const std::vector<Box>& boxes, const std::string& kind, float min_score,
               Answer* answer) {
  Picture* picture = &answer->overlay;
  const int unit = DrawingUnit(*picture);
  if (boxes.empty()) {
    answer->lines.push_back(absl::StrFormat("no %s with a score of %.1f or more", kind, min_score));
    return;
  }
  answer->drawn = true;
  std::vector<int> classes;  // the best box chooses its colour first
  for (const Box& box : boxes) classes.push_back(box.index);
  const std::map<int, Color> colors = DistinctColors(classes);
  for (size_t i = 0; i < boxes.size(); ++i) {
    const Box& box = boxes[i];
    const PixelBox at(box, *picture);
    DrawRect(picture, at.x0, at.y0, at.x1, at.y1, 2 * unit, colors.at(box.index));
    std::string line = absl::StrFormat("%8.4f  %s  x %d..%d  y %d..%d", box.score, box.name, at.x0,
                                       at.x1, at.y0, at.y1);
    if (!box.points.empty()) absl::StrAppend(&line, "  points");
    for (const auto& [x, y] : box.points) {
      absl::StrAppend(&line, " ", BoxPixel(x, picture->width), ",", BoxPixel(y, picture->height));
    }
    if (i < kMaxBoxLines) answer->lines.push_back(line);
  }
  // No line crosses a name or a point, and no name hides the object where there is room above it.
  for (auto box = boxes.rbegin(); box != boxes.rend(); ++box) {
    const PixelBox at(*box, *picture);
    DrawLabel(picture, at.x0, at.y0 - LabelHeight(unit),
              absl::StrFormat("%s %.2f", box->name, box->score), unit, colors.at(box->index));
  }
  for (const Box& box : boxes) {
    for (const auto& [x, y] : box.points) {
      const int px = BoxPixel(x, picture->width), py = BoxPixel(y, picture->height);
      DrawDot(picture, px, py, 2 * unit, colors.at(box.index));
      DrawDot(picture, px, py, unit, {255, 255, 255});
    }
  }
  if (boxes.size() > kMaxBoxLines) {
    answer->lines.push_back(absl::StrCat("and ", boxes.size() - kMaxBoxLines, " more"));
  }
}

void TellDetections(const Question& question, Answer* answer) {
  constexpr float kMinScore = 0.4f;
  const std::optional<DetectionRoles> roles = FindRoles(question.outputs);
  if (!roles) return;
  const std::vector<float>& places = question.outputs[roles->boxes].data;
  const std::vector<float>& classes = question.outputs[roles->classes].data;
  const std::vector<float>& scores = question.outputs[roles->scores].data;
  const float count = question.outputs[roles->count].data[0];
  const Labels& labels = question.LabelsOf(roles->classes);
  std::vector<Box> boxes;
  for (size_t i = 0; i < scores.size() && static_cast<float>(i) < count; ++i) {
    if (!(scores[i] >= kMinScore)) continue;
    const float* p = &places[i * 4];  // top, left, bottom, right
    const int index = ClassNumber(classes[i]);
    boxes.push_back({p[1], p[0], p[3], p[2], scores[i], index, labels.Detected(index), {}});
    answer->Warn(labels.MisfitDetected(index));
  }
  ShowBoxes(boxes, "object", kMinScore, answer);
  for (size_t i = 0; i < 4; ++i) answer->Tell(i);
}

}  // namespace tern::cli
