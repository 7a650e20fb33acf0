// SPDX-License-Identifier: Apache-2.0
// SELECT and SELECT_V2 on the GPU: one kernel that reads all three operands, each repeating along
// the axes where it is smaller.
#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/select/select_rules.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

// The names of an operand in the kernel.
struct Names {
  const char *name, *repeats;
};
constexpr Names kOperands[] = {
    {"mask", "MASK_REPEATS"}, {"yes", "YES_REPEATS"}, {"no", "NO_REPEATS"}};

absl::Status CheckTypes(const Node& node, const Lowering& lower) {
  if (node.inputs.size() != 3 || node.outputs.size() != 1) {
    return lower.Unsupported(node, StrCat("wrong number of operands (", node.inputs.size(), ")"),
                             {Reason::kOperands});
  }
  TERN_ASSIGN_OR_RETURN(const GraphTensor* mask, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* yes, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* no, lower.Input(node, 2));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (mask->type != kTfLiteBool)
    return lower.Unsupported(node, "the condition must be BOOL", {Reason::kTensorType});
  // After fused steps the output is what the last of them makes.
  const bool own = out->type == yes->type || !node.epilogue.empty();
  const bool known = TypeSetOf(yes->type) != 0;
  if (yes->type != no->type || !own || !known) {
    return lower.Unsupported(node,
                             StrCat("branches of types ", TfLiteTypeGetName(yes->type), ", ",
                                    TfLiteTypeGetName(no->type)),
                             {Reason::kTensorType});
  }
  return absl::OkStatus();
}

absl::StatusOr<SelectShapes> Shapes(const Node& node, const Lowering& lower) {
  const auto shape = [&](int i) { return ShapeOf(lower.graph().tensors[node.inputs[i]]); };
  const Shape out = ShapeOf(lower.graph().tensors[node.outputs[0]]);
  const bool single = lower.graph().tensors[node.outputs[0]].box().elements() == 1;
  const StatusOr<SelectShapes> shapes =
      ShapesOfSelect(shape(0), shape(1), shape(2), node.builtin_code == kTfLiteBuiltinSelectV2);
  // Operands of one element each leave the declared shape as it is.
  const bool declared = shapes.ok() && single && CheckedElements(shapes->result).value_or(0) == 1;
  if (!shapes.ok()) return lower.Unsupported(node, Message(shapes.status()));
  if (shapes->result != out && !declared) {
    return lower.Unsupported(node, StrCat("the output has shape ", ShapeText(out), ", expected ",
                                          ShapeText(shapes->result)));
  }
  return SelectShapes{shapes->condition, out};
}

// Binds operand i, viewed as `shape`, under its names. An operand that does not broadcast as a box,
// like a condition that chooses rows, is spread out first.
absl::Status BindOperand(const Node& node, Lowering& lower, int i, const Shape& shape,
                         const Shape& result, DispatchBuilder& dispatch) {
  const GraphTensor& tensor = lower.graph().tensors[node.inputs[i]];
  const Box to = lower.graph().tensors[node.outputs[0]].box();
  const Names& names = kOperands[i];
  Box from = BoxOf(std::vector<int>(shape.begin(), shape.end()));
  if (from == tensor.box() && BroadcastsTo(from, to)) {
    dispatch.Read(names.name, i);
  } else {
    const TensorId temp =
        lower.Temp(StrCat(tensor.name, " spread"), to, Layout::kSlices, tensor.number());
    TERN_RETURN_IF_ERROR(EmitGatherToTemp(node, lower, {i}, BroadcastGather(shape, result), temp));
    dispatch.ReadTemp(names.name, temp);
    from = to;
  }
  dispatch.Define(names.repeats, from.c != to.c ? 1 : 0)
      .Int(StrCat(names.name, "_x"), from.w == to.w ? 1 : 0)
      .Int(StrCat(names.name, "_y"), from.h == to.h ? 1 : 0)
      .Int(StrCat(names.name, "_b"), from.b == to.b ? 1 : 0);
  return absl::OkStatus();
}

absl::Status LowerSelect(const Node& node, Lowering& lower) {
  TERN_RETURN_IF_ERROR(CheckTypes(node, lower));
  TERN_ASSIGN_OR_RETURN(const SelectShapes shapes, Shapes(node, lower));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Box box = out->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::select);
  for (int i = 0; i < 3; ++i) {
    const Shape shape = i == 0 ? shapes.condition : ShapeOf(lower.graph().tensors[node.inputs[i]]);
    TERN_RETURN_IF_ERROR(BindOperand(node, lower, i, shape, shapes.result, dispatch));
  }
  return dispatch.Write("dst", 0).Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

GpuOp Choice() {
  return {.lower = LowerSelect,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace

GpuOp SelectGpu() { return Choice(); }
GpuOp SelectV2Gpu() { return Choice(); }

}  // namespace tern::gpu
