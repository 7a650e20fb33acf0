// SPDX-License-Identifier: Apache-2.0
// Some input rows at a time: first their patches, then these laid into the result.
#include "ops/transpose_conv/patch_conv.h"

#include <algorithm>

#include "cpu/instruction_set.h"

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

std::shared_ptr<const FloatMatrix> MakeFilter(const PatchConv::Sizes& sizes,
                                              const FloatWeights& weights, ThreadPool* pool) {
  const int64_t taps = sizes.height.filter * sizes.width.filter;
  const int64_t filters = sizes.output_channels, depth = sizes.input_channels;
  std::vector<float> columns(static_cast<size_t>(taps * filters * depth));
  std::vector<float> bias(static_cast<size_t>(taps * filters), 0.0f);
  for (int64_t tap = 0; tap < taps; ++tap) {
    for (int64_t f = 0; f < filters; ++f) {
      std::copy_n(weights.filter + (f * taps + tap) * depth, depth,
                  columns.data() + (tap * filters + f) * depth);
      if (weights.bias != nullptr) bias[tap * filters + f] = weights.bias[f];
    }
  }
  return FloatMatrix::Pack({columns.data(), bias.data(), 1, taps * filters, depth, false}, pool);
}

}  // namespace

const FloatMatrix* PatchConv::Filter(const Sizes& sizes, const FloatWeights& weights,
                                     ThreadPool* pool) {
  if (!HasOptimizedKernels()) return nullptr;
  const auto count = static_cast<size_t>(PatchValues(sizes) * sizes.input_channels);
  const auto biases = static_cast<size_t>(weights.bias == nullptr ? 0 : sizes.output_channels);
  const WeightBytes bytes[] = {{weights.filter, count * sizeof(float)},
                               {weights.bias, biases * sizeof(float)}};
  // No other layout has as few.
  const int64_t parameters[] = {sizes.output_channels, sizes.height.filter, sizes.width.filter};
  return filter_.Get(weights.constant, bytes, parameters,
                     [&] { return MakeFilter(sizes, weights, pool); });
}

bool PatchConv::Run(const Sizes& sizes, FloatRange range, const float* input,
                    const FloatWeights& weights, float* output, ThreadPool* pool) {
  const FloatMatrix* filter = Filter(sizes, weights, pool);
  if (filter == nullptr) return false;
  const WindowAxis& height = sizes.height;
  const WindowAxis& width = sizes.width;
  const int64_t channels = PatchValues(sizes), filters = sizes.output_channels;
  const int64_t row_values = width.in * filters;
  // Of the input, at a time.
  const int64_t chunk = std::clamp<int64_t>(kChunk / (width.out * channels), 1, height.out);
  patches_.resize(static_cast<size_t>(chunk * width.out * channels));
  empty_.resize(static_cast<size_t>(row_values));
  for (int64_t i = 0; i < row_values; ++i) {
    empty_[i] = range.Clamp(weights.bias == nullptr ? 0.0f : weights.bias[i % filters]);
  }
  for (int64_t n = 0; n < sizes.batch; ++n) {
    for (int64_t first = 0; first < height.out; first += chunk) {
      const int64_t rows = std::min(chunk, height.out - first);
      const float* image = input + (n * height.out + first) * width.out * sizes.input_channels;
      const LeftView pixels = {MatrixShape(rows * width.out, sizes.input_channels, channels),
                               image};
      const OutputStage stage = OutputStage::Clamp(range, patches_.data(), channels);
      if (!MatMul{pixels, *filter, stage}.Run(pool)) return false;
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
