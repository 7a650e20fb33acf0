// SPDX-License-Identifier: Apache-2.0
// A convolution as a product of matrices: the pixels that each result sums are laid side by side,
// some output pixels at a time, so that they stay in the cache. What lies so already is not moved.
#include "cpu/fast_conv.h"

#include <algorithm>
#include <atomic>

#include "cpu/float_depthwise.h"

namespace tern {
namespace {

// Bytes of rows that go through all panels before the next rows do.
constexpr int64_t kChunkBytes = 128 * 1024;
constexpr int64_t kMostRows = 512;
// Parts of the work per thread, so that one that is held up does not hold up the others.
constexpr int64_t kPartsPerThread = 4;
// A row whose operands lie in memory as they are needed reads its weights once: packing pays for
// more rows.
constexpr int64_t kRowsWorthPacking = 3;

// How the rows and panels of a product are shared out.
struct Split {
  int64_t row_parts, panel_parts;
};

Split SplitWork(int64_t groups, int64_t rows, int64_t depth, int64_t columns, int64_t panels,
                ThreadPool* pool) {
  const int64_t most = std::clamp<int64_t>(
      kChunkBytes / (std::max<int64_t>(depth, 1) * int64_t{sizeof(float)}), 12, kMostRows);
  Split split = {CeilDiv(rows, most), 1};
  if (pool == nullptr || rows * depth * columns * groups < kSmallWork * 4) return split;
  const int64_t wanted = kPartsPerThread * pool->threads();
  constexpr int64_t kFewestRows = 12;  // a few tiles, or panels are read for too little
  if (split.row_parts * groups < wanted) {
    split.row_parts = std::clamp(CeilDiv(rows, kFewestRows), split.row_parts, wanted);
  }
  if (split.row_parts * groups < wanted) {
    split.panel_parts = std::min(panels, CeilDiv(wanted, split.row_parts * groups));
  }
  return split;
}

// Runs part(group, first row, last row, first panel, last panel) over the whole product.
template <class Part>
void ForEachPart(const FloatMatrix& matrix, int64_t groups, int64_t rows, ThreadPool* pool,
                 const Part& part) {
  const auto panels = static_cast<int64_t>(matrix.panels().size());
  const Split split = SplitWork(groups, rows, matrix.depth(), matrix.columns(), panels, pool);
  const int64_t parts = groups * split.row_parts * split.panel_parts;
  const auto run = [&](int64_t i) {
    const int64_t p = i % split.panel_parts, r = i / split.panel_parts % split.row_parts;
    part(i / split.panel_parts / split.row_parts, r * rows / split.row_parts,
         (r + 1) * rows / split.row_parts, p * panels / split.panel_parts,
         (p + 1) * panels / split.panel_parts);
  };
  const bool small = rows * matrix.depth() * matrix.columns() * groups < kSmallWork * 4;
  if (pool == nullptr || small) {
    for (int64_t i = 0; i < parts; ++i) run(i);
  } else {
    pool->RunParts(parts, run);
  }
}

// The results of one call of RunConv.
struct ConvCall {
  const ConvShape& shape;
  const FloatMatrix& filter;
  const float* input;
  const FloatClamp& clamp;
  float* output;
};

// Some panels of a group.
struct Panels {
  int64_t group, first, last;
};

// The pixels [begin, end) by way of a copy; false when there is no memory.
bool ConvGathered(const ConvCall& c, const Panels& p, int64_t begin, int64_t end) {
  const int64_t depth = c.shape.Depth(), out = c.shape.OutChannels();
  const Scratch<float> rows(static_cast<size_t>((end - begin) * depth));
  if (rows.data() == nullptr) return false;
  GatherPixels(c.shape, c.input, p.group, begin, end - begin, 0.0f, rows.data(), depth);
  c.filter.Multiply(p.group, p.first, p.last, {end - begin, rows.data(), depth},
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
bool ConvWindows(const ConvCall& c, const Panels& p, int64_t begin, int64_t end) {
  const WindowAxis &height = c.shape.height, &width = c.shape.width;
  const int64_t depth = c.shape.group_in, out = c.shape.OutChannels();
  const auto [inside, outside] = width.Inside();
  for (int64_t pixel = begin; pixel < end;) {
    const int64_t x = pixel % width.out, row = pixel / width.out, y = row % height.out;
    const WindowAxis::Taps ys = height.TapsAt(y);
    const bool whole = ys.end - ys.begin == height.filter && inside < outside;
    const int64_t rest = std::min(end - pixel, width.out - x);
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
    c.filter.Multiply(0, p.first, p.last, rows, c.output + pixel * out, out, c.clamp);
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
  ForEachPart(filter, shape.groups, shape.OutPixels(), pool,
              [&](int64_t group, int64_t begin, int64_t end, int64_t first, int64_t last) {
                const Panels panels = {group, first, last};
                if (pointwise) {
                  filter.Multiply(group, first, last, {end - begin, input + begin * depth, depth},
                                  output + begin * out, out, clamp);
                } else if (!(windows ? ConvWindows(call, panels, begin, end)
                                     : ConvGathered(call, panels, begin, end))) {
                  enough_memory = false;
                }
              });
  return enough_memory;
}

bool FastConv::Pack(const FloatMatrix::Source& s, bool constant, ThreadPool* pool) {
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

bool FastConv::RunMatrix(const MatrixShape& shape, const FloatWeights& weights, const float* a,
                         const FloatClamp& clamp, float* output, ThreadPool* pool) {
  const FloatGemm* gemm = GetFloatGemm();
  if (gemm == nullptr) return false;
  const int64_t rows = shape.rows, depth = shape.depth, columns = shape.columns;
  if (!shape.transposed && rows < kRowsWorthPacking) {
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
  if (!Pack({weights.filter, weights.bias, 1, columns, depth, shape.transposed}, weights.constant,
            pool)) {
    return false;
  }
  ForEachPart(*matrix_, 1, rows, pool,
              [&](int64_t, int64_t begin, int64_t end, int64_t first, int64_t last) {
                matrix_->Multiply(0, first, last, {end - begin, a + begin * depth, depth},
                                  output + begin * columns, columns, clamp);
              });
  return true;
}

bool FastConv::Run(const ConvShape& shape, const FloatWeights& weights, const float* input,
                   const FloatClamp& clamp, float* output, ThreadPool* pool) {
  const FloatMatrix::Source source = {weights.filter,  weights.bias,  shape.groups,
                                      shape.group_out, shape.Depth(), false};
  return Pack(source, weights.constant, pool) &&
         RunConv(shape, *matrix_, input, clamp, output, pool);
}

bool FastConv::RunDepthwise(const ConvShape& shape, const FloatWeights& weights, const float* input,
                            const FloatClamp& clamp, float* output, ThreadPool* pool) {
  if (shape.groups > 1) {
    return RunFloatDepthwise(shape, weights.filter, weights.bias, input, clamp, output, pool);
  }
  // One input channel: a usual convolution, but that the filter lies the other way round.
  const FloatMatrix::Source source = {weights.filter,  weights.bias,  1,
                                      shape.group_out, shape.Depth(), true};
  return Pack(source, weights.constant, pool) &&
         RunConv(shape, *matrix_, input, clamp, output, pool);
}

}  // namespace tern
