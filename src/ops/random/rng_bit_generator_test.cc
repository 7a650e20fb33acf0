// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_RNG_BIT_GENERATOR bit for bit as TensorFlow Lite gives it.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/random/threefry.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

using State = std::vector<uint64_t>;
using RandomBits = std::vector<uint32_t>;

constexpr TfLiteRngAlgorithm kPhilox = kTfLiteRngAlgorithmPhilox;
constexpr TfLiteRngAlgorithm kThreefry = kTfLiteRngAlgorithmThreefry;

// RandomBits of `count` elements, and in front of them the new state.
std::string Generate(TfLiteRngAlgorithm algorithm, const State& state, TfLiteType type, int count,
                     State& after, RandomBits& bits) {
  TfLiteStablehloRngBitGeneratorParams params{algorithm};
  OpRunner run(StablehloRngBitGeneratorRegistration(OpForm::kOptimized), &params);
  std::vector<double> words(state.size());
  std::memcpy(words.data(), state.data(), state.size() * sizeof(uint64_t));
  run.InputAs(kTfLiteUInt64, {static_cast<int>(state.size())}, words);
  run.Output(kTfLiteUInt64);
  run.Output(type, {count});
  if (run.Run() != kTfLiteOk) return run.error();
  after = run.Values<uint64_t>(0);
  bits = run.Values<uint32_t>(1);
  return "";
}

void Check(TfLiteRngAlgorithm algorithm, const State& state, TfLiteType type, int count,
           const State& want_after, const RandomBits& want) {
  State after;
  RandomBits bits;
  ASSERT_EQ(Generate(algorithm, state, type, count, after, bits), "");
  EXPECT_EQ(after, want_after);
  EXPECT_EQ(bits, want);
}

TEST(RngBitGenerator, Philox) {
  const RandomBits two = {2100602697, 2847456232, 2074354647, 800269529, 1828267006,
                          3135207875, 3972719319, 2171987788, 433598563, 2511543348};
  Check(kPhilox, {1, 2}, kTfLiteUInt32, 10, {1, 5}, two);
  Check(kTfLiteRngAlgorithmDefault, {1, 2}, kTfLiteInt32, 10, {1, 5}, two);
  Check(kPhilox, {1, 2}, kTfLiteUInt64, 5, {1, 5}, two);
  Check(kPhilox, {1, 2, 3}, kTfLiteUInt32, 5, {1, 4, 3},
        {4031113034, 1366700262, 495645701, 3051723414, 89414891});
  // The counter's lower half passes 2^32.
  Check(kPhilox, {UINT64_MAX, 4294967294, 30064771077}, kTfLiteUInt32, 10,
        {UINT64_MAX, 4294967297, 30064771077},
        {4222943853, 2258033377, 1605546428, 72650541, 3412891443, 1235007476, 2052272081,
         1413650877, 1376402754, 3539465628});
}

TEST(RngBitGenerator, PhiloxKeepsItsUpperHalf) {
  State after;
  RandomBits bits, first;
  ASSERT_EQ(Generate(kPhilox, {1, UINT64_MAX, 3}, kTfLiteUInt32, 8, after, bits), "");
  EXPECT_EQ(after, (State{1, 1, 3}));
  ASSERT_EQ(Generate(kPhilox, {1, 0, 3}, kTfLiteUInt32, 4, after, first), "");
  EXPECT_EQ(RandomBits(bits.begin() + 4, bits.end()), first);
}

TEST(RngBitGenerator, Threefry) {
  Check(kThreefry, {1, 2}, kTfLiteUInt32, 10, {1, 7},
        {43444564, 2150618427, 3979645651, 3745730563, 1672743891, 4240503393, 2109414752,
         618976052, 2534981805, 3824176357});
  Check(kThreefry, {0x123456789ABCDEF0, 9}, kTfLiteInt64, 1, {0x123456789ABCDEF0, 10},
        {static_cast<uint32_t>(6821761343824988561u),
         static_cast<uint32_t>(6821761343824988561u >> 32)});
}

// Of the generator's authors.
TEST(Threefry, KnownWords) {
  EXPECT_EQ(Threefry(0, 0), (std::array<uint32_t, 2>{0x6B200159, 0x99BA4EFE}));
  EXPECT_EQ(Threefry(UINT64_MAX, UINT64_MAX), (std::array<uint32_t, 2>{0x1CB996FC, 0xBB002BE7}));
}

TEST(RngBitGenerator, NoBits) { Check(kPhilox, {1, 2}, kTfLiteUInt32, 0, {1, 2}, {}); }

TEST(RngBitGenerator, BadStatesAreErrors) {
  State after;
  RandomBits bits;
  EXPECT_EQ(Generate(kPhilox, {5}, kTfLiteUInt32, 1, after, bits),
            "STABLEHLO_RNG_BIT_GENERATOR: the state must have 2 or 3 elements (1)");
  EXPECT_EQ(Generate(kThreefry, {1, 2, 3}, kTfLiteUInt32, 1, after, bits),
            "STABLEHLO_RNG_BIT_GENERATOR: the state must have 2 elements (3)");
  EXPECT_NE(Generate(kPhilox, {1, 2}, kTfLiteFloat32, 1, after, bits), "");
}

}  // namespace
}  // namespace tern::testing
