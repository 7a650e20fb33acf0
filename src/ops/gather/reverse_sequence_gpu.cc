// SPDX-License-Identifier: Apache-2.0
// REVERSE_SEQUENCE on the GPU, with lengths that are known before the run or not.
#include <algorithm>

#include "base/status.h"
#include "ops/gather/gather_rules.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/indices_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

// How many elements, or pixels, neighbours along an axis are apart.
int64_t StepOf(const Shape& shape, size_t axis, bool pixels) {
  int64_t step = 1;
  for (size_t i = axis + 1; i < shape.size() - (pixels ? 1 : 0); ++i) step *= shape[i];
  return step;
}

absl::Status LowerReverseSequence(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* lengths, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Shape shape = ShapeOf(*in);
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, shape));
  const auto& params = node.Get<TfLiteReverseSequenceParams>();
  const StatusOr<ReverseAxes> axes =
      ReverseAxesOf(shape, ShapeOf(*lengths), params.seq_dim, params.batch_dim);
  if (!axes.ok()) return lower.Unsupported(node, Message(axes.status()));
  TERN_RETURN_IF_ERROR(CheckIndices(node, lower, 1));
  const int64_t size = shape[axes->sequence];
  if (lengths->is_constant()) {
    TERN_ASSIGN_OR_RETURN(const Shape known, lower.Ints(node, 1));
    for (const int64_t length : known) {
      const Status status = CheckLength(length, size);
      if (!status.ok()) return lower.Unsupported(node, Message(status));
    }
  }
  const Box box = out->box();
  const bool whole = std::max(axes->sequence, axes->batch) + 1 < shape.size();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::reverse_sequence);
  dispatch.Read("src", 0).ReadIndices("lengths", 1).Write("dst", 0).Define("WHOLE", whole);
  dispatch.Int("sequence_step", StepOf(shape, axes->sequence, whole)).Int("sequence_size", size);
  dispatch.Int("batch_step", StepOf(shape, axes->batch, whole));
  dispatch.Int("batch_size", shape[axes->batch]);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace

GpuOp ReverseSequenceGpu() {
  return {
      .lower = LowerReverseSequence,
      .traits = {
          .types = kAllTypes, .indices = 1, .elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
