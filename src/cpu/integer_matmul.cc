// SPDX-License-Identifier: Apache-2.0
// Integer products: the activations that each output pixel sums are laid side by side, as the
// kernel of the matrix takes them.
#include "cpu/matmul.h"

namespace tern {
namespace {

int32_t Wrapped(int64_t v) { return static_cast<int32_t>(static_cast<uint32_t>(v)); }

// Returns the bits to flip that bring 8-bit activations into the range of UINT8.
uint8_t FlipOf(IntegerType type) { return type == IntegerType::kInt8 ? 0x80 : 0; }

class LeftRows {
 public:
  LeftRows(const LeftView& left, const IntegerMatrix& matrix)
      : shape_(left.shape),
        kernels_(*GetIntegerKernels()),
        left_(left),
        weight_zero_(matrix.zero_point()),
        flip_(FlipOf(left.type)),
        zero_point_(left.zero_point + (flip_ != 0 ? 128 : 0)),
        depth_(shape_.Depth()),
        stride_(matrix.RowStride()),
        row_bytes_(matrix.kernel().row_bytes),
        pointwise_(shape_.IsPointwise()),
        widened_(row_bytes_ == 2),
        packable_(depth_ % matrix.kernel().group == 0 && depth_ * row_bytes_ % 1024 != 0),
        as_they_lie_(pointwise_ && flip_ == 0 && !widened_ && depth_ % matrix.kernel().group == 0) {
  }

  IntegerRows operator()(int64_t group, int64_t first, int64_t count, uint8_t* scratch,
                         int32_t* row_starts) const {
    const IntegerRows rows = left_.type == IntegerType::kInt16
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
    return left_.type != IntegerType::kInt16 && widened_ && !pointwise_ ? stride_ + stride_ / 2
                                                                        : stride_;
  }

 private:
  IntegerRows Shorts(int64_t group, int64_t first, int64_t count, uint8_t* scratch) const {
    auto* rows = reinterpret_cast<int16_t*>(scratch);
    GatherPixels<int16_t>(shape_, static_cast<const int16_t*>(left_.data), group, first, count, 0,
                          rows, stride_ / 2);
    if (depth_ % 2 != 0) {
      for (int64_t i = 0; i < count; ++i) rows[i * stride_ / 2 + depth_] = 0;
    }
    return {rows, stride_};
  }

  IntegerRows Bytes(int64_t group, int64_t first, int64_t count, uint8_t* rows) const {
    const auto* from = static_cast<const uint8_t*>(left_.data);
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
      GatherPixels(shape_, from, group, first, count, static_cast<uint8_t>(left_.zero_point),
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
  const LeftView& left_;
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
                               int32_t left_zero_point) {
  std::vector<int32_t> starts(weight_sums.size() + 64);
  for (size_t c = 0; c < weight_sums.size(); ++c) {
    const int64_t start = bias == nullptr ? 0 : bias[c];
    starts[c] = Wrapped(start - int64_t{left_zero_point} * weight_sums[c]);
  }
  return starts;
}

int32_t MatrixZeroPoint(const IntegerMatrix& right, const LeftView& left) {
  if (right.kernel().row_bytes == 2) return 0;
  return left.zero_point + (FlipOf(left.type) != 0 ? 128 : 0);
}

template <>
bool MatMul<IntegerMatrix>::Run(ThreadPool* pool) const {
  const LeftRows gather(left, right);
  return right.Multiply(left.shape.OutPixels(), gather, gather.ScratchBytes(), stage, pool);
}

}  // namespace tern
