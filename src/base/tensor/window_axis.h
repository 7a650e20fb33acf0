// SPDX-License-Identifier: Apache-2.0
// One axis of a sliding window: of a convolution, a pooling, or of anything that walks like them.
#ifndef TERN_BASE_TENSOR_WINDOW_AXIS_H_
#define TERN_BASE_TENSOR_WINDOW_AXIS_H_

#include <algorithm>
#include <cstdint>

namespace tern {

inline int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

struct WindowAxis {
  int64_t in = 0, filter = 1, stride = 1, dilation = 1;
  int64_t out = 0;
  int64_t pad_before = 0, pad_after = 0;

  bool operator==(const WindowAxis&) const = default;

  // Distance from the first to one past the last tap.
  int64_t Extent() const { return (filter - 1) * dilation + 1; }

  struct Taps {
    int64_t begin, end;  // indices of the filter taps that fall inside the input
    int64_t position;    // input position of tap `begin`
  };
  Taps TapsAt(int64_t output_position) const {
    const int64_t start = output_position * stride - pad_before;
    const int64_t begin = start < 0 ? CeilDiv(-start, dilation) : 0;
    const int64_t end = start < in ? std::min(filter, CeilDiv(in - start, dilation)) : 0;
    return {begin, std::max(begin, end), start + begin * dilation};
  }

  struct Span {
    int64_t begin, end;
  };
  // The output positions whose taps all lie inside the input.
  Span Inside() const {
    const int64_t reach = in + pad_before - Extent();
    const int64_t begin = std::clamp<int64_t>(CeilDiv(pad_before, stride), 0, out);
    return {begin, reach < 0 ? begin : std::clamp(reach / stride + 1, begin, out)};
  }
};

}  // namespace tern

#endif  // TERN_BASE_TENSOR_WINDOW_AXIS_H_
