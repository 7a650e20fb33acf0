// SPDX-License-Identifier: Apache-2.0
// Products and steps of LSTM lowerings.
#include "ops/lstm/gate_product_gpu.h"

#include <algorithm>
#include <functional>
#include <span>

#include "base/status.h"

namespace tern::gpu {
namespace {

// Work-items that share the sums of one slice; no more than there are source slices.
int SharingItems(const Lowering& lower, int channels) {
  int items = std::max(lower.tuning().reduce_items, 1);
  while (items > 1 && items / 2 >= lower.Slices(channels)) items /= 2;
  return items;
}

void AddSteps(const std::vector<CellStep>& steps, DispatchBuilder& dispatch) {
  for (const CellStep& s : steps) {
    if (s.temp >= 0) {
      dispatch.StepWithTemp(s.step, s.temp);
    } else {
      dispatch.Step(s.step);
    }
  }
}

}  // namespace

absl::Status EmitGateProduct(const Node& node, Lowering& lower, const GateProduct& p,
                             const std::vector<CellStep>& steps, TensorId to) {
  const int width = lower.slice_width(), blocks = lower.Slices(p.units);
  const int slices = lower.Slices(p.columns), items = SharingItems(lower, p.columns);
  TERN_ASSIGN_OR_RETURN(const ConstantFloats weights, lower.Floats(node, p.weights));
  const auto fill_weights = [=](std::span<float> packed) {
    const std::vector<float> all = weights.Read();
    for (int unit = 0; unit < p.units; ++unit) {
      for (int column = 0; column < p.columns; ++column) {
        const int64_t slice = int64_t{unit / width} * slices * width + column;
        packed[static_cast<size_t>(slice * width + unit % width)] =
            all[static_cast<size_t>((p.first_row + unit) * p.row_size + p.first_column + column)];
      }
    }
  };
  std::function<void(std::span<float>)> fill_bias = [](std::span<float>) {};
  if (p.bias >= 0) {
    TERN_ASSIGN_OR_RETURN(const ConstantFloats bias, lower.Floats(node, p.bias));
    fill_bias = [=](std::span<float> packed) {
      const std::vector<float> all = bias.Read();
      std::copy_n(all.begin() + p.first_bias, p.units, packed.begin());
    };
  }
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::fully_connected);
  if (p.rows.temp >= 0) {
    dispatch.ReadTemp("src", p.rows.temp);
  } else {
    dispatch.Read("src", p.rows.number);
  }
  dispatch.WriteTemp("dst", to).Define("LANES", width);
  // The products of all time steps have the same weights.
  dispatch.ShareConstants(StrCat(Label(node), " ", p.weights, " ", p.first_row, " ", p.row_size,
                                 " ", p.first_column, " ", p.columns, " ", p.units, " ", p.bias,
                                 " ", p.first_bias));
  dispatch.Constant("weights", int64_t{blocks} * slices * width, fill_weights);
  dispatch.Constant("bias", blocks, fill_bias);
  AddSteps(steps, dispatch);
  dispatch.Define("ITEMS", items).Local("sums", LocalArray::Type::kSlice, items);
  dispatch.Loop({(slices + items - 1) / items}).Loop({items});
  return dispatch.Group(items, 1, 1).Grid(int64_t{items} * blocks, p.batch, 1).Emit();
}

absl::Status EmitCellSteps(const Node& node, Lowering& lower, const std::vector<CellStep>& steps,
                           const Box& cells, const CopyEnd& to) {
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::elementwise);
  AddSteps(steps, dispatch);
  if (to.temp >= 0) {
    dispatch.WriteTemp("dst", to.temp);
  } else {
    dispatch.Write("dst", to.number);
  }
  return dispatch.Grid(cells.w, cells.h, int64_t{lower.Slices(cells.c)} * cells.b).Emit();
}

}  // namespace tern::gpu
