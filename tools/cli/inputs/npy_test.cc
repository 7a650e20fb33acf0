// SPDX-License-Identifier: Apache-2.0
// Arrays of NumPy as elements of inputs, and what is refused.
#include "cli/inputs/npy.h"
#include "cli/testing/input_tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace tern::cli {
namespace {

using ::testing::HasSubstr;

Bytes NpyFile(const std::string& header, const Bytes& elements) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size());
  text += '\0';
  text += header;
  Bytes file(text.begin(), text.end());
  file.insert(file.end(), elements.begin(), elements.end());
  return file;
}

std::string NpyHeader(const std::string& type, const std::string& shape) {
  return absl::StrCat("{'descr': '", type, "', 'fortran_order': False, 'shape': ", shape, ", }\n");
}

std::string NpyTrouble(const Bytes& file) {
  return std::string(ParseNpy(file, "a.npy").status().message());
}

TEST(NpyTest, ElementsComeAsTheyAre) {
  const auto array = ParseNpy(NpyFile(NpyHeader("<i2", "(1, 2)"), {1, 0, 2, 1}), "a.npy");
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_EQ(array->type, kTfLiteInt16);
  EXPECT_EQ(array->shape, std::vector<int>({1, 2}));
  const testing::InputTensor input(kTfLiteInt16, {2, 1});  // ones do not matter
  EXPECT_EQ(*NpyElements(*array, input.tensor, "a.npy"), Bytes({1, 0, 2, 1}));
  const testing::InputTensor floats(kTfLiteFloat32, {2});
  const Bytes converted = *NpyElements(*array, floats.tensor, "a.npy");
  EXPECT_EQ(ReadElement(kTfLiteFloat32, converted.data(), 1), 258);
}

TEST(NpyTest, RealNumbersAreQuantized) {
  Bytes elements;
  for (const double v : {-1.0, 0.5}) AppendElement(kTfLiteFloat64, v, &elements);
  const auto array = ParseNpy(NpyFile(NpyHeader("<f8", "(2,)"), elements), "a.npy");
  ASSERT_TRUE(array.ok()) << array.status();
  testing::InputTensor input(kTfLiteInt8, {2});
  input.tensor.params = {0.5f, 3};
  EXPECT_EQ(*NpyElements(*array, input.tensor, "a.npy"), Bytes({1, 4}));
  input.tensor.params.scale = 0;
  EXPECT_EQ(NpyElements(*array, input.tensor, "a.npy").status().message(),
            "a.npy: element 1 is 0.5, which int8 does not hold");
}

TEST(NpyTest, WhatDoesNotFitIsRefused) {
  const auto array = ParseNpy(NpyFile(NpyHeader("|u1", "(2, 3)"), Bytes(6, 200)), "a.npy");
  ASSERT_TRUE(array.ok());
  const testing::InputTensor other(kTfLiteUInt8, {3, 2});
  EXPECT_EQ(NpyElements(*array, other.tensor, "a.npy").status().message(),
            "a.npy: an array of 2x3, the input takes 3x2");
  const testing::InputTensor narrow(kTfLiteInt8, {2, 3});
  EXPECT_EQ(NpyElements(*array, narrow.tensor, "a.npy").status().message(),
            "a.npy: element 0 is 200, which int8 does not hold");
  const testing::InputTensor strings(kTfLiteString, {2, 3});
  EXPECT_FALSE(NpyElements(*array, strings.tensor, "a.npy").ok());
}

TEST(NpyTest, OtherFilesAreRefused) {
  EXPECT_EQ(NpyTrouble({1, 2, 3}), "a.npy: no array of NumPy (.npy)");
  EXPECT_THAT(NpyTrouble(NpyFile(NpyHeader(">f4", "(1,)"), Bytes(4))),
              HasSubstr("of the kind '>f4'"));
  EXPECT_THAT(NpyTrouble(NpyFile(NpyHeader("|O", "(1,)"), Bytes(4))),
              HasSubstr("of the kind '|O'"));
  EXPECT_EQ(NpyTrouble(NpyFile(NpyHeader("<f4", "(3,)"), Bytes(4))),
            "a.npy: 4 bytes of elements do not make 3 float32");
  EXPECT_FALSE(
      ParseNpy(NpyFile(NpyHeader("<f4", "(99999999,99999999,99999999)"), Bytes(4)), "").ok());
  EXPECT_THAT(
      NpyTrouble(NpyFile("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", Bytes(4))),
      HasSubstr("its rows are columns"));
}

TEST(NpyTest, BrokenBytesAreHarmless) {
  const Bytes sound = NpyFile(NpyHeader("<f4", "(1, 2)"), Bytes(8));
  for (size_t size = 0; size < sound.size(); ++size) {
    EXPECT_FALSE(ParseNpy(Bytes(sound.begin(), sound.begin() + static_cast<long>(size)), "").ok());
  }
  for (size_t i = 0; i < sound.size(); ++i) {
    for (uint8_t value : {0, 39, 40, 255}) {
      Bytes broken = sound;
      broken[i] = value;
      (void)ParseNpy(broken, "");
    }
  }
}

}  // namespace
}  // namespace tern::cli
