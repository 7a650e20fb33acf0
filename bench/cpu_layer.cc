// SPDX-License-Identifier: Apache-2.0
// Same padding, as in the networks that the shapes come from.
#include "bench/cpu_layer.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "cpu/float_depthwise.h"
#include "cpu/instruction_set.h"

namespace tern::bench {

std::unique_ptr<CpuLayer> CpuLayer::Create(const Layer& layer, const std::vector<float>& weights,
                                           const std::vector<float>& bias, int threads) {
  if (!HasOptimizedKernels()) return nullptr;
  std::unique_ptr<CpuLayer> made(new CpuLayer(layer, threads));
  WindowAxis axis{layer.size, layer.filter, layer.stride};
  axis.out = layer.out_size();
  axis.pad_before =
      std::max<int64_t>((axis.out - 1) * layer.stride + layer.filter - layer.size, 0) / 2;
  made->shape_ = {1, 1, layer.in, layer.out, axis, axis};
  if (layer.depthwise) made->shape_ = {1, layer.in, 1, 1, axis, axis};
  made->weights_ = weights;
  made->bias_ = bias;
  made->input_.resize(size_t{1} * layer.size * layer.size * layer.in);
  made->output_.resize(static_cast<size_t>(axis.out * axis.out * layer.out));
  return made;
}

void CpuLayer::Run(int times) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr FloatRange kAll = {-kInfinity, kInfinity};
  const FloatWeights weights = {weights_.data(), bias_.data(), true, depthwise_};
  const OutputStage stage = OutputStage::Clamp(kAll, output_.data(), shape_.OutChannels());
  for (int i = 0; i < times; ++i) {
    if (depthwise_ && shape_.groups > 1) {
      RunFloatDepthwise(shape_, weights.filter, weights.bias, input_.data(), kAll, output_.data(),
                        &pool_);
    } else {
      product_.Run({shape_, input_.data()}, weights, stage, &pool_);
    }
  }
}

}  // namespace tern::bench
