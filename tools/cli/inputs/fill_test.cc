// SPDX-License-Identifier: Apache-2.0
// Fill formulas and element conversions against numbers worked out elsewhere.
#include "cli/inputs/fill.h"

#include <gtest/gtest.h>

#include <cstring>

#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using nlohmann::json;

std::string Hex(const Bytes& bytes) {
  std::string text;
  for (uint8_t b : bytes) {
    text += "0123456789abcdef"[b >> 4];
    text += "0123456789abcdef"[b & 15];
  }
  return text;
}

std::vector<double> Elements(const Bytes& bytes, TfLiteType type) {
  std::vector<double> values;
  for (size_t i = 0; i < bytes.size() / ElementBytes(type); ++i) {
    values.push_back(ReadElement(type, bytes.data(), static_cast<int64_t>(i)));
  }
  return values;
}

TEST(FillTest, GeneratorIsSplitMix64) {
  EXPECT_EQ(SplitMix64(1, 1), 10451216379200822465u);
  EXPECT_EQ(SplitMix64(1, 2), 13757245211066428519u);
}

TEST(FillTest, UniformRoundsOnce) {
  const json fill = {{"kind", "uniform"}, {"seed", 7}, {"low", -2.0}, {"high", 2.0}};
  EXPECT_EQ(Hex(*FillTensor(fill, {3}, kTfLiteFloat32, {})), "f1a0e1be8667f7bf8130cd3f");
  EXPECT_EQ(Hex(*FillTensor(fill, {4}, kTfLiteFloat16, {})), "0db7bbbf6a3e4f35");
  EXPECT_EQ(Hex(*FillTensor({{"values", {1, -2, 3.5, 1000000000}}}, {4}, kTfLiteBFloat16, {})),
            "803f00c060406e4e");
}

TEST(FillTest, IntegersGridAndBool) {
  const json integers = {{"kind", "integers"}, {"seed", 9}, {"low", -128}, {"high", 127}};
  EXPECT_EQ(Elements(*FillTensor(integers, {6}, kTfLiteInt8, {}), kTfLiteInt8),
            (std::vector<double>{46, 64, -61, 72, -61, -99}));
  const json grid = {{"kind", "grid"}, {"seed", 3}, {"low", -6}, {"high", 6}, {"step", 0.25}};
  EXPECT_EQ(Elements(*FillTensor(grid, {2, 2}, kTfLiteFloat32, {}), kTfLiteFloat32),
            (std::vector<double>{-1.25, 0.75, 0.25, -1.5}));
  const json flips = {{"kind", "bool"}, {"seed", 5}};
  EXPECT_EQ(Elements(*FillTensor(flips, {8}, kTfLiteBool, {}), kTfLiteBool),
            (std::vector<double>{1, 0, 1, 1, 1, 1, 0, 0}));
}

TEST(FillTest, LiteralsKeepAll64Bits) {
  const json fill = {{"values", {9007199254740993, -1}}};
  const Bytes bytes = *FillTensor(fill, {2}, kTfLiteInt64, {});
  EXPECT_EQ(ReadInteger(kTfLiteInt64, bytes.data(), 0), 9007199254740993);
}

TEST(FillTest, BadFillsAreErrors) {
  EXPECT_FALSE(FillTensor({{"kind", "noise"}}, {1}, kTfLiteFloat32, {}).ok());
  EXPECT_FALSE(FillTensor({{"values", {1, 2}}}, {3}, kTfLiteFloat32, {}).ok());
  EXPECT_FALSE(FillTensor({{"file", "no such file"}}, {3}, kTfLiteFloat32, {}).ok());
  EXPECT_FALSE(FillTensor({{"kind", "uniform"}}, {1}, kTfLiteString, {}).ok());
}

TEST(HalfTest, RoundsToNearestEven) {
  EXPECT_EQ(HalfFromDouble(1.0), 15360);
  EXPECT_EQ(HalfFromDouble(0.1), 11878);
  EXPECT_EQ(HalfFromDouble(2049), 26624);
  EXPECT_EQ(HalfFromDouble(2051), 26626);
  EXPECT_EQ(HalfFromDouble(65519.9), 31743);
  EXPECT_EQ(HalfFromDouble(65520), 31744);
  EXPECT_EQ(HalfFromDouble(-1e9), 64512);
  EXPECT_EQ(HalfFromDouble(6e-8), 1);
  EXPECT_EQ(HalfFromDouble(2.98e-8), 0);
  EXPECT_EQ(HalfFromDouble(6.1e-5), 1023);
  EXPECT_EQ(HalfFromDouble(0x1p-14 - 0x1p-26), 1024);
}

TEST(HalfTest, EveryFiniteValueComesBack) {
  for (int h = 0; h < 65536; ++h) {
    if ((h & 0x7c00) == 0x7c00 && (h & 0x3ff) != 0) continue;
    ASSERT_EQ(HalfFromDouble(DoubleFromHalf(static_cast<uint16_t>(h))), h);
  }
}

}  // namespace
}  // namespace tern::cli
