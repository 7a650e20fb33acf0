// SPDX-License-Identifier: Apache-2.0
// Float products: the pixels that each result sums are laid side by side, some output pixels at a
// time, so that they stay in the cache. Pixels that lie so already are not moved.
#include "cpu/matmul.h"

#include <algorithm>
#include <atomic>

#include "cpu/product_parts.h"

namespace tern {
namespace {

// Bytes of rows that go through all panels before the next rows do.
constexpr int64_t kChunkBytes = 128 * 1024;
constexpr int64_t kFewestRows = 12,
                  kMaxRows = 512;  // a few tiles, or panels are read for too little
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
          std::clamp(kChunkBytes / row_bytes, kFewestRows, kMaxRows),
          kFewestRows,
          kSmallWork * 4};
}

using FloatMatMul = MatMul<FloatMatrix>;

const float* DataOf(const LeftView& left) { return static_cast<const float*>(left.data); }

// A part of the product, whose rows from pixel `first` on lie in memory.
void MultiplyPart(const FloatMatMul& m, const ProductPart& p, int64_t first,
                  const FloatMatrix::Rows& rows) {
  float* to = static_cast<float*>(m.stage.output) + first * m.stage.columns +
              p.group * m.left.shape.group_out;
  m.right.Multiply(p.group, p.first_panel, p.last_panel, rows, to, m.stage.columns,
                   m.stage.float_range);
}

// The pixels [begin, end) by way of a copy; false when there is no memory.
bool MultiplyGathered(const FloatMatMul& m, const ProductPart& p, int64_t begin, int64_t end) {
  const int64_t depth = m.left.shape.Depth();
  const Scratch<float> rows(static_cast<size_t>((end - begin) * depth));
  if (rows.data() == nullptr) return false;
  GatherPixels(m.left.shape, DataOf(m.left), p.group, begin, end - begin, 0.0f, rows.data(), depth);
  MultiplyPart(m, p, begin, {end - begin, rows.data(), depth});
  return true;
}

// Whether it pays to read windows where they lie: rows of the image are long enough for tiles, and
// the copy would not be used for many columns.
bool ReadsWindows(const ConvShape& shape) {
  constexpr int64_t kLongRow = 24, kFewColumns = 128;
  return shape.groups == 1 && shape.width.dilation == 1 && shape.width.out >= kLongRow &&
         shape.group_out <= kFewColumns && shape.height.filter > 0 && shape.width.filter > 0;
}

// Reads pixels whose taps all lie inside the image where they are: each line of their windows is
// one run of numbers. Copies the others; false when there is no memory.
bool MultiplyWindows(const FloatMatMul& m, const ProductPart& p) {
  const WindowAxis &height = m.left.shape.height, &width = m.left.shape.width;
  const int64_t depth = m.left.shape.group_in;
  const auto [inside, outside] = width.Inside();
  for (int64_t pixel = p.first_row; pixel < p.last_row;) {
    const int64_t x = pixel % width.out, row = pixel / width.out, y = row % height.out;
    const WindowAxis::Taps ys = height.TapsAt(y);
    const bool whole = ys.end - ys.begin == height.filter && inside < outside;
    const int64_t rest = std::min(p.last_row - pixel, width.out - x);
    if (!whole || x < inside || x >= outside) {
      // Up to the next pixel inside, which may be in the next row.
      const int64_t count = !whole ? rest : x < inside ? std::min(rest, inside - x) : rest;
      if (!MultiplyGathered(m, p, pixel, pixel + count)) return false;
      pixel += count;
      continue;
    }
    const int64_t count = std::min(rest, outside - x);
    const int64_t line = (row / height.out * height.in + ys.position) * width.in;
    const float* from = DataOf(m.left) + (line + x * width.stride - width.pad_before) * depth;
    MultiplyPart(
        m, p, pixel,
        {count, from, width.stride * depth, height.filter, height.dilation * width.in * depth});
    pixel += count;
  }
  return true;
}

}  // namespace

template <>
bool MatMul<FloatMatrix>::Run(ThreadPool* pool) const {
  const ConvShape& shape = left.shape;
  const int64_t depth = shape.Depth();
  const bool pointwise = shape.IsPointwise(), windows = ReadsWindows(shape);
  std::atomic<bool> enough_memory = true;
  ForEachPart(SizeOf(right, shape.groups, shape.OutPixels()), pool, [&](const ProductPart& p) {
    const int64_t begin = p.first_row, end = p.last_row;
    if (pointwise) {
      MultiplyPart(*this, p, begin, {end - begin, DataOf(left) + begin * depth, depth});
    } else if (!(windows ? MultiplyWindows(*this, p) : MultiplyGathered(*this, p, begin, end))) {
      enough_memory = false;
    }
  });
  return enough_memory;
}

const FloatMatrix* FloatProduct::Get(const ConvShape& shape, const FloatWeights& weights,
                                     ThreadPool* pool) {
  const FloatMatrix::Source source = {weights.filter,  weights.bias,  shape.groups,
                                      shape.group_out, shape.Depth(), weights.transposed};
  const auto columns = static_cast<size_t>(shape.OutChannels());
  const WeightBytes bytes[] = {
      {source.columns, columns * static_cast<size_t>(source.depth) * sizeof(float)},
      {source.bias, source.bias == nullptr ? 0 : columns * sizeof(float)}};
  const int64_t parameters[] = {source.groups, source.columns_per_group, source.depth,
                                source.transposed ? 1 : 0};
  return matrix_.Get(weights.constant, bytes, parameters,
                     [&] { return FloatMatrix::Pack(source, pool); });
}

bool FloatProduct::Run(const LeftView& left, const FloatWeights& weights, const OutputStage& stage,
                       ThreadPool* pool) {
  const FloatMatrix* matrix = Get(left.shape, weights, pool);
  return matrix != nullptr && MatMul{left, *matrix, stage}.Run(pool);
}

bool FloatProduct::ReadsColumns(const ConvShape& shape, const FloatWeights& weights) {
  return !weights.transposed && shape.OutPixels() < kRowsWorthPacking;
}

bool FloatProduct::RunMatrix(const FloatMatrix* packed, const LeftView& left,
                             const FloatWeights& weights, const OutputStage& stage,
                             ThreadPool* pool) {
  if (packed != nullptr) return MatMul{left, *packed, stage}.Run(pool);
  const FloatGemm* gemm = GetFloatGemm();
  if (gemm == nullptr || weights.transposed) return false;
  const int64_t rows = left.shape.OutPixels(), depth = left.shape.Depth();
  ParallelFor(pool, stage.columns, rows * depth, [&](int64_t begin, int64_t end) {
    for (int64_t r = 0; r < rows; ++r) {
      float* to = static_cast<float*>(stage.output) + r * stage.columns;
      gemm->dots(DataOf(left) + r * depth, weights.filter + begin * depth, depth, depth,
                 end - begin, to + begin);
      for (int64_t n = begin; n < end; ++n) {
        to[n] = stage.float_range.Clamp(weights.bias == nullptr ? to[n] : to[n] + weights.bias[n]);
      }
    }
  });
  return true;
}

}  // namespace tern
