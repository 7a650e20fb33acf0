// SPDX-License-Identifier: Apache-2.0
// The one-operand rows of table.inc as CPU ops: any shape, same shape out. Float, half and bfloat16
// numbers go through the row's expression; integers have forms of their own.
#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>

#include "base/tensor/half.h"
#include "cpu/float_rows.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_registry.h"
#include "ops/elementwise/parameters.h"
#include "ops/elementwise/unary_quantized.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern {
namespace {

// Roundings and choices; and functions for which zero is a pole, or which grow from it beyond the
// range of subnormal numbers. The others give numbers as small, or make some on the way.
bool SeesSubnormals(int builtin) {
  switch (builtin) {
    case kTfLiteBuiltinAbs:
    case kTfLiteBuiltinCeil:
    case kTfLiteBuiltinFloor:
    case kTfLiteBuiltinLog:
    case kTfLiteBuiltinNeg:
    case kTfLiteBuiltinRelu:
    case kTfLiteBuiltinRelu0To1:
    case kTfLiteBuiltinRelu6:
    case kTfLiteBuiltinReluN1To1:
    case kTfLiteBuiltinRound:
    case kTfLiteBuiltinRsqrt:
    case kTfLiteBuiltinSign:
    case kTfLiteBuiltinSqrt:
      return true;
    default:
      return false;
  }
}

class Unary : public Op {
 public:
  using Op::Op;
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool flushes_subnormals() const override { return !SeesSubnormals(builtin()); }

 protected:
  virtual int builtin() const = 0;
  virtual bool ReadOptions(const void* options) = 0;
  virtual void Apply(const float* in, float* out, int64_t count) const = 0;

  elementwise::Constants constants_;

 private:
  StatusOr<UnaryKernel> Integers(const OpCall& call) const;
  template <uint16_t (*narrow)(float), float (*widen)(uint16_t)>
  UnaryKernel Narrow() const;
  void Compute(const float* in, float* out, int64_t count) const;

  UnaryKernel kernel_;
  FloatRow optimized_ = nullptr;
};

// A loop over numbers of one type.
template <class T, class F>
UnaryKernel Loop(const F& function) {
  return {[function](const void* in, void* out, int64_t begin, int64_t end) {
    const T* from = static_cast<const T*>(in);
    T* to = static_cast<T*>(out);
    for (int64_t i = begin; i < end; ++i) to[i] = function(from[i]);
  }};
}

// Numbers of 16 bits through the float form, a piece at a time.
template <uint16_t (*narrow)(float), float (*widen)(uint16_t)>
UnaryKernel Unary::Narrow() const {
  return {[this](const void* in, void* out, int64_t begin, int64_t end) {
    constexpr int64_t kPiece = 256;
    float values[kPiece];
    for (int64_t at = begin; at < end; at += kPiece) {
      const int64_t count = std::min(kPiece, end - at);
      const uint16_t* from = static_cast<const uint16_t*>(in) + at;
      uint16_t* to = static_cast<uint16_t*>(out) + at;
      for (int64_t i = 0; i < count; ++i) values[i] = widen(from[i]);
      Compute(values, values, count);
      for (int64_t i = 0; i < count; ++i) to[i] = narrow(values[i]);
    }
  }};
}

// Overflow wraps: the negation of the smallest integer is that integer.
template <class T>
UnaryKernel Negation() {
  using U = std::make_unsigned_t<T>;
  return Loop<T>([](T v) { return static_cast<T>(U{0} - static_cast<U>(v)); });
}
template <class T>
UnaryKernel Magnitude() {
  using U = std::make_unsigned_t<T>;
  return Loop<T>([](T v) { return v < 0 ? static_cast<T>(U{0} - static_cast<U>(v)) : v; });
}
template <class T>
UnaryKernel SignOf() {
  return Loop<T>([](T v) { return v > 0 ? T{1} : (v < 0 ? T{-1} : v); });
}

bool IsAffine(const TfLiteTensor* t) { return t->quantization.type == kTfLiteAffineQuantization; }

StatusOr<UnaryKernel> Unary::Integers(const OpCall& call) const {
  const TfLiteTensor* input = call.input(0);
  const TfLiteType type = input->type;
  switch (builtin()) {
    case kTfLiteBuiltinNeg:
      if (type == kTfLiteInt8) return Negation<int8_t>();
      if (type == kTfLiteInt16) return Negation<int16_t>();
      if (type == kTfLiteInt32) return Negation<int32_t>();
      if (type == kTfLiteInt64) return Negation<int64_t>();
      break;
    case kTfLiteBuiltinAbs:
      if (type == kTfLiteInt16 && !IsAffine(input)) return Magnitude<int16_t>();
      if (type == kTfLiteInt32) return Magnitude<int32_t>();
      break;
    case kTfLiteBuiltinSign:
      if (type == kTfLiteInt32) return SignOf<int32_t>();
      if (type == kTfLiteFloat64) return SignOf<double>();
      break;
    default:
      break;
  }
  const auto function = [this](float v) {
    Apply(&v, &v, 1);
    return v;
  };
  return QuantizedUnary(builtin(), input, call.output(0), function, constants_.a);
}

FloatRow OptimizedUnaryKernel(int builtin) {
  switch (builtin) {
#define TERN_FAST(Name)      \
  case kTfLiteBuiltin##Name: \
    return FastFunction(FloatFunction::k##Name);
    TERN_FAST(Abs)
    TERN_FAST(Elu)
    TERN_FAST(Exp)
    TERN_FAST(HardSwish)
    TERN_FAST(LeakyRelu)
    TERN_FAST(Logistic)
    TERN_FAST(Neg)
    TERN_FAST(Relu)
    TERN_FAST(Relu0To1)
    TERN_FAST(Relu6)
    TERN_FAST(ReluN1To1)
    TERN_FAST(Rsqrt)
    TERN_FAST(Sqrt)
    TERN_FAST(Square)
    TERN_FAST(Tanh)
#undef TERN_FAST
    default:
      return nullptr;
  }
}

void Unary::Compute(const float* in, float* out, int64_t count) const {
  if (optimized_ != nullptr) return optimized_(in, out, count, constants_.a);
  Apply(in, out, count);
}

Status Unary::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  if (!ReadOptions(call.node()->builtin_data)) return Invalid("options are missing");
  optimized_ = fast() ? OptimizedUnaryKernel(builtin()) : nullptr;
  switch (input->type) {
    case kTfLiteFloat32:
      kernel_.loop = [this](const void* in, void* out, int64_t begin, int64_t end) {
        Compute(static_cast<const float*>(in) + begin, static_cast<float*>(out) + begin,
                end - begin);
      };
      break;
    case kTfLiteFloat16:
      kernel_ = Narrow<&FloatToHalf, &HalfToFloat>();
      break;
    case kTfLiteBFloat16:
      kernel_ = Narrow<&FloatToBfloat16, &Bfloat16ToFloat>();
      break;
    default: {
      TERN_ASSIGN_OR_RETURN(kernel_, Integers(call));
    }
  }
  return call.SetShape(call.output(0), ShapeOf(input));
}

// An input below the smallest that has a result.
Status CheckLeast(const TfLiteTensor* t, int32_t min) {
  if (min == INT32_MIN) return OkStatus();
  const int64_t count = Elements(t);
  int32_t lowest = INT32_MAX;
  if (t->type == kTfLiteInt16) {
    for (int64_t i = 0; i < count; ++i) lowest = std::min<int32_t>(lowest, Data<int16_t>(t)[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) lowest = std::min<int32_t>(lowest, Data<int8_t>(t)[i]);
  }
  if (lowest >= min) return OkStatus();
  return Invalid("input is negative (", lowest, ", zero point ", min, ")");
}

Status Unary::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  TERN_RETURN_IF_ERROR(CheckLeast(input, kernel_.min));
  ThreadPool* pool = Pool(call);
  const void* in = input->data.raw_const;
  void* out = call.output(0)->data.raw;
  ParallelFor(pool, Elements(input), 4,
              [&](int64_t begin, int64_t end) { kernel_.loop(in, out, begin, end); });
  return OkStatus();
}

}  // namespace

#define ELEMENTWISE_UNARY(code, Name, parameters, expression, gpu_text)     \
  namespace {                                                               \
  class Name##Op : public Unary {                                           \
   public:                                                                  \
    using Unary::Unary;                                                     \
    const char* name() const override { return #code; }                     \
                                                                            \
   protected:                                                               \
    int builtin() const override { return kTfLiteBuiltin##Name; }           \
    bool ReadOptions(const void* options) override {                        \
      constants_ = {};                                                      \
      return elementwise::parameters(options, constants_);                  \
    }                                                                       \
    void Apply(const float* in, float* out, int64_t count) const override { \
      [[maybe_unused]] const float a = constants_.a, b = constants_.b;      \
      for (int64_t i = 0; i < count; ++i) {                                 \
        const float v = in[i];                                              \
        out[i] = expression;                                                \
      }                                                                     \
    }                                                                       \
  };                                                                        \
  }                                                                         \
  TfLiteRegistration Name##Registration(OpForm form) { return MakeRegistration<Name##Op>(form); }
#include "ops/elementwise/table.inc"

}  // namespace tern
