// SPDX-License-Identifier: Apache-2.0
// How a window slides over an image, under the names that the kernels of this folder use.
#ifndef TERN_OPS_POOLING_POOL_WINDOW_GPU_H_
#define TERN_OPS_POOLING_POOL_WINDOW_GPU_H_

#include <algorithm>

#include "base/status.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/gpu_kit/window_gpu.h"

namespace tern::gpu {

inline void BindPoolSteps(const TfLitePoolParams& params, int64_t pad_top, int64_t pad_left,
                          DispatchBuilder& dispatch) {
  dispatch.Int("filter_h", params.filter_height).Int("filter_w", params.filter_width);
  dispatch.Int("stride_h", params.stride_height).Int("stride_w", params.stride_width);
  dispatch.Int("pad_top", pad_top).Int("pad_left", pad_left);
}

// The window from input 0 to output 0, both of rank 4, and the loop over its taps.
inline absl::Status BindPoolWindow(const Node& node, const Lowering& lower,
                                   const TfLitePoolParams& params, DispatchBuilder& dispatch) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const Box in = input->box(), out = output->box();
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, {in.b, out.h, out.w, in.c}));
  TERN_ASSIGN_OR_RETURN(const int pad_top, PadBefore(node, lower, params.padding,
                                                     {in.h, out.h, params.filter_height,
                                                      params.stride_height, /*dilation=*/1}));
  TERN_ASSIGN_OR_RETURN(const int pad_left, PadBefore(node, lower, params.padding,
                                                      {in.w, out.w, params.filter_width,
                                                       params.stride_width, /*dilation=*/1}));
  BindPoolSteps(params, pad_top, pad_left, dispatch);
  dispatch.Loop({std::min(params.filter_height, in.h), std::min(params.filter_width, in.w)});
  return absl::OkStatus();
}

}  // namespace tern::gpu

#endif  // TERN_OPS_POOLING_POOL_WINDOW_GPU_H_
