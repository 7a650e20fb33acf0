// SPDX-License-Identifier: Apache-2.0
// Gathers the activations that each output pixel sums: side by side for a product of matrices, as
// pointers for a depthwise convolution.
#include "cpu/integer_conv.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "cpu/repeat_channels.h"

namespace tern {
namespace {

int32_t Wrapped(int64_t v) { return static_cast<int32_t>(static_cast<uint32_t>(v)); }

// Returns the bits to flip that bring 8-bit activations into the range of UINT8.
uint8_t FlipOf(IntegerType type) { return type == IntegerType::kInt8 ? 0x80 : 0; }

class ConvRows {
 public:
  ConvRows(const ConvShape& shape, const IntegerMatrix& matrix, const IntegerImage& input,
           int32_t weight_zero)
      : shape_(shape),
        kernels_(*GetIntegerKernels()),
        input_(input),
        weight_zero_(weight_zero),
        flip_(FlipOf(input.type)),
        zero_point_(input.zero_point + (flip_ != 0 ? 128 : 0)),
        depth_(shape.Depth()),
        stride_(matrix.RowStride()),
        row_bytes_(matrix.kernel().row_bytes),
        pointwise_(shape.IsPointwise()),
        widened_(row_bytes_ == 2),
        packable_(depth_ % matrix.kernel().group == 0 && depth_ * row_bytes_ % 1024 != 0),
        as_they_lie_(pointwise_ && flip_ == 0 && !widened_ && depth_ % matrix.kernel().group == 0) {
  }

  IntegerRows operator()(int64_t group, int64_t first, int64_t count, uint8_t* scratch,
                         int32_t* row_starts) const {
    const IntegerRows rows = input_.type == IntegerType::kInt16
                                 ? Shorts(group, first, count, scratch)
                                 : Bytes(group, first, count, scratch);
    if (weight_zero_ != 0) {
      for (int64_t i = 0; i < count; ++i) {
        const void* row = static_cast<const uint8_t*>(rows.data) + i * rows.stride;
        const int64_t sum = kernels_.row_sum(row, depth_, zero_point_);
        row_starts[i] = Wrapped(-weight_zero_ * sum);
      }
    }
    return rows;
  }

  // Returns the scratch bytes of a row: the row itself, and the bytes that it is widened from.
  int64_t ScratchBytes() const {
    if (as_they_lie_) return 0;
    return input_.type != IntegerType::kInt16 && widened_ && !pointwise_ ? stride_ + stride_ / 2
                                                                         : stride_;
  }

 private:
  IntegerRows Shorts(int64_t group, int64_t first, int64_t count, uint8_t* scratch) const {
    auto* rows = reinterpret_cast<int16_t*>(scratch);
    GatherPixels<int16_t>(shape_, static_cast<const int16_t*>(input_.data), group, first, count, 0,
                          rows, stride_ / 2);
    if (depth_ % 2 != 0) {
      for (int64_t i = 0; i < count; ++i) rows[i * stride_ / 2 + depth_] = 0;
    }
    return {rows, stride_};
  }

  IntegerRows Bytes(int64_t group, int64_t first, int64_t count, uint8_t* rows) const {
    const auto* from = static_cast<const uint8_t*>(input_.data);
    if (as_they_lie_) return {from + first * depth_, depth_};
    if (pointwise_ && packable_) {  // one row after the other
      kernels_.convert(from + first * depth_, count * depth_, flip_, zero_point_, rows);
      return {rows, depth_ * row_bytes_};
    }
    if (pointwise_) {
      for (int64_t i = 0; i < count; ++i) {
        kernels_.convert(from + (first + i) * depth_, depth_, flip_, zero_point_,
                         rows + i * stride_);
      }
    } else {
      const int64_t stride = widened_ ? stride_ / 2 : stride_;
      uint8_t* gathered = rows + (widened_ ? count * stride_ : 0);
      GatherPixels(shape_, from, group, first, count, static_cast<uint8_t>(input_.zero_point),
                   gathered, stride);
      if (widened_ || flip_ != 0) {
        kernels_.convert(gathered, count * stride, flip_, zero_point_, rows);
      }
    }
    ClearTails(rows, count);
    return {rows, stride_};
  }

  // The weights after a row are 0; what they are multiplied with is defined, too.
  void ClearTails(uint8_t* rows, int64_t count) const {
    const int64_t used = depth_ * row_bytes_, end = CeilDiv(used, 4) * 4;
    if (used == end) return;
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t k = used; k < end; ++k) rows[i * stride_ + k] = 0;
    }
  }

  const ConvShape& shape_;
  const IntegerKernels& kernels_;
  IntegerImage input_;
  int64_t weight_zero_;
  uint8_t flip_;
  int32_t zero_point_;  // of the rows
  int64_t depth_, stride_;
  int64_t row_bytes_;
  bool pointwise_, widened_;
  bool packable_;  // rows without anything between them suit the kernel
  bool as_they_lie_;
};

}  // namespace

std::vector<int32_t> SumStarts(const std::vector<int32_t>& weight_sums, const int32_t* bias,
                               int32_t input_zero_point) {
  std::vector<int32_t> starts(weight_sums.size() + 64);
  for (size_t c = 0; c < weight_sums.size(); ++c) {
    const int64_t start = bias == nullptr ? 0 : bias[c];
    starts[c] = Wrapped(start - int64_t{input_zero_point} * weight_sums[c]);
  }
  return starts;
}

int32_t MatrixZeroPoint(const IntegerMatrix& filter, const IntegerImage& input) {
  if (filter.kernel().row_bytes == 2) return 0;
  return input.zero_point + (FlipOf(input.type) != 0 ? 128 : 0);
}

bool RunIntegerConv(const ConvShape& shape, const IntegerMatrix& filter, const IntegerImage& input,
                    int32_t weight_zero, const int32_t* starts, StoreSums store, ThreadPool* pool) {
  const ConvRows gather(shape, filter, input, weight_zero);
  return filter.Multiply(shape.OutPixels(), starts, gather, gather.ScratchBytes(), store, pool);
}

// ---- depthwise

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
  DepthwiseRows(const ConvShape& shape, const DepthwiseWeights& weights, const T* input,
                IntegerType type, T padding, const int32_t* starts, StoreSums store)
      : shape_(shape),
        weights_(weights),
        input_(input),
        type_(type),
        starts_(starts),
        store_(store),
        outside_(static_cast<size_t>(weights.channels), padding),
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
                                               starts_,
                                               sums.data(),
                                               weights_.stride};
        GetIntegerKernels()->depthwise(type_, pixels);
        store_({sums.data(), nullptr, weights_.stride, row * shape_.width.out + x, count, 0,
                weights_.channels});
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
  const int32_t* starts_;
  StoreSums store_;
  std::vector<T> outside_;
  int64_t chunk_;
};

template <class T>
bool RunDepthwiseAs(const ConvShape& shape, const DepthwiseWeights& weights,
                    const IntegerImage& input, const int32_t* starts, StoreSums store,
                    ThreadPool* pool) {
  const T* from = static_cast<const T*>(input.data);
  AlignedArray<T> repeated;
  if (shape.group_out > 1) {
    const int64_t count = shape.batch * shape.height.in * shape.width.in * shape.groups;
    repeated = RepeatChannels(from, count, shape.group_out, pool);
    if (repeated == nullptr) return false;
    from = repeated.get();
  }
  const DepthwiseRows<T> rows(shape, weights, from, input.type, static_cast<T>(input.zero_point),
                              starts, store);
  // A product here costs about three eighths of what ParallelFor counts as one operation.
  const int64_t cost = shape.width.out * weights.channels * (weights.taps + 8) * 3 / 8;
  std::atomic<bool> enough_memory = true;
  ParallelFor(pool, shape.batch * shape.height.out, cost, [&](int64_t begin, int64_t end) {
    if (!rows.Run(begin, end)) enough_memory = false;
  });
  return enough_memory;
}

}  // namespace

bool RunIntegerDepthwise(const ConvShape& shape, const DepthwiseWeights& weights,
                         const IntegerImage& input, const int32_t* starts, StoreSums store,
                         ThreadPool* pool) {
  switch (input.type) {
    case IntegerType::kUInt8:
      return RunDepthwiseAs<uint8_t>(shape, weights, input, starts, store, pool);
    case IntegerType::kInt8:
      return RunDepthwiseAs<int8_t>(shape, weights, input, starts, store, pool);
    case IntegerType::kInt16:
      return RunDepthwiseAs<int16_t>(shape, weights, input, starts, store, pool);
  }
  return false;
}

}  // namespace tern
