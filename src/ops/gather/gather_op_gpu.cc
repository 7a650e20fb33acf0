// SPDX-License-Identifier: Apache-2.0
// GATHER. Where the indices are known, each run of them that follow each other in even steps is a
// copy; else, and where there are too many runs, a kernel looks them up.
#include <algorithm>

#include "base/status.h"
#include "ops/gather/gather_rules.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/indices_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

// More dispatches than this cost more than what they move.
constexpr size_t kMaxRuns = 16;

struct Run {
  int64_t first, step, count;
};

std::vector<Run> RunsOf(const Shape& indices) {
  std::vector<Run> runs;
  for (const int64_t index : indices) {
    if (runs.empty()) {
      runs.push_back({index, 0, 1});
      continue;
    }
    Run& run = runs.back();
    const int64_t step = index - (run.first + run.step * (run.count - 1));
    if (run.count > 1 && step != run.step) {
      runs.push_back({index, 0, 1});
      continue;
    }
    run.step = step;
    ++run.count;
  }
  return runs;
}

absl::Status LowerLookup(const Node& node, Lowering& lower, const GatherShapes& s) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Box box = out->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::gather);
  TERN_ASSIGN_OR_RETURN(const GraphTensor* which, lower.Input(node, 1));
  dispatch.Read("src", 0);
  ReadAnyIndices(1, *which, dispatch);
  dispatch.Write("dst", 0);
  dispatch.Int("inner_size", s.inner).Int("index_count", s.count);
  dispatch.Int("outer_size", s.outer).Int("axis_size", s.axis);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

absl::Status LowerGather(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* which, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const auto& params = node.Get<TfLiteGatherParams>();
  const StatusOr<GatherShapes> shapes =
      GatherShapesOf(ShapeOf(*in), ShapeOf(*which), params.axis, params.batch_dims);
  if (!shapes.ok()) return lower.Unsupported(node, Message(shapes.status()));
  const GatherShapes& s = *shapes;
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, s.output));
  if (!HoldsShortIndices(*which)) TERN_RETURN_IF_ERROR(CheckIndices(node, lower, 1));
  if (out->box().elements() > 0 && s.axis == 0) {
    return lower.Unsupported(
        node, StrCat("axis ", params.axis, " of the input has no elements to choose from (shape ",
                     ShapeText(ShapeOf(*in)), ")"));
  }
  if (!which->is_constant()) return LowerLookup(node, lower, s);
  TERN_ASSIGN_OR_RETURN(const Shape indices, lower.Ints(node, 1));
  for (const int64_t index : indices) {
    const Status status = CheckIndex(index, s.axis);
    if (!status.ok()) return lower.Unsupported(node, Message(status));
  }
  const std::vector<Run> runs = RunsOf(indices);
  // The indices choose channels, or what they choose holds whole rows of channels. Parts of a slice
  // need the channels as an axis of their own.
  const int64_t channels = out->box().c;
  TERN_ASSIGN_OR_RETURN(const size_t axis, AxisOf(params.axis, in->dims.size()));
  const bool chooses_channels = axis + 1 == in->dims.size();
  if (s.batch != 1 || runs.size() > kMaxRuns ||
      (runs.size() > 1 && chooses_channels && s.count != channels)) {
    return LowerLookup(node, lower, s);
  }
  int64_t at = 0;
  for (const Run& run : runs) {
    Gather g{{s.outer, s.count},
             {0, at},
             {s.outer, run.count},
             {s.axis * s.inner, run.step * s.inner},
             run.first * s.inner};
    if (!chooses_channels) {
      for (const int64_t size : {s.inner / std::max<int64_t>(channels, 1), channels}) {
        g.dims.push_back(size);
        g.begin.push_back(0);
        g.size.push_back(size);
      }
      g.stride.insert(g.stride.end(), {channels, 1});
    }
    const Outside outside = runs.size() == 1 ? Outside::kFill : Outside::kAppend;
    TERN_RETURN_IF_ERROR(EmitGather(node, lower, 0, g, outside, 0.0f));
    at += run.count;
  }
  return absl::OkStatus();
}

}  // namespace

GpuOp GatherGpu() {
  return {
      .lower = LowerGather,
      .traits = {.types = kAllTypes, .indices = 1, .elements = Always<Moved{.index_input = 1}>}};
}

}  // namespace tern::gpu
