// SPDX-License-Identifier: Apache-2.0
// The heads of YOLO networks, which tell a box for every cell of three grids:
//   YOLOv8 and later   1x(4+C)xN: x, y, width, height, then scores of C classes; a box for a cell
//   YOLOv5             1xNx(5+C): the same with a score of the box before those of classes; three
//   YOLOX              1xNx(5+C): the same; one, often as distances from the cell
// and the rows of seven numbers that some converters put behind them: picture, class, score,
// corners.
#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/str_cat.h"
#include "cli/answers/overlay_boxes.h"

namespace tern::cli {
namespace {

constexpr float kMinYoloScore = 0.4f;
constexpr float kMaxYoloShared = 0.45f;
constexpr int kYoloStrides[] = {8, 16, 32};
constexpr int kAnchorsOfV5 = 3;

struct Cell {
  float x, y, stride;  // the corner, in cells; input pixels from cell to cell
};

std::vector<Cell> CellsOfInput(int width, int height) {
  std::vector<Cell> cells;
  for (const int stride : kYoloStrides) {
    for (int y = 0; y < (height + stride - 1) / stride; ++y) {
      for (int x = 0; x < (width + stride - 1) / stride; ++x) {
        cells.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(stride)});
      }
    }
  }
  return cells;
}

// One head, whichever way its numbers lie.
struct YoloHead {
  const Values* values = nullptr;
  int boxes = 0, numbers = 0;
  bool numbers_first = false;  // 1x(4+C)xN
  bool distances = false;      // from cells
  int first_class = 5;

  float at(int box, int number) const {
    const int row = numbers_first ? number : box, column = numbers_first ? box : number;
    return values->data[static_cast<size_t>(row) * static_cast<size_t>(values->dim(2)) +
                        static_cast<size_t>(column)];
  }
  int classes() const { return numbers - first_class; }
  float largest(int number) const {
    float found = 0;
    for (int box = 0; box < boxes; ++box) found = std::max(found, std::fabs(at(box, number)));
    return found;
  }
};

std::optional<YoloHead> FindHead(const Values& v, size_t cells) {
  if (v.shape.size() != 3 || v.dim(0) != 1 || cells == 0) return std::nullopt;
  const auto rows = static_cast<size_t>(v.dim(1)), columns = static_cast<size_t>(v.dim(2));
  if (v.data.size() != rows * columns) return std::nullopt;
  YoloHead head;
  head.values = &v;
  if (columns == cells && rows > 4 && rows < cells) {
    head = {&v, v.dim(2), v.dim(1), true, false, 4};
  } else if ((rows == cells || rows == kAnchorsOfV5 * cells) && columns > 5) {
    head = {&v, v.dim(1), v.dim(2), false, false, 5};
    constexpr float kFarthest = 20;  // from its cell, in cells; pixels reach farther
    const float reach = rows == cells ? head.largest(0) : 0;
    head.distances = reach > 1 && reach < kFarthest;
  } else {
    return std::nullopt;
  }
  return head;
}

// Corners as fractions of the input.
Box YoloBox(const YoloHead& head, int box, const Cell& cell, float width, float height,
            bool fractions) {
  float x = head.at(box, 0), y = head.at(box, 1), w = head.at(box, 2), h = head.at(box, 3);
  if (head.distances) {
    x = (x + cell.x) * cell.stride;
    y = (y + cell.y) * cell.stride;
    w = std::exp(w) * cell.stride;
    h = std::exp(h) * cell.stride;
  }
  if (!fractions) {
    x /= width;
    w /= width;
    y /= height;
    h /= height;
  }
  Box result;
  result.x0 = x - w / 2;
  result.x1 = x + w / 2;
  result.y0 = y - h / 2;
  result.y1 = y + h / 2;
  return result;
}

std::vector<Box> BoxesOf(const YoloHead& head, const std::vector<Cell>& cells,
                         const Question& question, const Labels& labels) {
  const bool fractions = !head.distances && head.largest(0) <= 2 && head.largest(2) <= 2;
  std::vector<Box> boxes;
  for (int i = 0; i < head.boxes; ++i) {
    const float certain = head.first_class == 5 ? head.at(i, 4) : 1;
    if (!(certain >= kMinYoloScore)) continue;
    int best = 0;
    for (int c = 1; c < head.classes(); ++c) {
      if (head.at(i, head.first_class + c) > head.at(i, head.first_class + best)) best = c;
    }
    const float score = certain * head.at(i, head.first_class + best);
    if (!(score >= kMinYoloScore)) continue;
    const Cell& cell = cells[static_cast<size_t>(i) % cells.size()];
    Box box = YoloBox(head, i, cell, static_cast<float>(question.input_width),
                      static_cast<float>(question.input_height), fractions);
    box.score = score;
    box.index = best;
    box.name = labels.Class(best, head.classes());
    boxes.push_back(std::move(box));
  }
  return boxes;
}

// Rows of picture, class, score, left, top, right, bottom in pixels of the input, without overlaps.
// Seven scores are no such row: none is as large as a pixel.
bool IsRowsOfSeven(const Values& v) {
  const bool form = (v.shape.size() == 2 && v.dim(1) == 7) ||
                    (v.shape.size() == 3 && v.dim(0) == 1 && v.dim(2) == 7);
  if (!form || v.integers || v.data.size() % 7 != 0) return false;
  float largest = 0;
  for (size_t i = 0; i < v.data.size(); i += 7) {
    const float* row = &v.data[i];
    if (row[0] != 0 || row[1] != std::floor(row[1])) return false;
    if (!(row[2] >= 0) || row[2] > 1.001f) return false;
    largest = std::max(largest, *std::max_element(row + 3, row + 7));
  }
  return v.data.empty() || largest > 2;
}

std::vector<Box> BoxesOfRows(const Values& v, const Question& question, const Labels& labels,
                             Answer* answer) {
  std::vector<Box> boxes;
  for (size_t i = 0; i < v.data.size(); i += 7) {
    const float* row = &v.data[i];
    if (row[2] < kMinYoloScore) continue;
    const auto width = static_cast<float>(question.input_width);
    const auto height = static_cast<float>(question.input_height);
    const int index = ClassNumber(row[1]);
    boxes.push_back({row[3] / width,
                     row[4] / height,
                     row[5] / width,
                     row[6] / height,
                     row[2],
                     index,
                     labels.Detected(index),
                     {}});
    answer->Warn(labels.MisfitDetected(index));
  }
  return boxes;
}

}  // namespace

void TellYolo(const Question& question, Answer* answer) {
  if (question.input_width <= 0 || question.input_height <= 0) return;
  const std::vector<Cell> cells = CellsOfInput(question.input_width, question.input_height);
  for (size_t i = 0; i < question.outputs.size(); ++i) {
    const Values& v = question.outputs[i];
    if (!answer->free(i)) continue;
    const Labels& labels = question.LabelsOf(i);
    if (IsRowsOfSeven(v)) {
      ShowBoxes(WithoutOverlaps(BoxesOfRows(v, question, labels, answer), 1), "object",
                kMinYoloScore, answer);
      answer->Tell(i);
    } else if (const std::optional<YoloHead> head = FindHead(v, cells.size())) {
      answer->Warn(labels.Misfit(head->classes()));
      ShowBoxes(WithoutOverlaps(BoxesOf(*head, cells, question, labels), kMaxYoloShared), "object",
                kMinYoloScore, answer);
      answer->Tell(i);
    }
  }
}

}  // namespace tern::cli
