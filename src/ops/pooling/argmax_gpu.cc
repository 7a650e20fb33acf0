// SPDX-License-Identifier: Apache-2.0
// MaxPoolingWithArgmax2D and MaxUnpooling2D on the GPU.
#include <algorithm>
#include <limits>

#include "base/status.h"
#include "ops/gpu_op.h"
#include "ops/pooling/argmax_rules.h"
#include "ops/pooling/pool_window_gpu.h"

namespace tern::gpu {
namespace {

absl::StatusOr<TfLitePoolParams> OptionsOf(const Node& node, const Lowering& lower) {
  const auto params = ReadPoolOptions(node.params, node.params_size);
  if (params.has_value()) return *params;
  return lower.Unsupported(node, "options must be padding, strides, window and activation");
}

bool HoldsIndices(const GraphTensor& tensor) {
  return tensor.type == kTfLiteInt32 || tensor.type == kTfLiteFloat32;
}

// The most windows, of `count`, that reach one pixel.
int WindowsOver(int filter, int stride, int count) {
  return std::min(filter / std::max(stride, 1) + 1, count);
}

absl::Status LowerMaxPoolArgmax(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const TfLitePoolParams params, OptionsOf(node, lower));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* taps, lower.Output(node, 1));
  if (input->dims.size() != 4 || output->dims.size() != 4 || taps->dims != output->dims) {
    return lower.Unsupported(node, "input and outputs must have rank 4");
  }
  if (input->type != kTfLiteFloat32 || output->type != kTfLiteFloat32 || !HoldsIndices(*taps)) {
    return lower.Unsupported(node, "values must be FLOAT32, indices INT32 or FLOAT32");
  }
  const Box out = output->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::max_pool_argmax);
  dispatch.Read("src", 0).Write("dst", 0).Write("taps", 1);
  dispatch.Define("WHOLE", taps->type == kTfLiteInt32);
  dispatch.Float("lowest", std::numeric_limits<float>::lowest());
  TERN_RETURN_IF_ERROR(BindPoolWindow(node, lower, params, dispatch));
  return dispatch.Activation(params.activation)
      .Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b)
      .Emit();
}

absl::Status LowerMaxUnpool(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const TfLitePoolParams params, OptionsOf(node, lower));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* taps, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  if (input->dims.size() != 4 || output->dims.size() != 4 || taps->dims != input->dims) {
    return lower.Unsupported(node, "input, indices and output must have rank 4");
  }
  if (input->type != kTfLiteFloat32 || output->type != kTfLiteFloat32 || !HoldsIndices(*taps)) {
    return lower.Unsupported(node, "values must be FLOAT32, indices INT32 or FLOAT32");
  }
  const Box in = input->box(), out = output->box();
  const UnpoolAxis height =
      MakeUnpoolAxis(params.padding, in.h, params.filter_height, params.stride_height);
  const UnpoolAxis width =
      MakeUnpoolAxis(params.padding, in.w, params.filter_width, params.stride_width);
  if (out.h != height.out || out.w != width.out || out.b != in.b || out.c != in.c) {
    return lower.Unsupported(node, "the output's shape does not follow from the input's");
  }
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::max_unpool);
  dispatch.Read("src", 0).Read("taps", 1).Write("dst", 0);
  dispatch.Define("WHOLE", taps->type == kTfLiteInt32);
  BindPoolSteps(params, height.pad_before, width.pad_before, dispatch);
  dispatch.Loop({WindowsOver(params.filter_height, params.stride_height, in.h),
                 WindowsOver(params.filter_width, params.stride_width, in.w)});
  return dispatch.Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b).Emit();
}

}  // namespace

GpuOp MaxPoolArgmaxGpu() {
  return {
      .lower = LowerMaxPoolArgmax,
      .traits = {.types = kFloats | kInts, .buffers = [](const Graph&, const Node&) { return 3; }}};
}

GpuOp MaxUnpoolGpu() {
  return {
      .lower = LowerMaxUnpool,
      .traits = {.types = kFloats | kInts, .buffers = [](const Graph&, const Node&) { return 3; }}};
}

}  // namespace tern::gpu
