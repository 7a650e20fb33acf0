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
    bool depthwise;
  };

  // Packs at the next Run, whatever the addresses of the weights. For a Prepare after which the
  // same addresses may hold other values (HasComputedConstant).
  void Forget() { op_ = XnnOp(); }

  // False when XNNPACK does not take this convolution; the output is then undefined.
  bool Run(const Sizes& sizes, FloatRange range, const TfLiteTensor* input,
           const TfLiteTensor* filter, const TfLiteTensor* bias, TfLiteTensor* output,
           ThreadPool* pool);

  struct Weights {
    const float* filter;
    const float* bias;  // may be null
    bool constant;      // the same addresses hold the same values at the next call
  };
  // The same on plain memory; `input` is followed by kXnnExtraBytes readable bytes.
  bool Run(const Sizes& sizes, FloatRange range, const float* input, const Weights& weights,
           float* output, ThreadPool* pool);

 private:
  bool Pack(const Sizes& sizes, FloatRange range, const Weights& weights);

  XnnOp op_;
  FastInput input_;
  // What op_ was made of.
  const float* filter_ = nullptr;
  const float* bias_ = nullptr;
  XnnConvParams params_;
};

}  // namespace tern

#endif  // TERN_OPS_PACKED_CONV_H_
