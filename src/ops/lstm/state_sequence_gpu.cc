// SPDX-License-Identifier: Apache-2.0
// Copies into and out of time steps of states, and their products.
#include "ops/lstm/state_sequence_gpu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

absl::Status CheckOperand(const Node& node, const Lowering& lower, int operand, int64_t size) {
  TERN_RETURN_IF_ERROR(lower.CheckNumbers(node, operand));
  const int64_t elements = (*lower.Input(node, operand))->box().elements();
  if (elements == size) return absl::OkStatus();
  return lower.Unsupported(
      node, StrCat("operand ", operand, " has ", elements, " elements, expected ", size));
}

void AddBiases(const StackedMatrix& matrix, const Lowering& lower, DispatchBuilder& dispatch) {
  const int slices = lower.Slices(static_cast<int>(matrix.units));
  for (const StackedMatrix::Part& part : matrix.parts)
    dispatch.ConstantRow("bias", slices, part.bias, matrix.units);
}

void AddQuantization(const QuantizedType& quantization, float limit, DispatchBuilder& dispatch) {
  dispatch.Define("TANH", 0).Define("BOUNDS", 1);
  dispatch.Float("grid_scale", quantization.scale).Float("grid_inverse", 1 / quantization.scale);
  float min = quantization.lowest(), max = quantization.highest();
  if (limit > 0) {
    const float steps = std::trunc(limit / quantization.scale),
                zero = static_cast<float>(quantization.zero_point);
    min = std::max(min, quantization.scale * (-steps - zero));
    max = std::min(max, quantization.scale * (steps - zero));
  }
  dispatch.Float("lowest", min).Float("highest", max);
}

}  // namespace

SequenceOrder OrderOf(const Shape& shape, bool time_major) {
  if (shape.size() < 3) return {1, shape[0], true};
  return time_major ? SequenceOrder{shape[0], shape[1], true}
                    : SequenceOrder{shape[1], shape[0], false};
}

StateSequence::StateSequence(const Node& node, Lowering& lower, const SequenceOrder& order,
                             std::vector<int64_t> parts)
    : node_(node), lower_(lower), order_(order), parts_(std::move(parts)) {
  int slices = 0;
  for (const int64_t size : parts_) {
    first_.push_back(slices);
    slices += lower.Slices(static_cast<int>(size));
  }
  tensor_ = lower.FloatTemp(StrCat(Label(node), " states"),
                            {1, static_cast<int>(order.time + 1), static_cast<int>(order.batch),
                             slices * lower.slice_width()},
                            Layout::kSlices);
}

int64_t StateSequence::Channels() const { return lower_.TempBox(tensor_).c; }

absl::Status StateSequence::Begin(size_t part, int operand) {
  const int64_t first = int64_t{first_[part]} * lower_.slice_width();
  return EmitCopy(node_, lower_, {.number = operand},
                  {{order_.time + 1, order_.batch, Channels()},
                   {0, 0, first},
                   {1, order_.batch, parts_[part]},
                   {0, parts_[part], 1}},
                  {.temp = tensor_}, Outside::kAppend, 0);
}

absl::Status StateSequence::End(size_t part, int output) {
  const Shape to = {order_.batch, parts_[part]};
  const int64_t first = int64_t{first_[part]} * lower_.slice_width();
  return EmitCopy(
      node_, lower_, {.temp = tensor_},
      {to, {0, 0}, to, {Channels(), 1}, order_.time * order_.batch * Channels() + first},
      {.number = output}, Outside::kFill, 0);
}

absl::Status StateSequence::Give(size_t part, int output, int64_t channel) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower_.Output(node_, output));
  const int64_t channels = Channels(), line = order_.batch * channels;
  const int64_t step = order_.backward ? -line : line;
  Gather g;
  g.dims = ShapeOf(*out);
  g.begin.assign(g.dims.size(), 0);
  g.begin.back() = channel;
  g.size = g.dims;
  g.size.back() = parts_[part];
  g.stride = g.dims.size() < 3   ? Shape{channels, 1}
             : order_.time_major ? Shape{step, channels, 1}
                                 : Shape{channels, step, 1};
  // The states after step 0, or those after the last step where its place is the first.
  g.offset =
      (order_.backward ? order_.time : 1) * line + int64_t{first_[part]} * lower_.slice_width();
  const bool whole = g.size.back() == g.dims.back();
  return EmitCopy(node_, lower_, {.temp = tensor_}, g, {.number = output},
                  whole ? Outside::kFill : Outside::kAppend, 0);
}

absl::Status CheckConstants(const Node& node, const Lowering& lower, const StackedMatrix& matrix) {
  for (const StackedMatrix::Part& part : matrix.parts) {
    TERN_RETURN_IF_ERROR(CheckOperand(node, lower, part.weights, matrix.columns * matrix.units));
    if (part.bias >= 0) TERN_RETURN_IF_ERROR(CheckOperand(node, lower, part.bias, matrix.units));
  }
  return absl::OkStatus();
}

absl::Status CheckRows(const Node& node, const Lowering& lower, int output, int64_t size) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, output));
  Shape want = ShapeOf(*in);
  if (want.empty()) return lower.Unsupported(node, "the input is a scalar");
  want.back() = size;
  return CheckOutputShape(node, lower, *out, want);
}

void AddStepWeights(const StackedMatrix& matrix, const Lowering& lower, DispatchBuilder& dispatch) {
  const auto units = static_cast<int>(matrix.units), columns = static_cast<int>(matrix.columns);
  const FilterPacking packing = {.out_channels = units,
                                 .group_in = columns,
                                 .group_out = units,
                                 .blocks = lower.Slices(units),
                                 .steps = lower.Slices(columns),
                                 .lanes = lower.slice_width(),
                                 .out_step = columns};
  for (const StackedMatrix::Part& part : matrix.parts)
    dispatch.ConstantFilter("weights", part.weights, packing, Decoding::kWeights);
}

int ItemsOver(const Lowering& lower, int slices) {
  int items = std::max(lower.tuning().reduce_items, 1);
  while (items > 1 && items / 2 >= slices) items /= 2;
  return items;
}

CellLaunch LaunchOf(const Lowering& lower, const SequenceOrder& order, int blocks, int sums) {
  // One group reads all weights in every step, while the rest of the device rests; products of one
  // launch end before any watchdog of a driver.
  constexpr int64_t kMaxProducts = 1 << 16, kMaxOfLaunch = 1 << 24;
  constexpr int kMaxItems = 128;
  const CellLaunch alone = {.items = ItemsOver(lower, blocks), .blocks = blocks};
  const DeviceInfo& device = lower.device();
  const int64_t lanes = int64_t{blocks} * lower.slice_width(), products = lanes * lanes * sums;
  const int max_items = std::min(kMaxItems, device.max_group_items);
  if (products > kMaxProducts || blocks > std::min(max_items, device.max_group[1])) return alone;
  CellLaunch many = alone;
  while (many.items * blocks > max_items) many.items /= 2;
  const int64_t slices = int64_t{many.items} * blocks * sums + blocks;
  if (slices * lower.slice_width() * int64_t{sizeof(float)} > device.local_memory_bytes)
    return alone;
  const int64_t rounds = (blocks + many.items - 1) / many.items + 12;
  many.steps = std::min({order.time, kMaxOfLaunch / products, device.max_loop_iterations / rounds});
  many.sequence = true;
  return many.steps > 0 ? many : alone;
}

void CellLaunch::Add(const SequenceOrder& order, int64_t step, int sums,
                     DispatchBuilder& dispatch) const {
  const int rows = sequence ? blocks : 1;
  dispatch.Define("BATCH_MAJOR", !order.time_major).Int("place", order.Place(step));
  dispatch.Define("SEQUENCE", sequence).Define("ITEMS", items);
  if (sequence) {
    dispatch.Int("steps", std::min(steps, order.time - step)).Int("along", order.backward ? -1 : 1);
    dispatch.LocalSlices("held", blocks);
  } else {
    dispatch.Define("steps", 1).Define("along", 0);
  }
  dispatch.LocalSlices("sums", items * rows * sums);
  dispatch.Group(items, rows, 1).Grid(items, blocks, order.batch);
}

absl::StatusOr<TensorId> EmitRowProducts(const Node& node, Lowering& lower, int rows,
                                         const StackedMatrix& matrix, TensorId added) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, rows));
  TERN_RETURN_IF_ERROR(CheckConstants(node, lower, matrix));
  const int width = lower.slice_width(), slices = lower.Slices(static_cast<int>(matrix.columns));
  const int units = lower.Slices(static_cast<int>(matrix.units));
  const int blocks = units * static_cast<int>(matrix.parts.size());
  const int items = ItemsOver(lower, slices);
  Box box = input->box();
  box.c = blocks * width;
  const TensorId to = lower.FloatTemp(StrCat(Label(node), " products"), box, Layout::kSlices);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::shared_product);
  dispatch.Read("src", rows).WriteTemp("dst", to).Define("LANES", width);
  if (added >= 0) dispatch.StepWithTemp({.expression = "v + w"}, added);
  AddStepWeights(matrix, lower, dispatch);
  AddBiases(matrix, lower, dispatch);
  dispatch.Define("ITEMS", items).LocalSlices("sums", items);
  dispatch.Group(items, 1, 1);
  const int64_t count = int64_t{box.b} * box.h * box.w;
  TERN_RETURN_IF_ERROR(dispatch.Grid(int64_t{items} * blocks, count, 1).Emit());
  return to;
}

bool HasCellActivation(TfLiteFusedActivation activation) {
  return activation == kTfLiteActNone || activation == kTfLiteActTanh ||
         ActivationStep(activation).has_value();
}

void AddActivation(TfLiteFusedActivation activation, DispatchBuilder& dispatch) {
  const bool unit = activation == kTfLiteActReluN1To1, six = activation == kTfLiteActRelu6;
  dispatch.Define("TANH", activation == kTfLiteActTanh);
  dispatch.Define("BOUNDS", unit || six || activation == kTfLiteActRelu);
  dispatch.Float("lowest", unit ? -1.0f : 0.0f);
  dispatch.Float("highest", unit ? 1.0f : six ? 6.0f : std::numeric_limits<float>::max());
}

absl::Status EmitStateProduct(const Node& node, Lowering& lower, const StateSequence& states,
                              const StateProduct& p, const CellLaunch& launch, int64_t step) {
  const StackedMatrix matrix = {{{p.weights, p.bias}}, p.from_size, p.units};
  TERN_RETURN_IF_ERROR(CheckConstants(node, lower, matrix));
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::state_product);
  dispatch.ReadTemp("state", states.tensor()).WriteTemp("dst", states.tensor());
  AddStepWeights(matrix, lower, dispatch);
  if (p.pre >= 0) {
    dispatch.ReadTemp("pre", p.pre);
  } else {
    AddBiases(matrix, lower, dispatch);
  }
  dispatch.Define("PRE", p.pre >= 0).Define("GRID", p.quantization.has_value());
  if (p.quantization) {
    AddQuantization(*p.quantization, p.limit, dispatch);
  } else if (p.limit > 0) {
    dispatch.Define("TANH", 0).Define("BOUNDS", 1);
    dispatch.Float("lowest", -p.limit).Float("highest", p.limit);
  } else {
    AddActivation(p.activation, dispatch);
  }
  dispatch.Int("count", lower.Slices(static_cast<int>(p.from_size)));
  dispatch.Int("first", states.FirstSlice(p.from)).Int("units", p.units);
  dispatch.Int("from_line", p.pre >= 0 ? step : step + 1).Int("to_line", step + 1);
  launch.Add(states.order(), step, 1, dispatch);
  return dispatch.Emit();
}

}  // namespace tern::gpu
