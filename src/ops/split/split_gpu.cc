// SPDX-License-Identifier: Apache-2.0
// SPLIT, SPLIT_V and UNPACK as one copied view per output, PACK as one copy per input.
#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/split/split_rules.h"

namespace tern::gpu {
namespace {

absl::Status EmitParts(const Node& node, Lowering& lower, int input,
                       const StatusOr<std::vector<Viewed>>& parts) {
  if (!parts.ok()) return lower.Unsupported(node, Message(parts.status()));
  if (parts->size() != node.outputs.size()) {
    return lower.Unsupported(
        node, StrCat("there are ", node.outputs.size(), " outputs for ", parts->size(), " parts"),
        {Reason::kOperands});
  }
  for (size_t i = 0; i < parts->size(); ++i) {
    TERN_RETURN_IF_ERROR(EmitView(node, lower, {input}, (*parts)[i], static_cast<int>(i)));
  }
  return absl::OkStatus();
}

// The only number of a constant operand.
absl::StatusOr<int64_t> ConstantNumber(const Node& node, Lowering& lower, int input) {
  TERN_ASSIGN_OR_RETURN(const Shape numbers, lower.Ints(node, input));
  if (numbers.size() == 1) return numbers[0];
  return lower.Unsupported(node,
                           StrCat("operand ", input, " must be one number (", numbers.size(), ")"));
}

absl::Status LowerSplit(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const int64_t axis, ConstantNumber(node, lower, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 1));
  const int count = static_cast<int>(node.outputs.size());
  return EmitParts(node, lower, 1, EvenParts(ShapeOf(*in), axis, count));
}

absl::Status LowerSplitV(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape sizes, lower.Ints(node, 1));
  TERN_ASSIGN_OR_RETURN(const int64_t axis, ConstantNumber(node, lower, 2));
  return EmitParts(node, lower, 0, SizedParts(ShapeOf(*in), axis, sizes));
}

absl::Status LowerUnpack(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  const int axis = node.Get<TfLiteUnpackParams>().axis;
  return EmitParts(node, lower, 0,
                   UnpackedParts(ShapeOf(*in), axis, static_cast<int>(node.outputs.size())));
}

absl::Status LowerPack(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Shape to = ShapeOf(*out);
  const StatusOr<size_t> axis = AxisOf(node.Get<TfLitePackParams>().axis, to.size());
  if (!axis.ok()) return lower.Unsupported(node, Message(axis.status()));
  Shape each = to;
  each[*axis] = 1;
  if (to[*axis] != static_cast<int64_t>(node.inputs.size())) {
    return lower.Unsupported(
        node, StrCat("there are ", node.inputs.size(), " inputs for ", to[*axis], " parts"),
        {Reason::kOperands});
  }
  Shape begin(to.size(), 0);
  for (int i = 0; i < static_cast<int>(node.inputs.size()); ++i) {
    TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, i));
    TERN_ASSIGN_OR_RETURN(const int64_t elements, CheckedElements(each));
    if (in->box().elements() != elements) {
      return lower.Unsupported(node,
                               StrCat("input ", i, " has the shape ", ShapeText(ShapeOf(*in))));
    }
    begin[*axis] = i;
    const Gather gather = PlaceGather(each, to, begin);
    TERN_RETURN_IF_ERROR(EmitGather(node, lower, i, gather, Outside::kAppend, 0.0f));
  }
  return absl::OkStatus();
}

}  // namespace

GpuOp SplitGpu() {
  return {.lower = LowerSplit, .traits = {.types = kAllTypes, .elements = Always<Moved{}>}};
}
GpuOp SplitVGpu() {
  return {.lower = LowerSplitV, .traits = {.types = kAllTypes, .elements = Always<Moved{}>}};
}
GpuOp UnpackGpu() {
  return {.lower = LowerUnpack, .traits = {.types = kAllTypes, .elements = Always<Moved{}>}};
}
GpuOp PackGpu() {
  return {.lower = LowerPack, .traits = {.types = kAllTypes, .elements = Always<Moved{}>}};
}

}  // namespace tern::gpu
