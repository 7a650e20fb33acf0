// SPDX-License-Identifier: Apache-2.0
// Gathers made simple and turned into dispatches.
#include "ops/gpu_kit/gather_gpu.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/status.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

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

absl::Status CheckGatherRank(const Node& node, Lowering& lower, const Gather& g) {
  if (g.dims.size() <= kMaxGatherRank) return absl::OkStatus();
  return lower.Unsupported(
      node, StrCat("too many separate axes (", g.dims.size(), ", limit ", kMaxGatherRank, ")"),
      {Reason::kDeviceLimit});
}

void AddGather(const Gather& g, DispatchBuilder& dispatch) {
  const int rank = static_cast<int>(g.dims.size());
  dispatch.Define("RANK", rank).Int("offset", g.offset);
  for (int d = 0; d < rank; ++d) {
    dispatch.Int(StrCat("dim", d), g.dims[d]).Int(StrCat("begin", d), g.begin[d]);
    dispatch.Int(StrCat("size", d), g.size[d]).Int(StrCat("stride", d), g.stride[d]);
  }
}

// The value of what lies outside, in the type of the destination.
void Fill(double fill, const Node& node, Lowering& lower, const CopyEnd& to,
          DispatchBuilder& dispatch) {
  const Number number = to.temp >= 0             ? lower.TempNumber(to.temp)
                        : !node.epilogue.empty() ? node.epilogue.front().from
                                                 : lower.graph().tensors[node.outputs[0]].number();
  if (number == Number::kInt) {
    dispatch.Int("fill", static_cast<int64_t>(fill));
  } else {
    dispatch.Float("fill", static_cast<float>(fill));
  }
}

absl::StatusOr<Box> SourceBox(const Node& node, Lowering& lower, const CopyEnd& end) {
  if (end.temp >= 0) return lower.TempBox(end.temp);
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Input(node, end.number));
  return tensor->box();
}

absl::StatusOr<Box> DestinationBox(const Node& node, Lowering& lower, const CopyEnd& end) {
  if (end.temp >= 0) return lower.TempBox(end.temp);
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Output(node, end.number));
  return tensor->box();
}

// With `keep` the destination, which is an output then, is read as well.
void Bind(const Node& node, const CopyEnd& from, const CopyEnd& to, bool keep,
          DispatchBuilder& dispatch) {
  if (from.temp >= 0) {
    dispatch.ReadTemp("src", from.temp);
  } else {
    dispatch.ReadInt64Half("src", from.number, from.int64_half.value_or(node.int64_half));
  }
  if (keep) {
    dispatch.ReadWrite("dst", to.number);
  } else if (to.temp >= 0) {
    dispatch.WriteTemp("dst", to.temp);
  } else {
    dispatch.Write("dst", to.number);
  }
}

// Where a region lies along an axis of the destination, counted from the innermost one; all of the
// axis where higher ones are folded into it.
std::pair<int64_t, int64_t> RegionOf(const Gather& gather, size_t from_end, int extent) {
  const size_t rank = gather.dims.size();
  if (from_end >= rank || gather.dims[rank - 1 - from_end] != extent) return {0, extent};
  return {gather.begin[rank - 1 - from_end], gather.size[rank - 1 - from_end]};
}

// Whether a gather puts each pixel of a box, whole, into the same pixel of another.
bool KeepsPixels(const Gather& gather, const Box& in, const Box& out) {
  const bool same = in.b == out.b && in.h == out.h && in.w == out.w;
  const Gather g = Simplify(gather);
  if (!same || g.offset != 0 || g.stride.back() != 1 || g.size.back() != in.c ||
      g.dims.back() != out.c) {
    return false;
  }
  const int64_t pixels = int64_t{in.b} * in.h * in.w;
  return g.dims.size() == 1 ? pixels == 1
                            : g.dims.size() == 2 && g.begin[0] == 0 && g.size[0] == pixels &&
                                  g.dims[0] == pixels && g.stride[0] == in.c;
}

// The grid covers the pixels and the slices that hold the source's channels. An earlier part has
// written the channels of the first slice that lie below the source, so they are kept; the channels
// above the source are still empty.
absl::Status EmitPart(const Node& node, Lowering& lower, const CopyEnd& from, const Gather& gather,
                      const CopyEnd& to, const Box& in, const Box& out) {
  const int64_t first = gather.begin.back(), end = first + gather.size.back();
  const int64_t first_slice = first / lower.slice_width();
  const int64_t slices = lower.Slices(static_cast<int>(end)) - first_slice;
  const bool keep = first % lower.slice_width() != 0;
  if (keep && to.temp >= 0) return lower.Unsupported(node, "parts of a slice of a temporary");
  const bool by_lanes = KeepsPixels(gather, in, out);
  DispatchBuilder dispatch =
      lower.Dispatch(node, by_lanes ? KernelId::copy_lanes : KernelId::copy_elements);
  Bind(node, from, to, keep, dispatch);
  dispatch.Define("KEEP", keep);
  dispatch.Int("first_channel", first).Int("first_slice", first_slice).Int("part_slices", slices);
  if (by_lanes) return dispatch.Grid(out.w, out.h, slices * out.b).Emit();
  const auto [first_x, width] = RegionOf(gather, 1, out.w);
  const auto [first_y, height] = RegionOf(gather, 2, out.h);
  const Gather g = Simplify(gather);
  TERN_RETURN_IF_ERROR(CheckGatherRank(node, lower, g));
  dispatch.Define("PART", 1).Int("first_x", first_x).Int("first_y", first_y);
  AddGather(g, dispatch);
  return dispatch.Grid(width, height, slices * out.b).Emit();
}

// A gather in pixels: its last axis, the channels, is taken slice by slice.
struct PixelGather {
  Gather pixels;
  int64_t src_slice = 0, dst_slice = 0, slices = 0;
};

// `zeros`: what lies outside is filled with zero.
std::optional<PixelGather> AsPixels(const Gather& g, const Box& from, const Box& to,
                                    Outside outside, bool zeros, int slice_width) {
  if (g.dims.empty() || g.dims.back() != to.c || from.c == 0 || g.offset < 0) return std::nullopt;
  const int64_t first = g.begin.back(), size = g.size.back(), at = g.offset % from.c;
  if (size < 1 || (size > 1 && g.stride.back() != 1) || at + size > from.c) return std::nullopt;
  if (first % slice_width != 0 || at % slice_width != 0) return std::nullopt;
  // The lanes of the last slice that lie after the region come from the source, too; after its last
  // channel they are zero.
  const bool to_end =
      first + size == to.c || (first + size) % slice_width == 0 || (zeros && at + size == from.c);
  if (outside == Outside::kFill && !to_end) return std::nullopt;
  PixelGather result{g, at / slice_width, first / slice_width,
                     (size + slice_width - 1) / slice_width};
  Gather& p = result.pixels;
  for (auto* v : {&p.dims, &p.begin, &p.size, &p.stride}) v->pop_back();
  p.offset /= from.c;
  for (size_t d = 0; d < p.dims.size(); ++d) {
    if (p.size[d] <= 1) p.stride[d] = 0;
    if (p.stride[d] % from.c != 0) return std::nullopt;
    p.stride[d] /= from.c;
  }
  p = Simplify(std::move(p));
  return result;
}

// Work-items of a row of the grid over a region.
constexpr int64_t kRow = 1024;

absl::Status EmitPixels(const Node& node, Lowering& lower, const CopyEnd& from,
                        const PixelGather& gather, const CopyEnd& to, const Box& out,
                        Outside outside, double fill) {
  const Gather& g = gather.pixels;
  TERN_RETURN_IF_ERROR(CheckGatherRank(node, lower, g));
  const bool part = outside == Outside::kAppend;
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::copy_pixels);
  Bind(node, from, to, false, dispatch);
  dispatch.Define("PART", part).Int("src_slice", gather.src_slice);
  dispatch.Int("dst_slice", gather.dst_slice).Int("part_slices", gather.slices);
  if (!part) {
    AddGather(g, dispatch);
    Fill(fill, node, lower, to, dispatch);
    return dispatch.Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b).Emit();
  }
  const int rank = static_cast<int>(g.dims.size());
  int64_t pixels = 1, pitch = 1, base = 0;
  for (int d = rank; d-- > 0;) {
    dispatch.Int(StrCat("size", d), g.size[d]).Int(StrCat("stride", d), g.stride[d]);
    dispatch.Int(StrCat("pitch", d), pitch);
    base += g.begin[d] * pitch;
    pitch *= g.dims[d];
    pixels *= g.size[d];
  }
  const int64_t row = std::max<int64_t>(std::min(pixels, kRow), 1);
  dispatch.Define("RANK", rank).Int("offset", g.offset).Int("base", base);
  dispatch.Int("pixels", pixels).Int("row", row);
  return dispatch.Grid(row, (pixels + row - 1) / row, gather.slices).Emit();
}

}  // namespace

bool CanBroadcast(const std::vector<int64_t>& from, const std::vector<int64_t>& to) {
  if (from.size() > to.size()) return false;
  for (size_t i = 1; i <= from.size(); ++i) {
    const int64_t extent = from[from.size() - i];
    if (extent != 1 && extent != to[to.size() - i]) return false;
  }
  return true;
}

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

Gather ViewGather(const View& view) {
  return {view.sizes, Shape(view.sizes.size(), 0), view.sizes, view.strides, view.offset};
}

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

absl::Status EmitCopy(const Node& node, Lowering& lower, const CopyEnd& from, const Gather& gather,
                      const CopyEnd& to, Outside outside, double fill) {
  TERN_ASSIGN_OR_RETURN(const Box in, SourceBox(node, lower, from));
  TERN_ASSIGN_OR_RETURN(const Box out, DestinationBox(node, lower, to));
  const auto pixels = AsPixels(gather, in, out, outside, fill == 0, lower.slice_width());
  if (pixels) return EmitPixels(node, lower, from, *pixels, to, out, outside, fill);
  if (outside == Outside::kAppend) return EmitPart(node, lower, from, gather, to, in, out);
  const Gather g = Simplify(gather);
  TERN_RETURN_IF_ERROR(CheckGatherRank(node, lower, g));
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::copy_elements);
  Bind(node, from, to, false, dispatch);
  dispatch.Define("PART", 0);
  Fill(fill, node, lower, to, dispatch);
  AddGather(g, dispatch);
  return dispatch.Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b).Emit();
}

absl::Status EmitGather(const Node& node, Lowering& lower, int input, const Gather& gather,
                        Outside outside, double fill) {
  return EmitCopy(node, lower, {input}, gather, {0}, outside, fill);
}

absl::Status EmitGatherToTemp(const Node& node, Lowering& lower, const CopyEnd& from,
                              const Gather& gather, TensorId temp) {
  return EmitCopy(node, lower, from, gather, {0, temp}, Outside::kFill, 0.0);
}

absl::Status EmitView(const Node& node, Lowering& lower, const CopyEnd& from, const Viewed& viewed,
                      int output) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, output));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, viewed.shape));
  return EmitCopy(node, lower, from, ViewGather(viewed.view), {output}, Outside::kFill, 0.0);
}

absl::StatusOr<double> FillValue(const Node& node, const Lowering& lower, int input) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* value, lower.Input(node, input));
  if (value->box().elements() != 1) {
    return lower.Unsupported(
        node, StrCat("the value must be one number (", ShapeText(ShapeOf(*value)), ")"));
  }
  if (value->number() == Number::kInt) {
    TERN_ASSIGN_OR_RETURN(const Shape ints, lower.Ints(node, input));
    return static_cast<double>(Int64Half(ints[0], node.int64_half));
  }
  TERN_ASSIGN_OR_RETURN(const float number, lower.FirstNumber(node, input));
  return number;
}

absl::Status EmitSliceCopy(const Node& node, Lowering& lower, int input, const SliceShift& shift,
                           Outside outside, double fill) {
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
  if (covers) Fill(fill, node, lower, {0}, dispatch);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace tern::gpu
