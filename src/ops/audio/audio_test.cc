// SPDX-License-Identifier: Apache-2.0
// AudioSpectrogram and Mfcc: values of TensorFlow Lite, transforms against their definition, and
// options that do not fit.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/flex_options.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

void ExpectNear(const std::vector<float>& got, const std::vector<float>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], want[i], 4e-7 * (1 + std::fabs(want[i]))) << i;
  }
}

std::vector<float> Samples(int count) {
  std::vector<float> samples;
  for (int i = 0; i < count; ++i) samples.push_back(static_cast<float>(i * 29 % 17 - 8) / 4);
  return samples;
}

std::vector<uint8_t> SpectrogramOptions(int64_t window, int64_t stride, bool squared) {
  return IntegerOptions(
      {{"window_size", window}, {"stride", stride}, {"magnitude_squared", squared}});
}

TEST(AudioSpectrogram, KnownValues) {
  const std::vector<float> squares = {
      0.03515625f, 0.634481549f, 0.56640625f, 4.81083107f, 10.1601562f,
      0,           2.19382095f,  6.890625f,   4.97805405f, 0,
      3.0625f,     3.57120442f,  4.5703125f,  5.72567034f, 4.515625f,
      0.31640625f, 0.700772822f, 0.70703125f, 4.74453974f, 10.1601562f};
  for (const bool squared : {true, false}) {
    OpRunner run(AudioSpectrogramRegistration(OpForm::kOptimized));
    run.SetCustomOptions(SpectrogramOptions(6, 3, squared));
    run.Input({10, 2}, Samples(20));
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), (Shape{2, 2, 5}));
    std::vector<float> want = squares;
    if (!squared) {
      for (float& v : want) v = std::sqrt(v);
    }
    ExpectNear(run.Values(), want);
  }
}

TEST(AudioSpectrogram, Definition) {
  constexpr int kWindow = 100, kStride = 150, kPoints = 128, kSamples = 403;
  const std::vector<float> x = Random(5).Floats(kSamples, -1, 1);
  OpRunner run(AudioSpectrogramRegistration(OpForm::kOptimized), nullptr, 2);
  run.SetCustomOptions(SpectrogramOptions(kWindow, kStride, false));
  run.Input({kSamples, 1}, x);
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  ASSERT_EQ(run.OutputShape(), (Shape{1, 3, kPoints / 2 + 1}));
  const std::vector<float> got = run.Values();
  for (int frame = 0; frame < 3; ++frame) {
    for (int bin = 0; bin <= kPoints / 2; ++bin) {
      std::complex<double> sum = 0;
      for (int i = 0; i < kWindow; ++i) {
        const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * i / kWindow);
        sum += window * x[static_cast<size_t>(frame * kStride + i)] *
               std::polar(1.0, -2 * std::numbers::pi * i * bin / kPoints);
      }
      EXPECT_NEAR(got[static_cast<size_t>(frame * (kPoints / 2 + 1) + bin)], std::abs(sum), 2e-6);
    }
  }
}

std::string SpectrogramError(const std::vector<uint8_t>& options,
                             const std::vector<int>& shape = {9, 1}) {
  OpRunner run(AudioSpectrogramRegistration(OpForm::kOptimized));
  run.SetCustomOptions(options);
  run.EmptyInput(shape, kTfLiteFloat32);
  run.Output();
  EXPECT_EQ(run.Prepare(), kTfLiteError);
  return run.error();
}

TEST(AudioSpectrogram, ShortSamplesAndBadOptions) {
  OpRunner run(AudioSpectrogramRegistration(OpForm::kOptimized));
  run.SetCustomOptions(SpectrogramOptions(6, 3, true));
  run.Input({5, 2}, Samples(10));
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(), (Shape{2, 0, 5}));
  EXPECT_EQ(SpectrogramError(SpectrogramOptions(6, 0, true)),
            "AudioSpectrogram: stride must be positive (0)");
  for (const int64_t window : {int64_t{-1}, int64_t{1}, int64_t{1} << 40}) {
    EXPECT_NE(SpectrogramError(SpectrogramOptions(window, 1, true)), "");
  }
  EXPECT_NE(SpectrogramError(SpectrogramOptions(4, 1, true), {9}), "");
  EXPECT_NE(SpectrogramError({}), "");
}

std::vector<uint8_t> MfccOptions(double upper, double lower, int64_t bands, int64_t coefficients) {
  return FlexOptions([&](flexbuffers::Builder& b) {
    b.Float("upper_frequency_limit", static_cast<float>(upper));
    b.Float("lower_frequency_limit", static_cast<float>(lower));
    b.Int("filterbank_channel_count", bands);
    b.Int("dct_coefficient_count", coefficients);
  });
}

std::string Coefficients(const std::vector<uint8_t>& options, std::vector<float>& values,
                         int rate = 16000) {
  std::vector<float> squares;
  for (int i = 0; i < 130; ++i) squares.push_back(static_cast<float>(i * 37 % 101) / 50);
  OpRunner run(MfccRegistration(OpForm::kOptimized));
  run.SetCustomOptions(options);
  run.Input({1, 2, 65}, squares);
  run.Input<int32_t>({1}, {rate});
  run.Output();
  if (run.Run() != kTfLiteOk) return run.error();
  values = run.Values();
  EXPECT_EQ(run.OutputShape(), (Shape{1, 2, static_cast<int64_t>(values.size()) / 2}));
  return "";
}

TEST(Mfcc, KnownValues) {
  const struct {
    std::vector<uint8_t> options;
    std::vector<float> want;
  } known[] = {
      {MfccOptions(4000, 20, 10, 5),
       {3.82421446f, -1.59965897f, 0.00830936711f, -0.262523144f, 0.00403501466f, 3.67185783f,
        -1.66027761f, 0.08708065f, -0.0743402541f, -0.0510007441f}},
      // Bands between bins hold the smallest sum.
      {MfccOptions(4000, 20, 40, 4),
       {-28.7189407f, -25.4566612f, -15.9001665f, -9.7674036f, -29.3909683f, -25.5972023f,
        -15.5275021f, -9.05550861f}},
      {MfccOptions(7999.9, 300, 3, 3),
       {6.17988539f, -0.77152133f, -0.00926059764f, 6.08777857f, -0.785374939f, -0.0390168615f}},
      {MfccOptions(4000, 20, 10, 0), {}},
      // Above the last bin there is nothing to sum.
      {MfccOptions(9000, 20, 10, 2), {0, 0, 0, 0}},
  };
  for (const auto& [options, want] : known) {
    std::vector<float> values;
    ASSERT_EQ(Coefficients(options, values), "");
    ExpectNear(values, want);
  }
}

TEST(Mfcc, BadOptionsAreErrors) {
  std::vector<float> values;
  EXPECT_EQ(Coefficients(MfccOptions(4000, 20, 4, 13), values),
            "Mfcc: there are more coefficients than bands (13, 4)");
  EXPECT_EQ(Coefficients(MfccOptions(20, 20, 4, 3), values),
            "Mfcc: the frequency limits must rise from 0 or more (20, 20)");
  EXPECT_NE(Coefficients(MfccOptions(4000, -1, 4, 3), values), "");
  EXPECT_NE(Coefficients(MfccOptions(4000, 20, 4, -1), values), "");
  EXPECT_NE(Coefficients(MfccOptions(4000, 20, 4, 3), values, 0), "");
  EXPECT_NE(Coefficients({}, values), "");
}

}  // namespace
}  // namespace tern::testing
