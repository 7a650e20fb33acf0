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
       const float* bias, const float* input, const FloatRange& clamp, float* output)
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
    pixels_.out_step = shape.width.out * channels_;
    const auto plain = [](const WindowAxis& axis) {
      return axis.filter == 3 && axis.stride == 1 && axis.dilation == 1;
    };
    pairs_ = plain(shape.height) && plain(shape.width);
    in_.resize(static_cast<size_t>(shape.height.filter) + 1);
    weights_.resize(in_.size());
    pixels_.in = in_.data();
    pixels_.weights = weights_.data();
    const int64_t columns =
        (int64_t{1} << FloatDepthwise::kMaxShift) * shape.width.stride + shape.width.filter;
    const int64_t fitting = kBlockBytes / (columns * shape.height.filter * int64_t{sizeof(float)});
    block_ = std::max(kChannelStep, fitting / kChannelStep * kChannelStep);
  }

  // The rows [begin, end).
  void Compute(int64_t begin, int64_t end, int64_t first_channel, int64_t last_channel) {
    for (int64_t row = begin; row < end;) {
      const bool two = pairs_ && row + 1 < end && IsInside(row) && IsInside(row + 1) &&
                       row % shape_.height.out + 1 < shape_.height.out;
      ComputeRows(row, two ? 2 : 1, first_channel, last_channel);
      row += two ? 2 : 1;
    }
  }

 private:
  // Whether all taps in height are there.
  bool IsInside(int64_t row) const {
    const WindowAxis::Span inside = shape_.height.Inside();
    const int64_t y = row % shape_.height.out;
    return y >= inside.begin && y < inside.end;
  }

  void ComputeRows(int64_t row, int count, int64_t first_channel, int64_t last_channel) {
    const WindowAxis& width = shape_.width;
    ys_ = shape_.height.TapsAt(row % shape_.height.out);
    image_ = input_ + row / shape_.height.out * shape_.height.in * width.in * channels_;
    out_ = output_ + row * width.out * channels_;
    rows_ = count;
    tap_rows_ = ys_.end - ys_.begin;
    // As many channels at a time as fit the first cache with all taps of some pixels.
    for (pixels_.first = first_channel; pixels_.first < last_channel;
         pixels_.first = pixels_.last) {
      pixels_.last = std::min(last_channel, pixels_.first + block_);
      ComputeBlock();
    }
  }

  void ComputeBlock() {
    const WindowAxis& width = shape_.width;
    const auto [begin, end] = width.Inside();  // the pixels with all their taps
    int64_t x = 0;
    for (; x < begin; ++x) BorderPixel(x);
    if (rows_ == 2) {
      for (int shift = FloatDepthwise::kMaxPairShift; shift >= 0; --shift) {
        for (; x + (1 << shift) <= end; x += 1 << shift)
          Pixels(x, 0, tap_rows_ + 1, kernels_.compute_pair[shift]);
      }
    } else {
      for (int shift = FloatDepthwise::kMaxShift; shift >= 0; --shift) {
        for (; x + (1 << shift) <= end; x += 1 << shift)
          Pixels(x, 0, tap_rows_, kernels_.compute[shift]);
      }
    }
    for (; x < width.out; ++x) BorderPixel(x);
  }

  // A pixel of each row that has not all taps.
  void BorderPixel(int64_t x) {
    for (int row = 0; row < rows_; ++row) Pixels(x, row, tap_rows_, kernels_.compute[0]);
  }

  // Pixels from x on, which have the taps of the first, of the rows from `row` on.
  void Pixels(int64_t x, int row, int64_t tap_rows, ComputeDepthwise* compute) {
    const WindowAxis& width = shape_.width;
    const WindowAxis::Taps xs = width.TapsAt(x);
    pixels_.taps = xs.end - xs.begin;
    pixels_.tap_rows = tap_rows;
    for (int64_t i = 0; i < tap_rows; ++i) {
      const int64_t y = ys_.position + row + i * shape_.height.dilation;
      in_[static_cast<size_t>(i)] = image_ + (y * width.in + xs.position) * channels_;
      weights_[static_cast<size_t>(i)] =
          filter_ + ((ys_.begin + i) * width.filter + xs.begin) * channels_;
    }
    pixels_.out = out_ + row * pixels_.out_step + x * channels_;
    compute(pixels_);
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
  int64_t tap_rows_ = 0;  // of one row
  int rows_ = 1;          // that are computed together
  bool pairs_;            // two may be
  int64_t block_;
  const float* image_ = nullptr;
  float* out_ = nullptr;
};

}  // namespace

bool RunFloatDepthwise(const ConvShape& shape, const float* filter, const float* bias,
                       const float* input, const FloatRange& clamp, float* output,
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
    all.Compute(0, rows, 0, channels);
    return true;
  }
  // Rows that lie side by side share what they read.
  const int64_t threads = pool->threads(), wanted = (rows >= 16 * threads ? 4 : 2) * threads;
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
    some.Compute(r * rows / row_parts, (r + 1) * rows / row_parts, channel(c), channel(c + 1));
  });
  return true;
}

}  // namespace tern
