// SPDX-License-Identifier: Apache-2.0
// SVDF on the GPU with float activations: the product with the feature weights, the new state, and
// the sums over it. A state that is a variable comes back as output 1.
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/lstm/gate_product_gpu.h"
#include "ops/lstm/state_sequence_gpu.h"
#include "ops/svdf/svdf_rules.h"

namespace tern::gpu {
namespace {

using namespace svdf;

absl::StatusOr<Sizes> ReadSizes(const Node& node, const Lowering& lower) {
  if (node.inputs.size() != kInputs) {
    return lower.Unsupported(node,
                             StrCat("wrong number of operands (", node.inputs.size(), ", ",
                                    static_cast<int>(kInputs), ")"),
                             {Reason::kOperands});
  }
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, kInput));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* feature, lower.Input(node, kFeature));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* time, lower.Input(node, kTime));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* state, lower.Input(node, kState));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const StatusOr<Sizes> s = SizesOf(ShapeOf(*input), ShapeOf(*feature), ShapeOf(*time),
                                    node.Get<TfLiteSVDFParams>().rank);
  if (!s.ok()) return lower.Unsupported(node, Message(s.status()));
  if (input->quantized.has_value() != state->quantized.has_value()) {
    return lower.Unsupported(node, "one of input and state is quantized", {Reason::kQuantization});
  }
  if (input->is_constant())
    return lower.Unsupported(node, "the input is constant", {Reason::kOperands});
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, {s->batch, s->units}));
  const Shape memory = {s->batch, s->filters * s->memory};
  if (ShapeOf(*state) == memory) return *s;
  return lower.Unsupported(node, StrCat("a state of shape ", ShapeText(ShapeOf(*state)),
                                        ", expected ", ShapeText(memory)));
}

absl::Status EmitUnits(const Node& node, Lowering& lower, const Sizes& s, TensorId state) {
  const bool biased = lower.Has(node, kBias);
  if (biased) {
    TERN_ASSIGN_OR_RETURN(const GraphTensor* bias, lower.Input(node, kBias));
    if (bias->box().elements() != s.units) {
      return lower.Unsupported(
          node, StrCat("a bias of ", bias->box().elements(), " elements, not ", s.units));
    }
  }
  const auto units = static_cast<int>(s.units), count = static_cast<int>(s.rank * s.memory);
  const int slices = lower.Slices(units);
  const FilterPacking packing = {.out_channels = units,
                                 .group_out = units,
                                 .taps = count,
                                 .blocks = slices,
                                 .lanes = 1,
                                 .out_step = count};
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::svdf_units);
  dispatch.ReadTemp("state", state).Write("dst", 0).Int("count", count);
  dispatch.PackableFilter("weights", kTime, packing, Decoding::kWeights);
  dispatch.ConstantRow("bias", slices, biased ? kBias : -1, s.units);
  const TfLiteFusedActivation activation = node.Get<TfLiteSVDFParams>().activation;
  TERN_ASSIGN_OR_RETURN(const GraphTensor* memory, lower.Input(node, kState));
  if (memory->quantized) {
    // Integers have the range of the output alone.
  } else if (activation == kTfLiteActTanh) {
    dispatch.Step({.expression = "tanh(v)"});
  } else {
    dispatch.Activation(activation);
  }
  return dispatch.Grid(s.batch, slices, 1).Emit();
}

// As elements of the state: cut to the type's range before the zero point is added, after which an
// INT8 wraps.
std::vector<CellStep> StateSteps(const QuantizedType& q, TensorId newest) {
  const bool narrow = NarrowBytes(q.type) == 1;
  std::vector<CellStep> steps;
  const auto add = [&steps](std::string expression, float a) -> CellStep& {
    CellStep& step = steps.emplace_back();
    step.step.expression = std::move(expression);
    step.step.a = a;
    return step;
  };
  CellStep& first = add("w", 0);
  first.step.operand = first.temp = newest;
  add(narrow ? "round_even(limited(v / splat(a), splat(-128.0), splat(127.0)))"
             : "round_even(limited(v / splat(a), splat(-32768.0), splat(32767.0)))",
      q.scale);
  if (narrow && q.zero_point != 0) {
    add("v + select_lt(v + splat(a), splat(-128.0), splat(256.0), "
        "select_lt(splat(127.0), v + splat(a), splat(-256.0), splat(0.0)))",
        static_cast<float>(q.zero_point));
  }
  add("v * splat(a)", q.scale);
  return steps;
}

absl::Status LowerSvdf(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const Sizes s, ReadSizes(node, lower));
  const TfLiteFusedActivation activation = node.Get<TfLiteSVDFParams>().activation;
  if (!HasCellActivation(activation)) {
    return lower.Unsupported(node, StrCat("fused activation ", static_cast<int>(activation)),
                             {Reason::kOptions});
  }
  TERN_ASSIGN_OR_RETURN(
      TensorId newest,
      EmitRowProducts(node, lower, kInput, {{{kFeature, -1}}, s.inputs, s.filters}, -1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* memory, lower.Input(node, kState));
  if (memory->quantized) {
    const Box box = lower.TempBox(newest);
    const TensorId rounded = lower.FloatTemp(StrCat(Label(node), " newest"), box, Layout::kSlices);
    TERN_RETURN_IF_ERROR(
        EmitCellSteps(node, lower, StateSteps(*memory->quantized, newest), box, {.temp = rounded}));
    newest = rounded;
  }
  const int numbers = static_cast<int>(s.filters * s.memory);
  const TensorId state = lower.FloatTemp(
      StrCat(Label(node), " state"), {1, 1, static_cast<int>(s.batch), numbers}, Layout::kSlices);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::svdf_state);
  dispatch.Read("state", kState).ReadTemp("newest", newest).WriteTemp("dst", state);
  dispatch.Int("memory", s.memory);
  TERN_RETURN_IF_ERROR(dispatch.Grid(s.batch, lower.Slices(numbers), 1).Emit());
  TERN_RETURN_IF_ERROR(EmitUnits(node, lower, s, state));
  if (node.outputs.size() < 2) return absl::OkStatus();
  return EmitCopy(node, lower, {.temp = state}, ReshapeGather(s.batch * numbers), {.number = 1},
                  Outside::kFill, 0);
}

std::vector<int> State(const Node& node) {
  if (node.inputs.size() <= kState) return {};
  return {kState};
}

}  // namespace

GpuOp SvdfGpu() {
  return {.lower = LowerSvdf, .traits = {.takes_epilogue = true, .states = State}};
}

}  // namespace tern::gpu
