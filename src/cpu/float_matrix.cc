// SPDX-License-Identifier: Apache-2.0
// Packing into panels, and tiles of a product over them.
#include "cpu/float_matrix.h"

#include <algorithm>

#include "base/tensor/window_axis.h"
#include "base/touch_pages.h"

namespace tern {
namespace {

// Rows this many bytes apart fall into the same few lines of a cache. Kernels of many rows are left
// out then.
constexpr int64_t kAliasBytes = 4096;
constexpr int kFewRows = 8;

bool RowsAlias(int64_t depth) { return depth * int64_t{sizeof(float)} % kAliasBytes == 0; }

}  // namespace

// The widest panel that has not a whole narrow one too many, again and again.
bool FloatMatrix::Layout(const Source& source) {
  gemm_ = GetFloatGemm();
  if (gemm_ == nullptr) return false;
  columns_ = source.columns_per_group;
  depth_ = source.depth;
  const int64_t narrowest = gemm_->panels[gemm_->panel_kinds - 1].width;
  int64_t first = 0;
  while (first < columns_) {
    const int64_t left = columns_ - first;
    int kind = 0;
    while (gemm_->panels[kind].width > CeilDiv(left, narrowest) * narrowest) ++kind;
    const int64_t width = gemm_->panels[kind].width;
    panels_.push_back({kind, first, std::min(left, width), group_size_});
    group_size_ += width * (depth_ + 1);
    first += width;
  }
  const auto size = static_cast<size_t>(group_size_ * source.groups);
  values_ = MakeAligned<float>(size);
  if (values_ != nullptr) TouchPages(values_.get(), size * sizeof(float));
  return values_ != nullptr;
}

void FloatMatrix::Fill(const Source& source, int64_t group, const Panel& panel) {
  const int64_t width = gemm_->panels[panel.kind].width;
  const int64_t first = group * columns_ + panel.first;
  float* to = values_.get() + group * group_size_ + panel.offset;
  for (int64_t n = 0; n < width; ++n) {
    to[n] = n < panel.columns && source.bias != nullptr ? source.bias[first + n] : 0.0f;
  }
  to += width;
  if (source.transposed) {
    for (int64_t k = 0; k < depth_; ++k, to += width) {
      std::copy_n(source.columns + k * columns_ + first, panel.columns, to);
      std::fill_n(to + panel.columns, width - panel.columns, 0.0f);
    }
    return;
  }
  // Some of the depth at a time, so that what is written stays in the cache while columns go by:
  // one cache line of each column, and the next one is asked for, because no processor foresees
  // such steps.
  constexpr int64_t kBlock = 16;
  for (int64_t begin = 0; begin < depth_; begin += kBlock) {
    const int64_t end = std::min(depth_, begin + kBlock);
    for (int64_t n = 0; n < panel.columns; ++n) {
      const float* from = source.columns + (first + n) * depth_;
      if (end < depth_) __builtin_prefetch(from + end);
      for (int64_t k = begin; k < end; ++k) to[k * width + n] = from[k];
    }
    for (int64_t k = begin; k < end; ++k) {
      std::fill_n(to + k * width + panel.columns, width - panel.columns, 0.0f);
    }
  }
}

std::shared_ptr<const FloatMatrix> FloatMatrix::Pack(const Source& source, ThreadPool* pool) {
  auto matrix = std::make_shared<FloatMatrix>();
  if (!matrix->Layout(source)) return nullptr;
  const auto panels = static_cast<int64_t>(matrix->panels_.size());
  if (panels == 0) return matrix;
  const int64_t cost = source.depth * matrix->gemm_->panels[0].width;
  ParallelFor(pool, source.groups * panels, cost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      matrix->Fill(source, i / panels, matrix->panels_[static_cast<size_t>(i % panels)]);
    }
  });
  return matrix;
}

void FloatMatrix::Multiply(int64_t group, int64_t first_panel, int64_t last_panel, const Rows& a,
                           float* c, int64_t c_stride, const FloatRange& clamp) const {
  const float* values = values_.get() + group * group_size_;
  FloatTile tile{};
  tile.depth = depth_ / a.segments;
  tile.segments = a.segments;
  tile.a_stride = a.stride;
  tile.segment_stride = a.segment_stride;
  tile.c_stride = c_stride;
  tile.min = clamp.min;
  tile.max = clamp.max;
  for (int64_t i = first_panel; i < last_panel; ++i) {
    const Panel& panel = panels_[static_cast<size_t>(i)];
    const FloatPanelKernels& kernels = gemm_->panels[panel.kind];
    const int max = RowsAlias(a.stride) ? std::min(kernels.rows, kFewRows) : kernels.rows;
    tile.panel = values + panel.offset;
    tile.columns = panel.columns;
    // Tiles of about the same height.
    const int64_t tiles = CeilDiv(a.count, max);
    for (int64_t t = 0; t < tiles; ++t) {
      const int64_t begin = t * a.count / tiles, end = (t + 1) * a.count / tiles;
      tile.a = a.data + begin * a.stride;
      tile.c = c + begin * c_stride + panel.first;
      kernels.compute[end - begin - 1](tile);
    }
  }
}

}  // namespace tern
