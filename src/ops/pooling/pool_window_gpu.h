// SPDX-License-Identifier: Apache-2.0
// How a window slides over an image, under the names that the kernels of this folder use.
#ifndef TERN_OPS_POOLING_POOL_WINDOW_GPU_H_
#define TERN_OPS_POOLING_POOL_WINDOW_GPU_H_

#include <algorithm>

#include "base/status.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/gpu_kit/window_gpu.h"
#include "ops/pooling/pool_rules.h"

namespace tern::gpu {

inline void BindPoolSteps(const Window& window, DispatchBuilder& dispatch) {
  const WindowAxis &height = window.height, &width = window.width;
  dispatch.Int("filter_h", height.filter).Int("filter_w", width.filter);
  dispatch.Int("stride_h", height.stride).Int("stride_w", width.stride);
  dispatch.Int("pad_top", height.pad_before).Int("pad_left", width.pad_before);
}

// The window from input 0 to output 0, both of rank 4.
inline absl::Status BindPoolWindow(const Node& node, const Lowering& lower,
                                   const TfLitePoolParams& params, DispatchBuilder& dispatch) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const Box in = input->box(), out = output->box();
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, {in.b, out.h, out.w, in.c}));
  Window window = PoolWindowOf(params, ShapeOf(*input));
  TERN_RETURN_IF_ERROR(PadWindow(node, lower, params.padding, ShapeOf(*output), window));
  BindPoolSteps(window, dispatch);
  return absl::OkStatus();
}

}  // namespace tern::gpu

#endif  // TERN_OPS_POOLING_POOL_WINDOW_GPU_H_
