// SPDX-License-Identifier: Apache-2.0
// SOFTMAX over the last axis on the GPU.
#include "ops/gpu_op.h"

#include <algorithm>
#include <limits>

#include "base/status.h"

namespace tern::gpu {
namespace {

// Above this many pixels there is work enough without sharing.
constexpr int64_t kPixelsThatFillADevice = 4096;

absl::Status LowerSoftmax(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (out->dims.empty()) return lower.Unsupported(node, "a scalar has no axis");
  const Box box = out->box();
  const int64_t pixels = int64_t{box.b} * box.h * box.w;
  const int slices = lower.Slices(box.c);
  int items = pixels <= kPixelsThatFillADevice ? lower.tuning().reduce_items : 1;
  while (items > 1 && items / 2 >= slices) items /= 2;
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::softmax);
  dispatch.Read("src", 0).Write("dst", 0).Define("ITEMS", items);
  dispatch.Float("beta", node.Get<TfLiteSoftmaxParams>().beta);
  dispatch.Float("lowest", std::numeric_limits<float>::lowest());
  if (items > 1) dispatch.Local("values", LocalArray::Type::kReal, items).Group(items, 1, 1);
  return dispatch.Grid(box.c == 0 ? 0 : pixels * items, 1, 1).Emit();
}

}  // namespace

GpuOp SoftmaxGpu() { return {.lower = LowerSoftmax, .traits = {.takes_chain = true}}; }

}  // namespace tern::gpu
