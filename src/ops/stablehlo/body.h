// SPDX-License-Identifier: Apache-2.0
// Subgraphs that say how two numbers become one, recognized by their only op, and those functions.
#ifndef TERN_OPS_STABLEHLO_BODY_H_
#define TERN_OPS_STABLEHLO_BODY_H_

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/stablehlo/combine.h"

namespace tern {

// The function of a subgraph with two inputs and one output. Without any op it returns its second
// input, as long as `second_allowed`.
StatusOr<Combine> CombineOfSubgraph(const OpCall& call, int subgraph, bool second_allowed);

// Integers wrap.
template <class T>
T Combined(Combine how, T a, T b) {
  using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  switch (how) {
    case Combine::kSecond:
      return b;
    case Combine::kAdd:
      if constexpr (std::is_integral_v<T>) return static_cast<T>(Wide(a) + Wide(b));
      return a + b;
    case Combine::kMultiply:
      if constexpr (std::is_integral_v<T>) return static_cast<T>(Wide(a) * Wide(b));
      return a * b;
    case Combine::kSmaller:
    case Combine::kLarger:
      if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(a) || std::isnan(b)) return a + b;
      }
      return how == Combine::kSmaller ? std::min(a, b) : std::max(a, b);
    case Combine::kAnd:
    case Combine::kOr:
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(how == Combine::kAnd ? a & b : a | b);
      }
      return a;
    case Combine::kAll:
      return static_cast<T>(a != T{0} && b != T{0});
    case Combine::kAny:
      return static_cast<T>(a != T{0} || b != T{0});
  }
  return a;
}

template <>
inline StoredBool Combined(Combine how, StoredBool a, StoredBool b) {
  if (how == Combine::kSecond) return b;
  const bool both = how == Combine::kAnd || how == Combine::kAll || how == Combine::kMultiply ||
                    how == Combine::kSmaller;
  const bool x = a.byte != 0, y = b.byte != 0;
  return {static_cast<uint8_t>(both ? x && y : x || y)};
}

// Whether `how` is defined for a type: bitwise functions are not for floats.
Status CheckCombine(Combine how, TfLiteType type);

// Calls function(T{}) with the C++ type of an element type that CheckCombine accepts.
template <class F>
Status WithType(TfLiteType type, const F& function) {
  switch (type) {
    case kTfLiteBool:
      return function(StoredBool{});
    case kTfLiteFloat32:
      return function(float{});
    case kTfLiteFloat64:
      return function(double{});
    case kTfLiteInt8:
      return function(int8_t{});
    case kTfLiteInt16:
      return function(int16_t{});
    case kTfLiteInt32:
      return function(int32_t{});
    case kTfLiteInt64:
      return function(int64_t{});
    case kTfLiteUInt8:
      return function(uint8_t{});
    case kTfLiteUInt16:
      return function(uint16_t{});
    case kTfLiteUInt32:
      return function(uint32_t{});
    case kTfLiteUInt64:
      return function(uint64_t{});
    default:
      return Unsupported("type ", TypeText(type), " is not supported yet");
  }
}

// Steps through the indices of a shape, the last axis fastest.
class IndexWalk {
 public:
  explicit IndexWalk(const Shape& shape) : shape_(shape), at_(shape.size(), 0) {}
  const Shape& at() const { return at_; }
  void Next() {
    for (size_t axis = shape_.size(); axis-- > 0;) {
      if (++at_[axis] < shape_[axis]) return;
      at_[axis] = 0;
    }
  }

 private:
  Shape shape_, at_;
};

inline int64_t FlatIndex(const Shape& at, const Shape& strides) {
  int64_t flat = 0;
  for (size_t i = 0; i < at.size(); ++i) flat += at[i] * strides[i];
  return flat;
}

}  // namespace tern

#endif  // TERN_OPS_STABLEHLO_BODY_H_
