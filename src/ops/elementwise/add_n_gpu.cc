// SPDX-License-Identifier: Apache-2.0
// ADD_N on the GPU: steps that add an operand each, in as many dispatches as the buffers ask for.
#include <algorithm>

#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

// Of a dispatch: what it writes, and three operands or the sum so far and two.
constexpr int kBuffers = 4;

absl::StatusOr<Epilogue> AddSteps(const Graph& graph, const Node& node) {
  const auto refuse = [&](std::string_view what, const RefusalReason& refusal_reason) {
    return Annotate(Unsupported(Label(node), ": ", what), refusal_reason);
  };
  if (node.inputs.size() < 2 || node.outputs.size() != 1) {
    return refuse(StrCat("wrong number of operands (", node.inputs.size(), ", 2 at least)"),
                  {Reason::kOperands});
  }
  const GraphTensor& out = graph.tensors[static_cast<size_t>(node.outputs[0])];
  for (const TensorId id : node.inputs) {
    if (id < 0) return refuse("an operand is missing", {Reason::kOperands});
    const GraphTensor& first = graph.tensors[static_cast<size_t>(node.inputs[0])];
    const GraphTensor& operand = graph.tensors[static_cast<size_t>(id)];
    if (operand.dims != out.dims) {
      return refuse(StrCat("operand of shape ", ShapeText(ShapeOf(operand)), ", output of shape ",
                           ShapeText(ShapeOf(out))),
                    {Reason::kShape, id});
    }
    // After fused steps the output is what the last of them makes.
    if (operand.type != first.type)
      return refuse(DifferentTypes(operand, first), {Reason::kTensorType, id});
    if (node.epilogue.empty() && out.type != first.type)
      return refuse(DifferentTypes(first, out), {Reason::kTensorType, node.outputs[0]});
  }
  const Number number = graph.tensors[static_cast<size_t>(node.inputs[0])].number();
  Epilogue epilogue;
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    epilogue.push_back(
        {.expression = "v + w", .operand = node.inputs[i], .from = number, .to = number});
  }
  return epilogue;
}

absl::Status LowerAddN(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(Epilogue steps, AddSteps(lower.graph(), node));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Number number = steps.front().from;
  steps.insert(steps.begin(),
               {.expression = "w", .operand = node.inputs[0], .from = number, .to = number});
  const Box box = out->box();
  TensorId sum = -1;
  for (size_t i = 0; i < steps.size();) {
    const size_t end = std::min(steps.size(), i + kBuffers - (i == 0 ? 1 : 2));
    DispatchBuilder dispatch = lower.Dispatch(node, KernelId::elementwise);
    const TensorId before = sum;
    if (end == steps.size()) {
      dispatch.Write("dst", 0);
    } else {
      const std::string name = StrCat(Label(node), " sum");
      sum = number == Number::kInt ? lower.Temp(name, box, Layout::kSlices, number)
                                   : lower.FloatTemp(name, box, Layout::kSlices);
      dispatch.WriteTemp("dst", sum);
    }
    if (before >= 0) {
      dispatch.StepWithTemp({.expression = "w", .from = number, .to = number}, before);
    }
    for (; i < end; ++i) dispatch.Step(steps[i]);
    TERN_RETURN_IF_ERROR(dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit());
  }
  return absl::OkStatus();
}

}  // namespace

GpuOp AddNGpu() { return ElementwiseOp(LowerAddN, AddSteps, kFloats | kInts); }

}  // namespace tern::gpu
