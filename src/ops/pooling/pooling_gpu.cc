// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D and MAX_POOL_2D on the GPU.
#include "ops/gpu_op.h"

#include <limits>

#include "base/status.h"
#include "ops/conv_2d/conv_2d_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

absl::Status LowerPool(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  if (input->dims.size() != 4 || output->dims.size() != 4) {
    return lower.Unsupported(node, "input and output must have rank 4");
  }
  const auto& params = node.Get<TfLitePoolParams>();
  TERN_ASSIGN_OR_RETURN(const int pad_top,
                        PadBefore(node, lower, params.padding, input->dims[1], output->dims[1],
                                  params.filter_height, params.stride_height, 1));
  TERN_ASSIGN_OR_RETURN(const int pad_left,
                        PadBefore(node, lower, params.padding, input->dims[2], output->dims[2],
                                  params.filter_width, params.stride_width, 1));
  const Box out = output->box();
  const bool average = node.builtin_code == kTfLiteBuiltinAveragePool2d;
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::pooling);
  dispatch.Read("src", 0).Write("dst", 0).Define("AVERAGE", average);
  dispatch.Int("filter_h", params.filter_height).Int("filter_w", params.filter_width);
  dispatch.Int("stride_h", params.stride_height).Int("stride_w", params.stride_width);
  dispatch.Int("pad_top", pad_top).Int("pad_left", pad_left);
  if (!average) dispatch.Float("lowest", std::numeric_limits<float>::lowest());
  return dispatch.Activation(params.activation)
      .Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b)
      .Emit();
}

GpuOp Pool() { return {.lower = LowerPool, .traits = {.takes_chain = true}}; }

}  // namespace

GpuOp AveragePool2dGpu() { return Pool(); }
GpuOp MaxPool2dGpu() { return Pool(); }

}  // namespace tern::gpu
