// SPDX-License-Identifier: Apache-2.0
// TOPK_V2 with a constant k on the GPU.
#include "base/status.h"
#include "ops/gpu_op.h"
#include "ops/movement/gather_gpu.h"

namespace tern::gpu {
namespace {

constexpr int64_t kMostRounds = 32768;

absl::Status LowerTopK(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* values, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* indices, lower.Output(node, 1));
  TERN_ASSIGN_OR_RETURN(const Shape k, lower.Ints(node, 1));
  Shape shape = ShapeOf(*input);
  if (k.size() != 1 || shape.empty() || k[0] < 0 || k[0] > shape.back()) {
    return lower.Unsupported(node, "k does not fit the input");
  }
  shape.back() = k[0];
  if (shape != ShapeOf(*values) || shape != ShapeOf(*indices)) {
    return lower.Unsupported(node, "an output has another shape");
  }
  if (input->type != values->type || indices->type != kTfLiteInt32) {
    return lower.Unsupported(node, "an output has another type");
  }
  const Box out = values->box();
  // One work-item looks for all of them. Some drivers end loops after 65535 rounds without a word.
  const int64_t rounds = (lower.Slices(input->box().c) + int64_t{1}) * out.c;
  if (rounds > kMostRounds) {
    return lower.Unsupported(node, StrCat("too much work for one work-item (", rounds,
                                          " rounds, limit ", kMostRounds, ")"));
  }
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::top_k);
  dispatch.Read("src", 0).Write("dst", 0).Write("indices", 1);
  return dispatch.Grid(out.c == 0 ? 0 : out.w, out.h, out.b).Emit();
}

}  // namespace

GpuOp TopkV2Gpu() {
  return {
      .lower = LowerTopK,
      .traits = {.types = kFloats | kInts, .buffers = [](const Graph&, const Node&) { return 3; }}};
}

}  // namespace tern::gpu
