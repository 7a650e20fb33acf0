// SPDX-License-Identifier: Apache-2.0
// SignalRfft and SignalIrfft: integers with the bits of TensorFlow Lite Micro, floats against the
// definition, and lengths that do not fit.
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

TfLiteRegistration Transform(bool forward) {
  return forward ? SignalRfftRegistration(OpForm::kOptimized)
                 : SignalIrfftRegistration(OpForm::kOptimized);
}

template <class T>
std::vector<T> Saw(int count, int64_t factor) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<T>((i * 7919 % 4001 - 2000) * factor));
  }
  return values;
}

// Of one row or of two equal ones.
template <class T>
void ExpectTransform(bool forward, int length, const std::vector<T>& row,
                     const std::vector<T>& want, TfLiteType type) {
  for (const int rows : {1, 2}) {
    std::vector<T> in, out;
    for (int i = 0; i < rows; ++i) {
      in.insert(in.end(), row.begin(), row.end());
      out.insert(out.end(), want.begin(), want.end());
    }
    OpRunner run(Transform(forward));
    run.SetCustomOptions(IntegerOptions({{"T", type == kTfLiteInt16 ? 7 : 2},  //
                                         {"fft_length", length}}));
    run.Input({rows, static_cast<int>(row.size())}, in);
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), (Shape{rows, forward ? length + 2 : length}));
    EXPECT_EQ(run.Values<T>(), out) << length << (forward ? " forward" : " backward");
  }
}

TEST(SignalFourier, Int16) {
  const struct {
    int length;
    std::vector<int16_t> spectrum, samples;
  } known[] = {
      {16,
       {17294, 0, -4034, -3627, -3871, -2138, -3625, -1692, -3336, -1420, -3047, -1142, -2802, -810,
        -2639, -421, -2580, 0},
       {1006, -8150, -12997, 10862, 2863, 6851, 1242, -2629, -4000, 766, 2341, 4410, 5519, -3807,
        -6586, 3077}},
      {20,
       {15857, 0,     -2859, -4296, -2811, -2242, -2736, -1578, -2641, -1237, -2536,
        -1002, -2432, -806,  -2337, -613,  -2262, -415,  -2215, -210,  -2197, 0},
       {-4126, -5487, -12586, 13620, 3548, 4834, -2139, -2114, -2382, 3788,
        3352,  489,   -1518,  -2720, -210, 3552, 7205,  -2096, -4414, 174}},
      {24,
       {14012, 0,     -2062, -5058, -2057, -2508, -2046, -1646, -2034, -1203, -2019, -925,  -2002,
        -725,  -1987, -569,  -1972, -437,  -1960, -318,  -1950, -210,  -1943, -103,  -1942, 0},
       {2489,  -5508, -15080, 2582, -4965, 5487,  1465, 2026,  2026, -3046, -1025, -4715,
        -2667, -2392, -312,   -30,  3561,  -1547, 4121, -6226, -366, -8402, -5171, 5703}},
      {30,
       {10840, 0,     -1258, -6270, -1271, -3035, -1294, -1917, -1324, -1330, -1361,
        -963,  -1403, -708,  -1447, -521,  -1493, -382,  -1537, -277,  -1578, -196,
        -1614, -134,  -1645, -90,   -1668, -54,   -1681, -25,   -1686, 0},
       {12144, -860,  -6195, -3415, -2931, -3022, -1776, -2733, -1144, -2520,
        -715,  -2346, -382,  -2193, -90,   -2044, 192,   -1887, 481,   -1706,
        817,   -1476, 1246,  -1139, 1878,  -538,  3034,  1003,  6297,  12794}}};
  for (const auto& [length, spectrum, samples] : known) {
    ExpectTransform(true, length, Saw<int16_t>(length - 1, 16), spectrum, kTfLiteInt16);
    ExpectTransform(false, length, Saw<int16_t>(length + 2, 16), samples, kTfLiteInt16);
  }
}

TEST(SignalFourier, Int32) {
  const struct {
    int length;
    std::vector<int32_t> spectrum, samples;
  } known[] = {
      {16,
       {1081190739, 0, -252216564, -226717061, -241974021, -133601058, -226644972, -105762764,
        -208563124, -88750266, -190481279, -71382935, -175152229, -50600810, -164909687, -26336735,
        -161312983, 0},
       {13198936, -497070576, -830068636, 733887846, 203807413, 465512897, 95181984, -159267720,
        -250063250, 60337344, 163941640, 295362466, 369807909, -250291725, -429307984, 162509104}},
      {30,
       {677668698,  0,          -78629305,  -392033561, -79503589, -189738216, -80918212,
        -119769532, -82811348,  -83153548,  -85100255,  -60160079, -87684899,  -44249018,
        -90452318,  -32631321,  -93281565,  -23907644,  -96048984, -17280603,  -98633630,
        -12239863,  -100922537, -8419789,   -102815671, -5529490,  -104230294, -3316604,
        -105104579, -1548092,   -105400316, 0},
       {765800775,  -53816655,  -380686960, -213506889, -176623101, -188945246,
        -104441534, -170838181, -64935249,  -157510499, -38121706,  -146712836,
        -17169905,  -137120453, 1074835,    -127833716, 18522189,   -118046983,
        36766925,   -106760861, 57718726,   -92315220,  84532269,   -71178919,
        124038551,  -33522088,  196220121,  62664741,   400283977,  799941541}}};
  for (const auto& [length, spectrum, samples] : known) {
    ExpectTransform(true, length, Saw<int32_t>(length - 1, 1000003), spectrum, kTfLiteInt32);
    ExpectTransform(false, length, Saw<int32_t>(length + 2, 1000003), samples, kTfLiteInt32);
  }
}

std::vector<float> FloatTransform(bool forward, int length, const std::vector<float>& in) {
  OpRunner run(Transform(forward));
  run.SetCustomOptions(IntegerOptions({{"fft_length", length}}));
  run.Input({static_cast<int>(in.size())}, in);
  run.Output();
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  return run.Values();
}

TEST(SignalFourier, FloatsByTheirDefinitionAndBack) {
  for (const int length : {4, 6, 10, 32, 60, 90, 250, 512}) {
    const int count = length - 2;
    std::vector<float> samples = Random(9).Floats(static_cast<size_t>(count), -1, 1);
    const std::vector<float> spectrum = FloatTransform(true, length, samples);
    ASSERT_EQ(spectrum.size(), static_cast<size_t>(length + 2));
    for (int bin = 0; bin <= length / 2; ++bin) {
      std::complex<double> sum = 0;
      for (int i = 0; i < count; ++i) {
        sum += std::polar<double>(samples[static_cast<size_t>(i)],
                                  -2 * std::numbers::pi * bin * i / length);
      }
      EXPECT_NEAR(spectrum[static_cast<size_t>(2 * bin)], sum.real(), 5e-6) << length;
      EXPECT_NEAR(spectrum[static_cast<size_t>(2 * bin + 1)], sum.imag(), 5e-6) << length;
    }
    const std::vector<float> back = FloatTransform(false, length, spectrum);
    samples.resize(static_cast<size_t>(length));
    for (size_t i = 0; i < samples.size(); ++i) EXPECT_NEAR(back[i], samples[i], 1e-6) << length;
  }
}

std::string Error(bool forward, const std::vector<uint8_t>& options, const std::vector<int>& shape,
                  TfLiteType type = kTfLiteInt16, TfLiteType out = kTfLiteInt16) {
  OpRunner run(Transform(forward));
  run.SetCustomOptions(options);
  run.EmptyInput(shape, type);
  run.Output(out);
  EXPECT_EQ(run.Prepare(), kTfLiteError);
  return run.error();
}

TEST(SignalFourier, BadLengthsAndTypesAreErrors) {
  const auto of = [](int64_t length) { return IntegerOptions({{"fft_length", length}}); };
  EXPECT_EQ(Error(true, of(2), {2}), "SignalRfft: fft_length must lie in 4..1048576 (2)");
  EXPECT_EQ(Error(true, of(28), {20}),
            "SignalRfft: fft_length must be an even product of 2, 3 and 5 (28)");
  EXPECT_EQ(Error(false, of(15), {17}),
            "SignalIrfft: fft_length must be an even product of 2, 3 and 5 (15)");
  EXPECT_EQ(Error(true, of(16), {2, 17}),
            "SignalRfft: a frame may have at most fft_length samples (17, fft_length 16)");
  EXPECT_EQ(Error(false, of(16), {2, 16}),
            "SignalIrfft: a spectrum must have fft_length + 2 numbers (16, fft_length 16)");
  EXPECT_EQ(Error(true, IntegerOptions({{"T", 7}}), {16}),
            "SignalRfft: option fft_length is missing");
  EXPECT_EQ(Error(true, of(16), {16}, kTfLiteInt8, kTfLiteInt8),
            "SignalRfft: type INT8 is not supported (input)");
  for (const int64_t length : {int64_t{-16}, int64_t{0}, int64_t{1} << 40}) {
    EXPECT_NE(Error(true, of(length), {1}), "");
  }
  EXPECT_NE(Error(true, of(16), {}), "");
  EXPECT_NE(Error(true, of(16), {16}, kTfLiteInt16, kTfLiteInt32), "");
  EXPECT_NE(Error(true, {}, {16}), "");
}

}  // namespace
}  // namespace tern::testing
