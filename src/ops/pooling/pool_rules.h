// SPDX-License-Identifier: Apache-2.0
// The windows of poolings over images, for the CPU and the GPU form.
#ifndef TERN_OPS_POOLING_POOL_RULES_H_
#define TERN_OPS_POOLING_POOL_RULES_H_

#include "base/tensor/shape_math.h"
#include "ops/rules_kit/window_rules.h"

namespace tern {

// The window over an input of rank 4; its output is still open.
inline Window PoolWindowOf(const TfLitePoolParams& params, const Shape& input) {
  return {
      .height = {.in = input[1], .filter = params.filter_height, .stride = params.stride_height},
      .width = {.in = input[2], .filter = params.filter_width, .stride = params.stride_width}};
}

}  // namespace tern

#endif  // TERN_OPS_POOLING_POOL_RULES_H_
