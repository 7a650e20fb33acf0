// SPDX-License-Identifier: Apache-2.0
// The basic kernel of LSTM on the GPU: each gate is a product with the input
// and one with the previous activation; elementwise chains make the new state
// and activation of them. States that are variables come back as two further
// outputs, 4 and 5.
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "ops/gpu_op.h"
#include "ops/movement/gather_gpu.h"

namespace tern::gpu {
namespace {

enum Input { kInput, kPreviousActivation, kWeights, kBias, kPreviousState };
enum Output {
  kActivation,
  kState,
  kJoined,
  kGates,
  kNextActivation,
  kNextState
};
// Blocks of the rows of the weights.
enum Gate { kInputGate, kCandidate, kForgetGate, kOutputGate, kGateCount };

constexpr char kLogistic[] = "splat(1.0) / (splat(1.0) + exp(-v))";

struct Sizes {
  int batch, inputs, cells;
  Box cell_box() const { return {1, 1, batch, cells}; }
};

absl::StatusOr<Sizes> SizesOf(const Node &node, const Lowering &lower) {
  if (node.inputs.size() != 5 || node.outputs.size() < 4) {
    return lower.Unsupported(node, StrCat("wrong number of operands (",
                                          node.inputs.size(), ", ",
                                          node.outputs.size(), ")"));
  }
  std::vector<Shape> shapes;
  for (int i = 0; i < 5; ++i) {
    TERN_ASSIGN_OR_RETURN(const GraphTensor *tensor, lower.Input(node, i));
    shapes.push_back(ShapeOf(*tensor));
    if (i != kWeights && i != kBias && tensor->is_constant()) {
      return lower.Unsupported(node, StrCat("operand ", i, " is constant"));
    }
  }
  if (shapes[kInput].size() != 2 || shapes[kPreviousState].size() != 2) {
    return lower.Unsupported(node, "input and state must have rank 2");
  }
  const int64_t batch = shapes[kInput][0], inputs = shapes[kInput][1];
  const int64_t cells = shapes[kPreviousState][1];
  const Shape state = {batch, cells};
  if (shapes[kPreviousState] != state || shapes[kPreviousActivation] != state ||
      shapes[kWeights] != Shape{4 * cells, inputs + cells} ||
      shapes[kBias] != Shape{4 * cells}) {
    return lower.Unsupported(node, "the operands' shapes do not fit together");
  }
  return Sizes{static_cast<int>(batch), static_cast<int>(inputs),
               static_cast<int>(cells)};
}

// Work-items that share the sums of one slice; no more than there are source
// slices.
int SharingItems(const Lowering &lower, int channels) {
  int items = std::max(lower.tuning().reduce_items, 1);
  while (items > 1 && items / 2 >= lower.Slices(channels))
    items /= 2;
  return items;
}

// The columns of the weights that one operand meets.
struct Columns {
  int first, count;
};

// temp = the rows of a gate times an operand, plus the bias or what another
// temporary holds.
absl::Status EmitProduct(const Node &node, Lowering &lower, const Sizes &s,
                         int gate, int operand, const Columns &columns,
                         TensorId add, TensorId to) {
  const int width = lower.slice_width(), blocks = lower.Slices(s.cells);
  const int steps = lower.Slices(columns.count),
            items = SharingItems(lower, columns.count);
  TERN_ASSIGN_OR_RETURN(const ConstantFloats weights,
                        lower.Floats(node, kWeights));
  TERN_ASSIGN_OR_RETURN(const ConstantFloats bias, lower.Floats(node, kBias));
  const auto fill_weights = [=](std::span<float> slices) {
    const std::vector<float> all = weights.Read();
    const int64_t row_size = int64_t{s.inputs} + s.cells;
    for (int row = 0; row < s.cells; ++row) {
      for (int column = 0; column < columns.count; ++column) {
        const int64_t slice = int64_t{row / width} * steps * width + column;
        slices[static_cast<size_t>(slice * width + row % width)] =
            all[static_cast<size_t>((int64_t{gate} * s.cells + row) * row_size +
                                    columns.first + column)];
      }
    }
  };
  const auto fill_bias = [=](std::span<float> slices) {
    if (add >= 0)
      return;
    const std::vector<float> all = bias.Read();
    std::copy_n(all.begin() + int64_t{gate} * s.cells, s.cells, slices.begin());
  };
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::fully_connected);
  dispatch.Read("src", operand).WriteTemp("dst", to).Define("LANES", width);
  dispatch.Constant("weights", int64_t{blocks} * steps * width, fill_weights);
  dispatch.Constant("bias", blocks, fill_bias);
  if (add >= 0)
    dispatch.StepWithTemp({.expression = "v + w"}, add);
  dispatch.Define("ITEMS", items)
      .Local("sums", LocalArray::Type::kSlice, items);
  return dispatch.Group(items, 1, 1)
      .Grid(int64_t{items} * blocks, s.batch, 1)
      .Emit();
}

// What goes into a gate's activation.
absl::StatusOr<TensorId> EmitGate(const Node &node, Lowering &lower,
                                  const Sizes &s, int gate) {
  const auto temp = [&](const char *what) {
    return lower.Temp(StrCat(Label(node), " gate ", gate, what), s.cell_box(),
                      Layout::kSlices);
  };
  const TensorId from_input = temp(" of the input"), sum = temp("");
  TERN_RETURN_IF_ERROR(EmitProduct(node, lower, s, gate, kInput, {0, s.inputs},
                                   /*add=*/-1, from_input));
  TERN_RETURN_IF_ERROR(EmitProduct(node, lower, s, gate, kPreviousActivation,
                                   {s.inputs, s.cells}, from_input, sum));
  return sum;
}

// A dispatch of nothing but steps, which starts with the logistic of a gate.
DispatchBuilder StartWithLogistic(const Node &node, Lowering &lower,
                                  TensorId gate) {
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::elementwise);
  dispatch.StepWithTemp({.expression = "w"}, gate)
      .Step({.expression = kLogistic});
  return dispatch;
}

absl::Status EmitOverCells(const Sizes &s, Lowering &lower,
                           DispatchBuilder &dispatch) {
  return dispatch.Grid(s.batch, 1, lower.Slices(s.cells)).Emit();
}

// concat_temp and activation_temp hold what they hold on the CPU where somebody
// reads them.
absl::Status EmitTemporaries(const Node &node, Lowering &lower, const Sizes &s,
                             const TensorId gates[]) {
  const auto read = [&](int output) {
    const TensorId id = node.outputs[static_cast<size_t>(output)];
    return lower.graph().IsOutput(id) || !lower.graph().Consumers(id).empty();
  };
  const std::vector<int64_t> cells = {s.batch, s.cells};
  if (read(kJoined)) {
    const std::vector<int64_t> to = {s.batch, int64_t{s.inputs} + s.cells};
    TERN_RETURN_IF_ERROR(EmitCopy(node, lower, {.number = kInput},
                                  PlaceGather({s.batch, s.inputs}, to, {0, 0}),
                                  {.number = kJoined}, Outside::kAppend, 0));
    TERN_RETURN_IF_ERROR(EmitCopy(node, lower, {.number = kPreviousActivation},
                                  PlaceGather(cells, to, {0, s.inputs}),
                                  {.number = kJoined}, Outside::kAppend, 0));
  }
  if (!read(kGates))
    return absl::OkStatus();
  for (int gate = 0; gate < kGateCount; ++gate) {
    const Gather place =
        PlaceGather(cells, {s.batch, int64_t{kGateCount} * s.cells},
                    {0, int64_t{gate} * s.cells});
    TERN_RETURN_IF_ERROR(EmitCopy(node, lower, {.temp = gates[gate]}, place,
                                  {.number = kGates}, Outside::kAppend, 0));
  }
  return absl::OkStatus();
}

// The new values of the variables, once nothing reads the old ones any more.
absl::Status EmitNextStates(const Node &node, Lowering &lower, const Sizes &s) {
  if (node.outputs.size() <= kNextState)
    return absl::OkStatus();
  for (const auto &[from, to] :
       {std::pair{kActivation, kNextActivation}, {kState, kNextState}}) {
    DispatchBuilder dispatch = lower.Dispatch(node, KernelId::elementwise);
    dispatch.Write("dst", to);
    dispatch.Step({.expression = "w",
                   .operand = node.outputs[static_cast<size_t>(from)]});
    TERN_RETURN_IF_ERROR(EmitOverCells(s, lower, dispatch));
  }
  return absl::OkStatus();
}

absl::Status LowerLstm(const Node &node, Lowering &lower) {
  const auto &params = node.Get<TfLiteLSTMParams>();
  if (params.kernel_type != kTfLiteLSTMBasicKernel) {
    return lower.Unsupported(node, "only the basic kernel runs on the GPU");
  }
  if (params.activation != kTfLiteActTanh) {
    return lower.Unsupported(node, StrCat("fused activation ",
                                          static_cast<int>(params.activation),
                                          ", only TANH runs on the GPU"));
  }
  if (params.cell_clip != 0 || params.proj_clip != 0) {
    return lower.Unsupported(node, "clip limits of the basic kernel");
  }
  TERN_ASSIGN_OR_RETURN(const Sizes s, SizesOf(node, lower));
  TensorId gates[kGateCount];
  for (int gate = 0; gate < kGateCount; ++gate) {
    TERN_ASSIGN_OR_RETURN(gates[gate], EmitGate(node, lower, s, gate));
  }
  const TensorId taken =
      lower.Temp(StrCat(Label(node), " taken"), s.cell_box(), Layout::kSlices);
  DispatchBuilder take = StartWithLogistic(node, lower, gates[kInputGate]);
  take.StepWithTemp({.expression = "v * tanh(w)"}, gates[kCandidate])
      .WriteTemp("dst", taken);
  TERN_RETURN_IF_ERROR(EmitOverCells(s, lower, take));
  DispatchBuilder keep = StartWithLogistic(node, lower, gates[kForgetGate]);
  keep.Step({.expression = "v * w", .operand = node.inputs[kPreviousState]});
  keep.StepWithTemp({.expression = "v + w"}, taken).Write("dst", kState);
  TERN_RETURN_IF_ERROR(EmitOverCells(s, lower, keep));
  DispatchBuilder out = StartWithLogistic(node, lower, gates[kOutputGate]);
  out.Step({.expression = "v * tanh(w)", .operand = node.outputs[kState]});
  out.Write("dst", kActivation);
  TERN_RETURN_IF_ERROR(EmitOverCells(s, lower, out));
  TERN_RETURN_IF_ERROR(EmitTemporaries(node, lower, s, gates));
  return EmitNextStates(node, lower, s);
}

} // namespace

GpuOp LstmGpu() { return {.lower = LowerLstm}; }

} // namespace tern::gpu
