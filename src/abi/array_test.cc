// SPDX-License-Identifier: Apache-2.0
// The ways to build a C array.
#include "tensorflow/lite/array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace tflite {
namespace {

template <class Array>
std::vector<double> Values(const Array& array) {
  return std::vector<double>(array->data, array->data + array->size);
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(BuildTfLiteArray, FromASize) {
  const auto ints = BuildTfLiteArray(3);
  static_assert(std::is_same_v<decltype(ints), const IntArrayUniquePtr>);
  EXPECT_EQ(ints->size, 3);
  const auto floats = BuildTfLiteArray<float>(2);
  static_assert(std::is_same_v<decltype(floats), const FloatArrayUniquePtr>);
  EXPECT_EQ(floats->size, 2);
  EXPECT_EQ(BuildTfLiteArray(-1), nullptr);
}

TEST(BuildTfLiteArray, FromNothing) {
  const auto empty = BuildTfLiteArray({});
  static_assert(std::is_same_v<decltype(empty), const IntArrayUniquePtr>);
  EXPECT_THAT(Values(empty), IsEmpty());
  EXPECT_THAT(Values(BuildTfLiteArray<float>({})), IsEmpty());
  EXPECT_THAT(Values(BuildTfLiteArray(std::vector<int>())), IsEmpty());
}

TEST(BuildTfLiteArray, FromListsAndArrays) {
  EXPECT_THAT(Values(BuildTfLiteArray({1, 2, 3})), ElementsAre(1, 2, 3));
  EXPECT_THAT(Values(BuildTfLiteArray({0.5f})), ElementsAre(0.5));
  EXPECT_THAT(Values(BuildTfLiteArray<int>({4, 5})), ElementsAre(4, 5));
  const int plain[] = {6, 7};
  EXPECT_THAT(Values(BuildTfLiteArray(plain)), ElementsAre(6, 7));
  EXPECT_THAT(Values(BuildTfLiteArray(1, plain)), ElementsAre(6));
  int changing[] = {8};
  EXPECT_THAT(Values(BuildTfLiteArray(1, &changing[0])), ElementsAre(8));
}

TEST(BuildTfLiteArray, FromContainersAndSpans) {
  std::vector<int> values = {1, 2, 3};
  EXPECT_THAT(Values(BuildTfLiteArray(values)), ElementsAre(1, 2, 3));
  EXPECT_THAT(Values(BuildTfLiteArray(std::span<int>(values).subspan(1))), ElementsAre(2, 3));
  EXPECT_THAT(Values(BuildTfLiteArray(std::span<const int>(values))), ElementsAre(1, 2, 3));
  EXPECT_THAT(Values(BuildTfLiteArray(std::array<float, 2>{0.5f, 1.5f})), ElementsAre(0.5, 1.5));
}

TEST(BuildTfLiteArray, OfAnotherElementType) {
  const auto ints = BuildTfLiteArray<int>(std::vector<float>{1.75f, -2.5f});
  static_assert(std::is_same_v<decltype(ints), const IntArrayUniquePtr>);
  EXPECT_THAT(Values(ints), ElementsAre(1, -2));
  const int64_t wide[] = {3, 4};
  EXPECT_THAT(Values(BuildTfLiteArray<int>(2, wide)), ElementsAre(3, 4));
  EXPECT_THAT(Values(BuildTfLiteArray<float>(std::vector<int>{5})), ElementsAre(5));
}

TEST(BuildTfLiteArray, NullDataLeavesTheEntriesOpen) {
  const int* none = nullptr;
  EXPECT_EQ(BuildTfLiteArray(4, none)->size, 4);
  EXPECT_EQ(BuildTfLiteArray(0, none)->size, 0);
  EXPECT_EQ(BuildTfLiteArray(-1, none), nullptr);
}

}  // namespace
}  // namespace tflite
