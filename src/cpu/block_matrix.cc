// SPDX-License-Identifier: Apache-2.0
// With w' = w + 8, sum((x - zero) * w) = sum(x * w') - 8 * sum(x) - zero * sum(w). The second term
// is one number for a row and a block, which the kernel starts from; the third, times the scales
// and added up over blocks, is one for a unit.
#include "cpu/block_matrix.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/tensor/window_axis.h"
#include "base/touch_pages.h"

namespace tern {
namespace {

constexpr int64_t kStepBytes = 4;  // of one unit

// Four bytes as they lie, with the numbers' signs turned into an offset.
void TakeNibbles(const uint8_t* from, uint8_t* to) {
  uint32_t four;
  std::memcpy(&four, from, sizeof four);
  four ^= 0x88888888u;
  std::memcpy(to, &four, sizeof four);
}

// Two bytes hold eight numbers of 2 bits.
void TakePairs(const uint8_t* from, uint8_t* to) {
  for (int64_t k = 0; k < kStepBytes; ++k) {
    const int both = from[k / 2] >> (k % 2 * 4);
    const int even = ((both & 3) ^ 2) - 2, odd = ((both >> 2 & 3) ^ 2) - 2;
    to[k] = static_cast<uint8_t>((even + kNibbleZero) | (odd + kNibbleZero) << 4);
  }
}

// The sum of eight weights.
int32_t StepSum(const uint8_t* step) {
  int32_t sum = 0;
  for (int64_t k = 0; k < kStepBytes; ++k) sum += (step[k] & 15) + (step[k] >> 4);
  return sum - static_cast<int32_t>(kBlockStep) * kNibbleZero;
}

}  // namespace

bool BlockMatrix::Suits(int bits, int64_t depth, int64_t block) {
  return GetBlockKernel() != nullptr && (bits == 2 || bits == 4) && depth > 0 && block > 0 &&
         block <= kMaxBlock && block % kBlockStep == 0 && depth % block == 0;
}

std::shared_ptr<const BlockMatrix> BlockMatrix::Pack(const Source& source, ThreadPool* pool) {
  if (!Suits(source.bits, source.depth, source.block)) return nullptr;
  auto matrix = std::make_shared<BlockMatrix>();
  matrix->kernel_ = GetBlockKernel();
  matrix->units_ = source.units;
  matrix->depth_ = source.depth;
  matrix->block_ = source.block;
  matrix->blocks_ = source.depth / source.block;
  const int64_t lanes = matrix->kernel_->lanes;
  matrix->panels_ = CeilDiv(source.units, lanes);
  const int64_t padded = matrix->panels_ * lanes;
  const auto bytes = static_cast<size_t>(padded * source.depth / 2);
  matrix->nibbles_ = MakeAligned<uint8_t>(bytes);
  matrix->scales_ = MakeAligned<float>(static_cast<size_t>(padded * matrix->blocks_));
  matrix->zero_sums_ = MakeAligned<float>(static_cast<size_t>(padded));
  if (matrix->nibbles_ == nullptr || matrix->scales_ == nullptr || matrix->zero_sums_ == nullptr) {
    return nullptr;
  }
  TouchPages(matrix->nibbles_.get(), bytes);
  ParallelFor(pool, matrix->panels_, source.depth * lanes, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) matrix->PackPanel(source, panel);
  });
  return matrix;
}

// Lanes past the last unit have weights and scales of zero.
void BlockMatrix::PackPanel(const Source& source, int64_t panel) {
  const int64_t lanes = kernel_->lanes, block_steps = block_ / kBlockStep;
  uint8_t* const to = nibbles_.get() + panel * lanes * depth_ / 2;
  float* const scales = scales_.get() + panel * blocks_ * lanes;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    const int64_t unit = panel * lanes + lane;
    const bool there = unit < units_;
    const uint8_t* from = source.weights + unit * depth_ * source.bits / 8;
    double zero_sum = 0;
    for (int64_t block = 0; block < blocks_; ++block) {
      const float scale = there ? source.scale_of(unit, block) : 0;
      int32_t sum = 0;
      for (int64_t i = 0; i < block_steps; ++i) {
        uint8_t* step = to + ((block * block_steps + i) * lanes + lane) * kStepBytes;
        if (!there) {
          std::memset(step, kNibbleZero | kNibbleZero << 4, kStepBytes);
        } else if (source.bits == 4) {
          TakeNibbles(from, step);
        } else {
          TakePairs(from, step);
        }
        sum += StepSum(step);
        if (there) from += source.bits;
      }
      scales[block * lanes + lane] = scale;
      zero_sum += double{scale} * sum;
    }
    zero_sums_[unit] = static_cast<float>(zero_sum);
  }
}

void BlockMatrix::ArrangeRow(const int8_t* from, int8_t* to, int32_t* starts) const {
  for (int64_t i = 0; i < depth_; i += kBlockStep) {
    for (int64_t k = 0; k < kBlockStep / 2; ++k) {
      to[i + k] = from[i + 2 * k];
      to[i + kBlockStep / 2 + k] = from[i + 2 * k + 1];
    }
  }
  for (int64_t block = 0; block < blocks_; ++block) {
    int32_t sum = 0;
    for (int64_t i = 0; i < block_; ++i) sum += from[block * block_ + i];
    starts[block] = -kNibbleZero * sum;
  }
}

void BlockMatrix::MultiplyPanel(int64_t panel, const ByteRows& rows, const Arranged& arranged,
                                const float* bias, float low, float high, float* output) const {
  constexpr size_t kMaxSums = 128;
  std::array<float, kMaxSums> sums;
  const int64_t lanes = kernel_->lanes, first = panel * lanes;
  const int64_t units = std::min(lanes, units_ - first);
  for (int64_t row = 0; row < rows.count; row += kernel_->rows) {
    const int64_t some = std::min(kernel_->rows, rows.count - row);
    kernel_->run(some, {arranged.rows + row * depth_, depth_, arranged.starts + row * blocks_,
                        nibbles_.get() + first * depth_ / 2, scales_.get() + first * blocks_,
                        blocks_, block_ / kBlockStep, sums.data()});
    for (int64_t r = row; r < row + some; ++r) {
      const float* from = sums.data() + (r - row) * lanes;
      const auto zero = static_cast<float>(rows.zero_point[r]);
      float* to = output + r * units_ + first;
      for (int64_t u = 0; u < units; ++u) {
        float value = rows.scale[r] * (from[u] - zero * zero_sums_[first + u]);
        if (bias != nullptr) value += bias[first + u];
        to[u] = value < low ? low : (high < value ? high : value);
      }
    }
  }
}

bool BlockMatrix::Multiply(const ByteRows& rows, const float* bias, float low, float high,
                           float* output, ThreadPool* pool) const {
  const auto numbers = MakeAligned<int8_t>(static_cast<size_t>(rows.count * depth_));
  const auto starts = MakeAligned<int32_t>(static_cast<size_t>(rows.count * blocks_));
  if (numbers == nullptr || starts == nullptr) return false;
  ParallelFor(pool, rows.count, depth_, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      ArrangeRow(rows.numbers + row * depth_, numbers.get() + row * depth_,
                 starts.get() + row * blocks_);
    }
  });
  ParallelFor(pool, panels_, rows.count * depth_ * kernel_->lanes, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) {
      MultiplyPanel(panel, rows, {numbers.get(), starts.get()}, bias, low, high, output);
    }
  });
  return true;
}

}  // namespace tern
