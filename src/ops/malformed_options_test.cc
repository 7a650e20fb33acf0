// SPDX-License-Identifier: Apache-2.0
// Options and lists of numbers that no model should hold, by the advisory that the same mistake had
// elsewhere: zero strides, blocks and counts, axes, shapes that overflow.
#include <gtest/gtest.h>

#include "base/str_cat.h"
#include "ops/testing/damage.h"
#include "ops/testing/good_models.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the option names of the schema

constexpr int32_t kMin = INT32_MIN, kMax = INT32_MAX;

template <class OptionsT>
void AddStrides(const char* id, const char* op, std::vector<DamageRow>* rows) {
  for (const Padding padding : {Padding_SAME, Padding_VALID}) {
    for (const int32_t bad : {0, -1, kMin}) {
      const Damage with = Set(&OptionsT::padding, padding);
      rows->push_back(
          {id, op, StrCat("stride_w ", bad), Both(with, Set(&OptionsT::stride_w, bad))});
      rows->push_back(
          {id, op, StrCat("stride_h ", bad), Both(with, Set(&OptionsT::stride_h, bad))});
    }
    rows->push_back({id, op, "stride 2^31-1",
                     Both(Set(&OptionsT::padding, padding), Set(&OptionsT::stride_w, kMax)),
                     Expect::kAny});
  }
}

template <class OptionsT>
void AddDilations(const char* id, const char* op, std::vector<DamageRow>* rows,
                  Expect expect = Expect::kError) {
  for (const int32_t bad : {0, -1, kMin}) {
    rows->push_back(
        {id, op, StrCat("dilation ", bad), Set(&OptionsT::dilation_w_factor, bad), expect});
    rows->push_back(
        {id, op, StrCat("dilation ", bad), Set(&OptionsT::dilation_h_factor, bad), expect});
  }
  for (const int32_t huge : {1 << 30, kMax}) {
    rows->push_back(
        {id, op, StrCat("dilation ", huge), Set(&OptionsT::dilation_h_factor, huge), Expect::kAny});
  }
}

TEST(MalformedOptions, StridesAndDilations) {
  std::vector<DamageRow> rows;
  for (const char* op : {"CONV_2D", "CONV_2D grouped", "CONV_2D 1x1", "CONV_2D computed"}) {
    AddStrides<Conv2DOptionsT>("CVE-2021-29585, CVE-2021-29594", op, &rows);
    AddDilations<Conv2DOptionsT>("CVE-2021-29594", op, &rows);
  }
  AddStrides<DepthwiseConv2DOptionsT>("CVE-2021-29585", "DEPTHWISE_CONV_2D", &rows);
  AddDilations<DepthwiseConv2DOptionsT>("CVE-2021-29594", "DEPTHWISE_CONV_2D", &rows,
                                        Expect::kCpuDecides);
  AddStrides<TransposeConvOptionsT>("CVE-2021-29588", "TRANSPOSE_CONV", &rows);
  for (const char* op : {"CONV_3D", "CONV_3D_TRANSPOSE"}) {
    AddStrides<Conv3DOptionsT>("CVE-2021-29585", op, &rows);
    AddDilations<Conv3DOptionsT>("CVE-2021-29594", op, &rows);
    rows.push_back({"CVE-2021-29585", op, "stride_d 0", Set(&Conv3DOptionsT::stride_d, 0)});
  }
  for (const char* op : {"AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"}) {
    AddStrides<Pool2DOptionsT>("CVE-2021-29586, CVE-2021-37684", op, &rows);
    for (const int32_t bad : {0, -1, kMin}) {
      rows.push_back({"CVE-2021-29586", op, StrCat("filter width ", bad),
                      Set(&Pool2DOptionsT::filter_width, bad)});
      rows.push_back({"CVE-2021-29586", op, StrCat("filter height ", bad),
                      Set(&Pool2DOptionsT::filter_height, bad)});
    }
    for (const int32_t large : {9, 1 << 16, kMax}) {
      for (const Padding padding : {Padding_SAME, Padding_VALID}) {
        rows.push_back({"CVE-2021-37684", op, StrCat("no window, filter ", large),
                        Both(Set(&Pool2DOptionsT::padding, padding),
                             Set(&Pool2DOptionsT::filter_width, large)),
                        Expect::kAny});
      }
    }
  }
  for (const int32_t bad : {0, -1, kMin}) {
    rows.push_back({"CVE-2021-29588", "Convolution2DTransposeBias", StrCat("stride ", bad),
                    Words({1, bad, 2})});
    rows.push_back({"CVE-2021-29588", "Convolution2DTransposeBias", StrCat("stride ", bad),
                    Words({1, 2, bad})});
    for (const char* op : {"MaxPoolingWithArgmax2D", "MaxUnpooling2D"}) {
      for (size_t word = 1; word < 5; ++word) {
        std::vector<int32_t> words = {1, 2, 2, 2, 2, 0, 0, 0, 0, 0};
        words[word] = bad;
        rows.push_back({"CVE-2021-29586", op, StrCat("word ", word, " = ", bad), Words(words)});
      }
    }
  }
  CheckRows(rows);
}

TEST(MalformedOptions, BlocksAndCounts) {
  std::vector<DamageRow> rows;
  for (const int32_t bad : {0, -1, 3, 5, 65536, kMax, kMin}) {
    rows.push_back({"CVE-2021-29587", "SPACE_TO_DEPTH", StrCat("block ", bad),
                    Set(&SpaceToDepthOptionsT::block_size, bad)});
    rows.push_back({"CVE-2021-29595", "DEPTH_TO_SPACE", StrCat("block ", bad),
                    Set(&DepthToSpaceOptionsT::block_size, bad)});
  }
  rows.push_back({"CVE-2021-29595", "DEPTH_TO_SPACE", "7 channels", Shape(0, {1, 2, 3, 7})});
  for (const int32_t bad : {0, -1, 3, 65536, kMax, kMin}) {
    rows.push_back(
        {"CVE-2021-29593", "BATCH_TO_SPACE_ND", StrCat("block ", bad), Numbers(1, {bad, 2})});
    rows.push_back(
        {"CVE-2021-29593", "BATCH_TO_SPACE_ND", StrCat("block ", bad), Numbers(1, {2, bad})});
    const Expect fits = bad == 3 ? Expect::kAny : Expect::kError;
    rows.push_back(
        {"CVE-2021-29597", "SPACE_TO_BATCH_ND", StrCat("block ", bad), Numbers(1, {bad, 2}), fits});
    rows.push_back(
        {"CVE-2021-29597", "SPACE_TO_BATCH_ND", StrCat("block ", bad), Numbers(1, {2, bad}), fits});
  }
  for (const int32_t bad : {-1, 7, kMax, kMin}) {
    rows.push_back(
        {"CVE-2021-29593", "BATCH_TO_SPACE_ND", StrCat("crop ", bad), Numbers(2, {0, 0, bad, 0})});
    rows.push_back(
        {"CVE-2021-29593", "BATCH_TO_SPACE_ND", StrCat("crop ", bad), Numbers(2, {0, bad, 0, 0})});
  }
  for (const int32_t bad : {-1, 2, kMax, kMin}) {
    rows.push_back({"CVE-2021-29597", "SPACE_TO_BATCH_ND", StrCat("padding ", bad),
                    Numbers(2, {0, 0, bad, 0})});
  }
  for (const int32_t bad : {0, -1, 1, 2, 4, 1000, kMax, kMin}) {
    rows.push_back({"CVE-2021-29599", "SPLIT", StrCat(bad, " parts"),
                    Set(&SplitOptionsT::num_splits, bad), Expect::kCpuDecides});
    rows.push_back({"CVE-2021-29599", "UNPACK", StrCat(bad, " parts"),
                    Set(&UnpackOptionsT::num, bad), Expect::kCpuDecides});
    if (bad == 2) continue;
    rows.push_back({"CVE-2021-29606", "SPLIT_V", StrCat(bad, " parts"),
                    Set(&SplitVOptionsT::num_splits, bad), Expect::kCpuDecides});
    rows.push_back({"CVE-2021-29599", "PACK", StrCat(bad, " parts"),
                    Set(&PackOptionsT::values_count, bad), Expect::kCpuDecides});
  }
  rows.push_back(
      {"CVE-2021-29599", "SPLIT", "axis that 3 does not divide", Shape(1, {2, 4, 2, 5})});
  const std::vector<std::vector<int32_t>> sizes = {
      {1, 1},       {2, 2},     {-1, -1}, {-2, 5},   {4, -1}, {kMax, kMax},
      {kMin, kMin}, {kMax, -1}, {3},      {1, 1, 1}, {}};
  for (const auto& list : sizes) {
    rows.push_back({"CVE-2021-29606", "SPLIT_V", StrCat(list.size(), " sizes"), Numbers(1, list)});
  }
  for (const int32_t bad : {0, -1, 3, kMax, kMin}) {
    rows.push_back({"CVE-2021-29598", "SVDF", StrCat("rank ", bad), Set(&SVDFOptionsT::rank, bad)});
  }
  // The filter says how many there are, the option says nothing more.
  for (const int32_t bad : {-1, 0, 1, 3, 4, kMax, kMin}) {
    rows.push_back({"CVE-2022-21741", "DEPTHWISE_CONV_2D", StrCat("multiplier ", bad),
                    Set(&DepthwiseConv2DOptionsT::depth_multiplier, bad), Expect::kAny});
  }
  CheckRows(rows);
}

// An op, which of its operands holds axes (-1: an option), its rank, and how many axes it has.
TEST(MalformedOptions, Axes) {
  const char* id = "CVE-2020-15207";
  std::vector<DamageRow> rows;
  struct InOperand {
    const char* id;
    const char* op;
    size_t operand;
    int rank;
  };
  const InOperand operands[] = {{"CVE-2021-29603", "ARG_MAX", 1, 3},
                                {"CVE-2021-29603", "ARG_MIN", 1, 3},
                                {"CVE-2021-37685", "EXPAND_DIMS", 1, 5},
                                {id, "MEAN", 1, 4},
                                {id, "SUM", 1, 4},
                                {id, "REDUCE_MAX", 1, 4},
                                {id, "REDUCE_MIN", 1, 4},
                                {id, "REDUCE_PROD", 1, 4},
                                {id, "REDUCE_ALL", 1, 4},
                                {id, "REDUCE_ANY", 1, 4},
                                {id, "CUMSUM", 1, 4},
                                {id, "REVERSE_V2", 1, 4},
                                {id, "SPLIT", 0, 4},
                                {"CVE-2021-29606", "SPLIT_V", 2, 4},
                                {id, "TRANSPOSE", 1, 4}};
  for (const InOperand& x : operands) {
    for (const int32_t bad : {-x.rank - 1, x.rank, -100000, kMin, kMax}) {
      const bool order = std::string(x.op) == "TRANSPOSE";
      const bool one = x.rank == 5 || x.operand != 1 || std::string(x.op) == "CUMSUM" ||
                       std::string(x.op).substr(0, 3) == "ARG";
      std::vector<int32_t> values = {bad};
      if (order) values = {3, 1, bad, 2};
      const bool unused = std::string(x.op) == "EXPAND_DIMS";
      rows.push_back({x.id, x.op, StrCat("axis ", bad), Numbers(x.operand, values),
                      unused ? Expect::kCpuDecides : Expect::kError});
      if (!one && !order) {
        rows.push_back({x.id, x.op, StrCat("axes 0, ", bad), Numbers(x.operand, {0, bad})});
      }
    }
  }
  for (const char* op : {"ARG_MAX", "ARG_MIN"}) {
    rows.push_back({"CVE-2021-29603", op, "no axis", Numbers(1, {})});
    rows.push_back({"CVE-2021-29603", op, "two axes", Numbers(1, {0, 1})});
  }
  rows.push_back({id, "TRANSPOSE", "an axis twice", Numbers(1, {3, 1, 1, 2})});
  rows.push_back({id, "TRANSPOSE", "too few axes", Numbers(1, {0, 1, 2})});
  for (const int32_t bad : {-5, 4, kMin, kMax}) {
    const std::string what = StrCat("axis ", bad);
    rows.push_back({id, "CONCATENATION", what, Set(&ConcatenationOptionsT::axis, bad)});
    rows.push_back({id, "UNPACK", what, Set(&UnpackOptionsT::axis, bad)});
    rows.push_back({id, "GATHER", what, Set(&GatherOptionsT::axis, bad)});
    rows.push_back({id, "GATHER", what, Set(&GatherOptionsT::batch_dims, bad)});
    rows.push_back({id, "SQUEEZE", what, Set(&SqueezeOptionsT::squeeze_dims, std::vector{bad}),
                    Expect::kCpuDecides});
    rows.push_back({id, "REVERSE_SEQUENCE", what, Set(&ReverseSequenceOptionsT::seq_dim, bad)});
    rows.push_back({id, "REVERSE_SEQUENCE", what, Set(&ReverseSequenceOptionsT::batch_dim, bad)});
    const int32_t wide = bad == 4 ? 5 : bad == -5 ? -6 : bad;  // the result has one axis more
    rows.push_back({id, "PACK", what, Set(&PackOptionsT::axis, wide)});
    rows.push_back({"CVE-2021-29600", "ONE_HOT", what, Set(&OneHotOptionsT::axis, bad)});
  }
  CheckRows(rows);
}

// An empty list of axes is allowed and means none.
TEST(MalformedOptions, EmptyAxes) {
  std::vector<DamageRow> rows;
  for (const char* op : {"MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_PROD", "REDUCE_ALL",
                         "REDUCE_ANY", "REVERSE_V2", "CUMSUM", "EXPAND_DIMS"}) {
    rows.push_back({"CVE-2021-37689", op, "no axes", Numbers(1, {}), Expect::kAny});
  }
  CheckRows(rows);
}

TEST(MalformedOptions, ShapesThatOverflow) {
  std::vector<DamageRow> rows;
  const auto pair = [](std::vector<int32_t> a, std::vector<int32_t> b) {
    return Both(Both(Shape(0, std::move(a)), Shape(1, std::move(b))),
                Set(&ConcatenationOptionsT::axis, 0));
  };
  rows.push_back({"CVE-2021-29601", "CONCATENATION", "2^31", pair({1 << 30, 0}, {1 << 30, 0})});
  rows.push_back({"CVE-2021-29601", "CONCATENATION", "2^32 - 2", pair({kMax, 0}, {kMax, 0})});
  rows.push_back({"CVE-2021-29601", "CONCATENATION", "2^31 - 1",
                  pair({1 << 30, 0}, {(1 << 30) - 1, 0}), Expect::kAny});
  const Damage wide = Shape(0, {65537, 1});
  for (const auto& times : std::vector<std::vector<int32_t>>{
           {65536, 1}, {kMax, kMax}, {kMax, 3}, {-1, 1}, {kMin, kMin}, {1}, {}}) {
    rows.push_back(
        {"issue 111637", "TILE", StrCat(times.size(), " times"), Both(wide, Numbers(1, times))});
  }
  rows.push_back({"issue 111637", "TILE", "0 times", Numbers(1, {0, 2}), Expect::kAny});
  for (const auto& shape : std::vector<std::vector<int32_t>>{{65536, 65536},
                                                             {kMax, kMax},
                                                             {kMax, kMax, kMax},
                                                             {1 << 30, 1, 2},
                                                             {-1, 3},
                                                             {kMin, 1},
                                                             {1 << 16, 0, 1 << 16, 1 << 16}}) {
    // Beside a size of 0 the product of the others does not matter.
    const bool empty = shape.size() > 1 && shape[1] == 0;
    rows.push_back({"issue 111637", "FILL", StrCat(shape[0]), Numbers(0, shape),
                    empty ? Expect::kAny : Expect::kCpuDecides});
    if (shape[0] != 1 << 16) {
      rows.push_back({"issue 111637", "BROADCAST_TO", StrCat(shape[0]), Numbers(1, shape)});
    }
    rows.push_back({"CVE-2021-29592", "RESHAPE", StrCat(shape[0]), Numbers(1, shape),
                    shape[0] == -1 ? Expect::kAny : Expect::kCpuDecides});
  }
  for (const auto& size : std::vector<std::vector<int32_t>>{
           {65536, 65536}, {kMax, kMax}, {kMin, 4}, {0, 4}, {-1, 4}, {4}, {}, {1, 2, 3}}) {
    for (const char* op : {"RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"}) {
      rows.push_back({"issue 111637", op, StrCat(size.size(), " sizes"), Numbers(1, size),
                      Expect::kCpuDecides});
    }
  }
  for (const int32_t delta : {0, -1, kMin}) {
    rows.push_back({"issue 111637", "RANGE", StrCat("step ", delta), Numbers(2, {delta})});
  }
  rows.push_back({"issue 111637", "RANGE", "2^32",
                  Both(Numbers(0, {kMin}), Both(Numbers(1, {kMax}), Numbers(2, {1})))});
  for (const int32_t huge : {-1, kMax, kMin}) {
    rows.push_back({"CVE-2021-29600", "ONE_HOT", StrCat("depth ", huge), Numbers(1, {huge})});
  }
  rows.push_back({"CVE-2021-29600", "ONE_HOT", "depth 0", Numbers(1, {0}), Expect::kAny});
  for (const int32_t bad : {5, kMax}) {
    rows.push_back({"CVE-2021-29600", "TOPK_V2", StrCat("k ", bad), Numbers(1, {bad})});
  }
  for (const int32_t none : {-1, kMin}) {
    rows.push_back(
        {"CVE-2021-29600", "TOPK_V2", StrCat("k ", none), Numbers(1, {none}), Expect::kAny});
  }
  for (const auto& amounts : std::vector<std::vector<int32_t>>{{kMax, kMax, 0, 0, 0, 0, 0, 0},
                                                               {0, 0, kMax, 0, 0, 0, 0, 0},
                                                               {0, 0, 0, 0, -1, 0, 0, 0},
                                                               {0, 0, 0, 0, kMin, kMax, 0, 0},
                                                               {65536, 0, 65536, 0, 0, 0, 0, 0}}) {
    for (const char* op : {"PAD", "PADV2", "MIRROR_PAD"}) {
      rows.push_back({"issue 111637", op, StrCat(amounts[0]), Numbers(1, amounts)});
    }
  }
  rows.push_back(
      {"CVE-2021-29592", "RESHAPE", "two sizes open", Numbers(1, {-1, -1}), Expect::kCpuDecides});
  rows.push_back(
      {"CVE-2021-29592", "RESHAPE", "another count", Numbers(1, {7, -1}), Expect::kCpuDecides});
  rows.push_back(
      {"CVE-2021-29592", "RESHAPE", "an empty list", Numbers(1, {}), Expect::kCpuDecides});
  rows.push_back(
      {"CVE-2021-29592", "RESHAPE", "floats", Type(1, TensorType_FLOAT32), Expect::kCpuDecides});
  rows.push_back({"CVE-2021-29592", "RESHAPE", "no data",
                  [](ModelT& m) { m.subgraphs[0]->tensors[1]->buffer = 0; }, Expect::kAny});
  CheckRows(rows);
}

}  // namespace
}  // namespace tern::testing
