// SPDX-License-Identifier: Apache-2.0
// Transposed convolution whose patches overlap: results whose positions leave the same rest when
// divided by the stride sum the same taps, so each such phase is a usual convolution of stride 1.
#ifndef TERN_OPS_TRANSPOSE_CONV_PHASE_CONV_H_
#define TERN_OPS_TRANSPOSE_CONV_PHASE_CONV_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/matmul.h"
#include "ops/cpu_kit/conv_part.h"
#include "ops/transpose_conv/patch_conv.h"

namespace tern {

// Each phase costs a call and memory: very many phases are no better than the reference kernel.
bool SuitsPhases(const PatchConv::Sizes& sizes);

// The phases, rows of phases first.
std::vector<ConvPart> PhaseParts(const PatchConv::Sizes& sizes);

class PhaseConv {
 public:
  // weights: OHWI [output_channels, kh, kw, input_channels]. False when there is no optimized
  // kernel, when the phases do not suit, or when there is no memory; the output is then undefined.
  // Pack does what the first Run would do with constant weights.
  bool Pack(const PatchConv::Sizes& sizes, const FloatWeights& weights, ThreadPool* pool) {
    return SuitsPhases(sizes) && Get(sizes, PhaseParts(sizes), weights, pool) != nullptr;
  }
  bool Run(const PatchConv::Sizes& sizes, const FloatRange& range, const float* input,
           const FloatWeights& weights, float* output, ThreadPool* pool);

  // Packs at the next run, whatever the addresses of the weights.
  void Forget() { filters_.Forget(); }

 private:
  using Filters = std::vector<std::shared_ptr<const FloatMatrix>>;  // of each phase

  const Filters* Get(const PatchConv::Sizes& sizes, const std::vector<ConvPart>& parts,
                     const FloatWeights& weights, ThreadPool* pool);

  Packed<Filters> filters_;
};

}  // namespace tern

#endif  // TERN_OPS_TRANSPOSE_CONV_PHASE_CONV_H_
