// SPDX-License-Identifier: Apache-2.0
// The Signal* operations that keep nothing between runs: values of TensorFlow Lite Micro, and
// operands and options that do not fit.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/flex_options.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

constexpr OpForm kForm = OpForm::kOptimized;
using Bytes = std::vector<uint8_t>;

Bytes One(const char* key, int64_t value) { return IntegerOptions({{key, value}}); }

TEST(SignalWindow, ShiftsDownAndSaturates) {
  OpRunner run(SignalWindowRegistration(kForm));
  run.SetCustomOptions(One("shift", 3));
  run.Input<int16_t>({2, 3}, {-1, 32767, 32767, 9, -32768, 100});
  run.Input<int16_t>({3}, {1, 8, -32768});
  run.Output(kTfLiteInt16);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(), (Shape{2, 3}));
  EXPECT_EQ(run.Values<int16_t>(), (std::vector<int16_t>{-1, 32767, -32768, 1, -32768, -32768}));
}

std::string WindowError(const Bytes& options, const std::vector<int>& shape,
                        const std::vector<int>& weights, TfLiteType type = kTfLiteInt16) {
  OpRunner run(SignalWindowRegistration(kForm));
  run.SetCustomOptions(options);
  run.EmptyInput(shape, type);
  run.EmptyInput(weights, kTfLiteInt16);
  run.Output(kTfLiteInt16);
  EXPECT_EQ(run.Prepare(), kTfLiteError);
  return run.error();
}

TEST(SignalWindow, BadOptionsAndOperandsAreErrors) {
  EXPECT_EQ(WindowError(One("shift", 32), {4}, {4}), "SignalWindow: shift must lie in 0..31 (32)");
  EXPECT_EQ(WindowError(One("shift", 3), {2, 4}, {3}),
            "SignalWindow: a frame must have a sample per weight ([2, 4], 3)");
  EXPECT_NE(WindowError(One("shift", -1), {4}, {4}), "");
  EXPECT_NE(WindowError(One("shift", 1), {}, {4}), "");
  EXPECT_NE(WindowError(One("shift", 1), {4}, {1, 4}), "");
  EXPECT_NE(WindowError(One("shift", 1), {4}, {4}, kTfLiteInt32), "");
  EXPECT_NE(WindowError({}, {4}, {4}), "");
}

TEST(SignalFftAutoScale, TheLargestSampleUsesAllBits) {
  const struct {
    std::vector<int16_t> in, out;
    int32_t bits;
  } known[] = {{{1, -3, 2}, {8192, -24576, 16384}, 13},
               {{0, 0, 0}, {0, 0, 0}, 0},
               {{16383, 0, -5}, {32766, 0, -10}, 1},
               {{16384, -1, 1}, {16384, -1, 1}, 0},
               {{5, -32768, 3}, {5, -32768, 3}, 0}};
  for (const auto& [in, out, bits] : known) {
    OpRunner run(SignalFftAutoScaleRegistration(kForm));
    run.Input({3}, in);
    run.Output(kTfLiteInt16);
    run.Output(kTfLiteInt32);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(1), Shape{});
    EXPECT_EQ(run.Values<int16_t>(0), out);
    EXPECT_EQ(run.Values<int32_t>(1), std::vector<int32_t>{bits});
  }
}

TEST(SignalEnergy, SquaresOfARange) {
  OpRunner run(SignalEnergyRegistration(kForm));
  run.SetCustomOptions(IntegerOptions({{"start_index", 1}, {"end_index", 3}}));
  run.Input<int16_t>({8}, {1, 2, -32768, -32768, 3, -4, 5, 6});
  run.Output(kTfLiteUInt32);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<uint32_t>(), (std::vector<uint32_t>{0, 1u << 31, 25, 0}));
}

std::string EnergyError(int64_t start, int64_t end, const std::vector<int>& shape) {
  OpRunner run(SignalEnergyRegistration(kForm));
  run.SetCustomOptions(IntegerOptions({{"start_index", start}, {"end_index", end}}));
  run.EmptyInput(shape, kTfLiteInt16);
  run.Output(kTfLiteUInt32);
  EXPECT_EQ(run.Prepare(), kTfLiteError);
  return run.error();
}

TEST(SignalEnergy, BadRangesAreErrors) {
  EXPECT_EQ(EnergyError(0, 5, {8}), "SignalEnergy: end_index must lie in 0..4 (5)");
  EXPECT_EQ(EnergyError(3, 2, {8}), "SignalEnergy: start_index must lie in 0..2 (3)");
  EXPECT_EQ(EnergyError(0, 2, {7}), "SignalEnergy: a spectrum has pairs of numbers (7)");
  EXPECT_NE(EnergyError(-1, 2, {8}), "");
  EXPECT_NE(EnergyError(0, 2, {2, 4}), "");
}

struct Bank {
  std::vector<int16_t> rising = {1, 2, 3, 4}, falling = {10, 20, -30, 40};
  std::vector<int16_t> bins = {0, 3, 1}, weights = {0, 2, 1}, lengths = {2, 2, 3};
  int64_t channels = 2;
};

std::string Sums(const Bank& bank, std::vector<uint64_t>* sums) {
  OpRunner run(SignalFilterBankRegistration(kForm));
  run.SetCustomOptions(One("num_channels", bank.channels));
  run.InputAs<int32_t>(kTfLiteUInt32, {5}, {1, 10, 100, 1000, -1});
  for (const auto* list : {&bank.rising, &bank.falling, &bank.bins, &bank.weights, &bank.lengths}) {
    run.Input({static_cast<int>(list->size())}, *list);
  }
  run.Output(kTfLiteUInt64);
  if (run.Run() != kTfLiteOk) return run.error();
  *sums = run.Values<uint64_t>();
  return "";
}

TEST(SignalFilterBank, TrianglesOverlap) {
  std::vector<uint64_t> sums;
  ASSERT_EQ(Sums({}, &sums), "");
  const uint64_t last = 0xffffffffu;
  EXPECT_EQ(sums, (std::vector<uint64_t>{
                      10 * 1 + 20 * 10 + 3 * 1000 + 4 * last,
                      uint64_t(-30 * 1000) + 40 * last + 2 * 10 + 3 * 100 + 4 * 1000}));
}

TEST(SignalFilterBank, RangesThatLeaveTheOperandsAreErrors) {
  std::vector<uint64_t> sums;
  Bank bank;
  bank.bins[1] = 4;
  EXPECT_EQ(Sums(bank, &sums),
            "SignalFilterBank: range 1 leaves the 5 bins or the 4 weights (4, 2, length 2)");
  for (int wrong = 0; wrong < 7; ++wrong) {
    bank = {};
    if (wrong == 0) bank.bins[0] = -1;
    if (wrong == 1) bank.weights[0] = -1;
    if (wrong == 2) bank.weights[2] = 2;
    if (wrong == 3) bank.lengths[2] = 32767;
    if (wrong == 4) bank.channels = 3;
    if (wrong == 5) bank.channels = 0;
    if (wrong == 6) bank.falling.pop_back();
    EXPECT_NE(Sums(bank, &sums), "") << wrong;
  }
  bank = {};  // what is empty may begin anywhere
  bank.bins[1] = -7;
  bank.lengths[1] = -1;
  EXPECT_EQ(Sums(bank, &sums), "");
}

std::vector<uint32_t> Roots(const std::vector<uint64_t>& in, int32_t bits, std::string* error) {
  OpRunner run(SignalFilterBankSquareRootRegistration(kForm));
  run.InputAs(kTfLiteUInt64, {static_cast<int>(in.size())},
              std::vector<int64_t>(in.begin(), in.end()));
  run.Input<int32_t>({}, {bits});
  run.Output(kTfLiteUInt32);
  if (run.Run() != kTfLiteOk) *error = run.error();
  return run.Values<uint32_t>();
}

TEST(SignalFilterBankSquareRoot, RoundsAndShifts) {
  const uint64_t e12 = 1000000000000, wide = uint64_t{1} << 32;
  const std::vector<uint64_t> in = {
      0, 1, 2, 3, 6, 7, wide - 1, wide, ~uint64_t{0}, e12 + 1000000, e12 + 1000001};
  std::string error;
  const std::vector<uint32_t> want = {0, 1, 1, 2, 2, 3, 65535, 65536, 4294967295, 1000000, 1000001};
  EXPECT_EQ(Roots(in, 0, &error), want);
  EXPECT_EQ(Roots({e12}, 5, &error), std::vector<uint32_t>{31250});
  EXPECT_EQ(error, "");
  Roots({1}, 32, &error);
  EXPECT_EQ(error, "SignalFilterBankSquareRoot: the bits must lie in 0..31 (32)");
  error.clear();
  Roots({1}, -1, &error);
  EXPECT_NE(error, "");
}

std::string Logs(int64_t bits, int64_t scale, std::vector<int16_t>* logs) {
  OpRunner run(SignalFilterBankLogRegistration(kForm));
  run.SetCustomOptions(IntegerOptions({{"input_correction_bits", bits}, {"output_scale", scale}}));
  run.Input<uint32_t>({12}, {0, 1, 2, 3, 7, 100, 1000, 65535, 65536, 12345678, 1u << 31, ~0u});
  run.Output(kTfLiteInt16);
  if (run.Run() != kTfLiteOk) return run.error();
  *logs = run.Values<int16_t>();
  return "";
}

TEST(SignalFilterBankLog, KnownValues) {
  std::vector<int16_t> logs;
  ASSERT_EQ(Logs(0, 1600, &logs), "");
  EXPECT_EQ(logs, (std::vector<int16_t>{0, 0, 1109, 1758, 3113, 7368, 11052, 17747, 17745, 26126,
                                        32767, 32767}));
  ASSERT_EQ(Logs(3, 64, &logs), "");  // 2^31 times 8 wraps around
  EXPECT_EQ(logs, (std::vector<int16_t>{0, 133, 177, 203, 258, 428, 575, 843, 843, 1178, 0, 1420}));
  EXPECT_EQ(Logs(32, 64, &logs),
            "SignalFilterBankLog: input_correction_bits must lie in 0..31 (32)");
  EXPECT_NE(Logs(-1, 64, &logs), "");
  EXPECT_NE(Logs(0, -1, &logs), "");
}

std::string Gained(int64_t shift, int gains, std::vector<uint32_t>* out) {
  std::vector<int16_t> table;
  for (int i = 0; i < gains; ++i) table.push_back(static_cast<int16_t>(32000 - 250 * i));
  OpRunner run(SignalPcanRegistration(kForm));
  run.SetCustomOptions(One("snr_shift", shift));
  run.Input<uint32_t>({8}, {5, 100, 4000, 123456, 4000000000, 7, 90000, 1});
  run.Input<uint32_t>({8}, {0, 1, 2, 3, 2047, 2048, 70000, 4000000000});
  run.Input({gains}, table);
  run.Output(kTfLiteUInt32);
  if (run.Run() != kTfLiteOk) return run.error();
  *out = run.Values<uint32_t>();
  return "";
}

TEST(SignalPcan, KnownValues) {
  std::vector<uint32_t> out;
  ASSERT_EQ(Gained(6, 125, &out), "");
  EXPECT_EQ(out, (std::vector<uint32_t>{5, 711, 30697, 66787470, 48328424, 5, 388148, 0}));
  EXPECT_EQ(Gained(6, 124, &out),
            "SignalPCAN: the table of 124 gains ends before a noise of 4000000000");
  EXPECT_EQ(Gained(6, 2, &out), "SignalPCAN: the table of 2 gains ends before a noise of 2");
  EXPECT_EQ(Gained(64, 125, &out), "SignalPCAN: snr_shift must lie in 0..63 (64)");
}

TEST(SignalPcan, ChannelsWithoutNoiseAreErrors) {
  OpRunner run(SignalPcanRegistration(kForm));
  run.SetCustomOptions(One("snr_shift", 6));
  run.EmptyInput({8}, kTfLiteUInt32);
  run.EmptyInput({7}, kTfLiteUInt32);
  run.EmptyInput({125}, kTfLiteInt16);
  run.Output(kTfLiteUInt32);
  EXPECT_EQ(run.Prepare(), kTfLiteError);
  EXPECT_EQ(run.error(), "SignalPCAN: there must be an estimate of the noise per channel (7, 8)");
}

}  // namespace
}  // namespace tern::testing
