// SPDX-License-Identifier: Apache-2.0
// EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS and LESS_EQUAL: numbers, quantized numbers, and
// for the first two BOOL values and strings. LOGICAL_AND, LOGICAL_OR and LOGICAL_NOT.
#include <string_view>
#include <type_traits>

#include "ops/cpu_kit/pairwise.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_kit/strings.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

// A quantized number on the scale that operands are compared on: 8 more bits, and rounded, so that
// neighbours of a very small scale count as equal.
struct OnCommonScale {
  int32_t zero_point = 0;
  Multiplier scale;
  int32_t operator()(int32_t v) const { return Scale((v - zero_point) * 256, scale); }
};

template <class Relation>
class Compare : public Pairwise {
 public:
  using Pairwise::Pairwise;
  const char* name() const override { return Relation::kName; }

 protected:
  Status Check(const OpCall& call) override;
  Status Run(const OpCall& call, ThreadPool* pool) const override;
  bool flushes_subnormals() const override { return false; }

 private:
  using Plain = Types<float, Half, Bfloat16, int32_t, int64_t>;
  using Quantized = Types<int8_t, uint8_t, int16_t>;

  Status RunStrings(const OpCall& call) const;

  bool is_quantized_ = false;
  OnCommonScale a_, b_;
};

// INT16 numbers are compared as they are stored, except for equality where a scale is given.
template <class Relation>
bool ComparesScaled(const OpCall& call) {
  const TfLiteTensor* a = call.input(0);
  if (a->type != kTfLiteInt16) return IsQuantizedType(a->type);
  return Relation::kEquality && a->quantization.type != kTfLiteNoQuantization;
}

StatusOr<OnCommonScale> CommonScale(const TfLiteTensor* t, const char* what) {
  TERN_ASSIGN_OR_RETURN(const Quantization q, QuantizationOf(t, what));
  return OnCommonScale{q.zero_point, MakeMultiplier(static_cast<double>(q.scale))};
}

template <class Relation>
Status Compare<Relation>::Check(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckSameType(call.input(0), call.input(1), "both inputs"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteBool, "output"));
  const TfLiteType type = call.input(0)->type;
  const bool more = Relation::kEquality && (type == kTfLiteBool || type == kTfLiteString);
  if (!more && !Plain::Has(type) && !Quantized::Has(type)) {
    return Unsupported("type ", TypeText(type), " is not supported yet (input)");
  }
  is_quantized_ = ComparesScaled<Relation>(call);
  if (is_quantized_) {
    TERN_ASSIGN_OR_RETURN(a_, CommonScale(call.input(0), "first input"));
    TERN_ASSIGN_OR_RETURN(b_, CommonScale(call.input(1), "second input"));
  }
  return OkStatus();
}

template <class Relation>
Status Compare<Relation>::Run(const OpCall& call, ThreadPool* pool) const {
  const TfLiteType type = call.input(0)->type;
  if constexpr (Relation::kEquality) {
    if (type == kTfLiteString) return RunStrings(call);
    if (type == kTfLiteBool) {
      ForEachPair<uint8_t, bool>(
          call, pool, [](uint8_t v, uint8_t w) { return Relation::Holds(v != 0, w != 0); });
      return OkStatus();
    }
  }
  Plain::Dispatch(type, [&](auto element) {
    ForEachPair<decltype(element), bool>(call, pool,
                                         [](auto v, auto w) { return Relation::Holds(v, w); });
  });
  Quantized::Dispatch(type, [&](auto element) {
    using T = decltype(element);
    if (is_quantized_) {
      ForEachPair<T, bool>(call, pool, [this](T v, T w) { return Relation::Holds(a_(v), b_(w)); });
    } else {
      ForEachPair<T, bool>(call, pool, [](T v, T w) { return Relation::Holds(v, w); });
    }
  });
  return OkStatus();
}

template <class Relation>
Status Compare<Relation>::RunStrings(const OpCall& call) const {
  const TfLiteTensor *a = call.input(0), *b = call.input(1);
  TERN_RETURN_IF_ERROR(CheckStrings(a, "first input"));
  TERN_RETURN_IF_ERROR(CheckStrings(b, "second input"));
  bool* out = MutableData<bool>(call.output(0));
  const auto text = [](const TfLiteTensor* t, int64_t i) {
    const tflite::StringRef s = tflite::GetString(t, static_cast<int>(i));
    return std::string_view(s.str, s.len);
  };
  const auto& step = walk_.steps.back();
  walk_.ForEachPiece(0, Elements(call.output(0)), [&](int64_t at, const auto& from, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      out[at + i] = Relation::Holds(text(a, from[0] + i * step[0]), text(b, from[1] + i * step[1]));
    }
  });
  return OkStatus();
}

template <class Rule>
class Logical : public Pairwise {
 public:
  using Pairwise::Pairwise;
  const char* name() const override { return Rule::kName; }

 protected:
  Status Check(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteBool, "first input"));
    TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteBool, "second input"));
    return CheckType(call.output(0), kTfLiteBool, "output");
  }
  Status Run(const OpCall& call, ThreadPool* pool) const override {
    ForEachPair<uint8_t, bool>(call, pool,
                               [](uint8_t v, uint8_t w) { return Rule::Holds(v != 0, w != 0); });
    return OkStatus();
  }
};

class LogicalNot : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "LOGICAL_NOT"; }
  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteBool, "input"));
    TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteBool, "output"));
    return call.SetShape(call.output(0), ShapeOf(call.input(0)));
  }
  // Bytes other than 0 and 1 count as true.
  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
    TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
    const uint8_t* in = Data<uint8_t>(call.input(0));
    uint8_t* out = MutableData<uint8_t>(call.output(0));
    for (int64_t i = 0; i < Elements(call.input(0)); ++i) out[i] = in[i] == 0 ? 1 : 0;
    return OkStatus();
  }
};

}  // namespace

// A row: operation, class of ops, what must hold, and whether that is a form of equality.
#define TERN_RELATION(builtin, Name, Family, relation, equality) \
  namespace {                                                    \
  struct Name##Relation {                                        \
    static constexpr const char* kName = #builtin;               \
    [[maybe_unused]] static constexpr bool kEquality = equality; \
    template <class T>                                           \
    static bool Holds(const T& v, const T& w) {                  \
      return relation;                                           \
    }                                                            \
  };                                                             \
  }                                                              \
  TfLiteRegistration Name##Registration(OpForm form) {           \
    return MakeRegistration<Family<Name##Relation>>(form);       \
  }
TERN_RELATION(EQUAL, Equal, Compare, v == w, true)
TERN_RELATION(NOT_EQUAL, NotEqual, Compare, v != w, true)
TERN_RELATION(GREATER, Greater, Compare, v > w, false)
TERN_RELATION(GREATER_EQUAL, GreaterEqual, Compare, v >= w, false)
TERN_RELATION(LESS, Less, Compare, v < w, false)
TERN_RELATION(LESS_EQUAL, LessEqual, Compare, v <= w, false)
TERN_RELATION(LOGICAL_AND, LogicalAnd, Logical, v&& w, false)
TERN_RELATION(LOGICAL_OR, LogicalOr, Logical, v || w, false)
#undef TERN_RELATION

TfLiteRegistration LogicalNotRegistration(OpForm form) {
  return MakeRegistration<LogicalNot>(form);
}

}  // namespace tern
