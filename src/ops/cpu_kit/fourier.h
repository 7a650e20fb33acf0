// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of powers of two in double precision.
#ifndef TERN_OPS_CPU_KIT_FOURIER_H_
#define TERN_OPS_CPU_KIT_FOURIER_H_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace tern {

// Complex numbers, their parts side by side, as vector instructions want them.
struct ComplexArray {
  explicit ComplexArray(size_t n) : real(n), imaginary(n) {}
  std::vector<double> real, imaginary;
};

// The cosine of j / whole turns, where 4 divides whole and j is at most a turn to either side. What
// is equal in theory is equal here (0 after a quarter, sine and cosine after an eighth), so that
// terms that cancel leave an exact 0.
inline double Cosine(int64_t j, int64_t whole) {
  j = std::abs(j);
  if (2 * j > whole) j = whole - j;
  if (4 * j > whole) return -Cosine(whole / 2 - j, whole);
  const double part = 2 * std::acos(-1.0) / static_cast<double>(whole);
  if (8 * j <= whole) return std::cos(part * static_cast<double>(j));
  return std::sin(part * static_cast<double>(whole / 4 - j));
}

// e to the power of -2 pi i k / n for k < count.
inline ComplexArray TwiddleFactors(size_t n, size_t count) {
  ComplexArray factors(count);
  const auto quarter = static_cast<int64_t>(n), whole = 4 * quarter;
  for (size_t i = 0; i < count; ++i) {
    const int64_t k = 4 * static_cast<int64_t>(i);
    factors.real[i] = Cosine(k, whole);
    factors.imaginary[i] = -Cosine(k - quarter, whole);
  }
  return factors;
}

// Transforms of one size, a power of two, in the form of Stockham: each pass halves the transforms,
// doubles the numbers that share a turn, and leaves all of them in order.
class Transform {
 public:
  explicit Transform(size_t n) : size_(n), twiddle_factors_(TwiddleFactors(n, n / 2)) {}

  size_t size() const { return size_; }

  // In place; `other` is memory of the same size.
  void operator()(ComplexArray& v, ComplexArray& other) const {
    for (size_t together = 1; together < size_; together *= 2) {
      Pass(v, other, together);
      std::swap(v, other);
    }
  }

 private:
  void Pass(const ComplexArray& from, ComplexArray& to, size_t together) const {
    const size_t half = size_ / 2;
    for (size_t first = 0; first < half; first += together) {
      const double cosine = twiddle_factors_.real[first], sine = twiddle_factors_.imaginary[first];
      const double* a = from.real.data() + first;
      const double* b = from.imaginary.data() + first;
      double* __restrict x = to.real.data() + 2 * first;
      double* __restrict y = to.imaginary.data() + 2 * first;
      for (size_t i = 0; i < together; ++i) {
        const double real = a[i] - a[i + half], imaginary = b[i] - b[i + half];
        x[i] = a[i] + a[i + half];
        y[i] = b[i] + b[i + half];
        x[i + together] = real * cosine - imaginary * sine;
        y[i + together] = real * sine + imaginary * cosine;
      }
    }
  }

  size_t size_;
  ComplexArray twiddle_factors_;
};

// The first half of the transform of real rows, and the number after it. Numbers at even and odd
// places go through one transform of half the size, as real and imaginary parts; its symmetries
// tell them apart.
class RowTransform {
 public:
  explicit RowTransform(size_t n)
      : transform_(n / 2), twiddle_factors_(TwiddleFactors(n, n / 2 + 1)) {}

  size_t size() const { return 2 * transform_.size(); }
  size_t kept() const { return transform_.size() + 1; }

  // Of `count` numbers and zeros after them, into v; v and other have the size kept().
  template <class T>
  void operator()(const T* in, size_t count, ComplexArray& v, ComplexArray& other) const {
    const size_t half = transform_.size();
    for (size_t k = 0; k < half; ++k) {
      v.real[k] = 2 * k < count ? double{in[2 * k]} : 0.0;
      v.imaginary[k] = 2 * k + 1 < count ? double{in[2 * k + 1]} : 0.0;
    }
    transform_(v, other);
    v.real[half] = v.real[0];
    v.imaginary[half] = v.imaginary[0];
    for (size_t k = 0; k <= half; ++k) {
      const double even = v.real[k] + v.real[half - k];
      const double even_i = v.imaginary[k] - v.imaginary[half - k];
      const double odd = v.imaginary[k] + v.imaginary[half - k];
      const double odd_i = v.real[half - k] - v.real[k];
      const double cosine = twiddle_factors_.real[k], sine = twiddle_factors_.imaginary[k];
      other.real[k] = (even + odd * cosine - odd_i * sine) / 2;
      other.imaginary[k] = (even_i + odd * sine + odd_i * cosine) / 2;
    }
    std::swap(v, other);
  }

 private:
  Transform transform_;
  ComplexArray twiddle_factors_;
};

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_FOURIER_H_
