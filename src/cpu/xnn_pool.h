// SPDX-License-Identifier: Apache-2.0
// Float pooling by XNNPACK. Tensors are NHWC.
#ifndef TERN_CPU_XNN_POOL_H_
#define TERN_CPU_XNN_POOL_H_

#include <cstdint>

#include "cpu/xnn_op.h"

namespace tern {

struct XnnPoolParams {
  bool average = false;  // otherwise: maximum
  uint32_t window_height = 1, window_width = 1;
  uint32_t stride_height = 1, stride_width = 1;
  size_t channels = 1;
  uint32_t pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
  float min = 0, max = 0;

  bool operator==(const XnnPoolParams&) const = default;
};

XnnOp CreateXnnPool(const XnnPoolParams& params);

// False when XNNPACK fails; output is then undefined.
bool RunXnnPool(XnnOp& op, bool average, int64_t batch, int64_t height, int64_t width,
                const float* input, float* output, ThreadPool* pool);

}  // namespace tern

#endif  // TERN_CPU_XNN_POOL_H_
