// SPDX-License-Identifier: Apache-2.0
// Fourier transforms in integers or in floats, of lengths that are products of 2, 3 and 5. In
// integers the bits are those of kissfft, built for fixed point: which radix comes when, where a
// division, a product or a half is rounded, and that sums wrap around, is as there.
#ifndef TERN_OPS_SIGNAL_MIXED_RADIX_H_
#define TERN_OPS_SIGNAL_MIXED_RADIX_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>
#include <vector>

namespace tern {

// Parts of 2^15 (int16_t) or 2^31 (int32_t): numbers from -1 to below 1.
template <class T>
struct FixedPointArithmetic {
  using Number = T;
  using Wide = std::conditional_t<sizeof(T) == 2, int32_t, int64_t>;
  using Sum = int64_t;
  static constexpr int kBits = 8 * sizeof(T) - 1;
  static constexpr Wide kOne = std::numeric_limits<T>::max();

  static T From(double v) {
    return static_cast<T>(std::floor(0.5 + static_cast<double>(kOne) * v));
  }
  // Of a product of two numbers.
  static T Round(Wide v) { return static_cast<T>((v + (Wide{1} << (kBits - 1))) >> kBits); }
  static T Divide(T v, int by) { return Round(Wide{v} * (kOne / by)); }
  // Of a sum of two numbers, which may need 32 bits.
  static T Half(Sum v) { return static_cast<T>(static_cast<int32_t>(v) >> 1); }
};

// Floating point stays in range without scaling, so transforms are not divided by their length.
struct FloatArithmetic {
  using Number = double;
  using Wide = double;
  using Sum = double;

  static double From(double v) { return v; }
  static double Round(double v) { return v; }
  static double Divide(double v, int) { return v; }
  static double Half(double v) { return 0.5 * v; }
};

template <class Arithmetic>
struct Complex {
  using Number = typename Arithmetic::Number;
  using Wide = typename Arithmetic::Wide;

  Number real{}, imaginary{};

  // e to the power of i * angle.
  static Complex TwiddleFactor(double angle) {
    return {Arithmetic::From(std::cos(angle)), Arithmetic::From(std::sin(angle))};
  }
  Complex operator+(Complex b) const {
    return {static_cast<Number>(Wide{real} + b.real),
            static_cast<Number>(Wide{imaginary} + b.imaginary)};
  }
  Complex operator-() const {
    return {static_cast<Number>(-Wide{real}), static_cast<Number>(-Wide{imaginary})};
  }
  Complex operator-(Complex b) const { return *this + -b; }
  Complex operator*(Complex b) const {
    return {Arithmetic::Round(Wide{real} * b.real - Wide{imaginary} * b.imaginary),
            Arithmetic::Round(Wide{real} * b.imaginary + Wide{imaginary} * b.real)};
  }
  // Each part on its own.
  Complex Times(Number b) const {
    return {Arithmetic::Round(Wide{real} * b), Arithmetic::Round(Wide{imaginary} * b)};
  }
  Complex Over(int b) const {
    return {Arithmetic::Divide(real, b), Arithmetic::Divide(imaginary, b)};
  }
  Complex TimesI() const { return {static_cast<Number>(-Wide{imaginary}), real}; }
  Complex Conjugate() const { return {real, static_cast<Number>(-Wide{imaginary})}; }
  Complex Half() const { return {Arithmetic::Half(real), Arithmetic::Half(imaginary)}; }
};

// Transforms of one length, 2 or more, in direction 1 (forward) or -1 (backward). Integers come out
// divided by the length.
template <class Arithmetic>
class MixedRadix {
 public:
  using Value = Complex<Arithmetic>;

  MixedRadix(size_t length, int direction) : direction_(direction) {
    for (size_t i = 0; i < length; ++i) {
      twiddle_factors_.push_back(
          Value::TwiddleFactor(-2 * std::numbers::pi * static_cast<double>(i) /
                               static_cast<double>(length) * direction));
    }
    for (const size_t radix : {4, 2, 3, 5}) {
      while (length % radix == 0) stages_.push_back({radix, length /= radix});
    }
  }

  // `in` and `out` must not overlap.
  void operator()(const Value* in, Value* out) { Transform(in, 1, 0, out); }

 private:
  struct Stage {
    size_t radix;
    size_t length;  // of the transforms that it joins
  };

  // Of elements that are `step` apart.
  void Transform(const Value* in, size_t step, size_t stage_index, Value* out) {
    const auto [radix, length] = stages_[stage_index];
    for (size_t i = 0; i < radix; ++i) {
      if (length == 1) {
        out[i] = in[i * step];
      } else {
        Transform(in + i * step, step * radix, stage_index + 1, out + i * length);
      }
    }
    for (size_t k = 0; k < length; ++k) {
      for (size_t i = 0; i < radix; ++i) {
        parts_[i] = out[k + i * length].Over(static_cast<int>(radix));
      }
      for (size_t i = 1; i < radix; ++i) parts_[i] = parts_[i] * twiddle_factors_[i * k * step];
      if (radix == 2) Radix2Butterfly(length, out + k);
      if (radix == 3) Radix3Butterfly(twiddle_factors_[step * length].imaginary, length, out + k);
      if (radix == 4) Radix4Butterfly(length, out + k);
      if (radix == 5)
        Radix5Butterfly(twiddle_factors_[step * length], twiddle_factors_[2 * step * length],
                        length, out + k);
    }
  }

  // A quarter turn in the direction of the transform.
  Value Quarter(Value v) const { return direction_ > 0 ? -v.TimesI() : v.TimesI(); }

  void Radix2Butterfly(size_t length, Value* out) const {
    out[0] = parts_[0] + parts_[1];
    out[length] = parts_[0] - parts_[1];
  }

  // `sine` is that of a third of a turn.
  void Radix3Butterfly(typename Value::Number sine, size_t length, Value* out) const {
    const Value sum = parts_[1] + parts_[2];
    const Value across = (parts_[1] - parts_[2]).Times(sine).TimesI();
    const Value middle = parts_[0] - sum.Half();
    out[0] = parts_[0] + sum;
    out[length] = middle + across;
    out[2 * length] = middle - across;
  }

  void Radix4Butterfly(size_t length, Value* out) const {
    const Value even = parts_[0] + parts_[2], odd = parts_[1] + parts_[3];
    const Value difference = parts_[0] - parts_[2], across = Quarter(parts_[1] - parts_[3]);
    out[0] = even + odd;
    out[length] = difference + across;
    out[2 * length] = even - odd;
    out[3 * length] = difference - across;
  }

  // The twiddle factors of one and two fifths.
  void Radix5Butterfly(Value fifth, Value fifths, size_t length, Value* out) const {
    const Value outer = parts_[1] + parts_[4], inner = parts_[2] + parts_[3];
    const Value outer_across = parts_[1] - parts_[4], inner_across = parts_[2] - parts_[3];
    const Value near = parts_[0] + outer.Times(fifth.real) + inner.Times(fifths.real);
    const Value far = parts_[0] + outer.Times(fifths.real) + inner.Times(fifth.real);
    const Value near_across =
        (outer_across.Times(fifth.imaginary) + inner_across.Times(fifths.imaginary)).TimesI();
    const Value far_across =
        (outer_across.Times(fifths.imaginary) - inner_across.Times(fifth.imaginary)).TimesI();
    out[0] = parts_[0] + outer + inner;
    out[length] = near + near_across;
    out[2 * length] = far + far_across;
    out[3 * length] = far - far_across;
    out[4 * length] = near - near_across;
  }

  int direction_;
  std::vector<Value> twiddle_factors_;
  std::vector<Stage> stages_;
  std::array<Value, 5> parts_;
};

}  // namespace tern

#endif  // TERN_OPS_SIGNAL_MIXED_RADIX_H_
