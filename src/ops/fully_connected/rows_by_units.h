// SPDX-License-Identifier: Apache-2.0
// The sizes of a product of rows with weights.
#ifndef TERN_OPS_FULLY_CONNECTED_ROWS_BY_UNITS_H_
#define TERN_OPS_FULLY_CONNECTED_ROWS_BY_UNITS_H_

#include <cstdint>

#include "cpu/thread_pool.h"

namespace tern {

struct RowsByUnits {
  int64_t rows = 0, depth = 0, units = 0;

  // Calls function(row, unit, position in the output); a unit's weights stay near for all rows.
  template <class F>
  void ForEach(ThreadPool* pool, const F& function) const {
    ParallelFor(pool, units, rows * depth, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        for (int64_t row = 0; row < rows; ++row) function(row, unit, row * units + unit);
      }
    });
  }
};

}  // namespace tern

#endif  // TERN_OPS_FULLY_CONNECTED_ROWS_BY_UNITS_H_
