// SPDX-License-Identifier: Apache-2.0
// MIRROR_PAD with constant paddings: one axis after the other grows, each from at most three parts.
#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/movement/pad_rules.h"

namespace tern::gpu {
namespace {

Gather PartGather(const Shape& from, const Shape& to, size_t axis, const MirrorPart& part) {
  Gather g{to, Shape(to.size(), 0), from, DenseStrides(from)};
  g.begin[axis] = part.to;
  g.size[axis] = part.size;
  g.offset = part.from * g.stride[axis];
  g.stride[axis] *= part.step;
  return g;
}

absl::Status LowerMirrorPad(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape paddings, lower.Ints(node, 1));
  Shape from = ShapeOf(*in);
  const StatusOr<Padded> padded = PaddedShape(from, paddings);
  if (!padded.ok()) return lower.Unsupported(node, Message(padded.status()));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, padded->shape));
  std::vector<size_t> growing;
  for (size_t axis = 0; axis < from.size(); ++axis) {
    if (padded->shape[axis] != from[axis]) growing.push_back(axis);
  }
  if (growing.empty() || out->box().elements() == 0) {
    return EmitGather(node, lower, 0, ReshapeGather(out->box().elements()), Outside::kFill, 0.0f);
  }
  const bool with_edge =
      node.Get<TfLiteMirrorPaddingParams>().mode == kTfLiteMirrorPaddingSymmetric;
  CopyEnd source{0};
  for (const size_t axis : growing) {
    const StatusOr<std::vector<MirrorPart>> parts =
        MirrorParts(from[axis], paddings[2 * axis], paddings[2 * axis + 1], with_edge);
    if (!parts.ok()) return lower.Unsupported(node, Message(parts.status()));
    Shape to = from;
    to[axis] = padded->shape[axis];
    CopyEnd target{0};
    if (axis != growing.back()) {
      const std::vector<int> dims(to.begin(), to.end());
      target.temp = lower.Temp(StrCat(Label(node), " axis ", axis), BoxOf(dims), Layout::kSlices,
                               in->number());
    }
    for (const MirrorPart& part : *parts) {
      TERN_RETURN_IF_ERROR(EmitCopy(node, lower, source, PartGather(from, to, axis, part), target,
                                    Outside::kAppend, 0.0f));
    }
    source = target;
    from = to;
  }
  return absl::OkStatus();
}

}  // namespace

GpuOp MirrorPadGpu() {
  return {.lower = LowerMirrorPad, .traits = {.types = kAllTypes, .elements = Always<Moved{}>}};
}

}  // namespace tern::gpu
