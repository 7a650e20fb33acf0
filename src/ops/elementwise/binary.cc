// SPDX-License-Identifier: Apache-2.0
// The two-operand rows of table.inc as CPU ops: numbers and quantized numbers, with broadcasting
// and a fused clamp.
#include <limits>
#include <type_traits>

#include "cpu/float_pairs.h"
#include "ops/cpu_kit/pairwise.h"
#include "ops/cpu_registry.h"
#include "ops/elementwise/arithmetic.h"
#include "ops/elementwise/binary_rules.h"
#include "ops/elementwise/parameters.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern {
namespace {

template <class T>
struct ClampTo {
  T min, max;
  T operator()(T v) const { return v < min ? min : (max < v ? max : v); }
};
template <>
struct ClampTo<std::complex<float>> {
  std::complex<float> operator()(std::complex<float> v) const { return v; }
};

template <class T>
ClampTo<T> ClampFor(TfLiteFusedActivation activation) {
  if constexpr (std::is_same_v<T, std::complex<float>>) {
    return {};
  } else if constexpr (std::is_floating_point_v<T>) {
    const FloatRange range = ActivationRange(activation);
    return {range.min, range.max};
  } else {
    constexpr bool kSigned = std::is_signed_v<T>;
    constexpr T kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();
    switch (activation) {
      case kTfLiteActRelu:
        return {0, kMax};
      case kTfLiteActReluN1To1:
        return {static_cast<T>(kSigned ? -1 : 0), 1};
      case kTfLiteActRelu6:
        return {0, 6};
      default:
        return {kMin, kMax};
    }
  }
}

bool IsClamp(TfLiteFusedActivation activation) {
  return activation == kTfLiteActRelu || activation == kTfLiteActReluN1To1 ||
         activation == kTfLiteActRelu6;
}

FloatPairRow OptimizedKernel(int builtin) {
  switch (builtin) {
#define TERN_FAST(Name)      \
  case kTfLiteBuiltin##Name: \
    return FastPairs(PairFunction::k##Name);
    TERN_FAST(Add)
    TERN_FAST(Div)
    TERN_FAST(Maximum)
    TERN_FAST(Minimum)
    TERN_FAST(Mul)
    TERN_FAST(SquaredDifference)
    TERN_FAST(Sub)
#undef TERN_FAST
    default:
      return nullptr;
  }
}

// Choices, and functions for which a divisor or base of zero is another matter.
constexpr bool SeesSubnormals(int builtin) {
  switch (builtin) {
    case kTfLiteBuiltinAtan2:
    case kTfLiteBuiltinDiv:
    case kTfLiteBuiltinFloorDiv:
    case kTfLiteBuiltinFloorMod:
    case kTfLiteBuiltinMaximum:
    case kTfLiteBuiltinMinimum:
    case kTfLiteBuiltinPow:
      return true;
    default:
      return false;
  }
}

// `Row` is a row of table.inc: its rules, how it reads options, and what it computes.
template <class Row>
class Binary : public Pairwise {
 public:
  using Pairwise::Pairwise;
  const char* name() const override { return Row::kName; }
  bool flushes_subnormals() const override { return !SeesSubnormals(Row::kBuiltin); }

 protected:
  Status Check(const OpCall& call) override;
  Status Run(const OpCall& call, ThreadPool* pool) const override;

 private:
  using Rules = typename Row::Rules;

  template <class T>
  Status RunNumbers(const OpCall& call, ThreadPool* pool) const;
  bool RunFastFloats(const OpCall& call, ThreadPool* pool) const;
  Status RunQuantized(const OpCall& call, ThreadPool* pool) const;
  template <class T>
  bool RunFastBytes(const OpCall& call, ThreadPool* pool) const;
  template <class T>
  Status CheckSecond(const OpCall& call) const;

  TfLiteFusedActivation activation_ = kTfLiteActNone;
  bool is_quantized_ = false;
  typename Rules::Quantized quantized_;
};

template <class Row>
Status Binary<Row>::Check(const OpCall& call) {
  if (!Row::ReadOptions(call.node()->builtin_data, activation_)) {
    return Invalid("options are missing");
  }
  const TfLiteType type = call.input(0)->type, out = call.output(0)->type;
  if (Rules::kSameShapes && ShapeOf(call.input(0)) != ShapeOf(call.input(1))) {
    return Invalid("operands must have one shape (", ShapeText(ShapeOf(call.input(0))), ", ",
                   ShapeText(ShapeOf(call.input(1))), ")");
  }
  is_quantized_ = Rules::IsQuantized(call);
  if constexpr (!std::is_same_v<typename Rules::Quantized, NoQuantizedPairs>) {
    const bool narrows = std::is_same_v<typename Rules::Quantized, QuantizedProduct> &&
                         type == kTfLiteInt16 && call.input(1)->type == type &&
                         (out == kTfLiteInt8 || out == kTfLiteUInt8);
    if (is_quantized_) {
      if (!narrows) TERN_RETURN_IF_ERROR(TakeOneType(call));
      return quantized_.Prepare(call, activation_);
    }
  }
  TERN_RETURN_IF_ERROR(TakeOneType(call));
  if (!Rules::Numbers::Has(type)) {
    return Unsupported("type ", TypeText(type), " is not supported yet (input)");
  }
  if (type == kTfLiteComplex64 && IsClamp(activation_)) {
    return Unsupported("complex numbers have no fused activation");
  }
  return OkStatus();
}

template <class Row>
Status Binary<Row>::Run(const OpCall& call, ThreadPool* pool) const {
  if (is_quantized_) return RunQuantized(call, pool);
  Status status;
  Rules::Numbers::Dispatch(call.input(0)->type, [&](auto element) {
    status = RunNumbers<decltype(element)>(call, pool);
  });
  return status;
}

template <class Row>
template <class T>
Status Binary<Row>::CheckSecond(const OpCall& call) const {
  const T* second = Data<T>(call.input(1));
  for (int64_t i = 0, n = Elements(call.input(1)); i < n; ++i) {
    const char* refusal = Rules::Refusal(Stored<T>::Load(second[i]));
    if (refusal != nullptr) return Invalid(refusal, " (element ", i, " of the second input)");
  }
  return OkStatus();
}

template <class Row>
template <class T>
Status Binary<Row>::RunNumbers(const OpCall& call, ThreadPool* pool) const {
  if constexpr (&Rules::template Refusal<T> != &BinaryRules::Refusal<T>) {
    TERN_RETURN_IF_ERROR(CheckSecond<T>(call));
  }
  if constexpr (std::is_same_v<T, float>) {
    if (fast() && RunFastFloats(call, pool)) return OkStatus();
  }
  using Number = typename Stored<T>::Number;
  if (IsClamp(activation_)) {
    const ClampTo<Number> clamp = ClampFor<Number>(activation_);
    ForEachPair<T, T>(call, pool, [&](Number v, Number w) { return clamp(Row::Compute(v, w)); });
  } else {
    ForEachPair<T, T>(call, pool, [](Number v, Number w) { return Row::Compute(v, w); });
  }
  return OkStatus();
}

template <class Row>
bool Binary<Row>::RunFastFloats(const OpCall& call, ThreadPool* pool) const {
  const FloatPairRow form = OptimizedKernel(Row::kBuiltin);
  if (form == nullptr) return false;
  const FloatRange range = ActivationRange(activation_);
  ForEachRow<float, float>(call, pool,
                           [form, range](const float* a, bool a_moves, const float* b, bool b_moves,
                                         float* out, int64_t count) {
                             form(a, a_moves, b, b_moves, out, count, range.min, range.max);
                           });
  return true;
}

template <class Row>
template <class T>
bool Binary<Row>::RunFastBytes(const OpCall& call, ThreadPool* pool) const {
  using Quantized = typename Rules::Quantized;
  const ByteForms<T>* forms = FastBytes<T>();
  if (forms == nullptr || call.output(0)->type != call.input(0)->type) return false;
  const auto run = [&](auto form, const auto& pairs) {
    ForEachRow<T, T>(
        call, pool,
        [form, &pairs](const T* a, bool a_moves, const T* b, bool b_moves, T* out, int64_t count) {
          form(pairs, a, a_moves, b, b_moves, out, count);
        });
    return true;
  };
  if constexpr (std::is_base_of_v<QuantizedSum, Quantized>) {
    const ByteSum sum = quantized_.Bytes();
    return TakesSum(sum) && run(forms->sum, sum);
  } else if constexpr (std::is_same_v<Quantized, QuantizedProduct>) {
    const ByteProduct product = quantized_.Bytes();
    return TakesProduct(product) && run(forms->product, product);
  } else {
    return false;
  }
}

template <class Row>
Status Binary<Row>::RunQuantized(const OpCall& call, ThreadPool* pool) const {
  if constexpr (!std::is_same_v<typename Rules::Quantized, NoQuantizedPairs>) {
    using Kinds = Types<int8_t, uint8_t, int16_t>;
    Status status;
    const TfLiteType type = call.input(0)->type;
    if (fast() && type == kTfLiteInt8 && RunFastBytes<int8_t>(call, pool)) return status;
    if (fast() && type == kTfLiteUInt8 && RunFastBytes<uint8_t>(call, pool)) return status;
    Kinds::Dispatch(type, [&](auto in) {
      using In = decltype(in);
      if constexpr (std::is_same_v<typename Rules::Quantized, QuantizedQuotient>) {
        const In* divisors = Data<In>(call.input(1));
        for (int64_t i = 0, n = Elements(call.input(1)); status.ok() && i < n; ++i) {
          if (divisors[i] == quantized_.zero()) {
            status = Invalid("division by zero (element ", i, " of the second input)");
          }
        }
        if (!status.ok()) return;
      }
      Kinds::Dispatch(call.output(0)->type, [&](auto out) {
        using Out = decltype(out);
        ForEachPair<In, Out>(call, pool,
                             [&](In v, In w) { return static_cast<Out>(quantized_(v, w)); });
      });
    });
    return status;
  } else {
    return OkStatus();
  }
}

}  // namespace

#define ELEMENTWISE_BINARY(builtin, Name, parameters, expression, ...)                \
  namespace {                                                                         \
  struct Name##Row {                                                                  \
    using Rules = Name##Rules;                                                        \
    static constexpr const char* kName = #builtin;                                    \
    static constexpr int kBuiltin = kTfLiteBuiltin##Name;                             \
    static bool ReadOptions(const void* options, TfLiteFusedActivation& activation) { \
      return elementwise::parameters(options, activation);                            \
    }                                                                                 \
    template <class T>                                                                \
    static T Compute(T v, T w) {                                                      \
      using namespace elementwise; /* NOLINT: the words of the expression */          \
      return expression;                                                              \
    }                                                                                 \
  };                                                                                  \
  }                                                                                   \
  TfLiteRegistration Name##Registration(OpForm form) {                                \
    return MakeRegistration<Binary<Name##Row>>(form);                                 \
  }
#include "ops/elementwise/table.inc"

}  // namespace tern
