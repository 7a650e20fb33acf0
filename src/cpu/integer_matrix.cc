// SPDX-License-Identifier: Apache-2.0
// Panels of weights, and the walk over tiles of rows and panels.
#include "cpu/integer_matrix.h"

#include <algorithm>
#include <array>

#include "base/window_axis.h"

namespace tern {
namespace {

// Bytes of rows that go through all panels before the next rows do.
constexpr int64_t kChunkBytes = 160 * 1024;
constexpr int64_t kPartsPerThread = 4;
// Below this many products a second thread costs more than it saves.
constexpr int64_t kSmallProduct = 512 * 1024;
// Products of 16-bit activations that surely fit 32 bits together.
constexpr int64_t kWideBlock = 508;
constexpr int64_t kMostTileRows = 16, kMostTileColumns = 64;

}  // namespace

std::shared_ptr<const IntegerMatrix> IntegerMatrix::Pack(const Source& source) {
  const IntegerKernels* kernels = GetIntegerKernels();
  if (kernels == nullptr) return nullptr;
  auto matrix = std::make_shared<IntegerMatrix>();
  matrix->kernel_ = source.shorts ? &kernels->shorts : &kernels->bytes;
  matrix->shorts_ = source.shorts;
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
  matrix->packed_ = MakeAligned<int8_t>(static_cast<size_t>(size * source.groups));
  if (matrix->packed_ == nullptr) return nullptr;
  matrix->sums_.assign(static_cast<size_t>(source.groups * source.columns), 0);
  for (int64_t g = 0; g < source.groups; ++g) {
    for (const Panel& panel : matrix->panels_) {
      int8_t* to = matrix->packed_.get() + g * size + panel.first * matrix->steps_ * group;
      matrix->PackPanel(source, g, panel, to);
    }
  }
  return matrix;
}

void IntegerMatrix::PackPanel(const Source& source, int64_t g, const Panel& panel,
                              int8_t* to) const {
  const int64_t group = kernel_->group, width = panel.vectors * kernel_->lanes;
  std::fill_n(to, steps_ * group * width, int8_t{0});
  const auto* from = static_cast<const uint8_t*>(source.weights);
  const auto flip = static_cast<uint8_t>(source.unsigned_weights ? 0x80 : 0);
  const int64_t row_step = source.transposed ? 1 : depth_;
  const int64_t step = source.transposed ? columns_ * groups_ : 1;
  for (int64_t c = 0; c < panel.columns; ++c) {
    const int64_t column = g * columns_ + panel.first + c;
    uint32_t sum = 0;
    for (int64_t k = 0; k < depth_; ++k) {
      const auto w = static_cast<int8_t>(from[column * row_step + k * step] ^ flip);
      to[(k / group * width + c) * group + k % group] = w;
      sum += static_cast<uint32_t>(int32_t{w});
    }
    const_cast<std::vector<int32_t>&>(sums_)[static_cast<size_t>(column)] =
        static_cast<int32_t>(sum);
  }
}

int64_t IntegerMatrix::RowStride() const {
  const int64_t stride = CeilDiv(std::max<int64_t>(depth_ * kernel_->row_bytes, 1), 32) * 32;
  return stride % 1024 == 0 ? stride + 64 : stride;  // rows of a tile lie in different cache sets
}

const int8_t* IntegerMatrix::PanelAt(int64_t group, int64_t panel) const {
  const Panel& last = panels_.back();
  const int64_t depth = steps_ * kernel_->group;
  const int64_t width = last.first + last.vectors * kernel_->lanes;
  return packed_.get() + (group * width + panels_[static_cast<size_t>(panel)].first) * depth;
}

void IntegerMatrix::MultiplyWide(IntegerTile tile, int64_t rows, const Panel& panel,
                                 int64_t* wide) const {
  static constexpr std::array<int32_t, kMostTileColumns> kZeros{};
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
                                  const int32_t* row_starts, const int32_t* column_starts,
                                  const StoreSums& store) const {
  alignas(64) int32_t sums[kMostTileRows * kMostTileColumns];
  alignas(64) int64_t wide[kMostTileRows * kMostTileColumns];
  const int64_t first_column = group * columns_ + panel.first;
  const int64_t tiles = CeilDiv(rows, kernel_->rows);
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t begin = t * rows / tiles, count = (t + 1) * rows / tiles - begin;
    const IntegerTile tile = {static_cast<const uint8_t*>(from.data) + begin * from.stride,
                              from.stride,
                              weights,
                              steps_,
                              column_starts + first_column,
                              row_starts + begin,
                              sums};
    if (shorts_) {
      MultiplyWide(tile, count, panel, wide);
    } else {
      kernel_->run(count, panel.vectors, tile);
    }
    store({shorts_ ? nullptr : sums, shorts_ ? wide : nullptr, panel.vectors * kernel_->lanes,
           first_row + begin, count, first_column, panel.columns});
  }
}

bool IntegerMatrix::Multiply(int64_t rows, const int32_t* column_starts, const GatherRows& gather,
                             const StoreSums& store, ThreadPool* pool) const {
  const auto panels = static_cast<int64_t>(panels_.size());
  const int64_t most_rows =
      std::clamp<int64_t>(kChunkBytes / RowStride() / kernel_->rows, 1, 32) * kernel_->rows;
  int64_t row_parts = CeilDiv(rows, most_rows), panel_parts = 1;
  const bool small = rows * columns_ * groups_ * depth_ < kSmallProduct;
  if (pool != nullptr && pool->threads() > 1 && !small) {
    const int64_t wanted = kPartsPerThread * pool->threads();
    if (row_parts * groups_ < wanted) {
      row_parts = std::clamp(CeilDiv(rows, kernel_->rows), row_parts, wanted);
    }
    if (row_parts * groups_ < wanted) {
      panel_parts = std::min(panels, CeilDiv(wanted, row_parts * groups_));
    }
  }
  bool enough_memory = true;
  const auto run = [&](int64_t part) {
    const int64_t p = part % panel_parts, r = part / panel_parts % row_parts;
    const int64_t group = part / panel_parts / row_parts;
    const int64_t begin = r * rows / row_parts, end = (r + 1) * rows / row_parts;
    std::array<int32_t, 32 * kMostTileRows> row_starts{};
    AlignedArray<uint8_t> scratch;
    const IntegerRows from = gather(group, begin, end - begin, scratch, row_starts.data());
    if (from.data == nullptr) {
      enough_memory = false;
      return;
    }
    for (int64_t i = p * panels / panel_parts; i < (p + 1) * panels / panel_parts; ++i) {
      MultiplyPanel(group, panels_[static_cast<size_t>(i)], PanelAt(group, i), begin, end - begin,
                    from, row_starts.data(), column_starts, store);
    }
  };
  const int64_t parts = groups_ * row_parts * panel_parts;
  if (pool == nullptr || small) {
    for (int64_t part = 0; part < parts; ++part) run(part);
  } else {
    pool->RunParts(parts, run);
  }
  return enough_memory;
}

}  // namespace tern
