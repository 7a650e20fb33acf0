// SPDX-License-Identifier: Apache-2.0
// The shapes of GATHER, for the CPU and the GPU form.
#ifndef TERN_OPS_GATHER_GATHER_RULES_H_
#define TERN_OPS_GATHER_GATHER_RULES_H_

#include <cstdint>

#include "base/shape_math.h"
#include "base/status.h"

namespace tern {

// The input is [batch, outer, axis, inner], the indices are [batch, count], and the output is
// [batch, outer, count, inner].
struct GatherShapes {
  Shape output;
  int64_t batch = 1, outer = 1, axis = 1, inner = 1, count = 1;
};

inline StatusOr<GatherShapes> GatherShapesOf(const Shape& input, const Shape& indices, int64_t axis,
                                             int64_t batch_dims) {
  TERN_ASSIGN_OR_RETURN(const size_t at, AxisOf(axis, input.size()));
  if (batch_dims < 0) batch_dims += static_cast<int64_t>(indices.size());
  const auto shared = static_cast<size_t>(batch_dims);
  if (batch_dims < 0 || shared > at || shared > indices.size()) {
    return Invalid("batch_dims is out of range (", batch_dims, ", axis ", at, ", index rank ",
                   indices.size(), ")");
  }
  GatherShapes s;
  for (size_t i = 0; i < input.size(); ++i) {
    if (i < shared && input[i] != indices[i]) {
      return Invalid("input and indices differ in axis ", i, " (", input[i], ", ", indices[i], ")");
    }
    (i < shared ? s.batch : i < at ? s.outer : i == at ? s.axis : s.inner) *= input[i];
  }
  s.output.assign(input.begin(), input.begin() + static_cast<long>(at));
  for (size_t i = shared; i < indices.size(); ++i) {
    s.count *= indices[i];
    s.output.push_back(indices[i]);
  }
  s.output.insert(s.output.end(), input.begin() + static_cast<long>(at) + 1, input.end());
  TERN_RETURN_IF_ERROR(CheckedElements(s.output).status());
  return s;
}

inline Status CheckIndex(int64_t index, int64_t size) {
  if (index >= 0 && index < size) return OkStatus();
  return Invalid("an index is out of range (", index, ", size ", size, ")");
}

// The number of the block that an index vector names along the first `depth` axes.
inline StatusOr<int64_t> RowAt(const int64_t* index, const Shape& shape, size_t depth) {
  int64_t row = 0;
  for (size_t i = 0; i < depth; ++i) {
    TERN_RETURN_IF_ERROR(CheckIndex(index[i], shape[i]));
    row = row * shape[i] + index[i];
  }
  return row;
}

}  // namespace tern

#endif  // TERN_OPS_GATHER_GATHER_RULES_H_
