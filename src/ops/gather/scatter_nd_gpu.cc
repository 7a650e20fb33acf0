// SPDX-License-Identifier: Apache-2.0
// SCATTER_ND on the GPU: each element of the output looks for its updates, in the order in which
// the CPU adds them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/status.h"
#include "ops/gather/gather_rules.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/indices_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

constexpr int kIndices = 0, kUpdates = 1, kShape = 2;

// Whether it is known that no two index vectors are the same. Those that are known name what is
// there, or are refused.
absl::StatusOr<bool> AreDistinct(const Node& node, const Lowering& lower, const Shape& to,
                                 size_t depth) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* indices, lower.Input(node, kIndices));
  if (!indices->is_constant()) return false;
  TERN_ASSIGN_OR_RETURN(const Shape known, lower.Ints(node, kIndices));
  std::vector<int64_t> rows;
  rows.reserve(known.size() / depth);
  for (size_t first = 0; first + depth <= known.size(); first += depth) {
    const StatusOr<int64_t> row = RowAt(&known[first], to, depth);
    if (!row.ok()) return lower.Unsupported(node, Message(row.status()));
    rows.push_back(*row);
  }
  std::sort(rows.begin(), rows.end());
  return std::adjacent_find(rows.begin(), rows.end()) == rows.end();
}

// Where updates go when they are, in their order, a block of the output: the place of its first.
// Programs that assign to slices become such nodes.
std::optional<Shape> BlockOf(const Shape& known, const Shape& vectors, size_t depth) {
  if (vectors.size() != depth + 1 || known.size() < depth) return std::nullopt;
  const Shape first(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(depth));
  Shape at(depth, 0);
  for (size_t i = 0; i < known.size(); i += depth) {
    for (size_t d = 0; d < depth; ++d) {
      if (known[i + d] != first[d] + at[d]) return std::nullopt;
    }
    for (size_t d = depth; d-- > 0 && ++at[d] == vectors[d];) at[d] = 0;
  }
  return first;
}

// SCATTER_ND adds stored integers; overflow wraps. This equals the sum of real values only if the
// zero point is 0.
absl::Status CheckSums(const Node& node, const Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const std::optional<QuantizedType>& q = out->quantized;
  if (!q) return absl::OkStatus();
  if (NarrowBytes(q->type) != 1) return lower.Unsupported(node, "sums of INT16 elements");
  if (q->zero_point == 0) return absl::OkStatus();
  return lower.Unsupported(node, StrCat("sums of elements that stand for numbers off their own (",
                                        "zero point ", q->zero_point, ")"));
}

// Steps that bring sums back into the 8 bits of an element.
void WrapElements(const QuantizedType& q, DispatchBuilder& dispatch) {
  const float lowest = q.lowest() / q.scale;
  dispatch.Step({.expression = "floor(v / splat(a) + splat(0.5))", .a = q.scale});
  dispatch.Step({.expression = "v - splat(256.0) * floor((v - splat(a)) / splat(256.0))",
                 .a = std::round(lowest)});
  dispatch.Step({.expression = "v * splat(a)", .a = q.scale});
}

absl::Status LowerScatterNd(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* indices, lower.Input(node, kIndices));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* updates, lower.Input(node, kUpdates));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Shape vectors = ShapeOf(*indices), to = ShapeOf(*out);
  if (indices->type != kTfLiteInt32) {
    return lower.Unsupported(node,
                             StrCat("the indices have type ", TfLiteTypeGetName(indices->type)),
                             {Reason::kTensorType});
  }
  TERN_ASSIGN_OR_RETURN(const Shape shape, lower.Ints(node, kShape));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, shape));
  const StatusOr<Shape> want = UpdatesShape(vectors, to);
  if (!want.ok()) return lower.Unsupported(node, Message(want.status()));
  if (ShapeOf(*updates) != *want) {
    return lower.Unsupported(node, StrCat("updates of shape ", ShapeText(ShapeOf(*updates)),
                                          ", expected ", ShapeText(*want)));
  }
  if (updates->type != out->type) {
    return lower.Unsupported(node, DifferentTypes(*updates, *out), {Reason::kTensorType});
  }
  const auto depth = static_cast<size_t>(vectors.back());
  TERN_ASSIGN_OR_RETURN(const bool distinct, AreDistinct(node, lower, to, depth));
  TERN_RETURN_IF_ERROR(CheckSums(node, lower));
  if (distinct) {
    TERN_ASSIGN_OR_RETURN(const Shape known, lower.Ints(node, kIndices));
    if (std::optional<Shape> begin = BlockOf(known, vectors, depth)) {
      begin->resize(to.size(), 0);
      return EmitGather(node, lower, kUpdates, PlaceGather(ShapeOf(*updates), to, *begin),
                        Outside::kFill, 0.0);
    }
  }
  const Box box = out->box();
  const int64_t count = indices->box().elements() / static_cast<int64_t>(depth);
  const bool nothing = updates->box().elements() == 0;
  DispatchBuilder dispatch =
      lower.Dispatch(node, nothing ? KernelId::elementwise : KernelId::scatter_nd);
  dispatch.Write("dst", 0);
  if (!nothing) {
    const bool whole = depth < to.size();
    // The high halves of sums have what the low ones carry.
    const bool carries = updates->type == kTfLiteInt64 && node.int64_half == 1 && !distinct;
    dispatch.Read("indices", kIndices).Define("CARRIES", carries);
    if (carries) {
      dispatch.ReadInt64Half("low", kUpdates, 0).ReadInt64Half("updates", kUpdates, 1);
    } else {
      dispatch.Read("updates", kUpdates);
    }
    dispatch.Define("WHOLE", whole).Define("DEPTH", static_cast<int>(depth));
    dispatch.Define("BOOLS", updates->type == kTfLiteBool).Int("count", count);
    for (size_t d = 0; d < depth; ++d) dispatch.Int(StrCat("size", d), to[d]);
    int64_t pixels = 1;  // of a block that a vector names
    for (size_t d = depth; d + 1 < to.size(); ++d) pixels *= to[d];
    if (whole) dispatch.Int("block_pixels", pixels);
    if (out->quantized && !distinct) WrapElements(*out->quantized, dispatch);
  }
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace

GpuOp ScatterNdGpu() {
  return {.lower = LowerScatterNd,
          .traits = {.types = kFloats | kInts | kInt64s | kBools, .elements = Always<Moved{}>}};
}

}  // namespace tern::gpu
