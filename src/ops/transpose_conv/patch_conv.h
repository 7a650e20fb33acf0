// SPDX-License-Identifier: Apache-2.0
// Transposed convolution whose kernel is no larger than its stride: the patches that the input
// pixels make in the result do not overlap, so one product of matrices makes them all.
#ifndef TERN_OPS_TRANSPOSE_CONV_PATCH_CONV_H_
#define TERN_OPS_TRANSPOSE_CONV_PATCH_CONV_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/matmul.h"
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

  // weights: OHWI [output_channels, kh, kw, input_channels]. False when there is no optimized
  // kernel, or no memory; the output is then undefined. Pack does what the first Run would do with
  // constant weights.
  bool Pack(const Sizes& sizes, const FloatWeights& weights, ThreadPool* pool) {
    return Filter(sizes, weights, pool) != nullptr;
  }
  bool Run(const Sizes& sizes, FloatRange range, const float* input, const FloatWeights& weights,
           float* output, ThreadPool* pool);

  // Packs at the next run, whatever the addresses of the weights.
  void Forget() { filter_.Forget(); }

 private:
  // Columns of the filter, and so the patches, are [kh, kw, output channels].
  const FloatMatrix* Filter(const Sizes& sizes, const FloatWeights& weights, ThreadPool* pool);
  static int64_t PatchValues(const Sizes& sizes) {
    return sizes.height.filter * sizes.width.filter * sizes.output_channels;
  }

  Packed<FloatMatrix> filter_;
  std::vector<float> empty_;  // a row of the result that no patch reaches
  std::vector<float> patches_;
};

}  // namespace tern

#endif  // TERN_OPS_TRANSPOSE_CONV_PATCH_CONV_H_
