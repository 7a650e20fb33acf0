// SPDX-License-Identifier: Apache-2.0
// SEGMENT_SUM: data [n, ...] and sorted ids [n] -> the sums of the rows of each id.
// UNSORTED_SEGMENT_SUM, _PROD, _MAX, _MIN: ids of any order, in a shape that the data's shape
// starts with, and the number of segments; rows with a negative id are left out.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

enum class Merge { kSum, kProduct, kLargest, kSmallest };

// Returns the value of a segment without rows.
template <class T>
T Neutral(Merge merge) {
  switch (merge) {
    case Merge::kSum:
      return 0;
    case Merge::kProduct:
      return 1;
    case Merge::kLargest:
      return std::numeric_limits<T>::lowest();
    case Merge::kSmallest:
      return std::numeric_limits<T>::max();
  }
  return 0;
}

template <class T>
bool IsNan([[maybe_unused]] T v) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(v);
  return false;
}

// Integers wrap. The largest and the smallest pass over NaN.
template <class T>
T Merged(Merge merge, T a, T b) {
  switch (merge) {
    case Merge::kSum:
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
      }
      return a + b;
    case Merge::kProduct:
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
      }
      return a * b;
    case Merge::kLargest:
      return b > a || IsNan(a) ? b : a;
    case Merge::kSmallest:
      return b < a || IsNan(a) ? b : a;
  }
  return a;
}

template <class T>
void MergeRows(Merge merge, const TfLiteTensor* data, const int32_t* ids, int64_t rows,
               TfLiteTensor* output) {
  T* out = MutableData<T>(output);
  std::fill_n(out, Elements(output), Neutral<T>(merge));
  const int64_t length = rows == 0 ? 0 : Elements(data) / rows;
  const bool chooses = merge == Merge::kLargest || merge == Merge::kSmallest;
  std::vector<bool> begun(chooses && length > 0 ? Elements(output) / length : 0);
  for (int64_t row = 0; row < rows; ++row) {
    if (ids[row] < 0) continue;
    const T* from = Data<T>(data) + row * length;
    T* to = out + ids[row] * length;
    if (!begun.empty() && !begun[ids[row]]) {
      begun[ids[row]] = true;
      std::copy_n(from, length, to);
      continue;
    }
    for (int64_t i = 0; i < length; ++i) to[i] = Merged(merge, to[i], from[i]);
  }
}

void MergeAll(Merge merge, const OpCall& call) {
  const TfLiteTensor *data = call.input(0), *ids = call.input(1);
  if (data->type == kTfLiteFloat32) {
    MergeRows<float>(merge, data, Data<int32_t>(ids), Elements(ids), call.output(0));
  } else {
    MergeRows<int32_t>(merge, data, Data<int32_t>(ids), Elements(ids), call.output(0));
  }
}

Status CheckSegmentTypes(const OpCall& call) {
  const TfLiteTensor* data = call.input(0);
  if (data->type != kTfLiteInt32) TERN_RETURN_IF_ERROR(CheckType(data, kTfLiteFloat32, "data"));
  TERN_RETURN_IF_ERROR(CheckSameType(data, call.output(0), "data and output"));
  return CheckType(call.input(1), kTfLiteInt32, "ids");
}

Status CheckAllData(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "data"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "ids"));
  return CheckData(call.output(0), "output");
}

// Prepare's part: sets the output's shape where it is `known`. Operands that do not fit are an
// error here only where what they fit by is `fixed`, that is, in the model; else they are one in
// Eval.
Status SetShapeOrWait(const OpCall& call, bool known, bool fixed,
                      Status (*set_shape)(const OpCall&)) {
  const Status status = known ? set_shape(call) : OkStatus();
  if (known && (fixed || status.ok())) return status;
  MakeDynamic(call.output(0));
  return OkStatus();
}

class SegmentSum : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SEGMENT_SUM"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(CheckSegmentTypes(call));
    return SetShapeOrWait(call, IsConstant(call.input(1)), AllConstant(call), SetOutputShape);
  }

  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(SetOutputShape(call));
    TERN_RETURN_IF_ERROR(CheckAllData(call));
    MergeAll(Merge::kSum, call);
    return OkStatus();
  }

  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  // One segment per id; they start at 0 and rise in steps of 1.
  static Status SetOutputShape(const OpCall& call) {
    const TfLiteTensor *data = call.input(0), *ids = call.input(1);
    TERN_RETURN_IF_ERROR(CheckRank(ids, 1, "ids"));
    if (Rank(data) < 1 || Dim(data, 0) != Dim(ids, 0)) {
      return Invalid("data and ids differ in their first axis (", ShapeText(ShapeOf(data)), ", ",
                     ShapeText(ShapeOf(ids)), ")");
    }
    TERN_RETURN_IF_ERROR(CheckData(ids, "ids"));
    int64_t segments = 0;
    for (int64_t i = 0; i < Dim(ids, 0); ++i) {
      const int32_t id = Data<int32_t>(ids)[i];
      if (id != segments && (id != segments - 1 || i == 0)) {
        return Invalid("ids must start at 0 and rise by 0 or 1 (", id, " at ", i, ")");
      }
      segments = int64_t{id} + 1;
    }
    Shape shape = ShapeOf(data);
    shape[0] = segments;
    if (ShapeOf(call.output(0)) == shape && !IsDynamic(call.output(0))) return OkStatus();
    return call.SetShape(call.output(0), shape);
  }
};

template <Merge merge>
class UnsortedSegment : public Op {
 public:
  using Op::Op;
  const char* name() const override {
    constexpr const char* kNames[] = {"UNSORTED_SEGMENT_SUM", "UNSORTED_SEGMENT_PROD",
                                      "UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_MIN"};
    return kNames[static_cast<int>(merge)];
  }
  bool flushes_subnormals() const override {
    return merge == Merge::kSum || merge == Merge::kProduct;
  }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
    TERN_RETURN_IF_ERROR(CheckSegmentTypes(call));
    TERN_RETURN_IF_ERROR(CheckType(call.input(2), kTfLiteInt32, "the number of segments"));
    const bool count_known = IsConstant(call.input(2));
    return SetShapeOrWait(call, count_known, count_known && IsConstant(call.input(1)),
                          SetOutputShape);
  }

  Status Eval(const OpCall& call) override {
    if (IsDynamic(call.output(0))) TERN_RETURN_IF_ERROR(SetOutputShape(call));
    TERN_RETURN_IF_ERROR(CheckAllData(call));
    TERN_RETURN_IF_ERROR(CheckIds(call.input(1), Dim(call.output(0), 0)));
    MergeAll(merge, call);
    return OkStatus();
  }

  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  static Status SetOutputShape(const OpCall& call) {
    const Shape data = ShapeOf(call.input(0)), ids = ShapeOf(call.input(1));
    if (ids.size() > data.size() || !std::equal(ids.begin(), ids.end(), data.begin())) {
      return Invalid("the data's shape must start with that of the ids (", ShapeText(data), ", ",
                     ShapeText(ids), ")");
    }
    TERN_ASSIGN_OR_RETURN(const int64_t segments,
                          ReadInteger(call.input(2), "the number of segments"));
    if (IsConstant(call.input(1))) TERN_RETURN_IF_ERROR(CheckIds(call.input(1), segments));
    Shape shape = {segments};
    for (size_t axis = ids.size(); axis < data.size(); ++axis) shape.push_back(data[axis]);
    return call.SetShape(call.output(0), shape);
  }

  static Status CheckIds(const TfLiteTensor* ids, int64_t segments) {
    TERN_RETURN_IF_ERROR(CheckData(ids, "ids"));
    for (int64_t i = 0; i < Elements(ids); ++i) {
      const int32_t id = Data<int32_t>(ids)[i];
      if (id >= segments) return Invalid("an id is out of range (", id, ", limit ", segments, ")");
    }
    return OkStatus();
  }
};

}  // namespace

TfLiteRegistration SegmentSumRegistration(OpForm form) {
  return MakeRegistration<SegmentSum>(form);
}
TfLiteRegistration UnsortedSegmentSumRegistration(OpForm form) {
  return MakeRegistration<UnsortedSegment<Merge::kSum>>(form);
}
TfLiteRegistration UnsortedSegmentProdRegistration(OpForm form) {
  return MakeRegistration<UnsortedSegment<Merge::kProduct>>(form);
}
TfLiteRegistration UnsortedSegmentMaxRegistration(OpForm form) {
  return MakeRegistration<UnsortedSegment<Merge::kLargest>>(form);
}
TfLiteRegistration UnsortedSegmentMinRegistration(OpForm form) {
  return MakeRegistration<UnsortedSegment<Merge::kSmallest>>(form);
}

}  // namespace tern
