// SPDX-License-Identifier: Apache-2.0
// LSH_PROJECTION bit for bit as TensorFlow Lite computes it, with items of every length that the
// fingerprint treats in its own way.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

std::vector<int32_t> Projected(const std::vector<int>& shape, const std::vector<float>& seeds,
                               const std::vector<uint8_t>& items, int count,
                               const std::vector<float>& weights, TfLiteLSHProjectionType type) {
  TfLiteLSHProjectionParams params{type};
  OpRunner run(LshProjectionRegistration(OpForm::kOptimized), &params);
  run.Input(shape, seeds);
  run.Input({count, static_cast<int>(items.size()) / count}, items);
  if (!weights.empty()) run.Input({count}, weights);
  run.Output(kTfLiteInt32);
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  return run.Values<int32_t>();
}

TEST(LshProjection, LengthsOfItems) {
  const std::pair<int, int32_t> known[] = {
      {1, 58245},   {2, 19185},   {3, 50632},   {5, 65193},   {12, 14866},  {13, 44872},
      {20, 34747},  {28, 4298},   {29, 28956},  {40, 25916},  {60, 62370},  {61, 25322},
      {62, 56817},  {100, 35226}, {124, 13049}, {125, 10169}, {150, 50464}, {188, 62645},
      {200, 52283}, {252, 31703}, {400, 13167}};
  std::vector<float> seeds;
  for (int i = 0; i < 16; ++i) seeds.push_back(static_cast<float>(i) * 0.37f - 2);
  for (const auto& [length, number] : known) {
    std::vector<uint8_t> items;
    for (int i = 0; i < 2 * length; ++i) items.push_back(static_cast<uint8_t>(i * 37 + 11));
    EXPECT_EQ(Projected({1, 16}, seeds, items, 2, {1, -0.5f}, kTfLiteLshProjectionSparse),
              std::vector<int32_t>{number})
        << length;
    std::vector<int32_t> bits;
    for (int i = 15; i >= 0; --i) bits.push_back(number >> i & 1);
    EXPECT_EQ(Projected({1, 16}, seeds, items, 2, {1, -0.5f}, kTfLiteLshProjectionDense), bits);
  }
}

TEST(LshProjection, NumbersAndBits) {
  const std::vector<uint8_t> items = {3, 0, 0, 0, 4, 0, 0, 0};
  const auto sparse = [&](int bits) {
    std::vector<float> seeds;
    for (int i = 0; i < 2 * bits; ++i) seeds.push_back(static_cast<float>(i));
    return Projected({2, bits}, seeds, items, 2, {}, kTfLiteLshProjectionSparse);
  };
  EXPECT_EQ(sparse(31), (std::vector<int32_t>{641201081, -27804198}));
  EXPECT_EQ(sparse(32), (std::vector<int32_t>{1282402163, -111216791}));
}

std::string Error(const std::vector<int>& seeds, const std::vector<int>& items, int weights,
                  TfLiteLSHProjectionType type = kTfLiteLshProjectionDense) {
  TfLiteLSHProjectionParams params{type};
  OpRunner run(LshProjectionRegistration(OpForm::kOptimized), &params);
  run.EmptyInput(seeds, kTfLiteFloat32);
  run.EmptyInput(items, kTfLiteInt32);
  run.EmptyInput({weights}, kTfLiteFloat32);
  run.Output(kTfLiteInt32);
  EXPECT_EQ(run.Prepare(), kTfLiteError);
  return run.error();
}

TEST(LshProjection, BadOperandsAreErrors) {
  EXPECT_EQ(Error({1, 33}, {2}, 2), "LSH_PROJECTION: a number has at most 32 bits (33)");
  EXPECT_EQ(Error({1, 2}, {6}, 5), "LSH_PROJECTION: there must be a weight per item (5, 6)");
  EXPECT_NE(Error({4}, {6}, 6), "");
  EXPECT_NE(Error({1, 2}, {}, 1), "");
  EXPECT_EQ(Error({1, 2}, {6}, 6, kTfLiteLshProjectionUnknown),
            "LSH_PROJECTION: the type of the projection is unknown (0)");
}

}  // namespace
}  // namespace tern::testing
