// SPDX-License-Identifier: Apache-2.0
// What convolutions ask of their operands alike: types that go together, memory, and how a filter
// slides.
#ifndef TERN_OPS_CONV_OPERANDS_H_
#define TERN_OPS_CONV_OPERANDS_H_

#include "ops/op_kit.h"
#include "ops/window.h"

namespace tern {

// The operands of a convolution of any kind.
struct ConvTensors {
  const TfLiteTensor* input;
  const TfLiteTensor* filter;
  const TfLiteTensor* bias;  // may be null
  TfLiteTensor* output;
  int filter_axis;  // the filter's axis of output channels

  int64_t channels() const { return Dim(filter, filter_axis); }
};

// Errors: types that do not go together, a bias of the wrong type or size.
Status CheckConvTypes(const ConvTensors& t);

// They have memory.
Status CheckConvData(const ConvTensors& t);

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

}  // namespace tern

#endif  // TERN_OPS_CONV_OPERANDS_H_
