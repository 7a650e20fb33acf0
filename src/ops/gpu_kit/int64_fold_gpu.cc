// SPDX-License-Identifier: Apache-2.0
// The axes to go along come first in a copy of each half of the operand, all others after them.
#include "ops/gpu_kit/int64_fold_gpu.h"

#include <array>
#include <limits>

#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

// Returns the neutral element, with which the first number is combined.
int64_t NeutralOf(ReduceOp combine) {
  constexpr int64_t kNeutral[] = {0, std::numeric_limits<int64_t>::min(),
                                  std::numeric_limits<int64_t>::max(), 1};
  return kNeutral[static_cast<int>(combine)];
}

struct Sizes {
  int64_t along = 1, across = 1;
};

// The operand in the order in which it is folded.
View InOrder(const Shape& shape, const std::vector<bool>& along, Sizes* sizes) {
  const Shape strides = DenseStrides(shape);
  View view;
  for (const bool first : {true, false}) {
    for (size_t d = 0; d < shape.size(); ++d) {
      if (along[d] != first) continue;
      view.Add(shape[d], strides[d]);
      (first ? sizes->along : sizes->across) *= shape[d];
    }
  }
  return view;
}

// The inverse of that view, for one axis.
View Back(const Shape& shape, const std::vector<bool>& along, int64_t across) {
  View view;
  int64_t stride = across;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (!along[d]) stride /= shape[d];
    view.Add(shape[d], along[d] ? across : stride);
  }
  return view;
}

}  // namespace

absl::Status LowerInt64Fold(const Node& node, Lowering& lower, const Int64Fold& fold) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  const Shape shape = ShapeOf(*input);
  Sizes sizes;
  const View order = InOrder(shape, fold.along, &sizes);
  const Box box = {1, 1, static_cast<int>(sizes.along), static_cast<int>(sizes.across)};
  const int64_t neutral = NeutralOf(fold.combine);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::long_fold);
  for (const int w : {0, 1}) {
    const char* name = w == 0 ? "low" : "high";
    const TensorId temp =
        lower.Temp(StrCat(input->name, " ", name, " words"), box, Layout::kSlices, Number::kInt);
    TERN_RETURN_IF_ERROR(EmitGatherToTemp(node, lower, {0, -1, w}, ViewGather(order), temp));
    dispatch.ReadTemp(name, temp).Int(StrCat("first_", name), Int64Half(neutral, w));
  }
  const Box made = fold.scan ? box : Box{1, 1, 1, box.c};
  const TensorId result =
      lower.Temp(StrCat(Label(node), " result"), made, Layout::kSlices, Number::kInt);
  const bool mean = fold.divisor != 0;
  dispatch.WriteTemp("dst", result)
      .Define("FOLD", static_cast<int>(fold.combine))
      .Define("WORD", node.int64_half);
  dispatch.Define("SCAN", fold.scan).Define("REVERSE", fold.reverse);
  dispatch.Define("EXCLUSIVE", fold.exclusive).Define("MEAN", mean);
  dispatch.Int("count", box.w).Int("divisor", fold.divisor);
  TERN_RETURN_IF_ERROR(dispatch.Grid(lower.Slices(box.c), 1, 1).Emit());
  const Gather back =
      fold.scan ? ViewGather(Back(shape, fold.along, sizes.across)) : ReshapeGather(sizes.across);
  return EmitCopy(node, lower, {0, result}, back, {0}, Outside::kFill, 0);
}

}  // namespace tern::gpu
