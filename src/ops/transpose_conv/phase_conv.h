// SPDX-License-Identifier: Apache-2.0
// Transposed convolution whose patches overlap: results whose positions leave the same rest when
// divided by the stride sum the same taps, so each such phase is a usual convolution of stride 1.
#ifndef TERN_OPS_TRANSPOSE_CONV_PHASE_CONV_H_
#define TERN_OPS_TRANSPOSE_CONV_PHASE_CONV_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/fast_conv.h"
#include "ops/cpu_kit/quantized_conv.h"
#include "ops/transpose_conv/patch_conv.h"

namespace tern {

// Each phase costs a call and memory: of very many, with few results each, the plain form is as
// good.
bool SuitsPhases(const PatchConv::Sizes& sizes);

class PhaseConv {
 public:
  // weights: OHWI [output_channels, kh, kw, input_channels]. False when there is no fast form, when
  // the phases do not suit, or when there is no memory; the output is then undefined. Pack does
  // what the first Run would do with constant weights.
  bool Pack(const PatchConv::Sizes& sizes, const FloatWeights& weights, ThreadPool* pool);
  bool Run(const PatchConv::Sizes& sizes, const FloatClamp& clamp, const float* input,
           const FloatWeights& weights, float* output, ThreadPool* pool);

  // Packs at the next run, whatever the addresses of the weights.
  void Forget() { filters_.reset(); }

 private:
  // Of each phase, rows of phases first.
  using Filters = std::vector<std::shared_ptr<const FloatMatrix>>;

  std::shared_ptr<const Filters> filters_;
  FloatWeights packed_{};
};

// The same convolutions for integers.
std::vector<QuantizedConv::Part> PhaseParts(const PatchConv::Sizes& sizes);

}  // namespace tern

#endif  // TERN_OPS_TRANSPOSE_CONV_PHASE_CONV_H_
