// SPDX-License-Identifier: Apache-2.0
// A convolution whose weights XNNPACK has packed: made once per weights, run many times. Used by
// CONV_2D and DEPTHWISE_CONV_2D.
#ifndef TERN_OPS_PACKED_CONV_H_
#define TERN_OPS_PACKED_CONV_H_

#include "cpu/xnn_conv.h"
#include "ops/fast_input.h"
#include "ops/op_kit.h"
#include "ops/window.h"

namespace tern {

class PackedConv {
 public:
  struct Sizes {
    int64_t batch, groups, group_input_channels, group_output_channels;
    WindowAxis height, width;
    bool same_padding, depthwise;
  };

  // False when XNNPACK does not take this convolution; the output is then undefined.
  bool Run(const Sizes& sizes, FloatRange range, const TfLiteTensor* input,
           const TfLiteTensor* filter, const TfLiteTensor* bias, TfLiteTensor* output,
           ThreadPool* pool);

  // Forgets the packed weights when the options of the node have changed.
  void Reset() { op_ = XnnOp(); }

 private:
  bool Pack(const Sizes& sizes, FloatRange range, const TfLiteTensor* filter,
            const TfLiteTensor* bias);

  XnnOp op_;
  FastInput input_;
  // The weights that op_ holds: addresses and filter shape.
  const void* filter_data_ = nullptr;
  const void* bias_data_ = nullptr;
  Shape filter_shape_;
  int64_t groups_ = 0;
};

}  // namespace tern

#endif  // TERN_OPS_PACKED_CONV_H_
