// SPDX-License-Identifier: Apache-2.0
// Transposed convolution whose kernel is no larger than its stride: the patches that the input
// pixels make in the result do not overlap, so one product of matrices makes them all.
#ifndef TERN_OPS_TRANSPOSE_CONV_PATCH_CONV_H_
#define TERN_OPS_TRANSPOSE_CONV_PATCH_CONV_H_

#include <cstdint>
#include <vector>

#include "cpu/fast_conv.h"
#include "ops/cpu_kit/op_kit.h"

namespace tern {

class PatchConv {
 public:
  struct Sizes {
    int64_t batch, input_channels, output_channels;
    WindowAxis height, width;  // of the forward convolution: in is the output's size
  };
  // Whether patches do not overlap.
  static bool Takes(const Sizes& sizes) {
    return sizes.height.filter <= sizes.height.stride && sizes.width.filter <= sizes.width.stride;
  }

  // weights: OHWI [output_channels, kh, kw, input_channels]. False when there is no fast form; the
  // output is then undefined. Pack does what the first Run would do with constant weights.
  bool Pack(const Sizes& sizes, FloatRange range, const FloatWeights& weights, ThreadPool* pool);
  bool Run(const Sizes& sizes, FloatRange range, const float* input, const FloatWeights& weights,
           float* output, ThreadPool* pool);

  // As FastConv::Forget.
  void Forget() {
    arranged_filter_ = nullptr;
    product_.Forget();
  }

 private:
  // Makes filter_, bias_ and empty_, where they are not there; gives the weights of the product.
  FloatWeights Arrange(const Sizes& sizes, FloatRange range, const FloatWeights& weights);
  static int64_t PatchValues(const Sizes& sizes) {
    return sizes.height.filter * sizes.width.filter * sizes.output_channels;
  }
  static int64_t RowsAtATime(const Sizes& sizes);  // of the input

  FastConv product_;
  const float* arranged_filter_ = nullptr;
  const float* arranged_bias_ = nullptr;
  std::vector<float> filter_, bias_;  // of the product; its results are [kh, kw, output channels]
  std::vector<float> empty_;          // a row of the result that no patch reaches
  std::vector<float> patches_;
};

}  // namespace tern

#endif  // TERN_OPS_TRANSPOSE_CONV_PATCH_CONV_H_
