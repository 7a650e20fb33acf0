// SPDX-License-Identifier: Apache-2.0
// Functions on rows of floats. An exponential is 2^n times a polynomial (the coefficients of the
// Cephes library) of what is left of the argument, at most ln(2) / 2.
#include "cpu/float_rows.h"

#define TERN_NEEDS_NO_VNNI
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/float_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "cpu/simd/clamp-inl.h"
#include "cpu/simd/tails-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {

#if TERN_SIMD

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

HWY_INLINE V All(float v) { return hn::Set(D(), v); }

HWY_INLINE V AtLeast(float low, V v) { return HWY_NAMESPACE::AtLeast(All(low), v); }
HWY_INLINE V Between(float low, float high, V v) {
  return HWY_NAMESPACE::Between(All(low), All(high), v);
}

// x = n ln(2) + rest.
struct Reduced {
  V n, rest;
};
HWY_INLINE Reduced Reduce(V x) {
  const V n = hn::Round(hn::Mul(x, All(1.44269504f)));
  const V rest = hn::NegMulAdd(n, All(0.693359375f), x);
  return {n, hn::NegMulAdd(n, All(-2.12194440e-4f), rest)};
}

// exp(r) - 1 for |r| <= ln(2) / 2.
HWY_INLINE V SmallExpm1(V r) {
  V p = All(1.9875691500e-4f);
  p = hn::MulAdd(p, r, All(1.3981999507e-3f));
  p = hn::MulAdd(p, r, All(8.3334519073e-3f));
  p = hn::MulAdd(p, r, All(4.1665795894e-2f));
  p = hn::MulAdd(p, r, All(1.6666665459e-1f));
  p = hn::MulAdd(p, r, All(5.0000001201e-1f));
  return hn::MulAdd(hn::Mul(p, r), r, r);
}

template <class I>
HWY_INLINE V PowerOf2(I n) {
  const hn::RebindToSigned<D> di;
  return hn::BitCast(D(), hn::ShiftLeft<23>(hn::Add(n, hn::Set(di, 127))));
}

// In two factors, as 2^n alone may lie beyond float's range.
HWY_INLINE V Exp(V x) {
  const hn::RebindToSigned<D> di;
  const Reduced r = Reduce(Between(-104.0f, 89.0f, x));
  const auto n = hn::ConvertTo(di, r.n);
  const auto half = hn::ShiftRight<1>(n);
  const V p = hn::Add(SmallExpm1(r.rest), All(1.0f));
  return hn::Mul(hn::Mul(p, PowerOf2(half)), PowerOf2(hn::Sub(n, half)));
}

// exp(x) - 1 for x <= 0; below -25 it is -1.
HWY_INLINE V Expm1OfNegative(V x) {
  const Reduced r = Reduce(AtLeast(-25.0f, x));
  const V scale = PowerOf2(hn::ConvertTo(hn::RebindToSigned<D>(), r.n));
  return hn::MulAdd(scale, SmallExpm1(r.rest), hn::Sub(scale, All(1.0f)));
}

// 1 / (1 + exp(-x)). Below -88.4 the power of 2 is infinite and the result 0.
HWY_INLINE V Logistic(V x) {
  const Reduced r = Reduce(Between(-87.0f, 88.7f, hn::Neg(x)));
  const V scale = PowerOf2(hn::ConvertTo(hn::RebindToSigned<D>(), r.n));
  const V sum = hn::MulAdd(scale, hn::Add(SmallExpm1(r.rest), All(1.0f)), All(1.0f));
  return hn::Div(All(1.0f), sum);
}

HWY_INLINE V Tanh(V x) {
  const V t = Expm1OfNegative(hn::Mul(hn::Abs(x), All(-2.0f)));
  return hn::CopySign(hn::Div(t, hn::Add(t, All(2.0f))), x);
}

// NaN is not negative.
HWY_INLINE V WhereNegative(V x, V negative, V other) {
  return hn::IfThenElse(hn::Lt(x, hn::Zero(D())), negative, other);
}

#define TERN_FLOAT_ROW(Name, expression)                                                 \
  void Name##Row(const float* in, float* out, int64_t count, [[maybe_unused]] float a) { \
    MapRow(D(), in, out, count, [a](V v) {                                               \
      (void)a;                                                                           \
      return expression;                                                                 \
    });                                                                                  \
  }
TERN_FLOAT_ROW(Abs, hn::Abs(v))
TERN_FLOAT_ROW(Elu, WhereNegative(v, Expm1OfNegative(v), v))
TERN_FLOAT_ROW(Exp, Exp(v))
TERN_FLOAT_ROW(HardSwish, hn::Div(hn::Mul(v, Between(0, 6, hn::Add(v, All(3)))), All(6)))
TERN_FLOAT_ROW(LeakyRelu, WhereNegative(v, hn::Mul(All(a), v), v))
TERN_FLOAT_ROW(Logistic, Logistic(v))
TERN_FLOAT_ROW(Neg, hn::Neg(v))
TERN_FLOAT_ROW(Relu, AtLeast(0, v))
TERN_FLOAT_ROW(Relu0To1, Between(0, 1, v))
TERN_FLOAT_ROW(Relu6, Between(0, 6, v))
TERN_FLOAT_ROW(ReluN1To1, Between(-1, 1, v))
TERN_FLOAT_ROW(Rsqrt, hn::Div(All(1), hn::Sqrt(v)))
TERN_FLOAT_ROW(Sqrt, hn::Sqrt(v))
TERN_FLOAT_ROW(Square, hn::Mul(v, v))
TERN_FLOAT_ROW(Tanh, Tanh(v))
#undef TERN_FLOAT_ROW

FloatRow Function(FloatFunction function) {
  switch (function) {
#define TERN_FLOAT_ROW(Name)   \
  case FloatFunction::k##Name: \
    return &Name##Row;
    TERN_FLOAT_ROW(Abs)
    TERN_FLOAT_ROW(Elu)
    TERN_FLOAT_ROW(Exp)
    TERN_FLOAT_ROW(HardSwish)
    TERN_FLOAT_ROW(LeakyRelu)
    TERN_FLOAT_ROW(Logistic)
    TERN_FLOAT_ROW(Neg)
    TERN_FLOAT_ROW(Relu)
    TERN_FLOAT_ROW(Relu0To1)
    TERN_FLOAT_ROW(Relu6)
    TERN_FLOAT_ROW(ReluN1To1)
    TERN_FLOAT_ROW(Rsqrt)
    TERN_FLOAT_ROW(Sqrt)
    TERN_FLOAT_ROW(Square)
    TERN_FLOAT_ROW(Tanh)
#undef TERN_FLOAT_ROW
  }
  return nullptr;
}

// ---- softmax

float Largest(const float* in, int64_t count) {
  const D d;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  V max = All(in[0]);
  int64_t i = 0;
  for (; i + n <= count; i += n) max = hn::Max(max, hn::LoadU(d, in + i));
  if (i < count) {
    const auto there = hn::FirstN(d, static_cast<size_t>(count - i));
    max = hn::Max(max, hn::IfThenElse(there, LoadTail(d, in + i, count - i), max));
  }
  return hn::GetLane(hn::MaxOfLanes(d, max));
}

// The sum of exp(beta * (in[i] - max)); each goes to take(i, how many, exponentials).
template <class Take>
HWY_INLINE float SumOfExps(const float* in, int64_t count, float max, float beta,
                           const Take& take) {
  const D d;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  const auto power = [max, beta](V v) { return Exp(hn::Mul(hn::Sub(v, All(max)), All(beta))); };
  V sum = hn::Zero(d);
  int64_t i = 0;
  for (; i + n <= count; i += n) {
    const V e = power(hn::LoadU(d, in + i));
    take(i, n, e);
    sum = hn::Add(sum, e);
  }
  if (i < count) {
    const V e = power(LoadTail(d, in + i, count - i));
    take(i, count - i, e);
    sum = hn::Add(sum, hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(count - i)), e));
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

void Softmax(const float* in, float* out, int64_t count, float beta) {
  const D d;
  const float sum = SumOfExps(in, count, Largest(in, count), beta, [&](int64_t i, int64_t n, V e) {
    if (n == static_cast<int64_t>(hn::Lanes(d))) {
      hn::StoreU(e, d, out + i);
    } else {
      StoreTail(e, d, out + i, n);
    }
  });
  const V factor = All(1.0f / sum);
  MapRow(d, out, out, count, [factor](V v) { return hn::Mul(v, factor); });
}

void LogSoftmax(const float* in, float* out, int64_t count) {
  const float max = Largest(in, count);
  const float sum = SumOfExps(in, count, max, 1.0f, [](int64_t, int64_t, V) {});
  const V first = All(max), second = All(std::log(sum));
  MapRow(D(), in, out, count, [=](V v) { return hn::Sub(hn::Sub(v, first), second); });
}

SoftmaxRow SoftmaxForm() { return &Softmax; }
LogSoftmaxRow LogSoftmaxForm() { return &LogSoftmax; }

#else

FloatRow Function(FloatFunction) { return nullptr; }
SoftmaxRow SoftmaxForm() { return nullptr; }
LogSoftmaxRow LogSoftmaxForm() { return nullptr; }

#endif  // TERN_SIMD

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {

HWY_EXPORT(Function);
HWY_EXPORT(SoftmaxForm);
HWY_EXPORT(LogSoftmaxForm);

FloatRow FastFunction(FloatFunction function) { return TERN_OPTIMIZED_KERNEL(Function, function); }
SoftmaxRow FastSoftmax() { return TERN_OPTIMIZED_KERNEL(SoftmaxForm); }
LogSoftmaxRow FastLogSoftmax() { return TERN_OPTIMIZED_KERNEL(LogSoftmaxForm); }

}  // namespace tern

#endif  // HWY_ONCE
