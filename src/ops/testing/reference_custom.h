// SPDX-License-Identifier: Apache-2.0
// Reference of the custom ops that slide windows over images. Their options are 32-bit integers.
#ifndef TERN_OPS_TESTING_REFERENCE_CUSTOM_H_
#define TERN_OPS_TESTING_REFERENCE_CUSTOM_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "ops/testing/reference_elementwise.h"
#include "ops/testing/reference_landmarks.h"
#include "ops/testing/reference_tensor.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

inline std::vector<int32_t> WholeOptions(const std::vector<uint8_t>& bytes) {
  std::vector<int32_t> numbers(bytes.size() / sizeof(int32_t));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(int32_t));
  return numbers;
}

// Padding, stride of width and height, window width and height, activation.
struct RefPool {
  explicit RefPool(const std::vector<uint8_t>& options) {
    const std::vector<int32_t> o = WholeOptions(options);
    same = o[0] == 1;
    window = {o[2], o[1], 1, 1, 0, 0};
    width = o[3];
    height = o[4];
    activation = static_cast<tflite::ActivationFunctionType>(o[5]);
  }

  bool same;
  RefWindow window{};
  int64_t height, width;
  tflite::ActivationFunctionType activation;
};

// Which tap of each window is the largest; any may be right where two are too close.
inline void LargestTaps(const RefTensor& in, const RefPool& pool, RefTensor& taps) {
  const RefWindow& w = pool.window;
  for (size_t i = 0; i < taps.value.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i), c = at % taps.shape[3],
                  x = at / taps.shape[3] % taps.shape[2],
                  y = at / taps.shape[3] / taps.shape[2] % taps.shape[1],
                  b = at / taps.shape[3] / taps.shape[2] / taps.shape[1];
    std::vector<int64_t> inside;
    std::vector<size_t> places;
    size_t best = 0;
    for (int64_t tap = 0; tap < pool.height * pool.width; ++tap) {
      const int64_t sy = y * w.stride_h - w.pad_top + tap / pool.width;
      const int64_t sx = x * w.stride_w - w.pad_left + tap % pool.width;
      if (sy < 0 || sx < 0 || sy >= in.shape[1] || sx >= in.shape[2]) continue;
      inside.push_back(tap);
      places.push_back(in.At(b, sy, sx, c));
      if (in.value[places.back()] > in.value[places[best]]) best = places.size() - 1;
    }
    taps.value[i] = static_cast<double>(inside[best]);
    for (size_t k = 0; k < places.size(); ++k) {
      const double slack = in.error[places[k]] + in.error[places[best]];
      const bool apart = in.value[places[best]] - in.value[places[k]] > slack;
      if (k != best && slack > 0 && !apart)
        taps.error[i] = static_cast<double>(pool.height * pool.width);
    }
  }
}

// Values put back to the taps that they came from, among zeros; of windows that overlap the last
// one wins. Where a tap is uncertain, each place that the window reaches may keep what it had.
inline void PutBack(const RefTensor& in, const RefTensor& taps, RefPool pool, RefTensor& out) {
  RefWindow& w = pool.window;
  if (pool.same) {
    w.pad_top = std::max<int64_t>(pool.height - w.stride_h, 0) / 2;
    w.pad_left = std::max<int64_t>(pool.width - w.stride_w, 0) / 2;
  }
  std::vector<double> low = out.value, high = out.value;
  for (size_t i = 0; i < in.value.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i), c = at % in.shape[3],
                  x = at / in.shape[3] % in.shape[2],
                  y = at / in.shape[3] / in.shape[2] % in.shape[1],
                  b = at / in.shape[3] / in.shape[2] / in.shape[1];
    // Halves hold the numbers of taps, whatever their error says.
    const bool certain = taps.error[i] < 0.5;
    const int64_t own = std::llround(taps.value[i]);
    for (int64_t tap = 0; tap < pool.height * pool.width; ++tap) {
      const int64_t oy = y * w.stride_h - w.pad_top + tap / pool.width;
      const int64_t ox = x * w.stride_w - w.pad_left + tap % pool.width;
      if (oy < 0 || ox < 0 || oy >= out.shape[1] || ox >= out.shape[2]) continue;
      if (certain && tap != own) continue;
      const size_t to = out.At(b, oy, ox, c);
      const double min = in.value[i] - in.error[i], max = in.value[i] + in.error[i];
      if (tap == own) out.value[to] = in.value[i];
      low[to] = certain ? min : std::min(low[to], min);
      high[to] = certain ? max : std::max(high[to], max);
    }
  }
  for (size_t i = 0; i < out.value.size(); ++i) {
    out.error[i] = std::max(out.value[i] - low[i], high[i] - out.value[i]);
  }
}

// False for other ops.
inline bool CustomElements(const std::string& name, const std::vector<uint8_t>& options,
                           const std::vector<const RefTensor*>& in, const Rounding& rounding,
                           std::vector<RefTensor>& out) {
  if (name == "Convolution2DTransposeBias") {
    const std::vector<int32_t> o = WholeOptions(options);
    RefWindow w{o[2], o[1], 1, 1, 0, 0};
    w.Pad(o[0] == 1, out[0], *in[1], *in[0]);
    TransposedConvolution(*in[0], *in[1], in[2], w, rounding, out[0]);
  } else if (name == "MaxPoolingWithArgmax2D") {
    RefPool pool(options);
    const RefTensor filter({1, pool.height, pool.width, 1});
    pool.window.Pad(pool.same, *in[0], filter, out[0]);
    Pool(*in[0], pool.window, pool.height, pool.width, false, rounding, out[0]);
    Clamp(pool.activation, out[0]);
    LargestTaps(*in[0], pool, out[1]);
  } else if (name == "MaxUnpooling2D") {
    PutBack(*in[0], *in[1], RefPool(options), out[0]);
  } else if (name == "TransformLandmarks") {
    TransformedLandmarks(*in[0], *in[1], options, rounding, out[0]);
  } else if (name == "TransformTensor" || name == "TransformTensorBilinear") {
    TransformedImage(*in[0], *in[1], options, rounding, out[0]);
  } else if (name == "Landmarks2TransformMatrix") {
    MatrixOfLandmarks(*in[0], options, rounding, out[0]);
  } else {
    return false;
  }
  return true;
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_REFERENCE_CUSTOM_H_
