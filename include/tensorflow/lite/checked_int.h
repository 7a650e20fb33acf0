// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic that remembers whether any step left the range of its type.
#ifndef TERN_TENSORFLOW_LITE_CHECKED_INT_H_
#define TERN_TENSORFLOW_LITE_CHECKED_INT_H_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "tensorflow/lite/core/c/common.h"

namespace tflite {

template <class T>
class CheckedInt;

namespace checked_int_internal {

// The integer behind an operand: of a plain integer that itself. Nothing else is an operand.
template <class A, class = void>
struct Operand {
  static constexpr bool kChecked = false;
};
template <class A>
struct Operand<A, std::enable_if_t<std::is_integral_v<A>>> {
  using Type = A;
  static constexpr bool kChecked = false;
  static Type Value(A a) { return a; }
  static bool Overflow(A) { return false; }
};
template <class T>
struct Operand<CheckedInt<T>> {
  using Type = T;
  static constexpr bool kChecked = true;
  static T Value(const CheckedInt<T>& a) { return a.Value(); }
  static bool Overflow(const CheckedInt<T>& a) { return a.Overflow(); }
};

// The type of a result. None unless one of the operands is checked.
template <class A, class B>
using Common =
    std::enable_if_t<Operand<A>::kChecked || Operand<B>::kChecked,
                     std::common_type_t<typename Operand<A>::Type, typename Operand<B>::Type>>;

template <class A>
bool IsNegative(const A& a) {
  if constexpr (std::is_signed_v<typename Operand<A>::Type>) return Operand<A>::Value(a) < 0;
  return false;
}

// Without the sign. No type holds every integral type with its sign on all processors.
template <class A>
uint64_t Magnitude(const A& a) {
  const auto bits = static_cast<uint64_t>(Operand<A>::Value(a));
  return IsNegative(a) ? 0 - bits : bits;
}

// As numbers, whatever the signedness of the types.
template <class A, class B>
bool Less(const A& a, const B& b) {
  if (IsNegative(a) != IsNegative(b)) return IsNegative(a);
  return IsNegative(a) ? Magnitude(b) < Magnitude(a) : Magnitude(a) < Magnitude(b);
}

template <class A, class B>
bool Equal(const A& a, const B& b) {
  return IsNegative(a) == IsNegative(b) && Magnitude(a) == Magnitude(b);
}

template <class A, class B>
bool AnyOverflow(const A& a, const B& b) {
  return Operand<A>::Overflow(a) || Operand<B>::Overflow(b);
}

}  // namespace checked_int_internal

// Holds a T. It can be mixed with any other integral type or CheckedInt; a result is a CheckedInt
// of the common type. Once an overflow happened every result that depends on it carries the flag;
// its value is then meaningless.
template <class T>
class CheckedInt {
  static_assert(std::is_integral_v<T>, "CheckedInt holds an integral type");

 public:
  using type = T;

  CheckedInt() = default;

  template <class U, std::enable_if_t<std::is_integral_v<U>, int> = 0>
  CheckedInt(U value, bool overflow = false)  // NOLINT: implicit by design
      : overflow_(__builtin_add_overflow(value, 0, &value_) || overflow) {}

  template <class U>
  CheckedInt(const CheckedInt<U>& other)  // NOLINT: implicit by design
      : CheckedInt(other.Value(), other.Overflow()) {}

  T Value() const { return value_; }
  bool Overflow() const { return overflow_; }
  // kTfLiteError after an overflow.
  TfLiteStatus Status() const { return overflow_ ? kTfLiteError : kTfLiteOk; }

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

 private:
  T value_ = 0;
  bool overflow_ = false;
};

template <class T>
CheckedInt(T) -> CheckedInt<T>;

template <class A, class B, class T = checked_int_internal::Common<A, B>>
CheckedInt<T> operator+(const A& a, const B& b) {
  using namespace checked_int_internal;  // NOLINT
  T sum = 0;
  const bool overflow = __builtin_add_overflow(Operand<A>::Value(a), Operand<B>::Value(b), &sum);
  return CheckedInt<T>(sum, overflow || AnyOverflow(a, b));
}

template <class A, class B, class T = checked_int_internal::Common<A, B>>
CheckedInt<T> operator-(const A& a, const B& b) {
  using namespace checked_int_internal;  // NOLINT
  T difference = 0;
  const bool overflow =
      __builtin_sub_overflow(Operand<A>::Value(a), Operand<B>::Value(b), &difference);
  return CheckedInt<T>(difference, overflow || AnyOverflow(a, b));
}

template <class A, class B, class T = checked_int_internal::Common<A, B>>
CheckedInt<T> operator*(const A& a, const B& b) {
  using namespace checked_int_internal;  // NOLINT
  T product = 0;
  const bool overflow =
      __builtin_mul_overflow(Operand<A>::Value(a), Operand<B>::Value(b), &product);
  return CheckedInt<T>(product, overflow || AnyOverflow(a, b));
}

// Division by zero is an overflow with the largest value.
template <class A, class B, class T = checked_int_internal::Common<A, B>>
CheckedInt<T> operator/(const A& a, const B& b) {
  using namespace checked_int_internal;  // NOLINT
  if (Operand<B>::Value(b) == 0) {
    return CheckedInt<T>(std::numeric_limits<T>::max(), true);
  }
  const uint64_t quotient = Magnitude(a) / Magnitude(b);
  T value = 0;
  const bool overflow = IsNegative(a) != IsNegative(b)
                            ? __builtin_sub_overflow(0, quotient, &value)
                            : __builtin_add_overflow(0, quotient, &value);
  return CheckedInt<T>(value, overflow || AnyOverflow(a, b));
}

// Compared as numbers, whatever the signedness of the types.
template <class A, class B, class = checked_int_internal::Common<A, B>>
bool operator==(const A& a, const B& b) {
  return checked_int_internal::Equal(a, b);
}
template <class A, class B, class = checked_int_internal::Common<A, B>>
bool operator!=(const A& a, const B& b) {
  return !checked_int_internal::Equal(a, b);
}
template <class A, class B, class = checked_int_internal::Common<A, B>>
bool operator<(const A& a, const B& b) {
  return checked_int_internal::Less(a, b);
}
template <class A, class B, class = checked_int_internal::Common<A, B>>
bool operator<=(const A& a, const B& b) {
  return !checked_int_internal::Less(b, a);
}
template <class A, class B, class = checked_int_internal::Common<A, B>>
bool operator>(const A& a, const B& b) {
  return checked_int_internal::Less(b, a);
}
template <class A, class B, class = checked_int_internal::Common<A, B>>
bool operator>=(const A& a, const B& b) {
  return !checked_int_internal::Less(a, b);
}

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CHECKED_INT_H_
