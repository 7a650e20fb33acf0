// SPDX-License-Identifier: Apache-2.0
// Operands that do not fit together, empty ones, and indices that lie outside, by the advisory that
// the same mistake had elsewhere.
#include <gtest/gtest.h>

#include <cstring>

#include "base/str_cat.h"
#include "flatbuffers/flexbuffers.h"
#include "ops/testing/damage.h"
#include "ops/testing/good_models.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the option names of the schema

constexpr int32_t kMin = INT32_MIN, kMax = INT32_MAX;

const char* const kBroadcasting[] = {
    "ADD",        "SUB",       "MUL",        "DIV",           "MAXIMUM",     "MINIMUM",
    "POW",        "FLOOR_DIV", "FLOOR_MOD",  "EQUAL",         "NOT_EQUAL",   "LESS",
    "LESS_EQUAL", "GREATER",   "LOGICAL_OR", "GREATER_EQUAL", "LOGICAL_AND", "SQUARED_DIFFERENCE",
    "PRELU"};

TEST(MalformedOperands, PairsThatDoNotFit) {
  const char* id = "CVE-2020-15208, LiteRT 297707cbe";
  std::vector<DamageRow> rows;
  for (const char* op : kBroadcasting) {
    for (const std::vector<int32_t>& bad : std::vector<std::vector<int32_t>>{
             {4, 1, 5}, {2, 1, 5}, {3, 1, 6}, {3, 1, 4}, {3, 2, 2, 5}, {3, 3, 5}}) {
      rows.push_back({id, op, StrCat("second [", bad[0], ", ...]"), Shape(1, bad)});
    }
    rows.push_back({"CVE-2021-29590", op, "0 against 3", Shape(1, {0, 1, 5})});
    rows.push_back({"CVE-2021-29590", op, "0 against 1", Shape(0, {2, 0, 1, 5}), Expect::kAny});
    rows.push_back({"CVE-2021-29590", op, "1 against 0",
                    Both(Shape(0, {2, 1, 2, 5}), Shape(1, {0, 1, 5})), Expect::kAny});
    rows.push_back(
        {"CVE-2021-29590", op, "n against 0", Both(Shape(0, {2, 3, 2, 0}), Shape(1, {3, 1, 5}))});
  }
  struct Operand {
    const char* op;
    size_t operand;
    std::vector<int32_t> shape;
  };
  const Operand operands[] = {{"ATAN2", 1, {2, 3, 2, 6}},
                              {"ATAN2", 1, {2, 3, 2, 4}},
                              {"STABLEHLO_ADD", 1, {2, 3, 2, 4}},
                              {"STABLEHLO_MULTIPLY", 1, {2, 3, 2, 6}},
                              {"STABLEHLO_AND", 1, {2, 3, 2, 4}},
                              {"STABLEHLO_SHIFT_LEFT", 1, {2, 3, 2, 4}},
                              {"BITWISE_XOR", 1, {2, 3, 2, 4}},
                              {"RIGHT_SHIFT", 1, {2, 3, 2, 6}},
                              {"ADD_N", 1, {2, 3, 2, 4}},
                              {"ADD_N", 2, {2, 3, 2, 6}},
                              {"SELECT", 0, {2, 3, 2, 4}},
                              {"SELECT", 1, {2, 3, 2, 6}},
                              {"SELECT", 2, {2, 3, 2, 4}},
                              {"SELECT_V2", 0, {2, 3, 2, 4}},
                              {"SELECT_V2", 1, {2, 3, 2, 6}},
                              {"SELECT_V2 broadcast", 2, {2, 4, 2, 5}},
                              {"BATCH_MATMUL", 1, {1, 5, 5}},
                              {"BATCH_MATMUL", 1, {1, 3, 5}},
                              {"BATCH_MATMUL", 1, {3, 4, 5}},
                              {"BATCH_MATMUL", 0, {2, 3, 5}},
                              {"FULLY_CONNECTED", 1, {5, 5}},
                              {"FULLY_CONNECTED", 1, {5, 9}},
                              {"FULLY_CONNECTED any rank", 1, {5, 3}},
                              {"FULLY_CONNECTED computed", 1, {5, 5}},
                              {"CONCATENATION", 1, {2, 1, 2, 4}},
                              {"CONCATENATION", 1, {3, 1, 2, 5}},
                              {"CONCATENATION", 1, {2, 2, 5}},
                              {"PACK", 1, {2, 3, 2, 4}},
                              {"PACK", 1, {2, 3, 2, 6}},
                              {"SEGMENT_SUM", 1, {3}},
                              {"SEGMENT_SUM", 1, {5}},
                              {"UNSORTED_SEGMENT_SUM", 1, {3}},
                              {"UNSORTED_SEGMENT_MAX", 1, {5}},
                              {"SCATTER_ND", 1, {2, 5}},
                              {"SCATTER_ND", 1, {3, 4}},
                              {"SCATTER_ND", 1, {1, 4}},
                              {"MATRIX_SET_DIAG", 1, {2, 4}},
                              {"MATRIX_SET_DIAG", 1, {3, 3}},
                              {"REVERSE_SEQUENCE", 1, {3}},
                              {"REVERSE_SEQUENCE", 1, {1}},
                              {"DYNAMIC_UPDATE_SLICE", 1, {1, 4, 1, 5}},
                              {"DYNAMIC_UPDATE_SLICE", 1, {1, 1, 5}},
                              {"DYNAMIC_UPDATE_SLICE", 2, {3}},
                              {"SPARSE_TO_DENSE", 2, {3}},
                              {"SPARSE_TO_DENSE", 1, {3}},
                              {"HASHTABLE_LOOKUP", 1, {2}},
                              {"HASHTABLE_LOOKUP", 1, {4}},
                              {"NON_MAX_SUPPRESSION_V4", 1, {5}},
                              {"NON_MAX_SUPPRESSION_V5", 0, {4, 5}},
                              {"MaxUnpooling2D", 1, {1, 2, 2, 2}},
                              {"MaxUnpooling2D", 1, {1, 2, 3, 3}},
                              {"TFLite_Detection_PostProcess", 0, {1, 5, 4}},
                              {"TFLite_Detection_PostProcess", 1, {1, 7, 3}},
                              {"TFLite_Detection_PostProcess", 2, {5, 4}},
                              {"STRIDED_SLICE", 1, {3}},
                              {"STRIDED_SLICE", 2, {5}},
                              {"STRIDED_SLICE", 3, {3}},
                              {"SLICE", 1, {3}},
                              {"SLICE", 2, {5}},
                              {"PAD", 1, {3, 2}},
                              {"PAD", 1, {4, 3}},
                              {"MIRROR_PAD", 1, {5, 2}}};
  for (const Operand& x : operands) {
    rows.push_back({"CVE-2020-15208", x.op,
                    StrCat("operand ", x.operand, " [", x.shape[0], ", ...]"),
                    Shape(x.operand, x.shape)});
  }
  CheckRows(rows);
}

TEST(MalformedOperands, Filters) {
  std::vector<DamageRow> rows;
  for (const char* op : {"CONV_2D", "CONV_2D grouped", "CONV_2D computed"}) {
    for (const std::vector<int32_t>& filter : std::vector<std::vector<int32_t>>{{6, 3, 3, 0},
                                                                                {0, 3, 3, 4},
                                                                                {6, 0, 3, 4},
                                                                                {6, 3, 0, 4},
                                                                                {6, 3, 3, 3},
                                                                                {6, 3, 3, 5},
                                                                                {6, 3, 3, 8},
                                                                                {5, 3, 3, 2},
                                                                                {3, 3, 4},
                                                                                {6, 3, 3, 4, 1}}) {
      rows.push_back({"CVE-2021-29594, CVE-2023-27579", op,
                      StrCat("filter [", filter[0], ", ..., ", filter.back(), "]"),
                      Shape(1, filter)});
    }
    rows.push_back({"CVE-2021-29594", op, "no input channels", Shape(0, {1, 4, 5, 0})});
    for (const int32_t bias : {0, 1, 5, 7, 12}) {
      rows.push_back({"CVE-2022-23557", op, StrCat("bias ", bias), Shape(2, {bias})});
    }
  }
  for (const std::vector<int32_t>& filter : std::vector<std::vector<int32_t>>{
           {1, 3, 3, 0}, {1, 3, 3, 5}, {1, 3, 3, 7}, {1, 0, 3, 6}, {2, 3, 3, 6}, {3, 3, 6}}) {
    rows.push_back({"CVE-2021-29602", "DEPTHWISE_CONV_2D", StrCat("filter ..., ", filter.back()),
                    Shape(1, filter)});
  }
  rows.push_back(
      {"CVE-2021-29602, CVE-2022-21741", "DEPTHWISE_CONV_2D", "depth 0", Shape(0, {1, 4, 5, 0})});
  rows.push_back({"CVE-2021-29602", "DEPTHWISE_CONV_2D", "depth 4", Shape(0, {1, 4, 5, 4})});
  for (const int32_t bias : {0, 1, 3, 7}) {
    rows.push_back(
        {"CVE-2022-23557", "DEPTHWISE_CONV_2D", StrCat("bias ", bias), Shape(2, {bias})});
    rows.push_back({"CVE-2022-23557", "FULLY_CONNECTED", StrCat("bias ", bias), Shape(2, {bias})});
    rows.push_back({"CVE-2022-23557, CVE-2022-41894", "TRANSPOSE_CONV", StrCat("bias ", bias),
                    Shape(3, {bias})});
    rows.push_back(
        {"CVE-2022-23557", "Convolution2DTransposeBias", StrCat("bias ", bias), Shape(2, {bias})});
    if (bias == 3) continue;
    rows.push_back({"CVE-2022-23557", "CONV_3D", StrCat("bias ", bias), Shape(2, {bias})});
    rows.push_back({"CVE-2022-23557, CVE-2022-41894", "CONV_3D_TRANSPOSE", StrCat("bias ", bias),
                    Shape(3, {bias})});
  }
  rows.push_back(
      {"CVE-2021-37680", "FULLY_CONNECTED", "filter [0, 4]", Shape(1, {0, 4}), Expect::kAny});
  rows.push_back({"CVE-2021-37680", "FULLY_CONNECTED", "filter [5, 0]", Shape(1, {5, 0})});
  rows.push_back({"CVE-2021-37680", "FULLY_CONNECTED computed", "filter [5, 0]", Shape(1, {5, 0})});
  for (const std::vector<int32_t>& filter : std::vector<std::vector<int32_t>>{
           {5, 3, 3, 3}, {4, 3, 3, 4}, {5, 0, 3, 4}, {5, 3, 3, 0}, {0, 3, 3, 4}}) {
    rows.push_back({"CVE-2021-29588", "TRANSPOSE_CONV", StrCat("filter [", filter[0], ", ...]"),
                    Shape(1, filter)});
  }
  for (const std::vector<int32_t>& shape : std::vector<std::vector<int32_t>>{{1, 0, 8, 5},
                                                                             {1, -6, 8, 5},
                                                                             {2, 6, 8, 5},
                                                                             {1, 6, 8, 4},
                                                                             {1, 6, 8, 0},
                                                                             {1, kMax, 8, 5},
                                                                             {1, kMax, kMax, 5},
                                                                             {0, 6, 8, 5},
                                                                             {1, 6, 8},
                                                                             {1, 6, 8, 5, 1},
                                                                             {}}) {
    rows.push_back({"CVE-2021-29588", "TRANSPOSE_CONV", StrCat(shape.size(), " sizes"),
                    Numbers(0, shape), Expect::kCpuDecides});
  }
  for (const std::vector<int32_t>& shape :
       std::vector<std::vector<int32_t>>{{1, 0, 3, 3, 3},
                                         {1, -3, 3, 3, 3},
                                         {2, 3, 3, 3, 3},
                                         {1, 3, 3, 3, 2},
                                         {1, 3, 3, 3},
                                         {1, kMax, kMax, kMax, 3}}) {
    rows.push_back({"CVE-2021-29588, CVE-2022-41894", "CONV_3D_TRANSPOSE", StrCat(shape[1]),
                    Numbers(0, shape), Expect::kCpuDecides});
  }
  for (const Padding padding : {Padding_SAME, Padding_VALID}) {
    for (int32_t height = 4; height <= 10; ++height) {
      for (int32_t width = 6; width <= 12; ++width) {
        rows.push_back({"Chromium 492668885", "TRANSPOSE_CONV", StrCat(height, " x ", width),
                        Both(Both(Set(&TransposeConvOptionsT::padding, padding),
                                  Numbers(0, {1, height, width, 5})),
                             OutputShape(0, {1, height, width, 5})),
                        Expect::kAny});
      }
    }
  }
  CheckRows(rows);
}

TEST(MalformedOperands, IndicesOutside) {
  std::vector<DamageRow> rows;
  for (const int32_t bad : {-1, -100000, kMin, 3, 4, 1 << 30, kMax}) {
    const std::string what = StrCat("index ", bad);
    rows.push_back({"CVE-2021-37687", "GATHER", what, Numbers(1, {2, bad, 0})});
    rows.push_back({"CVE-2021-37687", "GATHER_ND", what, Numbers(1, {0, 2, 1, bad})});
    rows.push_back({"CVE-2021-37687", "GATHER_ND", what, Numbers(1, {bad, 2, 1, 1})});
    rows.push_back({"CVE-2021-29596", "EMBEDDING_LOOKUP", what, Numbers(0, {1, bad})});
    rows.push_back({"CVE-2022-35939, Chromium 481776048, Chromium 484027094", "SCATTER_ND", what,
                    Numbers(0, {0, bad})});
    rows.push_back({"CVE-2022-35939", "SPARSE_TO_DENSE", what, Numbers(0, {0, 1, bad, 0})});
    const Expect low = bad < 0 ? Expect::kAny : Expect::kError;
    rows.push_back(
        {"CVE-2020-15212", "UNSORTED_SEGMENT_SUM", what, Numbers(1, {2, 0, bad, 0}), low});
    rows.push_back(
        {"CVE-2020-15212", "UNSORTED_SEGMENT_MAX", what, Numbers(1, {2, 0, 1, bad}), low});
    rows.push_back({"CVE-2022-35939", "STABLEHLO_SCATTER", what, Numbers(1, {2, 1, bad}, {3, 1}),
                    Expect::kAny});
    rows.push_back({"CVE-2021-37687", "STABLEHLO_GATHER", what, Numbers(1, {bad, 1, 0, 2}, {4, 1}),
                    Expect::kAny});
    rows.push_back(
        {"CVE-2021-37687", "DYNAMIC_UPDATE_SLICE", what, Numbers(2, {0, bad, 0, 0}), Expect::kAny});
    rows.push_back({"CVE-2021-37687", "REVERSE_SEQUENCE", what, Numbers(1, {1, bad}),
                    bad == 3 ? Expect::kAny : Expect::kError});
  }
  for (const std::vector<int32_t>& ids : std::vector<std::vector<int32_t>>{
           {-1, 0, 1, 2}, {0, -1, 1, 2}, {0, 0, 1, -1}, {kMin, 0, 1, 2}, {-3, -2, -1, -1}}) {
    rows.push_back({"CVE-2020-15212", "SEGMENT_SUM", "a negative id", Numbers(1, ids)});
  }
  for (const int32_t last : {1 << 30, kMax, kMax - 1}) {
    rows.push_back(
        {"CVE-2020-15213", "SEGMENT_SUM", StrCat("last id ", last), Numbers(1, {0, 0, 1, last})});
    rows.push_back({"CVE-2020-15213", "SEGMENT_SUM", StrCat("rows of one, last id ", last),
                    Both(Shape(0, {4, 1}), Numbers(1, {0, 0, 1, last}))});
    rows.push_back(
        {"CVE-2020-15213", "UNSORTED_SEGMENT_SUM", StrCat(last, " segments"), Numbers(2, {last})});
  }
  for (const int32_t bad : {-1, kMin}) {
    rows.push_back(
        {"CVE-2020-15213", "UNSORTED_SEGMENT_SUM", StrCat(bad, " segments"), Numbers(2, {bad})});
  }
  rows.push_back({"CVE-2020-15214", "SEGMENT_SUM", "descending", Numbers(1, {3, 2, 1, 0})});
  rows.push_back({"CVE-2020-15214", "SEGMENT_SUM", "largest inside", Numbers(1, {0, 9, 1, 2})});
  for (const std::vector<int32_t>& shape : std::vector<std::vector<int32_t>>{
           {-1, 4}, {3, -4}, {kMax, kMax}, {1 << 30, 4}, {3}, {3, 4, kMax}, {}}) {
    rows.push_back(
        {"CVE-2022-35939", "SCATTER_ND", StrCat("shape of ", shape.size()), Numbers(2, shape)});
    if (shape.size() == 2) {
      rows.push_back(
          {"CVE-2022-35939", "SPARSE_TO_DENSE", StrCat("shape ", shape[0]), Numbers(1, shape)});
    }
  }
  for (const std::vector<int32_t>& shape :
       std::vector<std::vector<int32_t>>{{1, 4}, {}, {2, 0}, {4, 1, 9}}) {
    rows.push_back({"CVE-2022-35937, CVE-2022-35938", "GATHER_ND",
                    StrCat("indices of rank ", shape.size()), Shape(1, shape),
                    shape.size() == 2 && shape[1] == 0 ? Expect::kAny : Expect::kError});
    rows.push_back({"CVE-2022-35939", "SCATTER_ND", StrCat("indices of rank ", shape.size()),
                    Shape(0, shape)});
  }
  rows.push_back({"CVE-2021-29589", "GATHER_ND", "nothing to take from", Shape(0, {0, 3, 4})});
  rows.push_back({"CVE-2021-29589", "GATHER_ND", "nothing to take from", Shape(0, {2, 0, 4})});
  rows.push_back({"CVE-2021-29589", "GATHER_ND", "empty rows", Shape(0, {2, 3, 0}), Expect::kAny});
  rows.push_back({"CVE-2021-29589", "GATHER", "nothing to take from", Shape(0, {2, 0, 4})});
  rows.push_back({"CVE-2021-29596", "EMBEDDING_LOOKUP", "no rows", Shape(1, {0, 4})});
  rows.push_back(
      {"CVE-2021-29596", "EMBEDDING_LOOKUP", "empty rows", Shape(1, {3, 0}), Expect::kAny});
  rows.push_back({"CVE-2022-23559", "EMBEDDING_LOOKUP", "2^32", Shape(1, {65536, 65536})});
  rows.push_back({"CVE-2021-29600", "ONE_HOT", "no indices", Shape(0, {0, 3}), Expect::kAny});
  rows.push_back({"CVE-2021-29604", "HASHTABLE_LOOKUP", "no values", Shape(2, {0, 2})});
  rows.push_back({"CVE-2021-29604", "HASHTABLE_LOOKUP", "no table",
                  Both(Shape(1, {0}), Shape(2, {0, 2})), Expect::kAny});
  rows.push_back({"CVE-2021-29604", "HASHTABLE_LOOKUP", "keys out of order", Numbers(1, {7, 1, 4}),
                  Expect::kAny});
  for (const int32_t bad : {-1, kMin, 5, kMax}) {
    for (const char* op : {"NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5"}) {
      rows.push_back(
          {"LiteRT 9b4e25db7", op, StrCat("at most ", bad), Numbers(2, {bad}), Expect::kAny});
    }
    rows.push_back({"issue 124982", "RFFT2D", StrCat("length ", bad), Numbers(1, {4, bad})});
  }
  CheckRows(rows);
}

// Divisors of 0 and the quotient that no number holds.
TEST(MalformedOperands, Divisors) {
  std::vector<DamageRow> rows;
  for (const char* op : {"DIV INT32", "FLOOR_DIV INT32", "FLOOR_MOD INT32"}) {
    for (const int32_t divisor : {0, -1}) {
      const Damage constant = [divisor](ModelT& m) {
        auto buffer = std::make_unique<BufferT>();
        buffer->data.resize(3 * sizeof(int32_t));
        for (size_t i = 0; i < 3; ++i) std::memcpy(&buffer->data[4 * i], &divisor, sizeof(divisor));
        auto min = std::make_unique<BufferT>();
        min->data.resize(6 * sizeof(int32_t));
        for (size_t i = 0; i < 6; ++i) std::memcpy(&min->data[4 * i], &kMin, sizeof(kMin));
        SubGraphT& graph = *m.subgraphs[0];
        graph.tensors[1]->buffer = static_cast<uint32_t>(m.buffers.size());
        m.buffers.push_back(std::move(buffer));
        graph.tensors[0]->buffer = static_cast<uint32_t>(m.buffers.size());
        m.buffers.push_back(std::move(min));
        graph.inputs.clear();
      };
      rows.push_back({"CVE-2021-37683", op, StrCat("by ", divisor), constant,
                      divisor == 0 ? Expect::kCpuError : Expect::kAny});
    }
  }
  CheckRows(rows);
}

SparsityParametersT& SparsityOf(ModelT& m) { return *m.subgraphs[0]->tensors[0]->sparsity; }

TEST(MalformedOperands, SparseConstants) {
  const char* id = "CVE-2022-23560";
  using Edit = std::function<void(SparsityParametersT&)>;
  std::vector<DamageRow> rows;
  const auto add = [&](const char* of, const char* what, const Edit& edit) {
    rows.push_back(
        {of, "DENSIFY", what, [=](ModelT& m) { edit(SparsityOf(m)); }, Expect::kFileError});
  };
  const auto segments = [&](const char* what, std::vector<int32_t> values) {
    add(id, what, [=](SparsityParametersT& s) {
      s.dim_metadata[1]->array_segments.AsInt32Vector()->values = values;
    });
  };
  const auto indices = [&](const char* what, std::vector<int32_t> values) {
    add(id, what, [=](SparsityParametersT& s) {
      s.dim_metadata[1]->array_indices.AsInt32Vector()->values = values;
    });
  };
  segments("segments that fall", {0, 3, 1});
  segments("segments beyond the indices", {0, 1, 4});
  segments("segments that begin late", {1, 2, 3});
  segments("a negative segment", {0, -1, 3});
  segments("a segment less", {0, 3});
  segments("a segment more", {0, 1, 3, 3});
  segments("no segments", {});
  segments("huge segments", {0, kMax, kMax});
  indices("an index at the extent", {1, 0, 3});
  indices("a negative index", {-1, 0, 2});
  indices("a huge index", {1, 0, kMax});
  indices("the least index", {1, 0, kMin});
  indices("an index less", {1, 0});
  indices("an index twice", {1, 2, 2});
  for (const std::vector<int32_t>& order : std::vector<std::vector<int32_t>>{
           {0, 0}, {1, 1}, {0, 2}, {-1, 0}, {kMax, 0}, {0}, {}, {0, 1, 2}}) {
    add("CVE-2022-23561", "traversal order",
        [=](SparsityParametersT& s) { s.traversal_order = order; });
  }
  for (const std::vector<int32_t>& map :
       std::vector<std::vector<int32_t>>{{0}, {1}, {2}, {-1}, {kMax}, {0, 1, 2}}) {
    add("CVE-2022-23561", "block map", [=](SparsityParametersT& s) { s.block_map = map; });
  }
  for (const int32_t size : {0, -1, 1, 3, kMax, kMin}) {
    add(id, "rows", [=](SparsityParametersT& s) { s.dim_metadata[0]->dense_size = size; });
  }
  add("CVE-2022-23561", "a level less", [](SparsityParametersT& s) { s.dim_metadata.pop_back(); });
  add("CVE-2022-23561", "no levels", [](SparsityParametersT& s) { s.dim_metadata.clear(); });
  add("CVE-2022-23561", "a block of size 0", [](SparsityParametersT& s) {
    s.traversal_order = {0, 1, 2};
    s.block_map = {1};
    auto level = std::make_unique<DimensionMetadataT>();
    level->format = DimensionType_DENSE;
    level->dense_size = 0;
    s.dim_metadata.push_back(std::move(level));
  });
  add(id, "no lists", [](SparsityParametersT& s) {
    s.dim_metadata[1]->array_segments.Reset();
    s.dim_metadata[1]->array_indices.Reset();
  });
  rows.push_back({"Chromium 482096215", "DENSIFY", "2^32 elements", Shape(0, {65536, 65536})});
  rows.push_back({"CVE-2022-23561", "DENSIFY", "a rank more", Shape(0, {2, 3, 1})});
  rows.push_back(
      {id, "DENSIFY", "too few elements", [](ModelT& m) { m.buffers[1]->data.resize(8); }});
  CheckRows(rows);
}

TEST(MalformedOperands, DetectionOptions) {
  const char* keys[] = {"max_detections", "max_classes_per_detection", "detections_per_class",
                        "num_classes"};
  std::vector<DamageRow> rows;
  const auto options = [&](const char* key, int64_t value, bool as_text) {
    return [=](ModelT& m) {
      flexbuffers::Builder b;
      b.Map([&] {
        for (const char* other : keys) {
          if (std::string(other) != key) b.Int(other, 2);
          if (std::string(other) == key && as_text) b.String(other, "many");
          if (std::string(other) == key && !as_text) b.Int(other, value);
        }
        b.Float("nms_score_threshold", 0);
        b.Float("nms_iou_threshold", 0.5f);
        for (const char* scale : {"y_scale", "x_scale", "h_scale", "w_scale"}) b.Float(scale, 10);
      });
      b.Finish();
      m.subgraphs[0]->operators[0]->custom_options = b.GetBuffer();
    };
  };
  for (const char* key : keys) {
    for (const int64_t bad : {int64_t{-1}, int64_t{kMin}, int64_t{kMax}, int64_t{1} << 31,
                              int64_t{1} << 32, INT64_MAX, INT64_MIN, int64_t{0}}) {
      rows.push_back({"issue 111638", "TFLite_Detection_PostProcess", StrCat(key, " ", bad),
                      options(key, bad, false), Expect::kAny});
    }
    rows.push_back({"issue 111638", "TFLite_Detection_PostProcess", StrCat(key, " a text"),
                    options(key, 0, true), Expect::kAny});
  }
  rows.push_back({"issue 111638", "TFLite_Detection_PostProcess", "no options", Words({})});
  CheckRows(rows);
}

}  // namespace
}  // namespace tern::testing
