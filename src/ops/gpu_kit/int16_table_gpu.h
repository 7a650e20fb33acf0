// SPDX-License-Identifier: Apache-2.0
// A table of INT16 results as a constant.
#ifndef TERN_OPS_GPU_KIT_INT16_TABLE_GPU_H_
#define TERN_OPS_GPU_KIT_INT16_TABLE_GPU_H_

#include <cstddef>
#include <vector>

#include "ops/rules_kit/int16_table.h"

namespace tern::gpu {

// A slice for each of the 512 pieces: the result at its begin in lane 0, in lane 1 how much more it
// is at its end.
inline std::vector<float> TableSlices(const Int16Table& table, int slice_width) {
  const size_t width = static_cast<size_t>(slice_width);
  std::vector<float> values((table.size() - 1) * width, 0.0f);
  for (size_t i = 0; i + 1 < table.size(); ++i) {
    values[i * width] = table[i];
    values[i * width + 1] = static_cast<float>(table[i + 1] - table[i]);
  }
  return values;
}

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_INT16_TABLE_GPU_H_
