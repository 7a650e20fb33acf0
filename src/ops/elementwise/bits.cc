// SPDX-License-Identifier: Apache-2.0
// BITWISE_XOR and RIGHT_SHIFT with broadcasting, and the STABLEHLO ops that combine two tensors of
// one shape element by element.
#include <limits>
#include <type_traits>

#include "ops/cpu_kit/pairwise.h"
#include "ops/cpu_registry.h"
#include "ops/elementwise/arithmetic.h"

namespace tern {
namespace {

using Integers = Types<int8_t, int16_t, int32_t, uint8_t, uint16_t, uint32_t>;
using SignedIntegers = Types<int8_t, int16_t, int32_t>;
// BOOL is handled as bytes that are 0 or 1.
using Everything = Types<float, Half, Bfloat16, double, int8_t, int16_t, int32_t, int64_t, uint8_t,
                         uint16_t, uint32_t>;
using Whole = Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t>;

// Amounts outside the type's bits shift all of them out, or none.
template <class T>
T ShiftRight(T v, T amount) {
  constexpr int kLast = static_cast<int>(sizeof(T) * 8) - 1;
  const bool negative = std::is_signed_v<T> && amount < T{0};
  const int bits =
      negative ? 0 : (amount > static_cast<T>(kLast) ? kLast : static_cast<int>(amount));
  return static_cast<T>(v >> bits);
}

// The amount counts modulo 32, in every type.
template <class T>
T ShiftLeft(T v, T amount) {
  return static_cast<T>(static_cast<uint32_t>(v) << (static_cast<uint32_t>(amount) & 31u));
}

// `Row` says the types, whether BOOL is one of them, whether shapes must be equal, and the
// function.
template <class Row>
class Bits : public Pairwise {
 public:
  using Pairwise::Pairwise;
  const char* name() const override { return Row::kName; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(TakeOneType(call));
    const TfLiteType type = call.input(0)->type;
    if (!Row::Numbers::Has(type) && !(Row::kBool && type == kTfLiteBool)) {
      return Unsupported("type ", TypeText(type), " is not supported yet (input)");
    }
    const Shape a = ShapeOf(call.input(0)), b = ShapeOf(call.input(1));
    if (Row::kSameShapes && a != b) {
      return Invalid("operands must have one shape (", ShapeText(a), ", ", ShapeText(b), ")");
    }
    return OkStatus();
  }
  Status Run(const OpCall& call, ThreadPool* pool) const override {
    if constexpr (Row::kBool) {
      if (call.input(0)->type == kTfLiteBool) {
        ForEachPair<uint8_t, bool>(call, pool, [](uint8_t v, uint8_t w) {
          return Row::template Compute<int32_t>(v != 0, w != 0) != 0;
        });
        return OkStatus();
      }
    }
    Row::Numbers::Dispatch(call.input(0)->type, [&](auto element) {
      using T = decltype(element);
      using Number = typename Stored<T>::Number;
      ForEachPair<T, T>(call, pool,
                        [](Number v, Number w) { return Row::template Compute<Number>(v, w); });
    });
    return OkStatus();
  }
};

}  // namespace

#define TERN_BITS(builtin, Name, types, bools, same_shapes, expression) \
  namespace {                                                           \
  struct Name##Row {                                                    \
    using Numbers = types;                                              \
    static constexpr const char* kName = #builtin;                      \
    static constexpr bool kBool = bools, kSameShapes = same_shapes;     \
    template <class T>                                                  \
    static T Compute(T v, T w) {                                        \
      return static_cast<T>(expression);                                \
    }                                                                   \
  };                                                                    \
  }                                                                     \
  TfLiteRegistration Name##Registration(OpForm form) {                  \
    return MakeRegistration<Bits<Name##Row>>(form);                     \
  }
TERN_BITS(BITWISE_XOR, BitwiseXor, Integers, false, false, v ^ w)
TERN_BITS(RIGHT_SHIFT, RightShift, Integers, false, false, ShiftRight(v, w))
TERN_BITS(STABLEHLO_ADD, StablehloAdd, Everything, true, true, elementwise::Plus(v, w))
TERN_BITS(STABLEHLO_AND, StablehloAnd, Whole, true, true, v& w)
TERN_BITS(STABLEHLO_MAXIMUM, StablehloMaximum, Everything, true, true, elementwise::Larger(v, w))
TERN_BITS(STABLEHLO_MINIMUM, StablehloMinimum, Everything, true, true, elementwise::Smaller(v, w))
TERN_BITS(STABLEHLO_MULTIPLY, StablehloMultiply, Everything, true, true, elementwise::Times(v, w))
TERN_BITS(STABLEHLO_SHIFT_LEFT, StablehloShiftLeft, SignedIntegers, false, true, ShiftLeft(v, w))
#undef TERN_BITS

}  // namespace tern
