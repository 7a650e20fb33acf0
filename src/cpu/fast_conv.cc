// SPDX-License-Identifier: Apache-2.0
// A convolution as a product of matrices: the pixels that each result sums are laid side by side,
// some output pixels at a time, so that they stay in the cache. Pixels that lie so already are not
// moved.
#include "cpu/fast_conv.h"

#include <algorithm>
#include <atomic>

#include "cpu/float_depthwise.h"
#include "cpu/product_parts.h"

namespace tern {
namespace {

// Bytes of rows that go through all panels before the next rows do.
constexpr int64_t kChunkBytes = 128 * 1024;
constexpr int64_t kFewestRows = 12,
                  kMostRows = 512;  // a few tiles, or panels are read for too little
// A row whose operands lie in memory as they are needed reads its weights once: packing pays for
// more rows.
constexpr int64_t kRowsWorthPacking = 3;

// The product of `rows` rows by each group of a matrix.
ProductSize SizeOf(const FloatMatrix& matrix, int64_t groups, int64_t rows) {
  const int64_t row_bytes = std::max<int64_t>(matrix.depth(), 1) * int64_t{sizeof(float)};
  return {groups,
          rows,
          matrix.depth(),
          matrix.columns(),
          static_cast<int64_t>(matrix.panels().size()),
          std::clamp(kChunkBytes / row_bytes, kFewestRows, kMostRows),
          kFewestRows,
          kSmallWork * 4};
}

// Whether a product reads its columns as they lie.
bool ReadsColumns(const FastConv::MatrixShape& shape) {
  return !shape.transposed && shape.rows < kRowsWorthPacking;
}

// The results of one call of RunConv.
struct ConvCall {
  const ConvShape& shape;
  const FloatMatrix& filter;
  const float* input;
  const FloatClamp& clamp;
  float* output;
};

// The pixels [begin, end) by way of a copy; false when there is no memory.
bool ConvGathered(const ConvCall& c, const ProductPart& p, int64_t begin, int64_t end) {
  const int64_t depth = c.shape.Depth(), out = c.shape.OutChannels();
  const Scratch<float> rows(static_cast<size_t>((end - begin) * depth));
  if (rows.data() == nullptr) return false;
  GatherPixels(c.shape, c.input, p.group, begin, end - begin, 0.0f, rows.data(), depth);
  c.filter.Multiply(p.group, p.first_panel, p.last_panel, {end - begin, rows.data(), depth},
                    c.output + begin * out + p.group * c.shape.group_out, out, c.clamp);
  return true;
}

// Whether it pays to read windows where they lie: rows of the image are long enough for tiles, and
// the copy would not be used for many columns.
bool ReadsWindows(const ConvShape& shape) {
  constexpr int64_t kLongRow = 24, kFewColumns = 128;
  return shape.groups == 1 && shape.width.dilation == 1 && shape.width.out >= kLongRow &&
         shape.group_out <= kFewColumns && shape.height.filter > 0 && shape.width.filter > 0;
}

// The same, but pixels whose taps all lie inside the image are read where they are: each line of
// their windows is one run of numbers.
bool ConvWindows(const ConvCall& c, const ProductPart& p) {
  const WindowAxis &height = c.shape.height, &width = c.shape.width;
  const int64_t depth = c.shape.group_in, out = c.shape.OutChannels();
  const auto [inside, outside] = width.Inside();
  for (int64_t pixel = p.first_row; pixel < p.last_row;) {
    const int64_t x = pixel % width.out, row = pixel / width.out, y = row % height.out;
    const WindowAxis::Taps ys = height.TapsAt(y);
    const bool whole = ys.end - ys.begin == height.filter && inside < outside;
    const int64_t rest = std::min(p.last_row - pixel, width.out - x);
    if (!whole || x < inside || x >= outside) {
      // Up to the next pixel inside, which may be in the next row.
      const int64_t count = !whole ? rest : x < inside ? std::min(rest, inside - x) : rest;
      if (!ConvGathered(c, p, pixel, pixel + count)) return false;
      pixel += count;
      continue;
    }
    const int64_t count = std::min(rest, outside - x);
    const int64_t line = (row / height.out * height.in + ys.position) * width.in;
    const float* from = c.input + (line + x * width.stride - width.pad_before) * depth;
    const FloatMatrix::Rows rows = {count, from, width.stride * depth, height.filter,
                                    height.dilation * width.in * depth};
    c.filter.Multiply(0, p.first_panel, p.last_panel, rows, c.output + pixel * out, out, c.clamp);
    pixel += count;
  }
  return true;
}

}  // namespace

bool RunConv(const ConvShape& shape, const FloatMatrix& filter, const float* input,
             const FloatClamp& clamp, float* output, ThreadPool* pool) {
  const int64_t depth = shape.Depth(), out = shape.OutChannels();
  const ConvCall call = {shape, filter, input, clamp, output};
  const bool pointwise = shape.IsPointwise(), windows = ReadsWindows(shape);
  std::atomic<bool> enough_memory = true;
  ForEachPart(SizeOf(filter, shape.groups, shape.OutPixels()), pool, [&](const ProductPart& p) {
    const int64_t begin = p.first_row, end = p.last_row;
    if (pointwise) {
      filter.Multiply(p.group, p.first_panel, p.last_panel,
                      {end - begin, input + begin * depth, depth}, output + begin * out, out,
                      clamp);
    } else if (!(windows ? ConvWindows(call, p) : ConvGathered(call, p, begin, end))) {
      enough_memory = false;
    }
  });
  return enough_memory;
}

bool DotColumns(const float* a, const float* columns, int64_t depth, int64_t count, float* sums) {
  const FloatGemm* gemm = GetFloatGemm();
  if (gemm != nullptr) gemm->dots(a, columns, depth, depth, count, sums);
  return gemm != nullptr;
}

bool FastConv::PackSource(const FloatMatrix::Source& s, bool constant, ThreadPool* pool) {
  const FloatMatrix::Source& p = packed_;
  if (matrix_ != nullptr && constant && s.columns == p.columns && s.bias == p.bias &&
      s.groups == p.groups && s.columns_per_group == p.columns_per_group && s.depth == p.depth &&
      s.transposed == p.transposed) {
    return true;
  }
  packed_ = s;
  matrix_ = constant ? FloatMatrix::Shared(s, pool) : FloatMatrix::Pack(s, pool);
  return matrix_ != nullptr;
}

bool FastConv::PackMatrix(const MatrixShape& shape, const FloatWeights& weights, ThreadPool* pool) {
  if (ReadsColumns(shape)) return true;
  return PackSource({weights.filter, weights.bias, 1, shape.columns, shape.depth, shape.transposed},
                    weights.constant, pool);
}

bool FastConv::RunMatrix(const MatrixShape& shape, const FloatWeights& weights, const float* a,
                         const FloatClamp& clamp, float* output, ThreadPool* pool) {
  const FloatGemm* gemm = GetFloatGemm();
  if (gemm == nullptr) return false;
  const int64_t rows = shape.rows, depth = shape.depth, columns = shape.columns;
  if (ReadsColumns(shape)) {
    ParallelFor(pool, columns, rows * depth, [&](int64_t begin, int64_t end) {
      for (int64_t r = 0; r < rows; ++r) {
        float* to = output + r * columns;
        gemm->dots(a + r * depth, weights.filter + begin * depth, depth, depth, end - begin,
                   to + begin);
        for (int64_t n = begin; n < end; ++n) {
          const float sum = weights.bias == nullptr ? to[n] : to[n] + weights.bias[n];
          to[n] = sum < clamp.min ? clamp.min : (clamp.max < sum ? clamp.max : sum);
        }
      }
    });
    return true;
  }
  if (!PackMatrix(shape, weights, pool)) return false;
  ForEachPart(SizeOf(*matrix_, 1, rows), pool, [&](const ProductPart& p) {
    const int64_t begin = p.first_row, end = p.last_row;
    matrix_->Multiply(0, p.first_panel, p.last_panel, {end - begin, a + begin * depth, depth},
                      output + begin * columns, columns, clamp);
  });
  return true;
}

bool FastConv::Pack(const ConvShape& shape, const FloatWeights& weights, ThreadPool* pool) {
  return PackSource(
      {weights.filter, weights.bias, shape.groups, shape.group_out, shape.Depth(), false},
      weights.constant, pool);
}

bool FastConv::Run(const ConvShape& shape, const FloatWeights& weights, const float* input,
                   const FloatClamp& clamp, float* output, ThreadPool* pool) {
  return Pack(shape, weights, pool) && RunConv(shape, *matrix_, input, clamp, output, pool);
}

// Several input channels need no packing. With one it is a usual convolution, but that the filter
// lies the other way round.
bool FastConv::PackDepthwise(const ConvShape& shape, const FloatWeights& weights,
                             ThreadPool* pool) {
  if (shape.groups > 1) return true;
  return PackSource({weights.filter, weights.bias, 1, shape.group_out, shape.Depth(), true},
                    weights.constant, pool);
}

bool FastConv::RunDepthwise(const ConvShape& shape, const FloatWeights& weights, const float* input,
                            const FloatClamp& clamp, float* output, ThreadPool* pool) {
  if (shape.groups > 1) {
    return RunFloatDepthwise(shape, weights.filter, weights.bias, input, clamp, output, pool);
  }
  return PackDepthwise(shape, weights, pool) &&
         RunConv(shape, *matrix_, input, clamp, output, pool);
}

}  // namespace tern
