// SPDX-License-Identifier: Apache-2.0
// One-operand elementwise ops on quantized integers: known results, the real function within its
// last step, and refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

using Make = TfLiteRegistration (*)(OpForm);

template <class T>
TfLiteType ElementType() {
  return sizeof(T) == 2 ? kTfLiteInt16 : (std::is_signed_v<T> ? kTfLiteInt8 : kTfLiteUInt8);
}

template <class T>
std::vector<T> Results(Make make, const std::vector<T>& in, const Quantization& from,
                       const Quantization& to, void* params = nullptr) {
  OperandScales scales;
  OpRunner run(make(OpForm::kOptimized), params);
  run.Input({static_cast<int>(in.size())}, in);
  run.Output(ElementType<T>());
  scales.Give(run.input(0), {from.scale}, from.zero_point);
  scales.Give(run.output(), {to.scale}, to.zero_point);
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  return run.Values<T>();
}

using SignedBytes = std::vector<int8_t>;

TEST(UnaryQuantized, KnownResults) {
  const SignedBytes in = {-128, -50, -10, 0, 10, 50, 127};
  EXPECT_EQ(Results<int8_t>(LogisticRegistration, in, {0.1f, 0}, {1.0f / 256, -128}),
            (SignedBytes{-128, -126, -59, 0, 59, 126, 127}));
  EXPECT_EQ(Results<int8_t>(TanhRegistration, in, {0.1f, 0}, {1.0f / 128, 0}),
            (SignedBytes{-128, -128, -97, 0, 97, 127, 127}));
  EXPECT_EQ(Results<int8_t>(Relu6Registration, {-128, -100, 0, 10, 127}, {0.1f, 0}, {0.05f, -128}),
            (SignedBytes{-128, -128, -128, -108, -8}));
  EXPECT_EQ(Results<int8_t>(NegRegistration, {-128, -1, 5}, {0.1f, 0}, {0.1f, 0}),
            (SignedBytes{-128, 1, -5}));
  EXPECT_EQ(Results<int8_t>(RsqrtRegistration, {0, 1, 4}, {1, 0}, {0.125f, 0}),
            (SignedBytes{127, 8, 4}));
  EXPECT_EQ(Results<int8_t>(SqrtRegistration, {0, 1, 5, 127}, {1, 0}, {0.25f, -10}),
            (SignedBytes{-10, -6, -2, 35}));
}

// Every input of 8 and 16 bits against the real function.
struct Function {
  const char* name;
  Make make;
  double (*truth)(double);
  bool positive;         // defined from the zero point on
  double bytes, shorts;  // steps that the forms of 8 and of 16 bits may be off
};

const Function kFunctions[] = {
    {"ABS", AbsRegistration, [](double v) { return std::fabs(v); }, false, 1, 1},
    {"EXP", ExpRegistration, [](double v) { return std::exp(v); }, false, 0.51, 2.5},
    {"ELU", EluRegistration, [](double v) { return v < 0 ? std::expm1(v) : v; }, false, 0.51, 2.5},
    {"RELU", ReluRegistration, [](double v) { return std::max(v, 0.0); }, false, 1, 1},
    {"SQRT", SqrtRegistration, [](double v) { return std::sqrt(v); }, true, 1.01, 1.01},
};

template <class T>
void CheckFunction(const Function& f, const Quantization& from, const Quantization& to) {
  const IntRange range = TypeRange(ElementType<T>());
  std::vector<T> in;
  for (int32_t q = f.positive ? from.zero_point : range.min; q <= range.max; ++q) {
    in.push_back(static_cast<T>(q));
  }
  const std::vector<T> got = Results<T>(f.make, in, from, to);
  for (size_t i = 0; i < in.size(); ++i) {
    const double want = f.truth(double{from.scale} * (in[i] - from.zero_point)) / to.scale;
    const double low = range.min - to.zero_point, high = range.max - to.zero_point;
    ASSERT_NEAR(got[i] - to.zero_point, std::min(std::max(want, low), high),
                sizeof(T) == 1 ? f.bytes : f.shorts)
        << f.name << " of " << int{in[i]};
  }
}

TEST(UnaryQuantized, AllNumbers) {
  for (const Function& f : kFunctions) {
    CheckFunction<int8_t>(f, {0.03f, 5}, {0.04f, -11});
    CheckFunction<int16_t>(f, {1.0f / 16384, 0}, {1.0f / 4096, 0});
  }
}

TEST(UnaryQuantized, LeakySlopesOfBothSigns) {
  for (const float alpha : {0.2f, -0.7f, 1.7f, 0.0f}) {
    TfLiteLeakyReluParams params{alpha};
    const SignedBytes got = Results<int8_t>(LeakyReluRegistration, {-100, -7, 3, 9, 100}, {0.1f, 3},
                                            {0.2f, -5}, &params);
    const double in[] = {-10.3, -1.0, 0, 0.6, 9.7};
    for (int i = 0; i < 5; ++i) {
      const double want = (in[i] < 0 ? double{alpha} * in[i] : in[i]) / 0.2 - 5;
      EXPECT_NEAR(got[i], std::min(std::max(want, -128.0), 127.0), 0.51) << alpha;
    }
  }
}

TEST(UnaryQuantized, HardSwish) {
  SignedBytes in;
  for (int q = -128; q < 128; ++q) in.push_back(static_cast<int8_t>(q));
  const SignedBytes got = Results<int8_t>(HardSwishRegistration, in, {0.05f, -3}, {0.04f, -110});
  for (size_t i = 0; i < in.size(); ++i) {
    const double v = 0.05 * (in[i] + 3);
    const double want = v * std::min(std::max(v + 3, 0.0), 6.0) / 6 / 0.04 - 110;
    EXPECT_NEAR(got[i], std::min(std::max(want, -128.0), 127.0), 1.01) << v;
  }
}

TEST(UnaryQuantized, SigmoidsOf16Bits) {
  std::vector<int16_t> in;
  for (int q = -32768; q < 32768; q += 37) in.push_back(static_cast<int16_t>(q));
  for (const float scale : {1.0f / 4096, 1.0f / 2048, 0.0003f, 0.003f}) {
    const auto logistic = Results<int16_t>(LogisticRegistration, in, {scale, 0}, {1.0f / 32768, 0});
    const auto tanh = Results<int16_t>(TanhRegistration, in, {scale, 0}, {1.0f / 32768, 0});
    for (size_t i = 0; i < in.size(); ++i) {
      const double v = double{scale} * in[i];
      ASSERT_NEAR(logistic[i], 32768 / (1 + std::exp(-v)), 8) << v;
      ASSERT_NEAR(tanh[i], 32768 * std::tanh(v), 8) << v;
    }
  }
}

TEST(UnaryQuantized, BadOperandsAreErrors) {
  OperandScales scales;
  OpRunner negative(SqrtRegistration(OpForm::kOptimized));
  negative.Input<int8_t>({2}, {5, 3});
  negative.Output(kTfLiteInt8);
  scales.Give(negative.input(0), {0.5f}, 4);
  scales.Give(negative.output(), {0.5f}, 0);
  EXPECT_EQ(negative.Run(), kTfLiteError);
  EXPECT_EQ(negative.error(), "SQRT: input is negative (3, zero point 4)");
  for (const std::vector<float>& bad :
       {std::vector<float>{0.0f}, {-1.0f}, {std::nanf("")}, {0.5f, 0.5f}, {}}) {
    OpRunner run(TanhRegistration(OpForm::kOptimized));
    run.EmptyInput({2}, kTfLiteInt8);
    run.Output(kTfLiteInt8);
    scales.Give(run.input(0), bad);
    scales.Give(run.output(), {0.5f});
    EXPECT_EQ(run.Prepare(), kTfLiteError);
  }
  OpRunner far(TanhRegistration(OpForm::kOptimized));
  far.EmptyInput({2}, kTfLiteInt8);
  far.Output(kTfLiteInt8);
  scales.Give(far.input(0), {0.5f}, 200);
  scales.Give(far.output(), {0.5f});
  EXPECT_EQ(far.Prepare(), kTfLiteError);
  OpRunner zero(LogisticRegistration(OpForm::kOptimized));
  zero.EmptyInput({2}, kTfLiteInt16);
  zero.Output(kTfLiteInt16);
  scales.Give(zero.input(0), {0.5f}, 3);
  scales.Give(zero.output(), {1.0f / 32768});
  EXPECT_EQ(zero.Prepare(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
