// SPDX-License-Identifier: Apache-2.0
// DYNAMIC_UPDATE_SLICE on the GPU, with a begin that is known before the run or not.
#include "base/status.h"
#include "ops/gather/gather_rules.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/indices_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

constexpr int kOperand = 0, kUpdate = 1, kBegin = 2;

absl::Status LowerDynamicUpdateSlice(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* operand, lower.Input(node, kOperand));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* update, lower.Input(node, kUpdate));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* begin, lower.Input(node, kBegin));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Shape dims = ShapeOf(*operand), sizes = ShapeOf(*update);
  const Status fits = CheckUpdate(dims, sizes, ShapeOf(*begin));
  if (!fits.ok()) return lower.Unsupported(node, Message(fits));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, dims));
  TERN_RETURN_IF_ERROR(CheckIndices(node, lower, kBegin));
  TERN_RETURN_IF_ERROR(CheckFit32Bits(node, lower, kBegin));
  if (operand->type != update->type) {
    return lower.Unsupported(node, DifferentTypes(*update, *operand), {Reason::kTensorType});
  }
  if (dims.size() > kMaxGatherRank) {
    return lower.Unsupported(node, StrCat("rank ", dims.size(), " (limit ", kMaxGatherRank, ")"));
  }
  const Box box = out->box();
  // Nothing is written over a tensor without axes but the whole of it.
  if (dims.empty() || update->box().elements() == 0) {
    const int from = dims.empty() ? kUpdate : kOperand;
    return EmitGather(node, lower, from, ReshapeGather(box.elements()), Outside::kFill, 0);
  }
  const bool whole = dims.size() > 1 && dims.back() == sizes.back();
  const size_t rank = whole ? dims.size() - 1 : dims.size();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::dynamic_update_slice);
  dispatch.Read("src", kOperand).Read("update", kUpdate).ReadIndices("begin", kBegin);
  dispatch.Write("dst", 0).Define("WHOLE", whole).Define("RANK", static_cast<int>(rank));
  for (size_t d = 0; d < rank; ++d) {
    dispatch.Int(StrCat("dim", d), dims[d]).Int(StrCat("size", d), sizes[d]);
  }
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace

GpuOp DynamicUpdateSliceGpu() {
  return {.lower = LowerDynamicUpdateSlice,
          .traits = {.types = kAllTypes,
                     .indices = kBegin,
                     .elements = Always<Moved{}>,
                     .takes_epilogue = true}};
}

}  // namespace tern::gpu
