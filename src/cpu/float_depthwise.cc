// SPDX-License-Identifier: Apache-2.0
// Rows of a depthwise convolution: the pixels whose taps all lie inside together, those at the
// borders one by one.
#include "cpu/float_depthwise.h"

#include <algorithm>
#include <vector>

#include "cpu/repeat_channels.h"

namespace tern {
namespace {

// Channels of a part are multiples of this, but for the last part's.
constexpr int64_t kChannelStep = 32;
constexpr int64_t kBlockBytes = 16 * 1024;

class Rows {
 public:
  Rows(const ConvShape& shape, const FloatDepthwise& kernels, const float* filter,
       const float* bias, const float* input, const FloatClamp& clamp, float* output)
      : shape_(shape),
        kernels_(kernels),
        filter_(filter),
        input_(input),
        output_(output),
        channels_(shape.OutChannels()) {
    pixels_.tap_step = shape.width.dilation * channels_;
    pixels_.pixel_step = shape.width.stride * channels_;
    pixels_.channels = channels_;
    pixels_.bias = bias;
    pixels_.min = clamp.min;
    pixels_.max = clamp.max;
    in_.resize(static_cast<size_t>(shape.height.filter));
    weights_.resize(in_.size());
    pixels_.in = in_.data();
    pixels_.weights = weights_.data();
    const int64_t columns =
        (int64_t{1} << FloatDepthwise::kMostShift) * shape.width.stride + shape.width.filter;
    const int64_t fitting = kBlockBytes / (columns * shape.height.filter * int64_t{sizeof(float)});
    block_ = std::max(kChannelStep, fitting / kChannelStep * kChannelStep);
  }

  void Compute(int64_t row, int64_t first_channel, int64_t last_channel) {
    const WindowAxis& width = shape_.width;
    ys_ = shape_.height.TapsAt(row % shape_.height.out);
    image_ = input_ + row / shape_.height.out * shape_.height.in * width.in * channels_;
    out_ = output_ + row * width.out * channels_;
    pixels_.tap_rows = ys_.end - ys_.begin;
    // As many channels at a time as fit the first cache with all taps of some pixels.
    for (pixels_.first = first_channel; pixels_.first < last_channel;
         pixels_.first = pixels_.last) {
      pixels_.last = std::min(last_channel, pixels_.first + block_);
      ComputeBlock();
    }
  }

 private:
  void ComputeBlock() {
    const WindowAxis& width = shape_.width;
    const auto [begin, end] = width.Inside();  // the pixels with all their taps
    int64_t x = 0;
    for (; x < begin; ++x) Pixels(x, 0);
    for (int shift = FloatDepthwise::kMostShift; shift >= 0; --shift) {
      for (; x + (1 << shift) <= end; x += 1 << shift) Pixels(x, shift);
    }
    for (; x < width.out; ++x) Pixels(x, 0);
  }

  // 2^shift pixels from x on, which have the taps of the first.
  void Pixels(int64_t x, int shift) {
    const WindowAxis& width = shape_.width;
    const WindowAxis::Taps xs = width.TapsAt(x);
    pixels_.taps = xs.end - xs.begin;
    for (int64_t i = 0; i < pixels_.tap_rows; ++i) {
      const int64_t y = ys_.position + i * shape_.height.dilation;
      in_[static_cast<size_t>(i)] = image_ + (y * width.in + xs.position) * channels_;
      weights_[static_cast<size_t>(i)] =
          filter_ + ((ys_.begin + i) * width.filter + xs.begin) * channels_;
    }
    pixels_.out = out_ + x * channels_;
    kernels_.compute[shift](pixels_);
  }

  const ConvShape& shape_;
  const FloatDepthwise& kernels_;
  const float* filter_;
  const float* input_;
  float* output_;
  int64_t channels_;
  std::vector<const float*> in_, weights_;
  FloatDepthwisePixels pixels_{};
  WindowAxis::Taps ys_{};
  int64_t block_;
  const float* image_ = nullptr;
  float* out_ = nullptr;
};

}  // namespace

bool RunFloatDepthwise(const ConvShape& shape, const float* filter, const float* bias,
                       const float* input, const FloatClamp& clamp, float* output,
                       ThreadPool* pool) {
  const FloatDepthwise* kernels = GetFloatDepthwise();
  if (kernels == nullptr) return false;
  AlignedArray<float> repeated;
  if (shape.group_out != 1) {
    const int64_t count = shape.batch * shape.height.in * shape.width.in * shape.groups;
    repeated = RepeatChannels(input, count, shape.group_out, pool);
    if (repeated == nullptr) return false;
    input = repeated.get();
  }
  const int64_t channels = shape.OutChannels(), rows = shape.batch * shape.height.out;
  const int64_t cost = shape.width.out * shape.height.filter * shape.width.filter * channels;
  if (pool == nullptr || rows * cost < kSmallWork) {
    Rows all(shape, *kernels, filter, bias, input, clamp, output);
    for (int64_t row = 0; row < rows; ++row) all.Compute(row, 0, channels);
    return true;
  }
  // Rows that lie side by side share what they read.
  const int64_t wanted = int64_t{4} * pool->threads();
  const int64_t row_parts = std::min(rows, wanted);
  const int64_t channel_parts =
      std::clamp<int64_t>(wanted / row_parts, 1, std::max<int64_t>(1, channels / kChannelStep));
  pool->RunParts(row_parts * channel_parts, [&](int64_t part) {
    Rows some(shape, *kernels, filter, bias, input, clamp, output);
    const int64_t r = part / channel_parts, c = part % channel_parts;
    const auto channel = [&](int64_t i) {
      return i == channel_parts ? channels
                                : i * channels / channel_parts / kChannelStep * kChannelStep;
    };
    for (int64_t row = r * rows / row_parts; row < (r + 1) * rows / row_parts; ++row) {
      some.Compute(row, channel(c), channel(c + 1));
    }
  });
  return true;
}

}  // namespace tern
