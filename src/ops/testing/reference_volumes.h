// SPDX-License-Identifier: Apache-2.0
// CONV_3D, CONV_3D_TRANSPOSE, RESIZE_NEAREST_NEIGHBOR and what L2_POOL_2D adds to a mean, on values
// with error bounds.
#ifndef TERN_OPS_TESTING_REFERENCE_VOLUMES_H_
#define TERN_OPS_TESTING_REFERENCE_VOLUMES_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "ops/testing/reference_tensor.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

// How positions of the side that the filter slides over (`large`) follow from those of the other.
struct VolumeAxis {
  int64_t stride, dilation, pad;

  static VolumeAxis Of(bool same, int64_t large, int64_t small, int64_t filter, int64_t stride,
                       int64_t dilation) {
    const int64_t reach = (filter - 1) * dilation + 1;
    const int64_t total = std::max<int64_t>((small - 1) * stride + reach - large, 0);
    return {stride, dilation, same ? total / 2 : 0};
  }
  int64_t Large(int64_t small, int64_t tap) const { return small * stride - pad + tap * dilation; }
};

inline RefTensor Squares(RefTensor t) {
  for (size_t i = 0; i < t.value.size(); ++i) {
    t.error[i] *= 2 * std::fabs(t.value[i]) + t.error[i];
    t.value[i] *= t.value[i];
  }
  return t;
}

// Of numbers that are not negative.
inline void TakeRoots(const Rounding& rounding, RefTensor& t) {
  for (size_t i = 0; i < t.value.size(); ++i) {
    const double root = std::sqrt(t.value[i]);
    t.error[i] = std::max(std::sqrt(t.value[i] + t.error[i]) - root,
                          root - std::sqrt(std::max(t.value[i] - t.error[i], 0.0)));
    t.error[i] += 8 * rounding.arithmetic * root;
    t.value[i] = root;
  }
}

// Filter [kd, kh, kw, in, out], or [kd, kh, kw, out, in] when transposed.
inline void VolumeConvolution(const RefTensor& in, const RefTensor& filter, const RefTensor* bias,
                              const tflite::Conv3DOptionsT& o, bool transposed,
                              const Rounding& rounding, RefTensor& out) {
  const RefTensor &large = transposed ? out : in, &small = transposed ? in : out;
  const int64_t strides[] = {o.stride_d, o.stride_h, o.stride_w};
  const int64_t dilations[] = {o.dilation_d_factor, o.dilation_h_factor, o.dilation_w_factor};
  std::array<VolumeAxis, 3> axes{};
  for (int i = 0; i < 3; ++i) {
    axes[i] = VolumeAxis::Of(o.padding == tflite::Padding_SAME, large.shape[i + 1],
                             small.shape[i + 1], filter.shape[i], strides[i], dilations[i]);
  }
  const auto position = [](const RefTensor& t, int64_t b, const int64_t* at) {
    return ((b * t.shape[1] + at[0]) * t.shape[2] + at[1]) * t.shape[3] + at[2];
  };
  std::vector<RefSum> sums(out.value.size());
  const int64_t taps = filter.shape[0] * filter.shape[1] * filter.shape[2];
  const int64_t places = small.shape[1] * small.shape[2] * small.shape[3];
  const int64_t from_channels = in.shape[4], to_channels = out.shape[4];
  for (int64_t b = 0; b < small.shape[0]; ++b) {
    for (int64_t i = 0; i < places * taps; ++i) {
      const int64_t place = i / taps, tap = i % taps;
      const int64_t s[] = {place / small.shape[3] / small.shape[2],
                           place / small.shape[3] % small.shape[2], place % small.shape[3]};
      const int64_t k[] = {tap / filter.shape[2] / filter.shape[1],
                           tap / filter.shape[2] % filter.shape[1], tap % filter.shape[2]};
      int64_t l[3];
      bool inside = true;
      for (int a = 0; a < 3; ++a) {
        l[a] = axes[a].Large(s[a], k[a]);
        inside = inside && l[a] >= 0 && l[a] < large.shape[a + 1];
      }
      if (!inside) continue;
      const int64_t from = position(in, b, transposed ? s : l) * from_channels;
      const int64_t to = position(out, b, transposed ? l : s) * to_channels;
      for (int64_t c = 0; c < from_channels; ++c) {
        for (int64_t f = 0; f < to_channels; ++f) {
          const int64_t w = tap * from_channels * to_channels +
                            (transposed ? f * from_channels + c : c * to_channels + f);
          sums[to + f].Add(in.value[from + c], in.error[from + c], filter.value[w],
                           filter.error[w]);
        }
      }
    }
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    AddBias(bias, static_cast<int64_t>(i) % to_channels, sums[i]);
    sums[i].Write(rounding, out, i);
  }
}

inline void ResizeNearest(const RefTensor& in, bool align_corners, bool half_pixel,
                          RefTensor& out) {
  const auto source = [&](int64_t at, int64_t from, int64_t to) {
    const bool ends_meet = align_corners && to > 1;
    const float scale = static_cast<float>(ends_meet ? from - 1 : from) /
                        static_cast<float>(ends_meet ? to - 1 : to);
    const float position = (static_cast<float>(at) + (half_pixel ? 0.5f : 0.0f)) * scale;
    const double whole = align_corners ? std::round(position) : std::floor(position);
    return std::min(static_cast<int64_t>(whole), from - 1);
  };
  for (size_t i = 0; i < out.value.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i), pixel = at / out.shape[3];
    const int64_t row = pixel / out.shape[2];
    const size_t from =
        in.At(row / out.shape[1], source(row % out.shape[1], in.shape[1], out.shape[1]),
              source(pixel % out.shape[2], in.shape[2], out.shape[2]), at % out.shape[3]);
    out.value[i] = in.value[from];
    out.error[i] = in.error[from];
  }
}

// False for other ops. Activations are the caller's.
inline bool VolumeElements(tflite::BuiltinOperator code, const tflite::OperatorT& op,
                           const std::vector<const RefTensor*>& in, const Rounding& rounding,
                           RefTensor& out) {
  switch (code) {
    case tflite::BuiltinOperator_CONV_3D:
      VolumeConvolution(*in[0], *in[1], in.size() > 2 ? in[2] : nullptr,
                        Given(op.builtin_options.AsConv3DOptions()), false, rounding, out);
      return true;
    case tflite::BuiltinOperator_CONV_3D_TRANSPOSE:
      VolumeConvolution(*in[2], *in[1], in.size() > 3 ? in[3] : nullptr,
                        Given(op.builtin_options.AsConv3DOptions()), true, rounding, out);
      return true;
    case tflite::BuiltinOperator_RESIZE_NEAREST_NEIGHBOR: {
      const auto& o = Given(op.builtin_options.AsResizeNearestNeighborOptions());
      ResizeNearest(*in[0], o.align_corners, o.half_pixel_centers, out);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_REFERENCE_VOLUMES_H_
