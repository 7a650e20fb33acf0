// SPDX-License-Identifier: Apache-2.0
// The Signal* operations one after another, as in models that turn audio into features: values of
// TensorFlow Lite Micro over four frames.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ops/testing/flex_options.h"
#include "ops/testing/session.h"

namespace tern::testing {
namespace {

using tflite::TensorType;
using tflite::TensorType_INT16;
using tflite::TensorType_INT32;
using tflite::TensorType_UINT32;
using tflite::TensorType_UINT64;

int List(ModelBuilder& b, int count, const std::function<int(int)>& value) {
  std::vector<int16_t> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<int16_t>(value(i)));
  return b.Const<int16_t>({count}, values);
}

// Frames of 30 samples -> five logarithms and what is taken for noise.
ModelBuilder Frontend() {
  ModelBuilder b;
  const auto add = [&](const std::string& op, const std::vector<int32_t>& inputs, TensorType type,
                       const std::vector<std::pair<const char*, int64_t>>& options) {
    return b.CustomOp("Signal" + op, inputs, {b.Tensor({}, type)}, IntegerOptions(options));
  };
  const int frame = b.Input({30}, TensorType_INT16);
  const int weights = List(b, 30, [](int i) { return 4096 - i * 31 % 13 * 300; });
  const int windowed = add("Window", {frame, weights}, TensorType_INT16, {{"shift", 12}});
  const int scaled = b.Tensor({}, TensorType_INT16), bits = b.Tensor({}, TensorType_INT32);
  b.CustomOp("SignalFftAutoScale", {windowed}, {scaled, bits});
  const int spectrum = add("Rfft", {scaled}, TensorType_INT16, {{"T", 7}, {"fft_length", 32}});
  const int energy =
      add("Energy", {spectrum}, TensorType_UINT32, {{"start_index", 0}, {"end_index", 17}});
  const int rising = List(b, 16, [](int i) { return 4096 - i * 37 % 11 * 400; });
  const int falling = List(b, 16, [](int i) { return i * 37 % 11 * 400; });
  const int bins = b.Const<int16_t>({6}, {1, 3, 5, 8, 11, 14});
  const int firsts = b.Const<int16_t>({6}, {0, 2, 4, 7, 10, 13});
  const int lengths = b.Const<int16_t>({6}, {2, 2, 3, 3, 3, 3});
  const int sums = add("FilterBank", {energy, rising, falling, bins, firsts, lengths},
                       TensorType_UINT64, {{"num_channels", 5}});
  const int roots = add("FilterBankSquareRoot", {sums, bits}, TensorType_UINT32, {});
  const int clean = b.Tensor({}, TensorType_UINT32), noise = b.Tensor({}, TensorType_UINT32);
  b.CustomOp("SignalFilterBankSpectralSubtraction", {roots}, {clean, noise},
             IntegerOptions({{"alternate_one_minus_smoothing", 15401},
                             {"alternate_smoothing", 983},
                             {"clamping", 0},
                             {"min_signal_remaining", 819},
                             {"num_channels", 5},
                             {"one_minus_smoothing", 15975},
                             {"smoothing", 409},
                             {"smoothing_bits", 10},
                             {"spectral_subtraction_bits", 14}}));
  const int gains = List(b, 125, [](int i) { return 32000 - 250 * i; });
  const int gained = add("PCAN", {clean, noise, gains}, TensorType_UINT32, {{"snr_shift", 6}});
  b.Output(add("FilterBankLog", {gained}, TensorType_INT16,
               {{"input_correction_bits", 3}, {"output_scale", 1600}}));
  b.Output(noise);
  return b;
}

TEST(SignalFrontend, KnownValues) {
  const struct {
    std::vector<int16_t> features;
    std::vector<uint32_t> noise;
  } known[] = {
      {{19776, 19762, 31797, 20959, 20177}, {160097, 548391, 229551, 752670, 270042}},
      {{23718, 22519, 21850, 23837, 22419}, {1680111, 2959964, 1101406, 3987168, 1292498}},
      {{23625, 22903, 22773, 23925, 22257}, {3295233, 6134710, 1825729, 7850621, 2400115}},
      {{24827, 24343, 23880, 25181, 24250}, {6824902, 13483929, 5000260, 16434937, 5708110}}};
  Session session(Frontend());
  ASSERT_TRUE(session.built()) << session.Errors();
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  for (int pass = 0; pass < 2; ++pass) {
    for (int run = 0; run < 4; ++run) {
      std::vector<int16_t> frame;
      for (int i = 0; i < 30; ++i) {
        const int saw = (run * 30 + i) * 7919 % 4001 - 2000;
        frame.push_back(static_cast<int16_t>(saw * (4 * run + 1)));
      }
      session.Set(0, frame);
      ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
      EXPECT_EQ(session.Get<int16_t>(0), known[static_cast<size_t>(run)].features) << run;
      EXPECT_EQ(session.Get<uint32_t>(1), known[static_cast<size_t>(run)].noise) << run;
    }
    ASSERT_EQ(session->ResetVariableTensors(), kTfLiteOk);
  }
}

}  // namespace
}  // namespace tern::testing
