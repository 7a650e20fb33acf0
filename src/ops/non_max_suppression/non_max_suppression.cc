// SPDX-License-Identifier: Apache-2.0
// NON_MAX_SUPPRESSION_V4 and V5: of boxes [n, 4] (y, x of two opposite corners) with scores [n] the
// best ones that overlap little. Inputs 2 to 5: maximum outputs, overlap and score thresholds, and
// in V5 the sigma of soft suppression, where an overlap lowers the score instead (0: not so).
// Outputs: indices, in V5 scores, and how many of them count; the rest is 0.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

enum NmsInput { kBoxes, kScores, kMost, kOverlap, kScore, kSigma };

struct Candidate {
  int index;
  float score;
  size_t seen;  // chosen boxes that its score has met
};

struct Limits {
  int64_t max;
  float overlap, score, sigma;
};

struct Choice {
  int index;
  float score;
};

// The best candidate first. Among equal scores the order is one and the same on all systems: a hole
// at the top goes down along the better children, the right one of two equals, to a leaf, and what
// stood last goes up from there.
class CandidateHeap {
 public:
  bool empty() const { return heap_.empty(); }
  size_t size() const { return heap_.size(); }

  void Push(const Candidate& candidate) {
    heap_.push_back(candidate);
    GoUp(heap_.size() - 1);
  }

  Candidate Pop() {
    const Candidate best = heap_.front(), last = heap_.back();
    heap_.pop_back();
    if (heap_.empty()) return best;
    size_t hole = 0;
    for (size_t child = 1; child < heap_.size(); child = 2 * hole + 1) {
      if (child + 1 < heap_.size() && !(heap_[child + 1].score < heap_[child].score)) ++child;
      heap_[hole] = heap_[child];
      hole = child;
    }
    heap_[hole] = last;
    GoUp(hole);
    return best;
  }

 private:
  void GoUp(size_t at) {
    for (size_t parent; at > 0 && heap_[parent = (at - 1) / 2].score < heap_[at].score;
         at = parent) {
      std::swap(heap_[parent], heap_[at]);
    }
  }

  std::vector<Candidate> heap_;
};

// Shared area by joint area.
float Overlap(const float* a, const float* b) {
  const float a_top = std::min(a[0], a[2]), a_bottom = std::max(a[0], a[2]);
  const float a_left = std::min(a[1], a[3]), a_right = std::max(a[1], a[3]);
  const float b_top = std::min(b[0], b[2]), b_bottom = std::max(b[0], b[2]);
  const float b_left = std::min(b[1], b[3]), b_right = std::max(b[1], b[3]);
  const float area_a = (a_bottom - a_top) * (a_right - a_left);
  const float area_b = (b_bottom - b_top) * (b_right - b_left);
  if (!(area_a > 0) || !(area_b > 0)) return 0;
  const float height = std::max(std::min(a_bottom, b_bottom) - std::max(a_top, b_top), 0.0f);
  const float width = std::max(std::min(a_right, b_right) - std::max(a_left, b_left), 0.0f);
  const float shared = height * width;
  return shared / (area_a + area_b - shared);
}

std::vector<Choice> Choose(const float* boxes, const float* scores, int count,
                           const Limits& limits) {
  CandidateHeap candidates;
  for (int i = 0; i < count; ++i) {
    if (scores[i] > limits.score) candidates.Push({i, scores[i], 0});
  }
  const auto max =
      static_cast<size_t>(std::min<int64_t>(limits.max, static_cast<int64_t>(candidates.size())));
  const float scale = limits.sigma > 0 ? -0.5f / limits.sigma : 0.0f;
  std::vector<Choice> chosen;
  while (chosen.size() < max && !candidates.empty()) {
    Candidate next = candidates.Pop();
    const float before = next.score;
    bool dropped = false;
    for (size_t j = chosen.size(); j-- > next.seen;) {
      const float overlap = Overlap(boxes + 4 * next.index, boxes + 4 * chosen[j].index);
      if (overlap >= limits.overlap) {
        dropped = true;
        break;
      }
      if (limits.sigma > 0) next.score *= std::exp(scale * overlap * overlap);
      if (next.score <= limits.score) break;
    }
    next.seen = chosen.size();
    if (dropped) continue;
    if (next.score == before) {
      chosen.push_back({next.index, next.score});
    } else if (next.score > limits.score) {
      candidates.Push(next);
    }
  }
  return chosen;
}

class NonMaxSuppression : public Op {
 public:
  NonMaxSuppression(OpForm form, bool soft) : Op(form), soft_(soft) {}
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  Status SetShapes(const OpCall& call) const;
  int CountOutput() const { return soft_ ? 2 : 1; }
  const bool soft_;
};

Status NonMaxSuppression::Prepare(const OpCall& call) {
  const int inputs = soft_ ? 6 : 5;
  TERN_RETURN_IF_ERROR(call.CheckOperands(inputs, inputs, CountOutput() + 1));
  for (int i = 0; i < inputs; ++i) {
    TERN_RETURN_IF_ERROR(CheckType(call.input(i), i == kMost ? kTfLiteInt32 : kTfLiteFloat32,
                                   i < kMost ? "boxes and scores" : "a limit"));
    if (i >= kMost) TERN_RETURN_IF_ERROR(CheckRank(call.input(i), 0, "a limit"));
  }
  const TfLiteTensor *boxes = call.input(kBoxes), *scores = call.input(kScores);
  TERN_RETURN_IF_ERROR(CheckRank(boxes, 2, "boxes"));
  TERN_RETURN_IF_ERROR(CheckRank(scores, 1, "scores"));
  if (Dim(boxes, 1) != 4 || Dim(boxes, 0) != Dim(scores, 0)) {
    return Invalid("boxes must be [n, 4] and scores [n] (", ShapeText(ShapeOf(boxes)), ", ",
                   ShapeText(ShapeOf(scores)), ")");
  }
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt32, "indices"));
  if (soft_) TERN_RETURN_IF_ERROR(CheckType(call.output(1), kTfLiteFloat32, "selected scores"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(CountOutput()), kTfLiteInt32, "count"));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(CountOutput()), {}));
  if (IsConstant(call.input(kMost))) return SetShapes(call);
  for (int i = 0; i < CountOutput(); ++i) MakeDynamic(call.output(i));
  return OkStatus();
}

Status NonMaxSuppression::SetShapes(const OpCall& call) const {
  TERN_ASSIGN_OR_RETURN(const int64_t max, ReadInteger(call.input(kMost), "the most outputs"));
  if (max < 0) return Invalid("the most outputs are negative (", max, ")");
  for (int i = 0; i < CountOutput(); ++i) {
    TERN_RETURN_IF_ERROR(call.SetShape(call.output(i), {max}));
  }
  return OkStatus();
}

Status NonMaxSuppression::Eval(const OpCall& call) {
  for (int i = 0; i < call.inputs(); ++i) {
    TERN_RETURN_IF_ERROR(CheckData(call.input(i), "an input"));
  }
  if (IsDynamic(call.output(0))) TERN_RETURN_IF_ERROR(SetShapes(call));
  for (int i = 0; i < call.outputs(); ++i) {
    TERN_RETURN_IF_ERROR(CheckData(call.output(i), "an output"));
  }
  const Limits limits{Dim(call.output(0), 0), *Data<float>(call.input(kOverlap)),
                      *Data<float>(call.input(kScore)),
                      soft_ ? *Data<float>(call.input(kSigma)) : 0.0f};
  if (!(limits.overlap >= 0 && limits.overlap <= 1)) {
    return Invalid("the overlap threshold is not between 0 and 1 (", limits.overlap, ")");
  }
  if (!(limits.sigma >= 0)) return Invalid("sigma is negative (", limits.sigma, ")");
  const std::vector<Choice> chosen =
      Choose(Data<float>(call.input(kBoxes)), Data<float>(call.input(kScores)),
             static_cast<int>(Dim(call.input(kScores), 0)), limits);
  for (int64_t i = 0; i < limits.max; ++i) {
    const bool counts = i < static_cast<int64_t>(chosen.size());
    const Choice choice = counts ? chosen[static_cast<size_t>(i)] : Choice{0, 0};
    MutableData<int32_t>(call.output(0))[i] = choice.index;
    if (soft_) MutableData<float>(call.output(1))[i] = choice.score;
  }
  *MutableData<int32_t>(call.output(CountOutput())) = static_cast<int32_t>(chosen.size());
  return OkStatus();
}

class NonMaxSuppressionV4 : public NonMaxSuppression {
 public:
  explicit NonMaxSuppressionV4(OpForm form) : NonMaxSuppression(form, false) {}
  const char* name() const override { return "NON_MAX_SUPPRESSION_V4"; }
  bool flushes_subnormals() const override { return false; }
};

class NonMaxSuppressionV5 : public NonMaxSuppression {
 public:
  explicit NonMaxSuppressionV5(OpForm form) : NonMaxSuppression(form, true) {}
  const char* name() const override { return "NON_MAX_SUPPRESSION_V5"; }
  bool flushes_subnormals() const override { return false; }
};

}  // namespace

TfLiteRegistration NonMaxSuppressionV4Registration(OpForm form) {
  return MakeRegistration<NonMaxSuppressionV4>(form);
}
TfLiteRegistration NonMaxSuppressionV5Registration(OpForm form) {
  return MakeRegistration<NonMaxSuppressionV5>(form);
}

}  // namespace tern
