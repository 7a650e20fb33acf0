// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic that remembers whether any step left the range of its type.
#ifndef TERN_TENSORFLOW_LITE_CHECKED_INT_H_
#define TERN_TENSORFLOW_LITE_CHECKED_INT_H_

#include <type_traits>

#include "tensorflow/lite/core/c/common.h"

namespace tflite {

// Holds a T. Mixing with any other integral type or CheckedInt is allowed; results are CheckedInt
// of the left type. Once an overflow happened every result that depends on it carries the flag; its
// value is then meaningless.
template <class T>
class CheckedInt {
  static_assert(std::is_integral_v<T>, "CheckedInt holds an integral type");
  template <class U>
  using IfIntegral = std::enable_if_t<std::is_integral_v<U>, int>;

 public:
  CheckedInt() = default;

  template <class U, IfIntegral<U> = 0>
  CheckedInt(U value)
      : overflow_(__builtin_add_overflow(value, 0, &value_)) {}  // NOLINT: implicit by design

  template <class U>
  CheckedInt(const CheckedInt<U>& other)
      : CheckedInt(other.Value()) {  // NOLINT: implicit by design
    overflow_ |= other.Overflow();
  }

  T Value() const { return value_; }
  bool Overflow() const { return overflow_; }
  // kTfLiteError after an overflow.
  TfLiteStatus Status() const { return overflow_ ? kTfLiteError : kTfLiteOk; }

  template <class U>
  CheckedInt operator+(const U& b) const {
    CheckedInt r;
    r.overflow_ = __builtin_add_overflow(value_, Raw(b), &r.value_) || overflow_ || Flag(b);
    return r;
  }
  template <class U>
  CheckedInt operator-(const U& b) const {
    CheckedInt r;
    r.overflow_ = __builtin_sub_overflow(value_, Raw(b), &r.value_) || overflow_ || Flag(b);
    return r;
  }
  template <class U>
  CheckedInt operator*(const U& b) const {
    CheckedInt r;
    r.overflow_ = __builtin_mul_overflow(value_, Raw(b), &r.value_) || overflow_ || Flag(b);
    return r;
  }
  // Division by zero counts as an overflow.
  template <class U>
  CheckedInt operator/(const U& b) const {
    CheckedInt r;
    if (Raw(b) == 0) {
      r.overflow_ = true;
      return r;
    }
    const Wide quotient = static_cast<Wide>(value_) / static_cast<Wide>(Raw(b));
    r.value_ = static_cast<T>(quotient);
    r.overflow_ = static_cast<Wide>(r.value_) != quotient || overflow_ || Flag(b);
    return r;
  }

  template <class U>
  CheckedInt& operator+=(const U& b) {
    return *this = *this + b;
  }
  template <class U>
  CheckedInt& operator-=(const U& b) {
    return *this = *this - b;
  }
  template <class U>
  CheckedInt& operator*=(const U& b) {
    return *this = *this * b;
  }
  template <class U>
  CheckedInt& operator/=(const U& b) {
    return *this = *this / b;
  }

  // Compared as numbers, whatever the signedness of the types.
  template <class U>
  bool operator==(const U& b) const {
    return static_cast<Wide>(value_) == static_cast<Wide>(Raw(b));
  }
  template <class U>
  bool operator!=(const U& b) const {
    return static_cast<Wide>(value_) != static_cast<Wide>(Raw(b));
  }
  template <class U>
  bool operator<(const U& b) const {
    return static_cast<Wide>(value_) < static_cast<Wide>(Raw(b));
  }
  template <class U>
  bool operator<=(const U& b) const {
    return static_cast<Wide>(value_) <= static_cast<Wide>(Raw(b));
  }
  template <class U>
  bool operator>(const U& b) const {
    return static_cast<Wide>(value_) > static_cast<Wide>(Raw(b));
  }
  template <class U>
  bool operator>=(const U& b) const {
    return static_cast<Wide>(value_) >= static_cast<Wide>(Raw(b));
  }

 private:
  __extension__ typedef __int128 Wide;

  template <class U, IfIntegral<U> = 0>
  static U Raw(U value) {
    return value;
  }
  template <class U>
  static U Raw(const CheckedInt<U>& value) {
    return value.Value();
  }
  template <class U, IfIntegral<U> = 0>
  static bool Flag(U) {
    return false;
  }
  template <class U>
  static bool Flag(const CheckedInt<U>& value) {
    return value.Overflow();
  }

  T value_ = 0;
  bool overflow_ = false;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CHECKED_INT_H_
