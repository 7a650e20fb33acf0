// SPDX-License-Identifier: Apache-2.0
// Panels of weights, and the walk over tiles of rows and panels.
#include "cpu/integer_matrix.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "base/tensor/window_axis.h"
#include "base/touch_pages.h"
#include "cpu/product_parts.h"

namespace tern {
namespace {

// Bytes of rows that go through all panels before the next rows do.
constexpr int64_t kChunkBytes = 160 * 1024;
// Below this many products a second thread costs more than it saves.
constexpr int64_t kSmallProduct = 512 * 1024;
// Products of 16-bit activations that surely fit 32 bits together.
constexpr int64_t kWideBlock = 508;
constexpr int64_t kMaxTileRows = 16, kMaxTileColumns = 64, kMaxTiles = 32;

// Column c's number k lies at c * column_step + k * step.
struct Columns {
  const uint8_t* weights;
  int64_t column_step, step, count, depth;
  uint8_t flip;  // takes 128 from UINT8
};

// Lays `group` numbers of each column side by side, and these `width` columns wide; adds up each
// column. One cache line of each column at a time, so that what is written stays in the cache, and
// the next one is asked for, because no processor foresees such steps.
template <int64_t group>
void PackColumns(const Columns& columns, int64_t width, int8_t* to, int32_t* sums) {
  constexpr int64_t kBlock = 64;
  for (int64_t begin = 0; begin < columns.depth; begin += kBlock) {
    const int64_t end = std::min(columns.depth, begin + kBlock);
    for (int64_t c = 0; c < columns.count; ++c) {
      const uint8_t* from = columns.weights + c * columns.column_step + begin * columns.step;
      if (columns.step == 1 && end < columns.depth) __builtin_prefetch(from + kBlock);
      int8_t* at = to + (begin / group * width + c) * group;
      auto sum = static_cast<uint32_t>(sums[c]);
      for (int64_t k = begin; k < end; k += group, at += width * group) {
        const int64_t count = std::min(group, end - k);
        for (int64_t i = 0; i < count; ++i, from += columns.step) {
          at[i] = static_cast<int8_t>(*from ^ columns.flip);
          sum += static_cast<uint32_t>(int32_t{at[i]});
        }
      }
      sums[c] = static_cast<int32_t>(sum);
    }
  }
}

}  // namespace

std::shared_ptr<const IntegerMatrix> IntegerMatrix::Pack(const Source& source, ThreadPool* pool) {
  const IntegerKernels* kernels = GetIntegerKernels();
  if (kernels == nullptr) return nullptr;
  auto matrix = std::make_shared<IntegerMatrix>();
  matrix->kernel_ = source.shorts ? &kernels->shorts : &kernels->bytes;
  matrix->shorts_ = source.shorts;
  matrix->zero_point_ = source.zero_point - (source.unsigned_weights ? 128 : 0);
  matrix->groups_ = source.groups;
  matrix->columns_ = source.columns;
  matrix->depth_ = source.depth;
  const int64_t group = matrix->kernel_->group, lanes = matrix->kernel_->lanes;
  matrix->steps_ = CeilDiv(source.depth, group);
  for (int64_t first = 0; first < source.columns; first += 2 * lanes) {
    const int64_t columns = std::min(2 * lanes, source.columns - first);
    matrix->panels_.push_back({first, columns, columns > lanes ? 2 : 1});
  }
  const Panel& last = matrix->panels_.back();
  const int64_t width = last.first + last.vectors * lanes;
  const int64_t size = matrix->steps_ * group * width;
  const auto bytes = static_cast<size_t>(size * source.groups);
  matrix->packed_ = MakeAligned<int8_t>(bytes);
  if (matrix->packed_ == nullptr) return nullptr;
  TouchPages(matrix->packed_.get(), bytes);
  matrix->sums_.assign(static_cast<size_t>(source.groups * source.columns), 0);
  const auto panels = static_cast<int64_t>(matrix->panels_.size());
  ParallelFor(pool, source.groups * panels, source.depth * lanes, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) matrix->PackPanel(source, i / panels, i % panels);
  });
  return matrix;
}

void IntegerMatrix::PackPanel(const Source& source, int64_t g, int64_t index) {
  const Panel& panel = panels_[static_cast<size_t>(index)];
  const int64_t group = kernel_->group, width = panel.vectors * kernel_->lanes;
  const int64_t first = g * columns_ + panel.first;
  Columns columns{};
  columns.column_step = source.transposed ? 1 : depth_;
  columns.step = source.transposed ? columns_ * groups_ : 1;
  columns.weights = static_cast<const uint8_t*>(source.weights) + first * columns.column_step;
  columns.count = panel.columns;
  columns.depth = depth_;
  columns.flip = source.unsigned_weights ? 0x80 : 0;
  int8_t* to = PanelAt(g, index);
  if (panel.columns < width || depth_ % group != 0) {
    std::fill_n(to, steps_ * group * width, int8_t{0});
  }
  (group == 4 ? PackColumns<4> : PackColumns<2>)(columns, width, to, sums_.data() + first);
}

int64_t IntegerMatrix::RowStride() const {
  const int64_t stride = CeilDiv(std::max<int64_t>(depth_ * kernel_->row_bytes, 1), 32) * 32;
  return stride % 1024 == 0 ? stride + 64 : stride;  // rows of a tile lie in different cache sets
}

int8_t* IntegerMatrix::PanelAt(int64_t group, int64_t panel) const {
  const Panel& last = panels_.back();
  const int64_t depth = steps_ * kernel_->group;
  const int64_t width = last.first + last.vectors * kernel_->lanes;
  return packed_.get() + (group * width + panels_[static_cast<size_t>(panel)].first) * depth;
}

void IntegerMatrix::MultiplyWide(IntegerTile tile, int64_t rows, const Panel& panel,
                                 int64_t* wide) const {
  static constexpr std::array<int32_t, kMaxTileColumns> kZeros{};
  const int64_t width = panel.vectors * kernel_->lanes;
  const int64_t all = tile.groups, block = kWideBlock / kernel_->group;
  const auto* row = static_cast<const uint8_t*>(tile.rows);
  std::fill_n(wide, rows * width, int64_t{0});
  tile.column = tile.row = kZeros.data();
  for (int64_t done = 0; done < all; done += block) {
    tile.groups = std::min(block, all - done);
    tile.rows = row + done * kernel_->group * kernel_->row_bytes;
    kernel_->run(rows, panel.vectors, tile);
    for (int64_t i = 0; i < rows * width; ++i) wide[i] += tile.sums[i];
    tile.panel += tile.groups * kernel_->group * width;
  }
}

void IntegerMatrix::MultiplyPanel(int64_t group, const Panel& panel, const int8_t* weights,
                                  int64_t first_row, int64_t rows, const IntegerRows& from,
                                  const int32_t* row_starts, const OutputStage& stage) const {
  alignas(64) int32_t sums[kMaxTileRows * kMaxTileColumns];
  alignas(64) int64_t wide[kMaxTileRows * kMaxTileColumns];
  const int64_t first_column = group * columns_ + panel.first;
  const int64_t tiles = CeilDiv(rows, kernel_->rows);
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t begin = t * rows / tiles, count = (t + 1) * rows / tiles - begin;
    const IntegerTile tile = {static_cast<const uint8_t*>(from.data) + begin * from.stride,
                              from.stride,
                              weights,
                              steps_,
                              stage.starts + first_column,
                              row_starts + begin,
                              sums};
    const auto block = [&]<class Sum>(const Sum* all) {
      return SumBlock<Sum>{
          all,          panel.vectors * kernel_->lanes, first_row + begin, count, first_column,
          panel.columns};
    };
    if (shorts_) {
      MultiplyWide(tile, count, panel, wide);
      stage.Store(block(wide));
    } else {
      kernel_->run(count, panel.vectors, tile);
      stage.Store(block(sums));
    }
  }
}

bool IntegerMatrix::Multiply(int64_t rows, GatherRows gather, int64_t scratch_bytes,
                             const OutputStage& stage, ThreadPool* pool) const {
  const int64_t max_tiles =
      std::clamp<int64_t>(kChunkBytes / RowStride() / kernel_->rows, 1, kMaxTiles);
  const ProductSize size = {groups_,
                            rows,
                            depth_,
                            columns_,
                            static_cast<int64_t>(panels_.size()),
                            max_tiles * kernel_->rows,
                            kernel_->rows,
                            kSmallProduct};
  std::atomic<bool> enough_memory = true;
  ForEachPart(size, pool, [&](const ProductPart& part) {
    const int64_t count = part.last_row - part.first_row;
    std::array<int32_t, kMaxTiles * kMaxTileRows> row_starts{};
    const Scratch<uint8_t> scratch(static_cast<size_t>(count * scratch_bytes));
    if (scratch_bytes > 0 && scratch.data() == nullptr) {
      enough_memory = false;
      return;
    }
    const IntegerRows from =
        gather(part.group, part.first_row, count, scratch.data(), row_starts.data());
    for (int64_t i = part.first_panel; i < part.last_panel; ++i) {
      MultiplyPanel(part.group, panels_[static_cast<size_t>(i)], PanelAt(part.group, i),
                    part.first_row, count, from, row_starts.data(), stage);
    }
  });
  return enough_memory;
}

}  // namespace tern
