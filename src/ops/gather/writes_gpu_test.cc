// SPDX-License-Identifier: Apache-2.0
// DYNAMIC_UPDATE_SLICE, SCATTER_ND, REVERSE_SEQUENCE and EMBEDDING_LOOKUP on GPU engines, against
// the CPU to the last bit: at the edges of a graph and between other nodes, in the types that the
// GPU moves.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numeric>

#include "ops/testing/gpu_refusal.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the builtin and option names of the schema
using Sizes = std::vector<int32_t>;

constexpr TensorType kWritten[] = {TensorType_FLOAT32, TensorType_INT32, TensorType_INT64,
                                   TensorType_BOOL};

int64_t WrittenCount(const Sizes& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

std::vector<uint8_t> WrittenData(TensorType type, const Sizes& shape) {
  const int64_t reach = type == TensorType_INT64 ? int64_t{1} << 45 : 300;
  return WholeNumbers(WrittenCount(shape), type, -reach, reach);
}

std::vector<uint8_t> Indices(const Sizes& shape, int64_t low, int64_t high,
                             TensorType type = TensorType_INT32) {
  return WholeNumbers(WrittenCount(shape), type, low, high);
}

// In FLOAT32 the op may stand between others: tensors lie in slices there, and steps follow it.
int Before(ModelBuilder& b, int x, const Sizes& shape, bool inside) {
  return inside ? b.Op(BuiltinOperator_NEG, {x}, {b.Tensor(shape)}) : x;
}
void Finish(ModelBuilder& b, int x, const Sizes& shape, bool inside) {
  b.Output(inside ? b.Op(BuiltinOperator_NEG, {x}, {b.Tensor(shape)}) : x);
}

template <class Check>
void ForEachType(const Check& check) {
  for (const TensorType type : kWritten) check(type, false);
  check(TensorType_FLOAT32, true);
}

TEST(WritesGpu, DynamicUpdateSlice) {
  const std::pair<Sizes, Sizes> cases[] = {{{9}, {4}},
                                           {{5, 7}, {2, 7}},
                                           {{5, 7}, {2, 3}},
                                           {{1, 6, 17}, {1, 1, 17}},
                                           {{2, 3, 4, 5}, {1, 2, 4, 5}},
                                           {{2, 3, 4, 18}, {2, 1, 3, 5}},
                                           {{2, 2, 3, 2, 5}, {1, 2, 2, 2, 5}}};
  for (const auto& [shape, part] : cases) {
    ForEachType([&, &shape = shape, &part = part](TensorType type, bool inside) {
      const bool longs = shape.size() % 2 == 0;
      const TensorType index = longs ? TensorType_INT64 : TensorType_INT32;
      const Sizes starts = {static_cast<int32_t>(shape.size())};
      ModelBuilder b;
      const int x = b.Input(shape, type), y = b.Input(part, type), at = b.Input(starts, index);
      b.SetOpVersion(1);
      const int made = b.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE,
                            {Before(b, x, shape, inside), Before(b, y, part, inside), at},
                            {b.Tensor(shape, type)});
      Finish(b, made, shape, inside);
      CheckSameBytes(
          StrCat("rank ", shape.size(), ", type ", type), b,
          {WrittenData(type, shape), WrittenData(type, part), Indices(starts, -3, 6, index)});
    });
  }
}

TEST(WritesGpu, ReverseSequence) {
  struct Case {
    Sizes shape;
    int sequence, batch;
  };
  const Case cases[] = {{{6, 3}, 0, 1},        {{3, 18}, 1, 0},      {{4, 5, 7}, 1, 0},
                        {{4, 3, 5, 17}, 0, 2}, {{3, 2, 4, 5}, 3, 1}, {{2, 3, 2, 3, 4}, 3, 0}};
  for (const Case& c : cases) {
    ForEachType([&](TensorType type, bool inside) {
      ModelBuilder b;
      const int x = b.Input(c.shape, type);
      const int lengths = b.Input({c.shape[c.batch]}, TensorType_INT32);
      ReverseSequenceOptionsT o;
      o.seq_dim = c.sequence;
      o.batch_dim = c.batch;
      b.SetOpVersion(1);
      const int made = b.Op(BuiltinOperator_REVERSE_SEQUENCE,
                            {Before(b, x, c.shape, inside), lengths}, {b.Tensor(c.shape, type)}, o);
      Finish(b, made, c.shape, inside);
      CheckSameBytes(
          StrCat("axis ", c.sequence, ", type ", type), b,
          {WrittenData(type, c.shape), Indices({c.shape[c.batch]}, 0, c.shape[c.sequence])});
    });
  }
}

TEST(WritesGpu, ScatterNd) {
  const std::pair<Sizes, Sizes> cases[] = {{{7}, {4, 1}},
                                           {{5, 18}, {3, 1}},
                                           {{4, 5, 3}, {2, 3, 2}},
                                           {{4, 5, 3}, {9, 3}},
                                           {{3, 3, 2, 17}, {4, 2}}};
  for (const auto& [shape, vectors] : cases) {
    ForEachType([&, &shape = shape, &vectors = vectors](TensorType type, bool inside) {
      const int depth = vectors.back();
      Sizes from(vectors.begin(), vectors.end() - 1);
      from.insert(from.end(), shape.begin() + depth, shape.end());
      const int min = *std::min_element(shape.begin(), shape.begin() + depth);
      ModelBuilder b;
      const int at = b.Input(vectors, TensorType_INT32), x = b.Input(from, type);
      b.SetOpVersion(1);
      const int made = b.Op(
          BuiltinOperator_SCATTER_ND,
          {at, Before(b, x, from, inside), b.Const({static_cast<int32_t>(shape.size())}, shape)},
          {b.Tensor(shape, type)}, ScatterNdOptionsT());
      Finish(b, made, shape, inside);
      CheckSameBytes(StrCat("rank ", shape.size(), ", depth ", depth, ", type ", type), b,
                     {Indices(vectors, 0, min - 1), WrittenData(type, from)});
    });
  }
}

// Rows of INT64 whose sums carry from half to half and wrap, and rows that are known not to meet.
TEST(WritesGpu, ScatterNdOfInt64) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kWord = int64_t{1} << 32;
  const std::vector<int64_t> updates = {kMost, -1, kWord - 1, 0,  1,  1, 1, kWord,
                                        -1,    -1, -kWord,    -1, 77, 0, 0, -78};
  for (const std::vector<int32_t>& places : {std::vector<int32_t>{2, 2, 0, 2}, {3, 0, 1, 2}}) {
    for (const bool known : {false, true}) {
      ModelBuilder b;
      const int at = known ? b.Const({4, 1}, places) : b.Input({4, 1}, TensorType_INT32);
      const int x = b.Input({4, 4}, TensorType_INT64);
      b.Output(b.Op(BuiltinOperator_SCATTER_ND, {at, x, b.Const<int32_t>({2}, {4, 4})},
                    {b.Tensor({4, 4}, TensorType_INT64)}, ScatterNdOptionsT()));
      std::vector<std::vector<uint8_t>> inputs = {BytesOf(updates)};
      if (!known) inputs.insert(inputs.begin(), BytesOf(places));
      CheckSameBytes(StrCat("INT64 to row ", places[0], known ? ", known" : ""), b, inputs);
    }
  }
}

TEST(WritesGpu, EmbeddingLookup) {
  for (const Sizes& table : {Sizes{6, 5}, {4, 33}, {5, 2, 3}, {3, 2, 2, 17}}) {
    ForEachType([&](TensorType type, bool inside) {
      Sizes to = table;
      to[0] = 7;
      ModelBuilder b;
      const int ids = b.Input({7}, TensorType_INT32), rows = b.Input(table, type);
      b.SetOpVersion(1);
      const int made = b.Op(BuiltinOperator_EMBEDDING_LOOKUP, {ids, Before(b, rows, table, inside)},
                            {b.Tensor(to, type)});
      Finish(b, made, to, inside);
      CheckSameBytes(StrCat("rank ", table.size(), ", type ", type), b,
                     {Indices({7}, 0, table[0] - 1), WrittenData(type, table)});
    });
  }
}

// The numbers of a constant table of bytes, which are signed whatever the type says.
TEST(WritesGpu, EmbeddingLookupOfBytes) {
  for (const TensorType type : {TensorType_INT8, TensorType_UINT8}) {
    std::vector<uint8_t> bytes(5 * 18);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 37);
    ModelBuilder b;
    const int ids = b.Input({4}, TensorType_INT32);
    const int table = b.Quantize(b.ConstBytes({5, 18}, type, bytes), 0.5f, 3);
    b.SetOpVersion(3);
    b.Output(b.Op(BuiltinOperator_EMBEDDING_LOOKUP, {ids, table}, {b.Tensor({4, 18})}));
    CheckSameBytes(StrCat("type ", type), b, Indices({4}, 0, 4));
  }
}

}  // namespace
}  // namespace tern::testing

namespace tern::gpu {
namespace {

using testing::RefusalOf;

TEST(WritesGpu, Refusals) {
  GraphBuilder outside;
  outside.Op(kTfLiteBuiltinScatterNd, "SCATTER_ND",
             {outside.Ints({2, 1}, {0, 5}), outside.Input({2, 3}), outside.Ints({2}, {4, 3})},
             {4, 3}, 0);
  EXPECT_EQ(RefusalOf(outside), "SCATTER_ND #0: an index is out of range (5, size 4)");
  GraphBuilder larger;
  larger.Op(kTfLiteBuiltinDynamicUpdateSlice, "DYNAMIC_UPDATE_SLICE",
            {larger.Input({2, 3}), larger.Input({2, 4}), larger.Ints({2}, {0, 0})}, {2, 3}, 0);
  EXPECT_EQ(RefusalOf(larger),
            "DYNAMIC_UPDATE_SLICE #0: the update is larger than the operand ([2, 4], [2, 3])");
  GraphBuilder lookup;
  lookup.Op(kTfLiteBuiltinEmbeddingLookup, "EMBEDDING_LOOKUP",
            {lookup.Ints({1}, {9}), lookup.Input({2, 3})}, {1, 3}, 0);
  EXPECT_EQ(RefusalOf(lookup), "EMBEDDING_LOOKUP #0: an index is out of range (9, size 2)");
}

}  // namespace
}  // namespace tern::gpu
