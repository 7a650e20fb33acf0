// SPDX-License-Identifier: Apache-2.0
// GATHER_ND and ONE_HOT: kernels that look indices up, known before the run or not.
#include "base/status.h"
#include "ops/gather/gather_rules.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/indices_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

// Index vectors that are known choose elements that are there.
absl::Status CheckConstantVectors(const Node& node, const Lowering& lower,
                                  const GraphTensor& indices, const Shape& from, size_t depth) {
  if (!indices.is_constant()) return absl::OkStatus();
  TERN_ASSIGN_OR_RETURN(const Shape known, lower.Ints(node, 1));
  for (size_t i = 0; i < known.size(); ++i) {
    const Status status = CheckIndex(known[i], from[i % depth]);
    if (!status.ok()) return lower.Unsupported(node, Message(status));
  }
  return absl::OkStatus();
}

absl::Status EmitOverSlices(const Lowering& lower, const Box& box, DispatchBuilder& dispatch) {
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

absl::Status LowerGatherNd(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* indices, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (!HoldsShortIndices(*indices)) TERN_RETURN_IF_ERROR(CheckIndices(node, lower, 1));
  const Shape from = ShapeOf(*in), vectors = ShapeOf(*indices);
  const int64_t depth = vectors.empty() ? 0 : vectors.back();
  if (depth < 1 || depth > static_cast<int64_t>(from.size())) {
    return lower.Unsupported(node,
                             StrCat("index vectors of ", depth, " numbers, rank ", from.size()));
  }
  Shape to(vectors.begin(), vectors.end() - 1);
  to.insert(to.end(), from.begin() + depth, from.end());
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, to));
  TERN_RETURN_IF_ERROR(
      CheckConstantVectors(node, lower, *indices, from, static_cast<size_t>(depth)));
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::gather_nd);
  dispatch.Read("src", 0);
  ReadAnyIndices(1, *indices, dispatch);
  dispatch.Write("dst", 0);
  int64_t inner = 1;
  for (size_t d = 0; d < from.size(); ++d) {
    if (static_cast<int64_t>(d) >= depth) {
      inner *= from[d];
      continue;
    }
    if (from[d] == 0 && out->box().elements() > 0) {
      return lower.Unsupported(
          node, StrCat("axis ", d, " of the input has no elements to choose from (shape ",
                       ShapeText(from), ")"));
    }
    dispatch.Int(StrCat("size", d), from[d]);
  }
  dispatch.Define("DEPTH", static_cast<int>(depth)).Int("inner_size", inner);
  return EmitOverSlices(lower, out->box(), dispatch);
}

absl::Status LowerOneHot(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* indices, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape depth, lower.Ints(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* on, lower.Input(node, 2));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* off, lower.Input(node, 3));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckIndices(node, lower, 0));
  TERN_RETURN_IF_ERROR(CheckFit32Bits(node, lower, 0));
  if (on->box().elements() != 1 || off->box().elements() != 1 || depth.size() != 1) {
    return lower.Unsupported(
        node, StrCat("depth, on and off must be one number each (", depth.size(), ", ",
                     on->box().elements(), ", ", off->box().elements(), ")"));
  }
  if (on->type != off->type || on->type != out->type) {
    return lower.Unsupported(
        node,
        StrCat("on, off and output differ in type (", TfLiteTypeGetName(on->type), ", ",
               TfLiteTypeGetName(off->type), ", ", TfLiteTypeGetName(out->type), ")"),
        {Reason::kTensorType});
  }
  Shape to = ShapeOf(*indices);
  const StatusOr<size_t> axis = AxisOf(node.Get<TfLiteOneHotParams>().axis, to.size() + 1);
  if (!axis.ok()) return lower.Unsupported(node, Message(axis.status()));
  to.insert(to.begin() + static_cast<long>(*axis), depth[0]);
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, to));
  int64_t inner = 1;
  for (size_t d = *axis + 1; d < to.size(); ++d) inner *= to[d];
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::one_hot);
  dispatch.ReadIndices("indices", 0).Read("on", 2).Read("off", 3).Write("dst", 0);
  dispatch.Int("inner_size", inner).Int("depth", depth[0]);
  return EmitOverSlices(lower, out->box(), dispatch);
}

}  // namespace

GpuOp GatherNdGpu() {
  return {
      .lower = LowerGatherNd,
      .traits = {.types = kAllTypes, .indices = 1, .elements = Always<Moved{.index_input = 1}>}};
}
GpuOp OneHotGpu() {
  return {.lower = LowerOneHot,
          .traits = {.types = kAllTypes, .indices = 0, .elements = Always<Moved{}>}};
}

}  // namespace tern::gpu
