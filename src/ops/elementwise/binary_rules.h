// SPDX-License-Identifier: Apache-2.0
// CPU rules of the two-operand rows of table.inc: element types, quantized forms, and the values of
// the second operand that are errors. NameRules belongs to the row called Name.
#ifndef TERN_OPS_ELEMENTWISE_BINARY_RULES_H_
#define TERN_OPS_ELEMENTWISE_BINARY_RULES_H_

#include "ops/cpu_kit/element_types.h"
#include "ops/elementwise/quantized_pairs.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

inline bool HasQuantization(const TfLiteTensor* t) {
  return t->quantization.type != kTfLiteNoQuantization;
}

struct BinaryRules {
  using Quantized = NoQuantizedPairs;
  static bool IsQuantized(const OpCall&) { return false; }
  static constexpr bool kSameShapes = false;  // nothing is broadcast
  // Null, or what is wrong with this number as second operand.
  template <class T>
  static const char* Refusal(T) {
    return nullptr;
  }
};

class QuantizedAdd : public QuantizedSum {
 public:
  QuantizedAdd() : QuantizedSum(false) {}
  Status Prepare(const OpCall& call, TfLiteFusedActivation activation) {
    return QuantizedSum::Prepare(call, activation, call.params<TfLiteAddParams>().pot_scale_int16);
  }
};
struct AddRules : BinaryRules {
  using Numbers = Types<float, Half, Bfloat16, int16_t, int32_t, int64_t>;
  using Quantized = QuantizedAdd;
  static bool IsQuantized(const OpCall& call) {
    const TfLiteTensor* a = call.input(0);
    return a->type == kTfLiteInt16 ? HasQuantization(a) : IsQuantizedType(a->type);
  }
};

class QuantizedSub : public QuantizedSum {
 public:
  QuantizedSub() : QuantizedSum(true) {}
  Status Prepare(const OpCall& call, TfLiteFusedActivation activation) {
    return QuantizedSum::Prepare(call, activation, call.params<TfLiteSubParams>().pot_scale_int16);
  }
};
struct SubRules : BinaryRules {
  using Numbers = Types<float, Half, Bfloat16, int32_t, int64_t>;
  using Quantized = QuantizedSub;
  static bool IsQuantized(const OpCall& call) { return IsQuantizedType(call.input(0)->type); }
};

struct MulRules : BinaryRules {
  using Numbers =
      Types<float, Half, Bfloat16, int16_t, int32_t, uint32_t, int64_t, std::complex<float>>;
  using Quantized = QuantizedProduct;
  static bool IsQuantized(const OpCall& call) {
    const TfLiteTensor *a = call.input(0), *b = call.input(1), *out = call.output(0);
    if (a->type != kTfLiteInt16) return IsQuantizedType(a->type);
    return (HasQuantization(a) && HasQuantization(b) && HasQuantization(out)) ||
           out->type != kTfLiteInt16;
  }
};

struct DivRules : BinaryRules {
  using Numbers = Types<float, Half, Bfloat16, int32_t>;
  using Quantized = QuantizedQuotient;
  static bool IsQuantized(const OpCall& call) { return IsQuantizedType(call.input(0)->type); }
  template <class T>
  static const char* Refusal([[maybe_unused]] T w) {
    if constexpr (std::is_integral_v<T>) {
      if (w == T{0}) return "division by zero";
    }
    return nullptr;
  }
};

struct MaximumRules : BinaryRules {
  using Numbers = Types<float, Half, Bfloat16, int8_t, uint8_t, int16_t, int32_t, int64_t>;
};
struct MinimumRules : MaximumRules {};

class QuantizedSquare : public QuantizedSquaredDifference {
 public:
  Status Prepare(const OpCall& call, TfLiteFusedActivation) {
    return QuantizedSquaredDifference::Prepare(call);
  }
};
struct SquaredDifferenceRules : BinaryRules {
  using Numbers = Types<float, Half, Bfloat16, int32_t>;
  using Quantized = QuantizedSquare;
  static bool IsQuantized(const OpCall& call) { return call.input(0)->type == kTfLiteInt8; }
};

struct PowRules : BinaryRules {
  using Numbers = Types<float, int32_t>;
  template <class T>
  static const char* Refusal(T w) {
    return std::is_integral_v<T> && w < T{0} ? "an integer has no negative power" : nullptr;
  }
};

struct FloorDivRules : BinaryRules {
  using Numbers = Types<float, int8_t, int16_t, int32_t>;
  template <class T>
  static const char* Refusal(T w) {
    return std::is_integral_v<T> && w == T{0} ? "division by zero" : nullptr;
  }
};

struct FloorModRules : BinaryRules {
  using Numbers = Types<float, int8_t, int16_t, int32_t, int64_t>;
  template <class T>
  static const char* Refusal(T w) {
    return std::is_integral_v<T> && w == T{0} ? "division by zero" : nullptr;
  }
};

struct Atan2Rules : BinaryRules {
  using Numbers = Types<float, double, Half, Bfloat16>;
  static constexpr bool kSameShapes = true;
};

}  // namespace tern

#endif  // TERN_OPS_ELEMENTWISE_BINARY_RULES_H_
