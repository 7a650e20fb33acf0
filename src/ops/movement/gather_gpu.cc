// SPDX-License-Identifier: Apache-2.0
// Gathers made simple and turned into dispatches.
#include "ops/movement/gather_gpu.h"

#include "base/status.h"

namespace tern::gpu {
namespace {

// Axes d and d + 1 are walked like one axis of their product.
bool Joins(const Gather& g, size_t d) {
  const bool whole = g.begin[d + 1] == 0 && g.size[d + 1] == g.dims[d + 1];
  return whole && g.stride[d] == g.stride[d + 1] * g.dims[d + 1];
}

// Drops axes of extent 1 and joins neighbours, so that few divisions remain per element.
Gather Simplify(Gather g) {
  for (size_t d = 0; d < g.dims.size() && g.dims.size() > 1;) {
    if (g.dims[d] == 1 && g.begin[d] == 0 && g.size[d] == 1) {
      for (auto* v : {&g.dims, &g.begin, &g.size, &g.stride})
        v->erase(v->begin() + static_cast<long>(d));
    } else {
      ++d;
    }
  }
  for (size_t d = 0; d + 1 < g.dims.size();) {
    if (!Joins(g, d)) {
      ++d;
      continue;
    }
    const int64_t inner = g.dims[d + 1];
    g.dims[d] *= inner;
    g.begin[d] *= inner;
    g.size[d] *= inner;
    g.stride[d] = g.stride[d + 1];
    for (auto* v : {&g.dims, &g.begin, &g.size, &g.stride})
      v->erase(v->begin() + static_cast<long>(d) + 1);
  }
  if (g.dims.empty()) g.dims = {1}, g.begin = {0}, g.size = {1}, g.stride = {0};
  return g;
}

absl::Status AddGather(const Node& node, Lowering& lower, const Gather& gather,
                       DispatchBuilder& dispatch) {
  const Gather g = Simplify(gather);
  const int rank = static_cast<int>(g.dims.size());
  if (rank > kMaxGatherRank) {
    return lower.Unsupported(
        node, StrCat("too many separate axes (", rank, ", limit ", kMaxGatherRank, ")"));
  }
  dispatch.Define("RANK", rank).Int("offset", g.offset);
  for (int d = 0; d < rank; ++d) {
    dispatch.Int(StrCat("dim", d), g.dims[d]).Int(StrCat("begin", d), g.begin[d]);
    dispatch.Int(StrCat("size", d), g.size[d]).Int(StrCat("stride", d), g.stride[d]);
  }
  return absl::OkStatus();
}

// The grid covers the slices that hold the source's channels. What the first of them has below the
// source was written by an earlier part and is kept; above it there is nothing yet.
absl::Status EmitPart(const Node& node, Lowering& lower, int input, const Gather& gather,
                      const Box& out) {
  const int64_t first = gather.begin.back(), end = first + gather.size.back();
  const int64_t first_slice = first / lower.slice_width();
  const int64_t slices = lower.Slices(static_cast<int>(end)) - first_slice;
  const bool keep = first % lower.slice_width() != 0;
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::copy_elements);
  dispatch.Read("src", input).Define("PART", 1).Define("KEEP", keep);
  if (keep) {
    dispatch.ReadWrite("dst", 0);
  } else {
    dispatch.Write("dst", 0);
  }
  dispatch.Int("first_channel", first).Int("first_slice", first_slice).Int("part_slices", slices);
  TERN_RETURN_IF_ERROR(AddGather(node, lower, gather, dispatch));
  return dispatch.Grid(out.w, out.h, slices * out.b).Emit();
}

}  // namespace

Gather BroadcastGather(const std::vector<int64_t>& from, const std::vector<int64_t>& to) {
  Gather g{to, std::vector<int64_t>(to.size(), 0), to, std::vector<int64_t>(to.size(), 0)};
  int64_t stride = 1;
  for (size_t i = 0; i < from.size(); ++i) {
    const size_t d = to.size() - 1 - i;
    const int64_t extent = from[from.size() - 1 - i];
    g.stride[d] = extent == 1 ? 0 : stride;
    stride *= extent;
  }
  return g;
}

Gather ReshapeGather(int64_t elements) { return {{elements}, {0}, {elements}, {1}}; }

Gather PlaceGather(const std::vector<int64_t>& from, const std::vector<int64_t>& to,
                   const std::vector<int64_t>& begin) {
  Gather g{to, begin, from, std::vector<int64_t>(to.size(), 0)};
  int64_t stride = 1;
  for (size_t d = to.size(); d-- > 0;) {
    g.stride[d] = stride;
    stride *= from[d];
  }
  return g;
}

absl::Status EmitGather(const Node& node, Lowering& lower, int input, const Gather& gather,
                        Outside outside, float fill) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Box box = out->box();
  if (outside == Outside::kAppend) return EmitPart(node, lower, input, gather, box);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::copy_elements);
  dispatch.Read("src", input).Write("dst", 0).Define("PART", 0).Float("fill", fill);
  TERN_RETURN_IF_ERROR(AddGather(node, lower, gather, dispatch));
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

absl::Status EmitGatherToTemp(const Node& node, Lowering& lower, int input, const Gather& gather,
                              TensorId temp) {
  const Box box = lower.TempBox(temp);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::copy_elements);
  dispatch.Read("src", input).Define("PART", 0).WriteTemp("dst", temp).Float("fill", 0.0f);
  TERN_RETURN_IF_ERROR(AddGather(node, lower, gather, dispatch));
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

absl::Status EmitSliceCopy(const Node& node, Lowering& lower, int input, const SliceShift& shift,
                           Outside outside, float fill) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, input));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const bool covers = outside == Outside::kFill;
  const Box box = covers ? out->box() : in->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::copy_slices);
  dispatch.Read("src", input).Write("dst", 0).Define("FILL", covers);
  dispatch.Int("shift_x", shift.x)
      .Int("shift_y", shift.y)
      .Int("shift_s", shift.slice)
      .Int("shift_b", shift.batch);
  if (covers) dispatch.Float("fill", fill);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace tern::gpu
