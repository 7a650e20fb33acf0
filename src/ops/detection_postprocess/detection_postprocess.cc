// SPDX-License-Identifier: Apache-2.0
// TFLite_Detection_PostProcess: box encodings [1, N, >= 4], class scores [1, N, classes (+
// background)] and anchors [N, 4] -> the best boxes [1, K, 4], classes [1, K], scores [1, K] and
// their number [1]. Rows that are not used hold zeros.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/detection_postprocess/detection_options.h"
#include "ops/detection_postprocess/nms.h"

namespace tern {
namespace {

class DetectionPostprocess : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "TFLite_Detection_PostProcess"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  StatusOr<std::vector<Box>> DecodeBoxes(const OpCall& call) const;
  void SelectPerBox(const OpCall& call, const std::vector<Box>& boxes,
                    const std::vector<float>& scores) const;
  void SelectPerClass(const OpCall& call, const std::vector<Box>& boxes,
                      const std::vector<float>& scores) const;
  void WriteRow(const OpCall& call, int64_t row, const Box& box, int64_t label, float score) const;

  DetectionOptions options_;
  int64_t score_columns_ = 0, background_ = 0;
};

// The values as floats, whatever the type.
std::vector<float> ReadFloats(const TfLiteTensor* t) {
  const size_t count = static_cast<size_t>(Elements(t));
  if (t->type == kTfLiteFloat32) return std::vector<float>(Data<float>(t), Data<float>(t) + count);
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] =
        t->params.scale * static_cast<float>(int{Data<uint8_t>(t)[i]} - t->params.zero_point);
  }
  return values;
}

Status DetectionPostprocess::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 4));
  TERN_ASSIGN_OR_RETURN(options_, ReadDetectionOptions(call.node()->custom_initial_data,
                                                       call.node()->custom_initial_data_size));
  static constexpr const char* kNames[] = {"boxes", "scores", "anchors"};
  for (int i = 0; i < 3; ++i) {
    const TfLiteType type = call.input(i)->type;
    if (type != kTfLiteFloat32 && type != kTfLiteUInt8) {
      return Unsupported("type ", TypeText(type), " is not supported (", kNames[i], ")");
    }
    TERN_RETURN_IF_ERROR(CheckRank(call.input(i), i < 2 ? 3 : 2, kNames[i]));
  }
  for (int i = 0; i < 4; ++i) {
    TERN_RETURN_IF_ERROR(CheckType(call.output(i), kTfLiteFloat32, "output"));
  }
  const TfLiteTensor *boxes = call.input(0), *scores = call.input(1), *anchors = call.input(2);
  const int64_t count = Dim(boxes, 1);
  if (Dim(boxes, 0) != 1 || Dim(scores, 0) != 1) {
    return Invalid("the batch must be 1 (boxes ", Dim(boxes, 0), ", scores ", Dim(scores, 0), ")");
  }
  if (Dim(boxes, 2) < 4 || Dim(scores, 1) != count || Dim(anchors, 0) != count ||
      Dim(anchors, 1) != 4) {
    return Invalid("operands do not fit each other (", ShapeText(ShapeOf(boxes)), ", ",
                   ShapeText(ShapeOf(scores)), ", ", ShapeText(ShapeOf(anchors)), ")");
  }
  score_columns_ = Dim(scores, 2);
  background_ = score_columns_ - options_.num_classes;
  if (background_ < 0 || background_ > 1) {
    return Invalid("scores must be those of the classes, after one of the background at most (",
                   score_columns_, " scores, ", options_.num_classes, " classes)");
  }
  const int64_t rows = options_.max_detections * options_.max_classes_per_detection;
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), {1, rows, 4}));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(1), {1, rows}));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(2), {1, rows}));
  return call.SetShape(call.output(3), {1});
}

StatusOr<std::vector<Box>> DetectionPostprocess::DecodeBoxes(const OpCall& call) const {
  const std::vector<float> encodings = ReadFloats(call.input(0));
  const std::vector<float> anchors = ReadFloats(call.input(2));
  const size_t step = static_cast<size_t>(Dim(call.input(0), 2));
  std::vector<Box> boxes(anchors.size() / 4);
  for (size_t i = 0; i < boxes.size(); ++i) {
    const float *e = &encodings[i * step], *a = &anchors[i * 4];
    const double y = double{e[0]} / options_.y_scale * a[2] + a[0];
    const double x = double{e[1]} / options_.x_scale * a[3] + a[1];
    const double half_h = 0.5 * std::exp(double{e[2]} / options_.h_scale) * a[2];
    const double half_w = 0.5 * std::exp(double{e[3]} / options_.w_scale) * a[3];
    Box& box = boxes[i];
    box = {static_cast<float>(y - half_h), static_cast<float>(x - half_w),
           static_cast<float>(y + half_h), static_cast<float>(x + half_w)};
    if (!(box.ymin <= box.ymax && box.xmin <= box.xmax)) {
      return Invalid("box ", i, " is turned inside out (", box.ymin, ", ", box.xmin, ", ", box.ymax,
                     ", ", box.xmax, ")");
    }
  }
  return boxes;
}

void DetectionPostprocess::WriteRow(const OpCall& call, int64_t row, const Box& box, int64_t label,
                                    float score) const {
  float* corners = MutableData<float>(call.output(0)) + 4 * row;
  corners[0] = box.ymin;
  corners[1] = box.xmin;
  corners[2] = box.ymax;
  corners[3] = box.xmax;
  MutableData<float>(call.output(1))[row] = static_cast<float>(label);
  MutableData<float>(call.output(2))[row] = score;
}

// One suppression over all boxes by their best score; a chosen box is reported with its best
// classes.
void DetectionPostprocess::SelectPerBox(const OpCall& call, const std::vector<Box>& boxes,
                                        const std::vector<float>& scores) const {
  const int64_t classes = options_.num_classes;
  const int64_t reported = std::min(options_.max_classes_per_detection, classes);
  auto row_of = [&](size_t box) { return &scores[box * score_columns_ + background_]; };
  std::vector<float> best(boxes.size());
  for (size_t i = 0; i < boxes.size(); ++i) {
    best[i] = *std::max_element(row_of(i), row_of(i) + classes);
  }
  const std::vector<int> chosen = SelectBoxes(boxes, best, options_.score_threshold,
                                              options_.iou_threshold, options_.max_detections);
  std::vector<int64_t> labels(static_cast<size_t>(classes));
  for (size_t i = 0; i < chosen.size(); ++i) {
    const int box = chosen[i];
    const float* values = row_of(static_cast<size_t>(box));
    // With fewer classes than max_classes_per_detection the last rows of each box stay zero.
    int64_t row = static_cast<int64_t>(i) * options_.max_classes_per_detection;
    std::iota(labels.begin(), labels.end(), 0);
    std::partial_sort(labels.begin(), labels.begin() + reported, labels.end(),
                      [&](int64_t a, int64_t b) {
                        return values[a] > values[b] || (values[a] == values[b] && a < b);
                      });
    for (int64_t k = 0; k < reported; ++k) {
      WriteRow(call, row++, boxes[static_cast<size_t>(box)], labels[k], values[labels[k]]);
    }
  }
  *MutableData<float>(call.output(3)) = static_cast<float>(chosen.size());
}

// A suppression for every class, then the best of all.
void DetectionPostprocess::SelectPerClass(const OpCall& call, const std::vector<Box>& boxes,
                                          const std::vector<float>& scores) const {
  struct Detection {
    int box;
    int64_t label;
    float score;
  };
  const int64_t limit = std::min(options_.detections_per_class, options_.max_detections);
  std::vector<Detection> found;
  std::vector<float> column(boxes.size());
  for (int64_t label = 0; label < options_.num_classes; ++label) {
    for (size_t i = 0; i < boxes.size(); ++i) {
      column[i] = scores[i * score_columns_ + background_ + label];
    }
    for (const int box :
         SelectBoxes(boxes, column, options_.score_threshold, options_.iou_threshold, limit)) {
      found.push_back({box, label, column[static_cast<size_t>(box)]});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Detection& a, const Detection& b) { return a.score > b.score; });
  const size_t kept = std::min(found.size(), static_cast<size_t>(options_.max_detections));
  for (size_t i = 0; i < kept; ++i) {
    WriteRow(call, static_cast<int64_t>(i), boxes[static_cast<size_t>(found[i].box)],
             found[i].label, found[i].score);
  }
  *MutableData<float>(call.output(3)) = static_cast<float>(kept);
}

Status DetectionPostprocess::Eval(const OpCall& call) {
  for (int i = 0; i < 3; ++i) TERN_RETURN_IF_ERROR(CheckData(call.input(i), "input"));
  for (int i = 0; i < 4; ++i) {
    TfLiteTensor* output = call.output(i);
    TERN_RETURN_IF_ERROR(CheckData(output, "output"));
    std::fill_n(MutableData<float>(output), Elements(output), 0.0f);
  }
  TERN_ASSIGN_OR_RETURN(const std::vector<Box> boxes, DecodeBoxes(call));
  const std::vector<float> scores = ReadFloats(call.input(1));
  if (options_.use_regular_nms) {
    SelectPerClass(call, boxes, scores);
  } else {
    SelectPerBox(call, boxes, scores);
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration DetectionPostprocessRegistration(OpForm form) {
  return MakeRegistration<DetectionPostprocess>(form);
}

}  // namespace tern
