// SPDX-License-Identifier: Apache-2.0
// Constants as numbers.
#include "gpu/lower/constants.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "base/tensor/half.h"
#include "base/tensor/winograd.h"

namespace tern::gpu {
namespace {

// The elements of a constant made from source 0, or from none where a part says so; filled at once
// and slice by slice.
template <typename T>
std::vector<T> Filled(const std::vector<GraphTensor>& tensors, std::vector<ConstantPart> parts,
                      Element element, int slice_width) {
  ConstantSources sources;
  for (const GraphTensor& tensor : tensors) sources.Add(tensor);
  PlanTensor constant;
  constant.desc.element = element;
  int64_t slices = 0;
  for (ConstantPart& part : parts) {
    const bool has_source =
        part.values.empty() && !(part.packing == std::variant<Box, FilterPacking>());
    part.source = has_source ? 0 : -1;
    slices += part.slices;
  }
  constant.parts = std::move(parts);
  std::vector<T> all(static_cast<size_t>(slices * slice_width)), pieces(all.size());
  sources.Fill(constant, slice_width, 0, std::as_writable_bytes(std::span(all)));
  for (int64_t i = 0; i < slices; ++i) {
    sources.Fill(constant, slice_width, i,
                 std::as_writable_bytes(std::span(pieces).subspan(
                     static_cast<size_t>(i * slice_width), static_cast<size_t>(slice_width))));
  }
  EXPECT_EQ(all, pieces);
  return all;
}

// Products of floats and 8-bit weights take the bytes as signed numbers without a zero point. A
// constant after DEQUANTIZE has the numbers that this node made.
TEST(Constants, WeightsAfterDequantizeAreItsNumbers) {
  const uint8_t bytes[] = {0, 130, 255};
  GraphTensor weights;
  weights.dims = {3};
  weights.type = kTfLiteUInt8;
  weights.data = Borrowed(bytes);
  weights.SetQuantization({{0.5f}, {130}});
  const auto row = [&](Decoding decoding) {
    return Filled<float>({weights},
                         {{.slices = 1, .decoding = decoding, .packing = Box{1, 1, 1, 3}}},
                         Element::kFloat32, 4);
  };
  EXPECT_EQ(row(Decoding::kWeights), (std::vector<float>{0, -63, -0.5f, 0}));
  weights.type = kTfLiteFloat32;
  weights.stored = kTfLiteUInt8;
  EXPECT_EQ(row(Decoding::kWeights), (std::vector<float>{-65, 0, 62.5f, 0}));
  EXPECT_EQ(row(Decoding::kReal), (std::vector<float>{-65, 0, 62.5f, 0}));
}

GraphTensor Floats(const std::vector<float>& data, std::vector<int> dims) {
  GraphTensor tensor;
  tensor.dims = std::move(dims);
  tensor.data = Borrowed(data.data());
  return tensor;
}

std::vector<float> CountTo(int n) {
  std::vector<float> numbers(static_cast<size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  return numbers;
}

TEST(Constants, BoxesLieInSlices) {
  const std::vector<float> data = CountTo(12);
  const Box box{2, 1, 2, 3};  // two slices of two lanes
  EXPECT_EQ(Filled<float>({Floats(data, {2, 1, 2, 3})}, {{.slices = 8, .packing = box}},
                          Element::kFloat32, 2),
            (std::vector<float>{1, 2, 4, 5, 3, 0, 6, 0, 7, 8, 10, 11, 9, 0, 12, 0}));
}

// A filter [out 3, taps 2, in 2] for slices of two lanes: by block, tap and source lane.
TEST(Constants, FiltersLieInTheOrderOfTheWalk) {
  const std::vector<float> data = CountTo(12);
  const FilterPacking filter = {.out_channels = 3,
                                .group_in = 2,
                                .group_out = 3,
                                .taps = 2,
                                .blocks = 2,
                                .lanes = 2,
                                .out_step = 4,
                                .tap_step = 2};
  EXPECT_EQ(
      Filled<float>({Floats(data, {3, 2, 2})},
                    {{.slices = filter.filter_slices(), .packing = filter}}, Element::kFloat32, 2),
      (std::vector<float>{1, 5, 2, 6, 3, 7, 4, 8, 9, 0, 10, 0, 11, 0, 12, 0}));
}

// The 36 numbers of a filter whose taps are 1, 0, ... are products of the first column of G; a
// tensor of halves gives the same.
TEST(Constants, FiltersForWinogradAreNumbersOfTheirTaps) {
  std::vector<float> data(2 * 9);
  data[0] = 6;       // output 0, tap 0
  data[9 + 8] = -6;  // output 1, tap 8
  const FilterPacking filter = {.out_channels = 2,
                                .group_out = 2,
                                .taps = winograd::kMatrices,
                                .lanes = 1,
                                .out_step = 9,
                                .winograd = true};
  const ConstantPart part = {.slices = filter.filter_slices(), .packing = filter};
  const std::vector<float> got =
      Filled<float>({Floats(data, {2, 3, 3, 1})}, {part}, Element::kFloat32, 2);
  std::vector<uint16_t> halves(data.size());
  FloatToHalf(data, halves);
  GraphTensor of_halves = Floats(data, {2, 3, 3, 1});
  of_halves.stored = kTfLiteFloat16;
  of_halves.data = Borrowed(halves.data());
  EXPECT_EQ(got, Filled<float>({of_halves}, {part}, Element::kFloat32, 2));
  for (size_t tap = 0; tap < winograd::kMatrices; ++tap) {
    const auto& row = winograd::kFilterRows[tap / winograd::kPoints];
    const auto& column = winograd::kFilterRows[tap % winograd::kPoints];
    EXPECT_FLOAT_EQ(got[2 * tap], static_cast<float>(6 * row[0] * column[0])) << tap;
    EXPECT_FLOAT_EQ(got[2 * tap + 1], static_cast<float>(-6 * row[2] * column[2])) << tap;
  }
}

// Channels of a group see their own source channels alone.
TEST(Constants, FiltersOfGroupsAreZeroElsewhere) {
  const std::vector<float> data = {1, 2, 3, 4};
  const FilterPacking filter = {.out_channels = 4, .blocks = 1, .lanes = 4, .in_step = 0};
  EXPECT_EQ(
      Filled<float>({Floats(data, {4, 1})}, {{.slices = filter.filter_slices(), .packing = filter}},
                    Element::kFloat32, 4),
      (std::vector<float>{1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4}));
}

TEST(Constants, PartsFollowEachOther) {
  const std::vector<float> data = CountTo(6);
  const std::vector<ConstantPart> parts = {
      {.slices = 1},
      {.slices = 2, .first = 2, .packing = Box{1, 1, 1, 3}},
      {.slices = 1, .values = {7, 8}, .packing = Box{1, 1, 1, 2}},
      {.slices = 2,
       .values = {5},
       .packing = FilterPacking{.out_channels = 2, .group_in = 2, .group_out = 2, .lanes = 2}}};
  EXPECT_EQ(Filled<float>({Floats(data, {6})}, parts, Element::kFloat32, 2),
            (std::vector<float>{0, 0, 3, 4, 5, 0, 7, 8, 5, 5, 5, 5}));
}

TEST(Constants, HalvesOfInt64Apart) {
  const int64_t data[] = {-2, (int64_t{3} << 32) + 4};
  GraphTensor int64;
  int64.dims = {2};
  int64.type = kTfLiteInt64;
  int64.data = Borrowed(data);
  const auto words = [&](Decoding decoding) {
    return Filled<int32_t>({int64},
                           {{.slices = 1, .decoding = decoding, .packing = Box{1, 1, 1, 2}}},
                           Element::kInt32, 2);
  };
  EXPECT_EQ(words(Decoding::kLowHalf), (std::vector<int32_t>{-2, 4}));
  EXPECT_EQ(words(Decoding::kHighHalf), (std::vector<int32_t>{-1, 3}));
}

std::vector<uint8_t> Packed(const GraphTensor& tensor, Decoding decoding,
                            const FilterPacking& filter, int slice_width) {
  const std::optional<PackedForm> form = PackedFormOf(tensor, decoding, filter, 0);
  if (!form) return {};
  ConstantSources sources;
  PlanTensor constant;
  constant.desc.element = form->element;
  constant.zero = form->zero;
  constant.parts = {{.slices = filter.filter_slices(),
                     .source = sources.Add(tensor),
                     .decoding = form->decoding,
                     .packing = filter}};
  std::vector<uint8_t> bytes(
      static_cast<size_t>(BytesOf(form->element, filter.filter_slices() * slice_width)));
  sources.Fill(constant, slice_width, 0, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

// Lanes beyond the channels hold the byte of zero.
TEST(Constants, FiltersOfBytesKeepTheirElements) {
  const uint8_t data[] = {0, 1, 2, 127, 128, 255};
  GraphTensor filter;
  filter.dims = {3, 1, 1, 2};
  filter.type = kTfLiteUInt8;
  filter.data = Borrowed(data);
  filter.SetQuantization({{0.5f}, {2}});
  const FilterPacking packing = {
      .out_channels = 3, .group_in = 2, .group_out = 3, .lanes = 2, .out_step = 2};
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(Packed(filter, Decoding::kReal, packing, 4), (Bytes{0, 2, 128, 2, 1, 127, 255, 2}));
  EXPECT_EQ(Packed(filter, Decoding::kWeights, packing, 4),
            (Bytes{128, 130, 0, 128, 129, 255, 127, 128}));
  filter.type = kTfLiteInt8;
  EXPECT_EQ(Packed(filter, Decoding::kReal, packing, 4),
            (Bytes{128, 130, 0, 130, 129, 255, 127, 130}));
  filter.SetQuantization({{0.5f}, {-200}});
  EXPECT_EQ(Packed(filter, Decoding::kReal, packing, 4), Bytes());
  EXPECT_EQ(Packed(filter, Decoding::kWeights, packing, 4),
            (Bytes{128, 130, 0, 128, 129, 255, 127, 128}));
}

TEST(Constants, FiltersOfNibblesKeepTheirElements) {
  const uint8_t data[] = {0x10, 0x78, 0xF9};  // 0 1 | -8 7 | -7 -1
  GraphTensor filter;
  filter.dims = {3, 2};
  filter.type = kTfLiteInt4;
  filter.data = Borrowed(data);
  filter.SetQuantization({{0.5f}, {0}});
  const FilterPacking packing = {
      .out_channels = 3, .group_in = 2, .group_out = 3, .lanes = 2, .out_step = 2};
  EXPECT_EQ(Packed(filter, Decoding::kWeights, packing, 4),
            (std::vector<uint8_t>{0x08, 0x81, 0xF9, 0x87}));
}

// Weights [2, 4] of nibbles whose rows have two blocks each.
TEST(Constants, ScalesByBlock) {
  const uint8_t data[] = {0x21, 0xF3, 0x78, 0x04};  // 1 2 | 3 -1 and -8 7 | 4 0
  const float scales[] = {0.5f, 2, 1, 4};
  GraphTensor weights;
  weights.dims = {2, 4};
  weights.type = kTfLiteInt4;
  weights.data = Borrowed(data);
  weights.quantization = RowBlocks{scales, kTfLiteFloat32, 4, 2};
  const auto floats = [&](Decoding decoding, int count) {
    return Filled<float>(
        {weights}, {{.slices = count / 4, .decoding = decoding, .packing = Box{1, 1, 1, count}}},
        Element::kFloat32, 4);
  };
  ASSERT_TRUE(CheckDecoding(weights, Decoding::kWeights).ok());
  EXPECT_EQ(floats(Decoding::kWeights, 8), (std::vector<float>{0.5f, 1, 6, -2, -8, 7, 16, 0}));
  EXPECT_EQ(floats(Decoding::kScales, 4), (std::vector<float>{0.5f, 2, 1, 4}));
  const std::optional<PackedForm> form = PackedBlocksOf(weights);
  ASSERT_TRUE(form.has_value());
  EXPECT_EQ(form->element, Element::kNibble);
  EXPECT_EQ(form->zero, 8);
  EXPECT_FALSE(PackedFormOf(weights, Decoding::kWeights, {}, 0).has_value());
  for (const RowBlocks& bad :
       {RowBlocks{scales, kTfLiteFloat32, 3, 2}, RowBlocks{scales, kTfLiteFloat32, 4, 3},
        RowBlocks{scales, kTfLiteFloat32, 4, 0}}) {
    weights.quantization = bad;
    EXPECT_FALSE(CheckDecoding(weights, Decoding::kWeights).ok());
  }
}

// A scale belongs to an output channel, or the filter is made of numbers.
TEST(Constants, FiltersWithScalesAlongAnotherAxisAreNumbers) {
  const int8_t data[] = {1, 2, 3, 4};
  GraphTensor filter;
  filter.dims = {2, 2};
  filter.type = kTfLiteInt8;
  filter.data = Borrowed(data);
  filter.SetQuantization({{0.5f, 0.25f}, {0}});
  const FilterPacking packing = {
      .out_channels = 2, .group_in = 2, .group_out = 2, .lanes = 2, .out_step = 2};
  EXPECT_TRUE(PackedFormOf(filter, Decoding::kWeights, packing, 0).has_value());
  EXPECT_FALSE(PackedFormOf(filter, Decoding::kWeights, packing, 2).has_value());
  filter.SetQuantization({{0.5f, 0.25f}, {0}, 1});
  EXPECT_FALSE(PackedFormOf(filter, Decoding::kWeights, packing, 0).has_value());
}

TEST(Constants, HalvesInMemory) {
  const std::vector<float> data = {1, -2};
  EXPECT_EQ(Filled<uint16_t>({Floats(data, {2})}, {{.slices = 1, .packing = Box{1, 1, 1, 2}}},
                             Element::kFloat16, 2),
            (std::vector<uint16_t>{0x3C00, 0xC000}));
}

// One zero point, or one for each place of the axis; the axis first, last, and between others.
TEST(Constants, SumsOfElementsAreThoseOfEachPlace) {
  const std::vector<int> dims = {3, 2, 4};
  std::vector<uint8_t> bytes(24);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 37);
  for (const TfLiteType type : {kTfLiteInt8, kTfLiteUInt8}) {
    for (const int axis : {0, 1, 2}) {
      for (const bool along : {false, true}) {
        const auto places = static_cast<size_t>(dims[static_cast<size_t>(axis)]);
        AffineQuantization q{std::vector<float>(along ? places : 1, 0.5F), {3}, axis};
        if (along) q.zero_points.clear();
        for (size_t i = 0; along && i < places; ++i)
          q.zero_points.push_back(static_cast<int>(9 * i) - 4);
        GraphTensor tensor;
        tensor.dims = dims;
        tensor.type = kTfLiteFloat32;
        tensor.stored = type;
        tensor.data = Borrowed(bytes.data());
        tensor.SetQuantization(q);
        std::vector<ElementSums> want(places);
        for (int i = 0; i < 24; ++i) {
          const auto at = static_cast<size_t>(axis == 0 ? i / 8 : axis == 1 ? i / 4 % 2 : i % 4);
          const auto byte = bytes[static_cast<size_t>(i)];
          const int element = (type == kTfLiteInt8 ? static_cast<int8_t>(byte) : int{byte}) -
                              q.zero_points[along ? at : 0];
          (element > 0 ? want[at].positive : want[at].negative) += element;
        }
        const std::vector<ElementSums> sums = SumElements(tensor, Decoding::kStored, axis);
        ASSERT_EQ(sums.size(), places);
        for (size_t i = 0; i < places; ++i) {
          EXPECT_EQ(sums[i].positive, want[i].positive) << type << " " << axis << " " << along;
          EXPECT_EQ(sums[i].negative, want[i].negative) << type << " " << axis << " " << along;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tern::gpu
