// SPDX-License-Identifier: Apache-2.0
// The case reader and the comparison rule.
#include "cli/cases/case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

namespace tern::cli {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

template <typename T>
Bytes BytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
CaseOutput Wanted(TfLiteType type, const std::vector<T>& values,
                  std::array<std::optional<Limit>, 3> limits) {
  CaseOutput output;
  output.type = type;
  output.shape = {static_cast<int>(values.size())};
  output.wanted = BytesOf(values);
  output.limits = limits;
  return output;
}

template <typename T>
bool Passes(const CaseOutput& output, const std::vector<T>& got, Judge judge) {
  const Bytes bytes = BytesOf(got);
  return Compare(output, bytes.data(), bytes.size(), judge).passed;
}

CaseOutput Floats(const std::vector<float>& values) {
  return Wanted(kTfLiteFloat32, values, {Limit{0.1, 0}, Limit{0, 0.01}, Limit{1, 0}});
}

TEST(CompareTest, EachJudgeHasItsOwnLimit) {
  const CaseOutput wanted = Floats({100.0f});
  EXPECT_TRUE(Passes<float>(wanted, {100.05f}, Judge::kCpu));
  EXPECT_FALSE(Passes<float>(wanted, {100.5f}, Judge::kCpu));
  EXPECT_TRUE(Passes<float>(wanted, {100.5f}, Judge::kGpu));
  EXPECT_FALSE(Passes<float>(wanted, {101.5f}, Judge::kGpu));
  EXPECT_TRUE(Passes<float>(wanted, {100.9f}, Judge::kF16));
}

TEST(CompareTest, SpecialValuesMatchThemselvesOnly) {
  EXPECT_TRUE(Passes<float>(Floats({kNan, kInf, -kInf}), {kNan, kInf, -kInf}, Judge::kCpu));
  EXPECT_FALSE(Passes<float>(Floats({kNan}), {0.0f}, Judge::kCpu));
  EXPECT_FALSE(Passes<float>(Floats({0.0f}), {kNan}, Judge::kCpu));
  EXPECT_FALSE(Passes<float>(Floats({kInf}), {-kInf}, Judge::kF16));
  EXPECT_FALSE(Passes<float>(Floats({kInf}), {3e38f}, Judge::kGpu));
}

TEST(CompareTest, IntegersCountSteps) {
  const auto wanted = Wanted<int8_t>(kTfLiteInt8, {5}, {Limit{0, 0}, Limit{2, 0}, Limit{2, 0}});
  EXPECT_TRUE(Passes<int8_t>(wanted, {5}, Judge::kCpu));
  EXPECT_FALSE(Passes<int8_t>(wanted, {6}, Judge::kCpu));
  EXPECT_TRUE(Passes<int8_t>(wanted, {7}, Judge::kGpu));
  EXPECT_FALSE(Passes<int8_t>(wanted, {8}, Judge::kGpu));
}

TEST(CompareTest, WideIntegersAreExact) {
  const auto wanted = Wanted<int64_t>(kTfLiteInt64, {(int64_t{1} << 53) + 1},
                                      {Limit{0, 0}, Limit{0, 0}, Limit{0, 0}});
  EXPECT_FALSE(Passes<int64_t>(wanted, {int64_t{1} << 53}, Judge::kCpu));
  EXPECT_TRUE(Passes<int64_t>(wanted, {(int64_t{1} << 53) + 1}, Judge::kCpu));
}

TEST(CompareTest, PickedElementsOnly) {
  CaseOutput wanted = Floats({1.0f, 2.0f});
  wanted.shape = {4};
  wanted.all = false;
  wanted.picked = {3, 0};
  EXPECT_TRUE(Passes<float>(wanted, {2.0f, 9.0f, 9.0f, 1.0f}, Judge::kCpu));
  EXPECT_FALSE(Passes<float>(wanted, {1.0f, 9.0f, 9.0f, 2.0f}, Judge::kCpu));
}

TEST(CompareTest, WrongSizeAndMissingToleranceFail) {
  EXPECT_FALSE(Passes<float>(Floats({1.0f}), {1.0f, 1.0f}, Judge::kCpu));
  CaseOutput wanted = Floats({1.0f});
  wanted.limits[static_cast<size_t>(Judge::kF16)].reset();
  EXPECT_FALSE(Passes<float>(wanted, {1.0f}, Judge::kF16));
}

TEST(CompareTest, ComplexUsesTheDistance) {
  auto wanted = Wanted<float>(kTfLiteComplex64, {3.0f, 4.0f}, {Limit{0, 0.1}});
  wanted.shape = {1};
  EXPECT_TRUE(Passes<float>(wanted, {3.3f, 4.3f}, Judge::kCpu));
  EXPECT_FALSE(Passes<float>(wanted, {3.4f, 4.4f}, Judge::kCpu));
  auto wide = Wanted<double>(kTfLiteComplex128, {3, 4}, {Limit{0, 0.1}});
  wide.shape = {1};
  EXPECT_TRUE(Passes<double>(wide, {3.3, 4.3}, Judge::kCpu));
  EXPECT_FALSE(Passes<double>(wide, {3.4, 4.4}, Judge::kCpu));
}

TEST(CompareTest, ShortFloats) {
  // 1 and its neighbour, which is 1 / 128 larger.
  const auto wanted = Wanted<uint16_t>(kTfLiteBFloat16, {0x3f80}, {Limit{0, 0.01}});
  EXPECT_TRUE(Passes<uint16_t>(wanted, {0x3f81}, Judge::kCpu));
  EXPECT_FALSE(Passes<uint16_t>(wanted, {0x3f82}, Judge::kCpu));
}

TEST(CompareTest, Strings) {
  CaseOutput wanted;
  wanted.strings = {"a", ""};
  EXPECT_TRUE(CompareStrings(wanted, {"a", ""}).passed);
  EXPECT_FALSE(CompareStrings(wanted, {"a", "b"}).passed);
  EXPECT_FALSE(CompareStrings(wanted, {"a"}).passed);
}

// The case with one part of it in other words.
absl::Status StatusWith(const std::string& part, const std::string& other) {
  std::string text = R"({"name": "G/x", "model": "m.tflite", "runs": 1, "resized": [],
    "inputs": [{"index": 0, "type": "float32", "shape": [1], "fill": {"kind": "bool", "seed": 4}}],
    "outputs": [{"index": 0, "type": "int8", "shape": [2], "values": [7, 8], "tolerance": {},
                 "pick": {"seed": 5, "count": 2}}]})";
  const size_t at = text.find(part);
  EXPECT_NE(at, text.npos) << part;
  text.replace(at, part.size(), other);
  const auto file = std::filesystem::path(::testing::TempDir()) / "tern_case_numbers.case.json";
  std::ofstream(file) << text;
  return ReadCase(file).status();
}

TEST(CaseTest, NumbersThatDoNotFitAreErrors) {
  EXPECT_TRUE(StatusWith("G/x", "G/y").ok());
  const char* bad[][2] = {{"\"index\": 0", "\"index\": -9.3e19"},
                          {"\"index\": 0", "\"index\": 2147483648"},
                          {"[1]", "[1.5]"},
                          {"[1]", "[-1]"},
                          {"[1]", "{\"a\": 1}"},
                          {"[1]", "[65536, 65536]"},
                          {"[1]", "[2147483647, 2147483647, 2147483647]"},
                          {"\"seed\": 4", "\"seed\": -1"},
                          {"\"seed\": 5", "\"seed\": 1e30"},
                          {"\"count\": 2", "\"count\": -2"},
                          {"\"count\": 2", "\"count\": 9223372036854775807"},
                          {"\"runs\": 1", "\"runs\": \"1\""},
                          {"\"resized\": []", "\"resized\": [1e400]"},
                          {"\"values\": [7, 8]",
                           "\"file\": \"tern_case_numbers.case.json\", "
                           "\"offset\": -1"}};
  for (const auto& [part, other] : bad) {
    const absl::Status status = StatusWith(part, other);
    EXPECT_FALSE(status.ok()) << other;
    EXPECT_NE(status.message().find("tern_case_numbers"), std::string::npos) << status;
  }
}

TEST(CaseTest, ReadsEveryField) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "tern_case_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "x.case.json") << R"({"name": "G/x", "model": "m.tflite",
    "inputs": [{"index": 1, "name": "a", "type": "int8", "shape": [2], "fill": {"values": [1, 2]}}],
    "outputs": [{"index": 0, "name": "y", "type": "int32", "shape": [2], "values": [7, -8],
                 "tolerance": {"cpu_steps": 0, "gpu_steps": 1}},
                {"index": 1, "name": "z", "type": "float32", "shape": [1], "values": [0.5],
                 "tolerance": {"cpu": [0.25, 0.0], "f16": [0.0, 0.5]}}],
    "resized": [1], "runs": 3, "no_f16": true})";
  ASSERT_EQ(FindCases(folder).size(), 1u);
  const auto c = ReadCase(FindCases(folder)[0]);
  ASSERT_TRUE(c.ok()) << c.status();
  EXPECT_EQ(c->group(), "G");
  EXPECT_EQ(c->model, folder / "m.tflite");
  EXPECT_EQ(c->inputs[0].index, 1);
  EXPECT_EQ(c->resized.count(1), 1u);
  EXPECT_EQ(c->runs, 3);
  EXPECT_TRUE(c->no_f16);
  EXPECT_FALSE(c->unstable);
  ASSERT_TRUE(c->inputs[0].elements.ok());
  EXPECT_EQ(*c->inputs[0].elements, (Bytes{1, 2}));
  const auto limit = [&](size_t output, Judge judge) {
    return c->outputs[output].limits[static_cast<size_t>(judge)];
  };
  EXPECT_EQ(limit(0, Judge::kCpu)->abs, 0);
  EXPECT_EQ(limit(0, Judge::kGpu)->abs, 1);
  EXPECT_EQ(limit(0, Judge::kF16)->abs, 1);
  EXPECT_EQ(limit(1, Judge::kCpu)->abs, 0.25);
  EXPECT_FALSE(limit(1, Judge::kGpu).has_value());
  EXPECT_EQ(limit(1, Judge::kF16)->rel, 0.5);
  EXPECT_EQ(ReadInteger(kTfLiteInt32, c->outputs[0].wanted.data(), 1), -8);
  std::ofstream(folder / "bad.case.json") << R"({"name": 3})";
  EXPECT_FALSE(ReadCase(folder / "bad.case.json").ok());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tern::cli
