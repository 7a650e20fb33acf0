// SPDX-License-Identifier: Apache-2.0
// Values with error bounds, and each op on them: the plainest loops that say what the op means.
#ifndef TERN_OPS_TESTING_REFERENCE_TENSOR_H_
#define TERN_OPS_TESTING_REFERENCE_TENSOR_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace tern::testing {

// How an engine rounds: relative errors of one arithmetic operation and of one store to memory.
struct Rounding {
  double arithmetic = std::ldexp(1, -24);
  double storage = 0;  // 0: exact

  static Rounding F32() { return {}; }
  // Halves in memory, float arithmetic.
  static Rounding F16() { return {std::ldexp(1, -24), std::ldexp(1, -11)}; }
  // A sum of n terms of which magnitudes add up to `magnitude`.
  double Sum(double n, double magnitude) const { return 4 * std::sqrt(n) * arithmetic * magnitude; }
};

struct RefTensor {
  RefTensor() = default;
  explicit RefTensor(std::vector<int64_t> dims) : shape(std::move(dims)) {
    int64_t count = 1;
    for (const int64_t d : shape) count *= d;
    value.assign(static_cast<size_t>(count), 0);
    error = value;
  }

  // Rank 4 only.
  size_t At(int64_t b, int64_t y, int64_t x, int64_t c) const {
    return static_cast<size_t>(((b * shape[1] + y) * shape[2] + x) * shape[3] + c);
  }

  std::vector<int64_t> shape;
  std::vector<double> value, error;
};

// The options of an operator, or those that a model without them means.
template <class Options>
const Options& Given(const Options* options) {
  static const Options kNone;
  return options != nullptr ? *options : kNone;
}

struct RefWindow {
  int64_t stride_h, stride_w, dilation_h, dilation_w, pad_top, pad_left;

  // Sets the padding before the first row and column; `filter` is [_, h, w, _].
  void Pad(bool same, const RefTensor& in, const RefTensor& filter, const RefTensor& out) {
    const auto before = [&](int axis, int64_t stride, int64_t dilation) {
      const int64_t reach = (filter.shape[axis] - 1) * dilation + 1;
      return std::max<int64_t>((out.shape[axis] - 1) * stride + reach - in.shape[axis], 0) / 2;
    };
    pad_top = same ? before(1, stride_h, dilation_h) : 0;
    pad_left = same ? before(2, stride_w, dilation_w) : 0;
  }
};

// A sum of products with its error.
struct RefSum {
  double value = 0, error = 0, magnitude = 0;
  int64_t terms = 0;

  void Add(double a, double a_error, double b, double b_error) {
    value += a * b;
    magnitude += std::fabs(a * b);
    error += std::fabs(a) * b_error + std::fabs(b) * a_error + a_error * b_error;
    ++terms;
  }
  void Write(const Rounding& rounding, RefTensor& out, size_t at) const {
    out.value[at] = value;
    out.error[at] = error + rounding.Sum(static_cast<double>(terms + 1), magnitude);
  }
};

inline void AddBias(const RefTensor* bias, int64_t channel, RefSum& sum) {
  if (bias == nullptr || bias->value.empty()) return;
  sum.Add(bias->value[channel], bias->error[channel], 1, 0);
}

// Grouped convolution with a filter [out, h, w, in / groups]; depthwise: [1, h, w, out].
inline void Convolution(const RefTensor& in, const RefTensor& filter, const RefTensor* bias,
                        const RefWindow& window, bool depthwise, const Rounding& rounding,
                        RefTensor& out) {
  const int64_t channels = out.shape[3], group_in = depthwise ? 1 : filter.shape[3],
                group_out = channels / (in.shape[3] / group_in);
  for (int64_t b = 0; b < out.shape[0]; ++b) {
    for (int64_t y = 0; y < out.shape[1]; ++y) {
      for (int64_t x = 0; x < out.shape[2]; ++x) {
        for (int64_t o = 0; o < channels; ++o) {
          RefSum sum;
          for (int64_t ky = 0; ky < filter.shape[1]; ++ky) {
            for (int64_t kx = 0; kx < filter.shape[2]; ++kx) {
              const int64_t sy = y * window.stride_h - window.pad_top + ky * window.dilation_h;
              const int64_t sx = x * window.stride_w - window.pad_left + kx * window.dilation_w;
              if (sy < 0 || sx < 0 || sy >= in.shape[1] || sx >= in.shape[2]) continue;
              for (int64_t i = 0; i < group_in; ++i) {
                const size_t from = in.At(b, sy, sx, o / group_out * group_in + i);
                const size_t tap = depthwise ? filter.At(0, ky, kx, o) : filter.At(o, ky, kx, i);
                sum.Add(in.value[from], in.error[from], filter.value[tap], filter.error[tap]);
              }
            }
          }
          AddBias(bias, o, sum);
          sum.Write(rounding, out, out.At(b, y, x, o));
        }
      }
    }
  }
}

// Each input pixel spreads over the window that a convolution with `window` would read.
inline void TransposedConvolution(const RefTensor& in, const RefTensor& filter,
                                  const RefTensor* bias, const RefWindow& window,
                                  const Rounding& rounding, RefTensor& out) {
  std::vector<RefSum> sums(out.value.size());
  for (int64_t b = 0; b < in.shape[0]; ++b) {
    for (int64_t y = 0; y < in.shape[1]; ++y) {
      for (int64_t x = 0; x < in.shape[2]; ++x) {
        for (int64_t ky = 0; ky < filter.shape[1]; ++ky) {
          for (int64_t kx = 0; kx < filter.shape[2]; ++kx) {
            const int64_t oy = y * window.stride_h - window.pad_top + ky;
            const int64_t ox = x * window.stride_w - window.pad_left + kx;
            if (oy < 0 || ox < 0 || oy >= out.shape[1] || ox >= out.shape[2]) continue;
            for (int64_t o = 0; o < out.shape[3]; ++o) {
              for (int64_t i = 0; i < in.shape[3]; ++i) {
                const size_t from = in.At(b, y, x, i), tap = filter.At(o, ky, kx, i);
                sums[out.At(b, oy, ox, o)].Add(in.value[from], in.error[from], filter.value[tap],
                                               filter.error[tap]);
              }
            }
          }
        }
      }
    }
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    AddBias(bias, static_cast<int64_t>(i) % out.shape[3], sums[i]);
    sums[i].Write(rounding, out, i);
  }
}

// Over the taps inside the image.
inline void Pool(const RefTensor& in, const RefWindow& window, int64_t height, int64_t width,
                 bool average, const Rounding& rounding, RefTensor& out) {
  for (size_t i = 0; i < out.value.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i), c = at % out.shape[3],
                  x = at / out.shape[3] % out.shape[2],
                  y = at / out.shape[3] / out.shape[2] % out.shape[1],
                  b = at / out.shape[3] / out.shape[2] / out.shape[1];
    RefSum sum;
    double highest = -INFINITY, error = 0, first = -INFINITY;
    for (int64_t ky = 0; ky < height; ++ky) {
      for (int64_t kx = 0; kx < width; ++kx) {
        const int64_t sy = y * window.stride_h - window.pad_top + ky;
        const int64_t sx = x * window.stride_w - window.pad_left + kx;
        if (sy < 0 || sx < 0 || sy >= in.shape[1] || sx >= in.shape[2]) continue;
        const size_t from = in.At(b, sy, sx, c);
        if (sum.terms == 0) first = in.value[from];
        sum.Add(in.value[from], in.error[from], 1, 0);
        highest = std::max(highest, in.value[from]);  // passes over NaN
        error = std::max(error, in.error[from]);
      }
    }
    if (average) {
      sum.Write(rounding, out, i);
      out.value[i] /= static_cast<double>(sum.terms);
      out.error[i] /= static_cast<double>(sum.terms);
      out.error[i] += 2 * rounding.arithmetic * std::fabs(out.value[i]);
    } else {
      out.value[i] = highest == -INFINITY ? first : highest;
      out.error[i] = error;
    }
  }
}

// The same elements in the same order.
inline void Move(const RefTensor& in, RefTensor& out) {
  out.value = in.value;
  out.error = in.error;
}

// `in` copied to where it begins in `out`; the rest stays.
inline void Place(const RefTensor& in, const std::vector<int64_t>& begin, RefTensor& out) {
  for (size_t i = 0; i < in.value.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i), to = 0, stride = 1;
    for (size_t d = in.shape.size(); d-- > 0;) {
      to += (rest % in.shape[d] + begin[d]) * stride;
      rest /= in.shape[d];
      stride *= out.shape[d];
    }
    out.value[to] = in.value[i];
    out.error[to] = in.error[i];
  }
}

// Position in an operand of the broadcast element that belongs to `at` of the output.
inline size_t BroadcastAt(const RefTensor& operand, const RefTensor& out, size_t at) {
  int64_t rest = static_cast<int64_t>(at), position = 0, stride = 1;
  for (size_t i = 0; i < out.shape.size(); ++i) {
    const int64_t extent = out.shape[out.shape.size() - 1 - i], own_rank = operand.shape.size();
    const int64_t own = static_cast<int64_t>(i) < own_rank ? operand.shape[own_rank - 1 - i] : 1;
    if (own != 1) position += rest % extent * stride;
    stride *= own;
    rest /= extent;
  }
  return static_cast<size_t>(position);
}

inline void Binary(const RefTensor& a, const RefTensor& b, bool multiply, const Rounding& rounding,
                   RefTensor& out) {
  for (size_t i = 0; i < out.value.size(); ++i) {
    const size_t p = BroadcastAt(a, out, i), q = BroadcastAt(b, out, i);
    const double v = a.value[p], w = b.value[q], v_error = a.error[p], w_error = b.error[q];
    out.value[i] = multiply ? v * w : v + w;
    out.error[i] = multiply ? std::fabs(v) * w_error + std::fabs(w) * v_error + v_error * w_error
                            : v_error + w_error;
    out.error[i] += rounding.arithmetic * std::fabs(out.value[i]);
  }
}

inline void LeakyRelu(const RefTensor& in, double slope, const Rounding& rounding, RefTensor& out) {
  for (size_t i = 0; i < in.value.size(); ++i) {
    const double v = in.value[i];
    out.value[i] = v < 0 ? slope * v : v;
    out.error[i] = in.error[i] * std::max(1.0, std::fabs(slope)) +
                   (v < 0 ? 2 * rounding.arithmetic * std::fabs(out.value[i]) : 0);
  }
}

inline void Logistic(const RefTensor& in, const Rounding& rounding, RefTensor& out) {
  for (size_t i = 0; i < in.value.size(); ++i) {
    const double v = 1 / (1 + std::exp(-in.value[i]));
    out.value[i] = v;
    out.error[i] = std::min(in.error[i] / 4, 1.0) + 16 * rounding.arithmetic * v;
  }
}

inline void ResizeBilinear(const RefTensor& in, bool align_corners, bool half_pixel,
                           const Rounding& rounding, RefTensor& out) {
  struct Tap {
    int64_t low, high;
    double fraction, error;
  };
  const auto tap = [&](int64_t at, int64_t from, int64_t to) {
    const double scale = align_corners && to > 1
                             ? static_cast<double>(from - 1) / static_cast<double>(to - 1)
                             : static_cast<double>(from) / static_cast<double>(to);
    const double shift = half_pixel ? 0.5 : 0;
    const double position = (static_cast<double>(at) + shift) * scale - shift;
    const double p = std::min(std::max(position, 0.0), static_cast<double>(from - 1));
    const int64_t low = static_cast<int64_t>(p);
    return Tap{low, std::min(low + 1, from - 1), p - static_cast<double>(low),
               6 * rounding.arithmetic * (std::fabs(position) + 1)};
  };
  for (size_t i = 0; i < out.value.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i), c = at % out.shape[3];
    const Tap x = tap(at / out.shape[3] % out.shape[2], in.shape[2], out.shape[2]);
    const Tap y = tap(at / out.shape[3] / out.shape[2] % out.shape[1], in.shape[1], out.shape[1]);
    const int64_t b = at / out.shape[3] / out.shape[2] / out.shape[1];
    const size_t corners[] = {in.At(b, y.low, x.low, c), in.At(b, y.low, x.high, c),
                              in.At(b, y.high, x.low, c), in.At(b, y.high, x.high, c)};
    const double shares[] = {(1 - y.fraction) * (1 - x.fraction), (1 - y.fraction) * x.fraction,
                             y.fraction * (1 - x.fraction), y.fraction * x.fraction};
    double magnitude = 0, error = 0;
    for (int k = 0; k < 4; ++k) {
      if (shares[k] != 0) out.value[i] += shares[k] * in.value[corners[k]];
      magnitude = std::max(magnitude, std::fabs(in.value[corners[k]]));
      error = std::max(error, in.error[corners[k]]);
    }
    // A position off by a little may reach into the next pixel, hence twice the magnitude.
    out.error[i] = error + magnitude * (2 * (x.error + y.error) + 12 * rounding.arithmetic);
  }
}

inline void Softmax(const RefTensor& in, double beta, const Rounding& rounding, RefTensor& out) {
  const size_t channels = static_cast<size_t>(in.shape.back());
  for (size_t first = 0; first < in.value.size(); first += channels) {
    const double* v = &in.value[first];
    double highest = v[0], highest_error = 0;
    for (size_t c = 0; c < channels; ++c) {
      highest = std::max(highest, v[c]);
      highest_error = std::max(highest_error, in.error[first + c]);
    }
    double total = 0, total_error = 0;
    std::vector<double> share(channels), error(channels);
    for (size_t c = 0; c < channels; ++c) {
      const double argument = beta * (v[c] - highest);
      share[c] = std::exp(argument);
      // The highest value cancels, so only its rounding counts, not its own error twice.
      error[c] = std::fabs(beta) * (in.error[first + c] + highest_error) +
                 8 * rounding.arithmetic * (std::fabs(argument) + 1);
      total += share[c];
      total_error += share[c] * error[c];
    }
    for (size_t c = 0; c < channels; ++c) {
      const double relative =
          error[c] + total_error / total + rounding.Sum(static_cast<double>(channels), 1);
      out.value[first + c] = share[c] / total;
      out.error[first + c] =
          std::min(out.value[first + c] * std::expm1(std::min(2 * relative, 1.0)), 1.0);
      if (relative > 0.5) out.error[first + c] = 1;
    }
  }
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_REFERENCE_TENSOR_H_
