// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D and MAX_POOL_2D on the GPU.
#include "ops/gpu_kit/gpu_op.h"

#include <limits>

#include "base/status.h"
#include "ops/pooling/pool_window_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

absl::Status LowerPool(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  if (input->dims.size() != 4 || output->dims.size() != 4) {
    return lower.Unsupported(node, StrCat("input and output must have rank 4 (", input->dims.size(),
                                          ", ", output->dims.size(), ")"));
  }
  const auto& params = node.Get<TfLitePoolParams>();
  const Box out = output->box();
  const bool average = node.builtin_code == kTfLiteBuiltinAveragePool2d;
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::pooling);
  dispatch.Read("src", 0).Write("dst", 0).Define("AVERAGE", average);
  TERN_RETURN_IF_ERROR(BindPoolWindow(node, lower, params, dispatch));
  if (!average) dispatch.Float("lowest", -std::numeric_limits<float>::infinity());
  return dispatch.Activation(params.activation)
      .Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b)
      .Emit();
}

}  // namespace

GpuOp AveragePool2dGpu() {
  return {.lower = LowerPool, .traits = {.rounds_elements = true, .takes_chain = true}};
}
GpuOp MaxPool2dGpu() {
  // Zero is a number of every quantized type, 1 and 6 need not be.
  const auto clamps = [](const Node& node) {
    const TfLiteFusedActivation activation = node.Get<TfLitePoolParams>().activation;
    return activation != kTfLiteActNone && activation != kTfLiteActRelu;
  };
  return {.lower = LowerPool,
          .traits = {.keeps_quantization = true, .clamps = clamps, .takes_chain = true}};
}

}  // namespace tern::gpu
