// SPDX-License-Identifier: Apache-2.0
// Some input rows at a time: first their patches, then these laid into the result.
#include "ops/transpose_conv/patch_conv.h"

#include <algorithm>

namespace tern {
namespace {

constexpr int64_t kChunk = int64_t{1} << 18;  // values of patches, so that they stay in the cache

// Result row `y` of one image, which begins as `empty`. `patches` are those of the row's input row.
void LayRow(const PatchConv::Sizes& sizes, int64_t y, const float* patches,
            const std::vector<float>& empty, float* out) {
  const WindowAxis& height = sizes.height;
  const WindowAxis& width = sizes.width;
  const int64_t line = width.filter * sizes.output_channels;
  const int64_t tap = (y + height.pad_before) % height.stride;
  std::copy(empty.begin(), empty.end(), out);
  if (tap >= height.filter || (y + height.pad_before) / height.stride >= height.out) return;
  for (int64_t x = 0; x < width.out; ++x) {
    const float* from = patches + (x * height.filter + tap) * line;
    const int64_t at = x * width.stride - width.pad_before;
    const int64_t begin = std::max<int64_t>(0, -at);
    const int64_t end = std::min(width.filter, width.in - at);
    if (begin >= end) continue;
    std::copy(from + begin * sizes.output_channels, from + end * sizes.output_channels,
              out + (at + begin) * sizes.output_channels);
  }
}

}  // namespace

FloatWeights PatchConv::Arrange(const Sizes& sizes, FloatRange range, const FloatWeights& weights) {
  const int64_t row_values = sizes.width.in * sizes.output_channels;
  if (weights.constant && arranged_filter_ == weights.filter && arranged_bias_ == weights.bias &&
      static_cast<int64_t>(empty_.size()) == row_values) {
    return {filter_.data(), bias_.data(), true};
  }
  arranged_filter_ = weights.filter;
  arranged_bias_ = weights.bias;
  const int64_t taps = sizes.height.filter * sizes.width.filter;
  const int64_t filters = sizes.output_channels, depth = sizes.input_channels;
  filter_.resize(static_cast<size_t>(taps * filters * depth));
  bias_.assign(static_cast<size_t>(taps * filters), 0.0f);
  for (int64_t tap = 0; tap < taps; ++tap) {
    for (int64_t f = 0; f < filters; ++f) {
      std::copy_n(weights.filter + (f * taps + tap) * depth, depth,
                  filter_.data() + (tap * filters + f) * depth);
      if (weights.bias != nullptr) bias_[tap * filters + f] = weights.bias[f];
    }
  }
  empty_.resize(static_cast<size_t>(row_values));
  for (size_t i = 0; i < empty_.size(); ++i) empty_[i] = range.Clamp(bias_[i % filters]);
  return {filter_.data(), bias_.data(), false};
}

int64_t PatchConv::RowsAtATime(const Sizes& sizes) {
  return std::clamp<int64_t>(kChunk / (sizes.width.out * PatchValues(sizes)), 1, sizes.height.out);
}

bool PatchConv::Pack(const Sizes& sizes, FloatRange range, const FloatWeights& weights,
                     ThreadPool* pool) {
  return product_.PackMatrix(
      {RowsAtATime(sizes) * sizes.width.out, sizes.input_channels, PatchValues(sizes)},
      Arrange(sizes, range, weights), pool);
}

bool PatchConv::Run(const Sizes& sizes, FloatRange range, const float* input,
                    const FloatWeights& weights, float* output, ThreadPool* pool) {
  const WindowAxis& height = sizes.height;
  const WindowAxis& width = sizes.width;
  const int64_t channels = PatchValues(sizes), chunk = RowsAtATime(sizes);
  const int64_t row_values = width.in * sizes.output_channels;
  patches_.resize(static_cast<size_t>(chunk * width.out * channels));
  FloatWeights packed = Arrange(sizes, range, weights);
  for (int64_t n = 0; n < sizes.batch; ++n) {
    for (int64_t first = 0; first < height.out; first += chunk) {
      const int64_t rows = std::min(chunk, height.out - first);
      const float* image = input + (n * height.out + first) * width.out * sizes.input_channels;
      const FastConv::MatrixShape product = {rows * width.out, sizes.input_channels, channels};
      if (!product_.RunMatrix(product, packed, image, {range.min, range.max}, patches_.data(),
                              pool)) {
        return false;
      }
      packed.constant = true;  // for the rest of this call
      // The rows after the last patch belong to the last chunk.
      const int64_t begin = std::max<int64_t>(0, first * height.stride - height.pad_before);
      const int64_t end = first + rows == height.out
                              ? height.in
                              : (first + rows) * height.stride - height.pad_before;
      ParallelFor(pool, end - begin, row_values, [&](int64_t from, int64_t to) {
        for (int64_t y = begin + from; y < begin + to; ++y) {
          const int64_t row = (y + height.pad_before) / height.stride - first;
          LayRow(sizes, y, patches_.data() + row * width.out * channels, empty_,
                 output + (n * height.in + y) * row_values);
        }
      });
    }
  }
  return true;
}

}  // namespace tern
