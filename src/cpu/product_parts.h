// SPDX-License-Identifier: Apache-2.0
// How a product of matrices is shared between threads: by rows, and where these are few also by
// panels of columns. For src/cpu alone.
#ifndef TERN_CPU_PRODUCT_PARTS_H_
#define TERN_CPU_PRODUCT_PARTS_H_

#include <algorithm>
#include <cstdint>

#include "base/tensor/window_axis.h"
#include "cpu/thread_pool.h"

namespace tern {

struct ProductSize {
  int64_t groups, rows, depth, columns;  // columns of each group
  int64_t panels;                        // of each group's columns
  int64_t max_rows;                      // of a part, so that they stay in the cache
  int64_t tile_rows;                     // fewer rows make a part slow
  int64_t small;  // with fewer multiplications threads cost more than they save
};

// A part: rows [first_row, last_row) of a group times its panels [first_panel, last_panel).
struct ProductPart {
  int64_t group, first_row, last_row, first_panel, last_panel;
};

// Calls run(part) for parts that cover the whole product.
template <class Run>
void ForEachPart(const ProductSize& size, ThreadPool* pool, const Run& run) {
  // Some parts per thread, so that one that is held up does not hold up the others.
  constexpr int64_t kPartsPerThread = 4, kFewPartsPerThread = 2;
  const bool alone = pool == nullptr || pool->threads() == 1 ||
                     size.groups * size.rows * size.depth * size.columns < size.small;
  const int64_t min_parts = CeilDiv(size.rows, size.max_rows);
  int64_t row_parts = min_parts, panel_parts = 1;
  if (!alone) {
    const int64_t threads = pool->threads(), wanted = kPartsPerThread * threads;
    if (row_parts * size.groups < wanted) {
      // A tile that is two thirds full takes hardly longer for each row.
      const int64_t min_rows = CeilDiv(2 * size.tile_rows, 3);
      row_parts = std::clamp(size.rows / min_rows, min_parts, wanted);
    }
    // As many for each thread; then the next operator's rows lie where they were written, too.
    if (size.groups == 1 && row_parts > threads) {
      row_parts = row_parts / threads * threads;
      if (row_parts < min_parts) row_parts = std::min(size.rows, row_parts + threads);
    }
    // Each part gathers its rows again, so panels are shared only where rows are few.
    if (row_parts * size.groups < kFewPartsPerThread * threads) {
      panel_parts = std::min(size.panels, CeilDiv(wanted, row_parts * size.groups));
    }
  }
  const auto run_part = [&](int64_t i) {
    const int64_t p = i % panel_parts, r = i / panel_parts % row_parts;
    run(ProductPart{i / panel_parts / row_parts, r * size.rows / row_parts,
                    (r + 1) * size.rows / row_parts, p * size.panels / panel_parts,
                    (p + 1) * size.panels / panel_parts});
  };
  const int64_t parts = size.groups * row_parts * panel_parts;
  if (alone) {
    for (int64_t i = 0; i < parts; ++i) run_part(i);
  } else {
    pool->RunParts(parts, run_part);
  }
}

}  // namespace tern

#endif  // TERN_CPU_PRODUCT_PARTS_H_
