// SPDX-License-Identifier: Apache-2.0
// Products and steps of LSTM lowerings.
#include "ops/lstm/gate_product_gpu.h"

#include <algorithm>

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
  const FilterPacking packing = {.out_channels = p.units,
                                 .group_in = p.columns,
                                 .group_out = p.units,
                                 .blocks = blocks,
                                 .steps = slices,
                                 .lanes = width,
                                 .out_step = p.row_size};
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::shared_product);
  if (p.rows.temp >= 0) {
    dispatch.ReadTemp("src", p.rows.temp);
  } else {
    dispatch.Read("src", p.rows.number);
  }
  dispatch.WriteTemp("dst", to).Define("LANES", width);
  const int64_t first = p.first_row * p.row_size + p.first_column;
  dispatch.PackableFilter("weights", p.weights, packing, Decoding::kReal, first);
  dispatch.ConstantRow("bias", blocks, p.bias, p.units, Decoding::kReal, p.first_bias);
  AddSteps(steps, dispatch);
  dispatch.Define("ITEMS", items).LocalSlices("sums", items);
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
