// SPDX-License-Identifier: Apache-2.0
// Checks that all convolutions share: types that go together, memory, how a filter slides.
#ifndef TERN_OPS_CPU_KIT_CONV_OPERANDS_H_
#define TERN_OPS_CPU_KIT_CONV_OPERANDS_H_

#include <cstdint>

#include "cpu/matmul.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/rules_kit/conv_rules.h"

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

// Errors: an operand without memory.
Status CheckConvData(const ConvTensors& t);

// Filter and bias, which may be null, are constants with memory: what is made of them before the
// first run holds.
bool CanPack(const TfLiteTensor* filter, const TfLiteTensor* bias);

// A constant filter and bias are packed once.
inline FloatWeights FloatWeightsOf(const TfLiteTensor* filter, const TfLiteTensor* bias) {
  return {Data<float>(filter), bias == nullptr ? nullptr : Data<float>(bias),
          IsConstant(filter) && (bias == nullptr || IsConstant(bias))};
}

// Makes float outputs of sums of products: bias and activation, pixel by pixel.
class FloatPixels {
 public:
  FloatPixels(const ConvTensors& t, FloatRange range)
      : bias_(t.bias == nullptr ? nullptr : Data<float>(t.bias)),
        output_(MutableData<float>(t.output)),
        channels_(t.channels()),
        range_(range) {}

  void operator()(const double* sums, int64_t pixel) const {
    for (int64_t c = 0; c < channels_; ++c) {
      const double sum = sums[c] + (bias_ == nullptr ? 0.0 : double{bias_[c]});
      output_[pixel * channels_ + c] = range_.Clamp(static_cast<float>(sum));
    }
  }

 private:
  const float* bias_;
  float* output_;
  int64_t channels_;
  FloatRange range_;
};

// Checks the steps of a filter over an image and gives it its output. A filter that is larger than
// the input is an error.
Status SetConvOutput(TfLitePadding padding, Window& window);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_CONV_OPERANDS_H_
