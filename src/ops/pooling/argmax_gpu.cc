// SPDX-License-Identifier: Apache-2.0
// MaxPoolingWithArgmax2D and MaxUnpooling2D on the GPU.
#include <algorithm>
#include <limits>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/pooling/argmax_rules.h"
#include "ops/pooling/pool_window_gpu.h"

namespace tern::gpu {
namespace {

absl::StatusOr<TfLitePoolParams> OptionsOf(const Node& node, const Lowering& lower) {
  const auto params = ReadPoolOptions(node.params, node.params_size);
  if (params.has_value()) return *params;
  return lower.Unsupported(node,
                           StrCat("options must be padding, strides, window and activation (",
                                  node.params_size, " bytes)"),
                           {Reason::kOptions});
}

absl::Status CheckOperands(const Node& node, const Lowering& lower, const GraphTensor& input,
                           const GraphTensor& output, const GraphTensor& taps) {
  if (input.dims.size() != 4 || output.dims.size() != 4) {
    return lower.Unsupported(node, StrCat("input and output must have rank 4 (", input.dims.size(),
                                          ", ", output.dims.size(), ")"));
  }
  const bool indices = taps.type == kTfLiteInt32 || taps.type == kTfLiteFloat32;
  if (input.type == kTfLiteFloat32 && output.type == kTfLiteFloat32 && indices) {
    return absl::OkStatus();
  }
  return lower.Unsupported(
      node,
      StrCat("values must be FLOAT32, indices INT32 or FLOAT32 (", TfLiteTypeGetName(input.type),
             ", ", TfLiteTypeGetName(output.type), ", ", TfLiteTypeGetName(taps.type), ")"),
      {Reason::kTensorType});
}

absl::Status LowerMaxPoolArgmax(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const TfLitePoolParams params, OptionsOf(node, lower));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* taps, lower.Output(node, 1));
  TERN_RETURN_IF_ERROR(CheckOperands(node, lower, *input, *output, *taps));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *taps, ShapeOf(*output)));
  const Box out = output->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::max_pool_argmax);
  dispatch.Read("src", 0).Write("dst", 0).Write("taps", 1);
  dispatch.Define("WHOLE", taps->type == kTfLiteInt32);
  dispatch.Float("lowest", -std::numeric_limits<float>::infinity());
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
  TERN_RETURN_IF_ERROR(CheckOperands(node, lower, *input, *output, *taps));
  if (taps->dims != input->dims) {
    return lower.Unsupported(
        node, StrCat("input and indices must have one shape (", ShapeText(ShapeOf(*input)), ", ",
                     ShapeText(ShapeOf(*taps)), ")"));
  }
  const Box in = input->box(), out = output->box();
  const Window window = UnpooledWindowOf(params, ShapeOf(*input));
  TERN_RETURN_IF_ERROR(
      CheckOutputShape(node, lower, *output, {in.b, window.height.in, window.width.in, in.c}));
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::max_unpool);
  dispatch.Read("src", 0).Read("taps", 1).Write("dst", 0);
  dispatch.Define("WHOLE", taps->type == kTfLiteInt32);
  BindPoolSteps(window, dispatch);
  return dispatch.Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b).Emit();
}

}  // namespace

GpuOp MaxPoolArgmaxGpu() {
  return {.lower = LowerMaxPoolArgmax, .traits = {.types = kFloats | kInts}};
}

GpuOp MaxUnpoolGpu() { return {.lower = LowerMaxUnpool, .traits = {.types = kFloats | kInts}}; }

}  // namespace tern::gpu
