// SPDX-License-Identifier: Apache-2.0
// One convolution per phase into memory of its own, whose pixels are then spread over the result.
#include "ops/transpose_conv/phase_conv.h"

#include <algorithm>

#include "cpu/instruction_set.h"

namespace tern {
namespace {

// The results of one axis at first, first + stride, ... and the convolution that makes them.
struct Phase {
  int64_t first;
  WindowAxis axis;
};

// Result y sums the inputs i and taps t with y + pad = i * stride + t. In phase p, t = p + stride *
// j and so i = q - j with q = (y + pad - p) / stride; the taps come in reverse.
Phase PhaseOf(const WindowAxis& forward, int64_t p) {
  const int64_t stride = forward.stride, pad = forward.pad_before;
  Phase phase;
  phase.first = ((p - pad) % stride + stride) % stride;
  phase.axis.in = forward.out;
  phase.axis.filter = p < forward.filter ? CeilDiv(forward.filter - p, stride) : 0;
  phase.axis.out = phase.first < forward.in ? CeilDiv(forward.in - phase.first, stride) : 0;
  phase.axis.pad_before = phase.axis.filter - 1 - (phase.first + pad - p) / stride;
  return phase;
}

}  // namespace

bool SuitsPhases(const PatchConv::Sizes& sizes) {
  constexpr int64_t kMaxPhases = 1024;
  return sizes.height.stride * sizes.width.stride <= kMaxPhases;
}

std::vector<ConvPart> PhaseParts(const PatchConv::Sizes& sizes) {
  const WindowAxis &height = sizes.height, &width = sizes.width;
  std::vector<ConvPart> parts;
  for (int64_t py = 0; py < height.stride; ++py) {
    for (int64_t px = 0; px < width.stride; ++px) {
      const Phase ys = PhaseOf(height, py), xs = PhaseOf(width, px);
      ConvPart part;
      part.shape = {sizes.batch, 1, sizes.input_channels, sizes.output_channels, ys.axis, xs.axis};
      for (int64_t j = ys.axis.filter; j-- > 0;) {
        for (int64_t i = xs.axis.filter; i-- > 0;) {
          part.taps.push_back((py + j * height.stride) * width.filter + px + i * width.stride);
        }
      }
      part.spread.width = xs.axis.out;
      part.spread.height = ys.axis.out;
      part.spread.first = ys.first * width.in + xs.first;
      part.spread.step = width.stride;
      part.spread.line_step = height.stride * width.in;
      part.spread.image_step = height.in * width.in;
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

const PhaseConv::Filters* PhaseConv::Get(const PatchConv::Sizes& sizes,
                                         const std::vector<ConvPart>& parts,
                                         const FloatWeights& weights, ThreadPool* pool) {
  if (!HasOptimizedKernels()) return nullptr;
  const WindowAxis &height = sizes.height, &width = sizes.width;
  const int64_t taps = height.filter * width.filter;
  const auto count = static_cast<size_t>(sizes.output_channels * taps * sizes.input_channels);
  const auto biases = static_cast<size_t>(weights.bias == nullptr ? 0 : sizes.output_channels);
  const WeightBytes bytes[] = {{weights.filter, count * sizeof(float)},
                               {weights.bias, biases * sizeof(float)}};
  const int64_t parameters[] = {sizes.output_channels, height.filter, width.filter, height.stride,
                                width.stride};
  return filters_.Get(weights.constant, bytes, parameters, [&]() -> std::shared_ptr<const Filters> {
    auto filters = std::make_shared<Filters>();
    for (const ConvPart& part : parts) {
      const std::vector<float> filter = TapsOf(part, weights.filter, taps);
      filters->push_back(FloatMatrix::Pack(
          {filter.data(), weights.bias, 1, sizes.output_channels, part.shape.Depth(), false},
          pool));
      if (filters->back() == nullptr) return nullptr;
    }
    return filters;
  });
}

bool PhaseConv::Run(const PatchConv::Sizes& sizes, const FloatRange& range, const float* input,
                    const FloatWeights& weights, float* output, ThreadPool* pool) {
  if (!SuitsPhases(sizes)) return false;
  const std::vector<ConvPart> parts = PhaseParts(sizes);
  const Filters* filters = Get(sizes, parts, weights, pool);
  if (filters == nullptr) return false;
  const int64_t channels = sizes.output_channels;
  AlignedArray<float> pixels;
  for (size_t i = 0; i < parts.size(); ++i) {
    const ConvShape& shape = parts[i].shape;
    const PixelSpread& spread = parts[i].spread;
    if (shape.OutPixels() == 0) continue;
    if (pixels == nullptr) {
      const int64_t max = sizes.batch * CeilDiv(sizes.height.in, sizes.height.stride) *
                          CeilDiv(sizes.width.in, sizes.width.stride);
      pixels = MakeAligned<float>(static_cast<size_t>(max * channels));
      if (pixels == nullptr) return false;
    }
    const LeftView left = {shape, input};
    const OutputStage stage = OutputStage::Clamp(range, pixels.get(), channels);
    if (!MatMul{left, *(*filters)[i], stage}.Run(pool)) return false;
    const int64_t line = shape.width.out;
    ParallelFor(pool, shape.OutPixels() / line, line * channels, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const float* from = pixels.get() + row * line * channels;
        float* to = output + spread.At(row * line) * channels;
        for (int64_t x = 0; x < line; ++x) {
          std::copy_n(from + x * channels, channels, to + x * spread.step * channels);
        }
      }
    });
  }
  return true;
}

}  // namespace tern
