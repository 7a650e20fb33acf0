// SPDX-License-Identifier: Apache-2.0
// One convolution per phase into memory of its own, whose pixels are then spread over the result.
#include "ops/transpose_conv/phase_conv.h"

#include <algorithm>

#include "cpu/instruction_set.h"
#include "cpu/packed_cache.h"

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

std::shared_ptr<const FloatMatrix> PackPhase(const PatchConv::Sizes& sizes,
                                             const FloatWeights& weights, int64_t py, int64_t px,
                                             ThreadPool* pool) {
  const WindowAxis &height = sizes.height, &width = sizes.width;
  const int64_t taps_y = PhaseOf(height, py).axis.filter, taps_x = PhaseOf(width, px).axis.filter;
  const int64_t depth = sizes.input_channels;
  std::vector<float> filter;
  filter.reserve(static_cast<size_t>(sizes.output_channels * taps_y * taps_x * depth));
  for (int64_t f = 0; f < sizes.output_channels; ++f) {
    for (int64_t y = py + height.stride * (taps_y - 1); y >= py; y -= height.stride) {
      for (int64_t x = px + width.stride * (taps_x - 1); x >= px; x -= width.stride) {
        const float* tap = weights.filter + ((f * height.filter + y) * width.filter + x) * depth;
        filter.insert(filter.end(), tap, tap + depth);
      }
    }
  }
  return FloatMatrix::Pack(
      {filter.data(), weights.bias, 1, sizes.output_channels, taps_y * taps_x * depth, false},
      pool);
}

}  // namespace

bool SuitsPhases(const PatchConv::Sizes& sizes) {
  constexpr int64_t kMostPhases = 1024;
  return sizes.height.stride * sizes.width.stride <= kMostPhases;
}

bool PhaseConv::Pack(const PatchConv::Sizes& sizes, const FloatWeights& weights, ThreadPool* pool) {
  if (!HasFastForms() || !SuitsPhases(sizes)) return false;
  const bool same = weights.filter == packed_.filter && weights.bias == packed_.bias;
  if (filters_ != nullptr && weights.constant && same) return true;
  packed_ = weights;
  const WindowAxis &height = sizes.height, &width = sizes.width;
  const auto make = [&]() -> std::shared_ptr<const Filters> {
    auto filters = std::make_shared<Filters>();
    for (int64_t i = 0; i < height.stride * width.stride; ++i) {
      filters->push_back(PackPhase(sizes, weights, i / width.stride, i % width.stride, pool));
      if (filters->back() == nullptr) return nullptr;
    }
    return filters;
  };
  if (!weights.constant) {
    filters_ = make();
  } else {
    const int64_t count =
        sizes.output_channels * height.filter * width.filter * sizes.input_channels;
    const int64_t biases = weights.bias == nullptr ? 0 : sizes.output_channels;
    const WeightBytes bytes[] = {{weights.filter, static_cast<size_t>(count) * sizeof(float)},
                                 {weights.bias, static_cast<size_t>(biases) * sizeof(float)}};
    const int64_t parameters[] = {sizes.output_channels, height.filter, width.filter, height.stride,
                                  width.stride};
    filters_ = FindOrPack<Filters>(bytes, parameters, make);
  }
  return filters_ != nullptr;
}

bool PhaseConv::Run(const PatchConv::Sizes& sizes, const FloatClamp& clamp, const float* input,
                    const FloatWeights& weights, float* output, ThreadPool* pool) {
  if (!Pack(sizes, weights, pool)) return false;
  const int64_t filters = sizes.output_channels, stride = sizes.width.stride;
  const int64_t out_height = sizes.height.in, out_width = sizes.width.in;
  AlignedArray<float> pixels;
  for (size_t i = 0; i < filters_->size(); ++i) {
    const Phase ys = PhaseOf(sizes.height, static_cast<int64_t>(i) / stride);
    const Phase xs = PhaseOf(sizes.width, static_cast<int64_t>(i) % stride);
    const ConvShape shape = {sizes.batch, 1, sizes.input_channels, filters, ys.axis, xs.axis};
    if (shape.OutPixels() == 0) continue;
    if (pixels == nullptr) {
      const int64_t most =
          sizes.batch * CeilDiv(out_height, sizes.height.stride) * CeilDiv(out_width, stride);
      pixels = MakeAligned<float>(static_cast<size_t>(most * filters));
    }
    if (pixels == nullptr || !RunConv(shape, *(*filters_)[i], input, clamp, pixels.get(), pool)) {
      return false;
    }
    ParallelFor(pool, sizes.batch * ys.axis.out, xs.axis.out * filters, [&](int64_t b, int64_t e) {
      for (int64_t row = b; row < e; ++row) {
        const int64_t item = row / ys.axis.out;
        const int64_t y = ys.first + row % ys.axis.out * sizes.height.stride;
        const float* from = pixels.get() + row * xs.axis.out * filters;
        float* to = output + ((item * out_height + y) * out_width + xs.first) * filters;
        for (int64_t x = 0; x < xs.axis.out; ++x) {
          std::copy_n(from + x * filters, filters, to + x * stride * filters);
        }
      }
    });
  }
  return true;
}

std::vector<QuantizedConv::Part> PhaseParts(const PatchConv::Sizes& sizes) {
  const WindowAxis &height = sizes.height, &width = sizes.width;
  std::vector<QuantizedConv::Part> parts;
  for (int64_t py = 0; py < height.stride; ++py) {
    for (int64_t px = 0; px < width.stride; ++px) {
      const Phase ys = PhaseOf(height, py), xs = PhaseOf(width, px);
      QuantizedConv::Part part;
      part.shape = {sizes.batch, 1, sizes.input_channels, sizes.output_channels, ys.axis, xs.axis};
      for (int64_t j = ys.axis.filter; j-- > 0;) {
        for (int64_t i = xs.axis.filter; i-- > 0;) {
          part.taps.push_back((py + j * height.stride) * width.filter + px + i * width.stride);
        }
      }
      part.pixel_at = [height, width, ys, xs](int64_t pixel) {
        const int64_t x = xs.first + pixel % xs.axis.out * width.stride;
        const int64_t row = pixel / xs.axis.out;
        const int64_t y = ys.first + row % ys.axis.out * height.stride;
        return (row / ys.axis.out * height.in + y) * width.in + x;
      };
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

}  // namespace tern
