// SPDX-License-Identifier: Apache-2.0
// Windows and shapes of image convolutions from their options, for the CPU and the GPU form.
#ifndef TERN_OPS_RULES_KIT_CONV_RULES_H_
#define TERN_OPS_RULES_KIT_CONV_RULES_H_

#include "base/tensor/shape_math.h"
#include "ops/rules_kit/window_rules.h"

namespace tern {

// The window of TfLiteConvParams or TfLiteDepthwiseConvParams over an input, both shapes of rank 4;
// its output is still open.
template <class Params>
Window ConvWindowOf(const Params& params, const Shape& input, const Shape& filter) {
  return {.height = {.in = input[1],
                     .filter = filter[1],
                     .stride = params.stride_height,
                     .dilation = params.dilation_height_factor},
          .width = {.in = input[2],
                    .filter = filter[2],
                    .stride = params.stride_width,
                    .dilation = params.dilation_width_factor}};
}

// CONV_2D, filter [filters, height, width, depth]: each group of filters reads `depth` channels of
// its own.
struct ConvGroups {
  int64_t channels, depth, filters;

  ConvGroups(const Shape& input, const Shape& filter)
      : channels(input[3]), depth(filter[3]), filters(filter[0]) {}

  bool DepthFits() const { return depth > 0 && channels % depth == 0; }
  // The rest is for a depth that fits.
  int64_t Count() const { return channels / depth; }
  bool FiltersFit() const { return Count() > 0 && filters % Count() == 0; }
};

// DEPTHWISE_CONV_2D, filter [1, height, width, channels * multiplier].
inline bool DepthwiseFits(const Shape& input, const Shape& filter) {
  return input[3] > 0 && filter[0] == 1 && filter[3] > 0 && filter[3] % input[3] == 0;
}

}  // namespace tern

#endif  // TERN_OPS_RULES_KIT_CONV_RULES_H_
