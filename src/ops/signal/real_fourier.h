// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of real frames of an even length, and back. Samples at even and odd places go
// through one transform of half the length as real and imaginary parts. In integers with the bits
// of kissfft (mixed_radix.h).
#ifndef TERN_OPS_SIGNAL_REAL_FOURIER_H_
#define TERN_OPS_SIGNAL_REAL_FOURIER_H_

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <type_traits>
#include <vector>

#include "ops/signal/mixed_radix.h"

namespace tern {

// Of frames of T: int16_t, int32_t or float. A spectrum is length / 2 + 1 pairs of real and
// imaginary parts.
template <class T>
class RealFourier {
 public:
  RealFourier(size_t length, int direction)
      : half_(length / 2), transform_(half_, direction), in_(half_), out_(half_) {
    for (size_t k = 1; k <= half_ / 2; ++k) {
      const double part = static_cast<double>(k) / static_cast<double>(half_);
      twiddle_factors_.push_back(
          Value::TwiddleFactor(-std::numbers::pi * (part + 0.5) * direction));
    }
  }

  // Of `count` samples and zeros after them; integers come out divided by the length.
  void Forward(const T* samples, size_t count, T* spectrum) {
    const auto sample = [&](size_t i) { return i < count ? Number{samples[i]} : Number{}; };
    for (size_t k = 0; k < half_; ++k) in_[k] = {sample(2 * k), sample(2 * k + 1)};
    transform_(in_.data(), out_.data());
    const Value first = out_[0].Over(2);
    Write({static_cast<Number>(Wide{first.real} + first.imaginary), Number{}}, spectrum);
    Write({static_cast<Number>(Wide{first.real} - first.imaginary), Number{}},
          spectrum + 2 * half_);
    for (size_t k = 1; k <= half_ / 2; ++k) {
      const Value a = out_[k].Over(2), b = out_[half_ - k].Conjugate().Over(2);
      const Value even = a + b, odd = (a - b) * twiddle_factors_[k - 1];
      Write({Half(Sum{even.real} + odd.real), Half(Sum{even.imaginary} + odd.imaginary)},
            spectrum + 2 * k);
      Write({Half(Sum{even.real} - odd.real), Half(Sum{odd.imaginary} - even.imaginary)},
            spectrum + 2 * (half_ - k));
    }
  }

  // Integers come out as they are in a transform whose stages divide, floats divided by the length.
  void Backward(const T* spectrum, T* samples) {
    const Value low = Read(spectrum), high = Read(spectrum + 2 * half_);
    in_[0] = Value{static_cast<Number>(Wide{low.real} + high.real),
                   static_cast<Number>(Wide{low.real} - high.real)}
                 .Over(2);
    for (size_t k = 1; k <= half_ / 2; ++k) {
      const Value a = Read(spectrum + 2 * k).Over(2);
      const Value b = Read(spectrum + 2 * (half_ - k)).Conjugate().Over(2);
      const Value even = a + b, odd = (a - b) * twiddle_factors_[k - 1];
      in_[k] = even + odd;
      in_[half_ - k] = (even - odd).Conjugate();
    }
    transform_(in_.data(), out_.data());
    for (size_t k = 0; k < half_; ++k) Write(Scaled(out_[k]), samples + 2 * k);
  }

 private:
  using Arithmetic =
      std::conditional_t<std::is_floating_point_v<T>, FloatArithmetic, FixedPointArithmetic<T>>;
  using Value = Complex<Arithmetic>;
  using Number = typename Value::Number;
  using Wide = typename Value::Wide;
  using Sum = typename Arithmetic::Sum;

  static Number Half(Sum v) { return Arithmetic::Half(v); }
  static Value Read(const T* pair) { return {pair[0], pair[1]}; }
  static void Write(Value v, T* pair) {
    pair[0] = static_cast<T>(v.real);
    pair[1] = static_cast<T>(v.imaginary);
  }
  Value Scaled(Value v) const {
    if constexpr (std::is_floating_point_v<T>) return v.Times(0.5 / static_cast<double>(half_));
    return v;
  }

  size_t half_;
  MixedRadix<Arithmetic> transform_;
  std::vector<Value> twiddle_factors_, in_, out_;
};

}  // namespace tern

#endif  // TERN_OPS_SIGNAL_REAL_FOURIER_H_
