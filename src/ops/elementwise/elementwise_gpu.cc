// SPDX-License-Identifier: Apache-2.0
// The rows of table.inc on the GPU: as fused steps where a producer takes them, else as a chain of
// their own.
#include <algorithm>

#include "base/status.h"
#include "ops/elementwise/gpu_texts.h"
#include "ops/elementwise/parameters.h"
#include "ops/gpu_op.h"
#include "ops/movement/gather_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

struct Row {
  int builtin;
  bool binary;
  const char* expression;
  bool (*constants)(const void* params, elementwise::Constants& constants);
  bool (*activation)(const void* params, TfLiteFusedActivation& activation);
};

const Row kRows[] = {
#define ELEMENTWISE_UNARY(builtin, name, parameters, cpu, text) \
  {kTfLiteBuiltin##name, false, text, elementwise::parameters, nullptr},
#define ELEMENTWISE_BINARY(builtin, name, parameters, cpu, text) \
  {kTfLiteBuiltin##name, true, text, nullptr, elementwise::parameters},
#include "ops/elementwise/table.inc"
};

absl::Status Refuse(const Node& node, std::string_view what) {
  return absl::UnimplementedError(StrCat(Label(node), ": ", what));
}

absl::Status CheckOperands(const Graph& graph, const Node& node, size_t operands) {
  if (node.inputs.size() != operands || node.outputs.size() != 1) {
    return Refuse(node, StrCat("wrong number of operands (", node.inputs.size(), ")"));
  }
  for (TensorId id : node.inputs) {
    if (id < 0) return Refuse(node, "an operand is missing");
    if (graph.tensors[id].type != kTfLiteFloat32) {
      return Refuse(node, StrCat("tensor '", graph.tensors[id].name, "' has type ",
                                 TfLiteTypeGetName(graph.tensors[id].type)));
    }
  }
  return absl::OkStatus();
}

// The steps from input 0 to the output.
absl::StatusOr<ElementwiseChain> Steps(const Graph& graph, const Node& node) {
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& r) { return r.builtin == node.builtin_code; });
  if (row == std::end(kRows)) return Refuse(node, "this is no elementwise operation");
  TERN_RETURN_IF_ERROR(CheckOperands(graph, node, row->binary ? 2 : 1));
  ElementwiseStep step;
  step.expression = row->expression;
  elementwise::Constants constants;
  if (row->constants != nullptr && !row->constants(node.params, constants)) {
    return Refuse(node, "options are missing");
  }
  if (constants.gpu_text != nullptr) step.expression = constants.gpu_text;
  step.a = constants.a;
  step.b = constants.b;
  if (row->binary) step.operand = node.inputs[1];
  ElementwiseChain chain = {step};
  TfLiteFusedActivation activation = kTfLiteActNone;
  if (row->activation != nullptr && !row->activation(node.params, activation)) {
    return Refuse(node, "options are missing");
  }
  // TANH and SIGN_BIT are ignored here, as the reference ignores them.
  if (std::optional<ElementwiseStep> clamp = ActivationStep(activation)) chain.push_back(*clamp);
  return chain;
}

std::vector<int64_t> Widen(const std::vector<int>& dims) { return {dims.begin(), dims.end()}; }

// An operand as a chain can read it. Boxes broadcast by themselves; what folding to a box has made
// inexpressible (ranks above 4) is spread out into a temporary first.
struct Operand {
  int input = 0;
  TensorId temp = -1;
};

absl::StatusOr<Operand> PrepareOperand(const Node& node, int input, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* operand, lower.Input(node, input));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (BroadcastsTo(operand->box(), out->box())) return Operand{input};
  const Gather spread = BroadcastGather(Widen(operand->dims), Widen(out->dims));
  const TensorId temp =
      lower.Temp(StrCat(operand->name, " spread"), out->box(), Layout::kSlices, operand->number());
  TERN_RETURN_IF_ERROR(EmitGatherToTemp(node, lower, input, spread, temp));
  return Operand{input, temp};
}

void AddStep(const Node& node, const Operand& operand, ElementwiseStep step,
             DispatchBuilder& dispatch) {
  if (operand.temp >= 0) {
    step.operand.reset();
    dispatch.StepWithTemp(std::move(step), operand.temp);
  } else {
    step.operand = node.inputs[operand.input];
    dispatch.Step(std::move(step));
  }
}

absl::Status LowerElementwise(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const ElementwiseChain chain, Steps(lower.graph(), node));
  TERN_ASSIGN_OR_RETURN(const Operand first, PrepareOperand(node, 0, lower));
  Operand second;
  if (chain.front().operand) {
    TERN_ASSIGN_OR_RETURN(second, PrepareOperand(node, 1, lower));
  }
  const Box box = out->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::elementwise);
  dispatch.Write("dst", 0);
  const Number number = lower.graph().tensors[node.inputs[0]].number();
  AddStep(node, first, {.expression = "w", .from = number, .to = number}, dispatch);
  for (const ElementwiseStep& step : chain) {
    if (step.operand) {
      AddStep(node, second, step, dispatch);
    } else {
      dispatch.Step(step);
    }
  }
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

GpuOp Elementwise() {
  return {.lower = LowerElementwise,
          .traits = {
              .takes_chain = true,
              .buffers = [](const Graph&,
                            const Node& node) { return 1 + static_cast<int>(node.inputs.size()); },
              .elementwise = Steps}};
}

}  // namespace

#define ELEMENTWISE_UNARY(builtin, name, ...) \
  GpuOp name##Gpu() { return Elementwise(); }
#define ELEMENTWISE_BINARY(builtin, name, ...) \
  GpuOp name##Gpu() { return Elementwise(); }
#include "ops/elementwise/table.inc"

}  // namespace tern::gpu
