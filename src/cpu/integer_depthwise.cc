// SPDX-License-Identifier: Apache-2.0
// Points at the activations that each output pixel sums.
#include "cpu/integer_depthwise.h"

#include <algorithm>
#include <atomic>

#include "cpu/repeat_channels.h"

namespace tern {

std::shared_ptr<const DepthwiseWeights> PackDepthwise(const int16_t* weights, int64_t taps,
                                                      int64_t channels) {
  auto packed = std::make_shared<DepthwiseWeights>();
  packed->taps = taps;
  packed->channels = channels;
  packed->stride = CeilDiv(channels, 16) * 16;
  packed->weights.assign(static_cast<size_t>(taps * packed->stride), 0);
  packed->sums.assign(static_cast<size_t>(channels), 0);
  for (int64_t tap = 0; tap < taps; ++tap) {
    for (int64_t c = 0; c < channels; ++c) {
      packed->weights[tap * packed->stride + c] = weights[tap * channels + c];
      packed->sums[c] += weights[tap * channels + c];
    }
  }
  return packed;
}

namespace {

// Output rows of one image, some pixels at a time.
template <class T>
class DepthwiseRows {
 public:
  // `input` is the image with a channel for each of the output.
  DepthwiseRows(const LeftView& left, const DepthwiseWeights& weights, const T* input,
                const OutputStage& stage)
      : shape_(left.shape),
        weights_(weights),
        input_(input),
        type_(left.type),
        stage_(stage),
        outside_(static_cast<size_t>(weights.channels), static_cast<T>(left.zero_point)),
        chunk_(std::max<int64_t>(4, kChunkSums / weights.stride / 4 * 4)) {}

  // False when there is no memory.
  bool Run(int64_t begin, int64_t end) const {
    const auto tap_count = static_cast<size_t>(shape_.width.out * weights_.taps);
    const Scratch<const void*> taps(tap_count);
    const Scratch<int64_t> moves(tap_count);
    const Scratch<int32_t> sums(static_cast<size_t>(chunk_ * weights_.stride));
    if (taps.data() == nullptr || moves.data() == nullptr || sums.data() == nullptr) return false;
    bool moves_known = false;
    for (int64_t row = begin; row < end; ++row) {
      if (row > begin && row % shape_.height.out != 0 && IsInside(row - 1) && IsInside(row)) {
        if (!moves_known) FindMoves(taps.data(), tap_count, moves.data());
        moves_known = true;
        Move(taps.data(), tap_count, moves.data());
      } else {
        PointAt(row, taps.data());
      }
      for (int64_t x = 0; x < shape_.width.out; x += chunk_) {
        const int64_t count = std::min(chunk_, shape_.width.out - x);
        const IntegerDepthwisePixels pixels = {taps.data() + x * weights_.taps,
                                               count,
                                               weights_.taps,
                                               weights_.channels,
                                               weights_.weights.data(),
                                               weights_.stride,
                                               stage_.starts,
                                               sums.data(),
                                               weights_.stride};
        GetIntegerKernels()->depthwise(type_, pixels);
        stage_.Store(SumBlock<int32_t>{sums.data(), weights_.stride, row * shape_.width.out + x,
                                       count, 0, weights_.channels});
      }
    }
    return true;
  }

 private:
  static constexpr int64_t kChunkSums = 4096;

  // Whether all lines of the filter lie within the image. The taps of two such rows, one after the
  // other, are one stride apart.
  bool IsInside(int64_t row) const {
    const WindowAxis& height = shape_.height;
    const int64_t y = row % height.out * height.stride - height.pad_before;
    return y >= 0 && y + (height.filter - 1) * height.dilation < height.in;
  }

  // How far each tap of such a row is from that of the next, in bytes.
  void FindMoves(const void* const* taps, size_t count, int64_t* moves) const {
    const int64_t line = shape_.width.in * weights_.channels * static_cast<int64_t>(sizeof(T));
    const void* const outside = outside_.data();
    for (size_t i = 0; i < count; ++i) {
      moves[i] = taps[i] == outside ? 0 : line * shape_.height.stride;
    }
  }
  static void Move(const void** taps, size_t count, const int64_t* moves) {
    for (size_t i = 0; i < count; ++i) taps[i] = static_cast<const char*>(taps[i]) + moves[i];
  }

  // Where the channels of each tap of each pixel of an output row lie.
  void PointAt(int64_t row, const void** to) const {
    const WindowAxis& height = shape_.height;
    const WindowAxis& width = shape_.width;
    const int64_t channels = weights_.channels, taps = weights_.taps;
    const T* image = input_ + row / height.out * height.in * width.in * channels;
    const int64_t y = row % height.out * height.stride - height.pad_before;
    for (int64_t i = 0; i < height.filter; ++i) {
      const int64_t y_in = y + i * height.dilation;
      const bool line_inside = y_in >= 0 && y_in < height.in;
      const T* line = line_inside ? image + y_in * width.in * channels : nullptr;
      for (int64_t j = 0; j < width.filter; ++j) {
        PointTap(line, j * width.dilation - width.pad_before, to + i * width.filter + j, taps);
      }
    }
  }

  // One tap of all pixels of a row; `x` is where that of the first pixel lies.
  void PointTap(const T* line, int64_t x, const void** to, int64_t taps) const {
    const WindowAxis& width = shape_.width;
    const int64_t channels = weights_.channels, count = width.out, stride = width.stride;
    const int64_t begin =
        line == nullptr ? count : std::clamp<int64_t>(x < 0 ? CeilDiv(-x, stride) : 0, 0, count);
    const int64_t end =
        std::clamp<int64_t>(x < width.in ? CeilDiv(width.in - x, stride) : 0, begin, count);
    const void* const outside = outside_.data();
    for (int64_t p = 0; p < begin; ++p, to += taps) *to = outside;
    if (begin < end) {
      const T* from = line + (x + begin * stride) * channels;
      for (int64_t p = begin; p < end; ++p, to += taps, from += stride * channels) *to = from;
    }
    for (int64_t p = end; p < count; ++p, to += taps) *to = outside;
  }

  const ConvShape& shape_;
  const DepthwiseWeights& weights_;
  const T* input_;
  IntegerType type_;
  const OutputStage& stage_;
  std::vector<T> outside_;
  int64_t chunk_;
};

template <class T>
bool RunDepthwiseAs(const LeftView& left, const DepthwiseWeights& weights, const OutputStage& stage,
                    ThreadPool* pool) {
  const ConvShape& shape = left.shape;
  const T* from = static_cast<const T*>(left.data);
  AlignedArray<T> repeated;
  if (shape.group_out > 1) {
    const int64_t count = shape.batch * shape.height.in * shape.width.in * shape.groups;
    repeated = RepeatChannels(from, count, shape.group_out, pool);
    if (repeated == nullptr) return false;
    from = repeated.get();
  }
  const DepthwiseRows<T> rows(left, weights, from, stage);
  // A product here costs about three eighths of what ParallelFor counts as one operation.
  const int64_t cost = shape.width.out * weights.channels * (weights.taps + 8) * 3 / 8;
  std::atomic<bool> enough_memory = true;
  ParallelFor(pool, shape.batch * shape.height.out, cost, [&](int64_t begin, int64_t end) {
    if (!rows.Run(begin, end)) enough_memory = false;
  });
  return enough_memory;
}

}  // namespace

bool RunIntegerDepthwise(const LeftView& left, const DepthwiseWeights& weights,
                         const OutputStage& stage, ThreadPool* pool) {
  switch (left.type) {
    case IntegerType::kUInt8:
      return RunDepthwiseAs<uint8_t>(left, weights, stage, pool);
    case IntegerType::kInt8:
      return RunDepthwiseAs<int8_t>(left, weights, stage, pool);
    case IntegerType::kInt16:
      return RunDepthwiseAs<int16_t>(left, weights, stage, pool);
  }
  return false;
}

}  // namespace tern
