// SPDX-License-Identifier: Apache-2.0
// What CONV_2D and DEPTHWISE_CONV_2D ask of their operands alike: 0 input, 1 filter, 2 bias, which
// may be omitted.
#ifndef TERN_OPS_CONV_OPERANDS_H_
#define TERN_OPS_CONV_OPERANDS_H_

#include "ops/op_kit.h"
#include "ops/window.h"

namespace tern {

// An omitted bias (null) is fine; else float, with a value per channel of the output.
Status CheckBias(const TfLiteTensor* bias, int64_t channels);

struct Window {
  WindowAxis height, width;
};

struct WindowSteps {
  TfLitePadding padding;
  int stride_height, stride_width, dilation_height, dilation_width;
};

// How a filter slides over an input, both of rank 4. A filter that is larger than the input is an
// error.
StatusOr<Window> MakeWindow(const WindowSteps& steps, const TfLiteTensor* input,
                            const TfLiteTensor* filter);

// The same for TfLiteConvParams and TfLiteDepthwiseConvParams.
template <class Params>
StatusOr<Window> MakeWindow(const Params& params, const TfLiteTensor* input,
                            const TfLiteTensor* filter) {
  return MakeWindow(WindowSteps{params.padding, params.stride_height, params.stride_width,
                                params.dilation_height_factor, params.dilation_width_factor},
                    input, filter);
}

// The operands and the output have memory.
Status CheckConvData(const OpCall& call);

}  // namespace tern

#endif  // TERN_OPS_CONV_OPERANDS_H_
