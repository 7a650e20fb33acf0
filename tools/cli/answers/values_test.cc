// SPDX-License-Identifier: Apache-2.0
// Outputs in a line each.
#include "cli/answers/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tern::cli {
namespace {

using ::testing::ElementsAre;

// A tensor over elements that it does not own.
struct TestTensor {
  template <typename T>
  TestTensor(TfLiteType type, const std::vector<int>& shape, std::vector<T>* elements) {
    tensor.type = type;
    tensor.dims = TfLiteIntArrayCreate(static_cast<int>(shape.size()));
    std::copy(shape.begin(), shape.end(), tensor.dims->data);
    tensor.data.raw = reinterpret_cast<char*>(elements->data());
    tensor.bytes = elements->size() * sizeof(T);
  }
  ~TestTensor() { TfLiteIntArrayFree(tensor.dims); }
  TfLiteTensor tensor{};
};

TEST(OutputLinesTest, RangeMeanAndFirstElements) {
  std::vector<float> numbers = {1, 2, 3, 4, 5, 9};
  const TestTensor t(kTfLiteFloat32, {1, 6}, &numbers);
  EXPECT_THAT(OutputLines({DescribeOutput(t.tensor, "scores")}),
              ElementsAre("output 0  scores  1x6 float32  1 .. 9  mean 4  [1, 2, 3, 4, 5, ...]"));
}

TEST(OutputLinesTest, QuantizedElementsAreRealNumbers) {
  std::vector<uint8_t> bytes = {10, 12};
  TestTensor t(kTfLiteUInt8, {2}, &bytes);
  t.tensor.params = {0.5f, 10};
  const OutputRow row = DescribeOutput(t.tensor, "");
  EXPECT_EQ(row.range, "0 .. 1");
  EXPECT_EQ(row.first, "[0, 1]");
  EXPECT_EQ(row.type, "2 uint8");
}

TEST(OutputLinesTest, WhatIsNoNumberIsCounted) {
  std::vector<float> numbers = {NAN, 2, NAN};
  const TestTensor some(kTfLiteFloat32, {3}, &numbers);
  EXPECT_EQ(DescribeOutput(some.tensor, "").range, "2 .. 2");
  EXPECT_EQ(DescribeOutput(some.tensor, "").mean, "mean 2, 2 NaN");
  numbers[1] = NAN;
  EXPECT_EQ(DescribeOutput(some.tensor, "").mean, "3 NaN");
  std::vector<float> none;
  const TestTensor empty(kTfLiteFloat32, {0, 4}, &none);
  EXPECT_EQ(DescribeOutput(empty.tensor, "").range, "empty");
}

TEST(OutputLinesTest, StringsAreQuotedAndCut) {
  std::vector<char> none;
  const TestTensor t(kTfLiteString, {4}, &none);
  const OutputRow row =
      DescribeStrings(t.tensor, "words", {"a", "two\nlines", std::string(100, 'x'), "d"});
  EXPECT_EQ(row.range, "4 strings");
  EXPECT_EQ(row.first, "[\"a\", \"two lines\", \"xxxxxxxxxxxxxxxxxxxxxxxx...\", ...]");
  EXPECT_EQ(DescribeStrings(t.tensor, "words", {"a"}).range, "1 string");
}

TEST(OutputLinesTest, ColumnsAndLongNames) {
  const std::vector<OutputRow> rows(11, {"n", "1 int32", "0 .. 1", "mean 0", "[0]"});
  const std::vector<std::string> lines = OutputLines(rows);
  EXPECT_EQ(lines[0], "output  0  n  1 int32  0 .. 1  mean 0  [0]");
  EXPECT_EQ(lines[10], "output 10  n  1 int32  0 .. 1  mean 0  [0]");
  std::vector<float> number = {1};
  const TestTensor t(kTfLiteFloat32, {1}, &number);
  EXPECT_EQ(DescribeOutput(t.tensor, "serving_default_state_block3_layer2_pool_buffer:0").name,
            "serving_default_s...r2_pool_buffer:0");
  EXPECT_THAT(OutputLines(std::vector<OutputRow>()), ElementsAre());
}

TEST(UnsetTest, NamesRunsOfPositions) {
  EXPECT_EQ(Unset("input", {true, true}), "");
  EXPECT_EQ(Unset("input", {true, false}), "input 1");
  EXPECT_EQ(Unset("output", {false, false, true, false}), "outputs 0-1, 3");
}

}  // namespace
}  // namespace tern::cli
