// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_PAD and DILATE on the GPU: where there is room between elements, a copy that makes it,
// then one that cuts and pads.
#include <algorithm>

#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/stablehlo/spread_rules.h"

namespace tern::gpu {
namespace {

// Elements with room after each of them: axis i becomes shape[i] * step[i] long.
Gather RoomGather(const Shape& shape, const Shape& step) {
  const Shape strides = DenseStrides(shape);
  Gather g;
  for (size_t i = 0; i < shape.size(); ++i) {
    g.dims.insert(g.dims.end(), {shape[i], step[i]});
    g.begin.insert(g.begin.end(), {0, 0});
    g.size.insert(g.size.end(), {shape[i], 1});
    g.stride.insert(g.stride.end(), {strides[i], 0});
  }
  return g;
}

// The first `size` elements of each axis of `from`, element 0 of which goes to `low`; what lies
// outside is cut off.
Gather ShiftGather(const Shape& from, const Shape& size, const Shape& low, const Shape& to) {
  Gather g{to, Shape(to.size()), Shape(to.size()), DenseStrides(from)};
  for (size_t i = 0; i < to.size(); ++i) {
    const int64_t cut = std::max<int64_t>(-low[i], 0);
    g.begin[i] = std::max<int64_t>(low[i], 0);
    g.size[i] = std::max<int64_t>(std::min(size[i] - cut, to[i] - g.begin[i]), 0);
    g.offset += cut * g.stride[i];
  }
  const bool none = std::find(g.size.begin(), g.size.end(), 0) != g.size.end();
  if (none) g.offset = 0;
  return g;
}

absl::Status LowerSpread(const Node& node, Lowering& lower, int value, const Spread& spread) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* filling, lower.Input(node, value));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, spread.output));
  if (filling->type != in->type)
    return lower.Unsupported(node, StrCat("the value has type ", TfLiteTypeGetName(filling->type)));
  TERN_ASSIGN_OR_RETURN(const double fill, FillValue(node, lower, value));
  const Shape shape = ShapeOf(*in);
  if (std::all_of(spread.step.begin(), spread.step.end(), [](int64_t s) { return s == 1; })) {
    return EmitGather(node, lower, 0, ShiftGather(shape, shape, spread.low, spread.output),
                      Outside::kFill, fill);
  }
  Shape room = shape, own = shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    room[i] *= spread.step[i];
    own[i] = spread.Own(shape[i], i);
  }
  const StatusOr<int64_t> elements = CheckedElements(room);
  if (!elements.ok()) return lower.Unsupported(node, Message(elements.status()));
  const TensorId temp =
      lower.Temp(StrCat(Label(node), " room"), BoxOf(std::vector<int>(room.begin(), room.end())),
                 Layout::kSlices, in->number());
  TERN_RETURN_IF_ERROR(EmitCopy(node, lower, {.number = 0}, RoomGather(shape, spread.step),
                                {.temp = temp}, Outside::kFill, fill));
  return EmitCopy(node, lower, {.temp = temp}, ShiftGather(room, own, spread.low, spread.output),
                  {.number = 0}, Outside::kFill, fill);
}

absl::Status LowerStablehloPad(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  const StatusOr<Spread> spread = PadSpread(ShapeOf(*in), node.Get<TfLiteStablehloPadParams>());
  if (!spread.ok()) return lower.Unsupported(node, Message(spread.status()));
  return LowerSpread(node, lower, 1, *spread);
}

absl::Status LowerDilate(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape steps, lower.Ints(node, 1));
  if (steps.size() != in->dims.size()) {
    return lower.Unsupported(node, StrCat("there must be a dilation per axis (", steps.size(), ", ",
                                          in->dims.size(), ")"));
  }
  const StatusOr<Spread> spread = DilateSpread(ShapeOf(*in), steps);
  if (!spread.ok()) return lower.Unsupported(node, Message(spread.status()));
  return LowerSpread(node, lower, 2, *spread);
}

}  // namespace

GpuOp StablehloPadGpu() {
  return {.lower = LowerStablehloPad,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}
GpuOp DilateGpu() {
  return {.lower = LowerDilate,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
