// SPDX-License-Identifier: Apache-2.0
// GATHER, GATHER_ND, SCATTER_ND, EMBEDDING_LOOKUP, DYNAMIC_UPDATE_SLICE, REVERSE_SEQUENCE and
// ONE_HOT.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/tensor/half.h"
#include "model/testing/model_builder.h"
#include "ops/cpu_registry.h"
#include "ops/testing/index_walk.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"
#include "ops/testing/session.h"

namespace tern::testing {
namespace {

struct GatherCase {
  Index shape, indices_shape;
  std::vector<int64_t> indices;
  int axis = 0, batch_dims = 0;
};

template <class T, class I = int32_t>
void CheckGather(const GatherCase& c, TfLiteType type) {
  TfLiteGatherParams params{c.axis, c.batch_dims};
  const size_t axis = c.axis < 0 ? c.axis + c.shape.size() : c.axis;
  const size_t batch = c.batch_dims < 0 ? c.batch_dims + c.indices_shape.size() : c.batch_dims;
  const size_t own = c.indices_shape.size() - batch;  // index axes in the output
  Index to(c.shape.begin(), c.shape.begin() + static_cast<long>(axis));
  to.insert(to.end(), c.indices_shape.begin() + static_cast<long>(batch), c.indices_shape.end());
  to.insert(to.end(), c.shape.begin() + static_cast<long>(axis) + 1, c.shape.end());
  const std::vector<T> want = Picked(Numbered<T>(c.shape), c.shape, to, [&](const Index& out) {
    Index which(out.begin(), out.begin() + static_cast<long>(batch));
    which.insert(which.end(), out.begin() + static_cast<long>(axis),
                 out.begin() + static_cast<long>(axis + own));
    Index in(out.begin(), out.begin() + static_cast<long>(axis));
    in.push_back(static_cast<int>(c.indices[FlatAt(c.indices_shape, which)]));
    in.insert(in.end(), out.begin() + static_cast<long>(axis + own), out.end());
    return in;
  });
  for (const auto where : kPlaces) {
    OpRunner run(GatherRegistration(OpForm::kOptimized), &params);
    run.InputAs(type, c.shape, Numbered<T>(c.shape), where);
    run.Input<I>(c.indices_shape, std::vector<I>(c.indices.begin(), c.indices.end()), where);
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Dims(run.OutputShape()), to);
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(Gather, AxesBatchesAndTypes) {
  for (int axis = -4; axis < 4; ++axis) {
    CheckGather<float>({{4, 4, 5, 4}, {3}, {3, 0, 3}, axis}, kTfLiteFloat32);
  }
  CheckGather<float>({{3, 7, 2}, {2, 1, 3}, {6, 0, 1, 2, 3, 3}, 1}, kTfLiteFloat32);
  CheckGather<float>({{5, 7}, {}, {4}}, kTfLiteFloat32);
  CheckGather<float>({{5, 7}, {}, {6}, 1}, kTfLiteFloat32);
  CheckGather<float>({{5, 3}, {0}, {}}, kTfLiteFloat32);
  CheckGather<float>({{2, 4, 3}, {2, 2}, {3, 0, 1, 1}, 1, 1}, kTfLiteFloat32);
  CheckGather<float>({{2, 4, 3}, {2, 2}, {2, 0, 1, 1}, 2, 1}, kTfLiteFloat32);
  CheckGather<float>({{2, 3, 4}, {2, 3}, {3, 0, 1, 1, 2, 0}, 2, 2}, kTfLiteFloat32);
  CheckGather<float>({{2, 3, 4}, {2, 3}, {2, 0, 1, 1, 2, 0}, 1, -1}, kTfLiteFloat32);
  CheckGather<uint8_t, int16_t>({{2, 5, 3}, {4}, {4, 0, 0, 1}, 1}, kTfLiteBool);
  CheckGather<int16_t, int64_t>({{5, 3}, {2}, {4, 1}}, kTfLiteFloat16);
  CheckGather<int64_t>({{5}, {2}, {4, 1}}, kTfLiteInt64);
}

TEST(Gather, BadOperandsAreErrors) {
  const GatherCase cases[] = {{{5, 3}, {1}, {-1}},
                              {{5, 3}, {1}, {5}},
                              {{5, 3}, {1}, {0}, 2},
                              {{5, 3}, {1}, {0}, -3},
                              {{}, {1}, {0}},
                              {{5, 3}, {1}, {0}, 0, 1},
                              {{5, 3}, {4}, {0, 0, 0, 0}, 1, 1},
                              {{5, 3}, {}, {0}, 1, 1},
                              {{5, 3}, {1}, {0}, 1, -2},
                              {{0, 3}, {1}, {0}}};
  for (const GatherCase& c : cases) {
    for (const auto where : kPlaces) {
      TfLiteGatherParams params{c.axis, c.batch_dims};
      OpRunner run(GatherRegistration(OpForm::kOptimized), &params);
      run.Input(c.shape, Numbered<float>(c.shape), where);
      run.Input(c.indices_shape, c.indices, where);
      run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError);
      EXPECT_EQ(run.error().rfind("GATHER: ", 0), 0u) << run.error();
    }
  }
  TfLiteGatherParams params{0, 0};
  OpRunner floats(GatherRegistration(OpForm::kOptimized), &params);
  floats.EmptyInput({2}, kTfLiteFloat32);
  floats.EmptyInput({2}, kTfLiteFloat32);
  floats.Output();
  EXPECT_EQ(floats.Prepare(), kTfLiteError);
}

TEST(Gather, Strings) {
  TfLiteGatherParams params{0, 0};
  OpRunner run(GatherRegistration(OpForm::kOptimized), &params);
  run.InputStrings({3}, {"a", "bb", ""});
  run.Input<int32_t>({4}, {1, 2, 0, 1}, kTfLiteMmapRo);
  run.Output(kTfLiteString);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Strings(), (std::vector<std::string>{"bb", "", "a", "bb"}));
}

struct NdCase {
  Index shape, indices_shape;
  std::vector<int32_t> indices;
  Index want_shape;
};

template <class T>
void CheckGatherNd(const NdCase& c, TfLiteType type) {
  const auto depth = static_cast<size_t>(c.indices_shape.back());
  const size_t outer = c.indices_shape.size() - 1;
  const std::vector<T> want =
      Picked(Numbered<T>(c.shape), c.shape, c.want_shape, [&](const Index& out) {
        Index at(out.begin(), out.begin() + static_cast<long>(outer)), in;
        at.push_back(0);
        const auto first = static_cast<size_t>(FlatAt(c.indices_shape, at));
        for (size_t i = 0; i < depth; ++i) in.push_back(c.indices[first + i]);
        in.insert(in.end(), out.begin() + static_cast<long>(outer), out.end());
        return in;
      });
  for (const auto where : kPlaces) {
    OpRunner run(GatherNdRegistration(OpForm::kOptimized));
    run.InputAs(type, c.shape, Numbered<T>(c.shape), where);
    run.Input(c.indices_shape, c.indices, where);
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Dims(run.OutputShape()), c.want_shape);
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(GatherNd, DepthsAndTypes) {
  CheckGatherNd<float>({{5, 7}, {3, 1}, {4, 0, 4}, {3, 7}}, kTfLiteFloat32);
  CheckGatherNd<float>({{5, 7}, {2, 2}, {4, 6, 0, 1}, {2}}, kTfLiteFloat32);
  CheckGatherNd<float>({{3, 4, 5}, {2}, {2, 1}, {5}}, kTfLiteFloat32);
  CheckGatherNd<float>({{3, 4, 5}, {1, 2, 3}, {2, 3, 4, 0, 0, 0}, {1, 2}}, kTfLiteFloat32);
  CheckGatherNd<float>({{3, 4}, {0, 1}, {}, {0, 4}}, kTfLiteFloat32);
  CheckGatherNd<uint8_t>({{5, 3}, {2, 1}, {4, 1}, {2, 3}}, kTfLiteBool);
  CheckGatherNd<int64_t>({{5, 3}, {2, 1}, {4, 1}, {2, 3}}, kTfLiteInt64);
  const NdCase bad[] = {{{5, 7}, {1, 1}, {5}, {}},    {{5, 7}, {1, 1}, {-1}, {}},
                        {{5, 7}, {1, 2}, {0, 7}, {}}, {{5, 7}, {1, 3}, {0, 0, 0}, {}},
                        {{5, 7}, {1, 0}, {}, {}},     {{5, 7}, {}, {0}, {}},
                        {{}, {1, 1}, {0}, {}}};
  for (const NdCase& c : bad) {
    OpRunner run(GatherNdRegistration(OpForm::kOptimized));
    run.Input(c.shape, Numbered<float>(c.shape));
    run.Input(c.indices_shape, c.indices);
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("GATHER_ND: ", 0), 0u) << run.error();
  }
}

template <class T>
void CheckScatter(const Index& indices_shape, const std::vector<int32_t>& indices,
                  const Index& updates_shape, const std::vector<T>& updates,
                  const std::vector<int32_t>& shape, const std::vector<T>& want, TfLiteType type) {
  for (const auto where : kPlaces) {
    OpRunner run(ScatterNdRegistration(OpForm::kOptimized));
    run.Input(indices_shape, indices, where);
    run.InputAs(type, updates_shape, updates, where);
    run.Input<int32_t>({static_cast<int>(shape.size())}, shape, where);
    run.Output(type);
    ASSERT_EQ(run.Run(), want.empty() ? kTfLiteError : kTfLiteOk) << run.error();
    if (want.empty()) continue;
    EXPECT_EQ(run.OutputShape(), Shape(shape.begin(), shape.end()));
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(ScatterNd, UpdatesAddUp) {
  CheckScatter<float>({3, 1}, {2, 0, 2}, {3, 2}, {1, 2, 3, 4, 10, 20}, {3, 2}, {3, 4, 0, 0, 11, 22},
                      kTfLiteFloat32);
  CheckScatter<int32_t>({2, 2}, {1, 1, 0, 0}, {2}, {INT32_MAX, 7}, {2, 2}, {7, 0, 0, INT32_MAX},
                        kTfLiteInt32);
  CheckScatter<int8_t>({2, 1}, {1, 1}, {2}, {100, 100}, {2}, {0, -56}, kTfLiteInt8);
  CheckScatter<int64_t>({2, 1}, {1, 1}, {2}, {INT64_MAX, 1}, {2}, {0, INT64_MIN}, kTfLiteInt64);
  CheckScatter<uint8_t>({2, 1}, {1, 1}, {2}, {1, 1}, {3}, {0, 1, 0}, kTfLiteBool);
  CheckScatter<uint8_t>({2, 1}, {1, 1}, {2}, {1, 1}, {3}, {0, 2, 0}, kTfLiteUInt8);
  CheckScatter<float>({0, 1}, {}, {0}, {}, {2}, {0, 0}, kTfLiteFloat32);
  CheckScatter<float>({1, 1}, {2}, {1}, {1}, {2}, {}, kTfLiteFloat32);
  CheckScatter<float>({1, 1}, {-1}, {1}, {1}, {2}, {}, kTfLiteFloat32);
  CheckScatter<float>({1, 1}, {0}, {2}, {1, 2}, {2}, {}, kTfLiteFloat32);
  CheckScatter<float>({1, 2}, {0, 0}, {1}, {1}, {2}, {}, kTfLiteFloat32);
  CheckScatter<float>({1, 0}, {}, {1, 2}, {1, 2}, {2}, {}, kTfLiteFloat32);
  CheckScatter<float>({1, 1}, {0}, {1}, {1}, {-2}, {}, kTfLiteFloat32);
  CheckScatter<int16_t>({1, 1}, {0}, {1}, {1}, {2}, {}, kTfLiteInt16);
}

TEST(EmbeddingLookup, RowsOfAnyType) {
  OpRunner run(EmbeddingLookupRegistration(OpForm::kOptimized));
  run.Input<int32_t>({3}, {2, 0, 2});
  run.Input<float>({3, 1, 2}, {1, 2, 3, 4, 5, 6}, kTfLiteMmapRo);
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(), (Shape{3, 1, 2}));
  EXPECT_EQ(run.Values(), (std::vector<float>{5, 6, 1, 2, 5, 6}));
  OpRunner bytes(EmbeddingLookupRegistration(OpForm::kOptimized));
  bytes.Input<int32_t>({1}, {1});
  bytes.Input<int8_t>({2, 2}, {1, 2, 3, 4}, kTfLiteMmapRo);
  bytes.Output(kTfLiteInt8);
  ASSERT_EQ(bytes.Run(), kTfLiteOk) << bytes.error();
  EXPECT_EQ(bytes.Values<int8_t>(), (std::vector<int8_t>{3, 4}));
  for (const int32_t id : {-1, 3}) {
    OpRunner bad(EmbeddingLookupRegistration(OpForm::kOptimized));
    bad.Input<int32_t>({1}, {id});
    bad.Input<float>({3, 1}, {1, 2, 3});
    bad.Output();
    EXPECT_EQ(bad.Run(), kTfLiteError);
  }
}

TEST(EmbeddingLookup, BytesStayBytes) {
  for (const TfLiteType from : {kTfLiteInt8, kTfLiteUInt8}) {
    for (const TfLiteType to : {kTfLiteInt8, kTfLiteUInt8}) {
      OpRunner run(EmbeddingLookupRegistration(OpForm::kOptimized));
      run.Input<int32_t>({2}, {1, 0});
      run.InputAs<uint8_t>(from, {2, 2}, {1, 128, 255, 4}, kTfLiteMmapRo);
      run.Output(to);
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.Values<uint8_t>(), (std::vector<uint8_t>{255, 4, 1, 128}));
    }
  }
}

// A table of more than 2^31 elements, of which few pages are touched, lies at `data`.
void PlaceTable(TfLiteTensor& table, char* data, size_t bytes) {
  table.allocation_type = kTfLiteMmapRo;
  table.data.raw = data;
  table.bytes = bytes;
}

TEST(EmbeddingLookup, TablesOfMoreThan31Bits) {
  constexpr int kRows = 256000, kColumns = 9216;
  constexpr size_t kBytes = size_t{kRows} * kColumns / 2;
  GuardedMemory memory(kBytes, 0);
  memory.data()[kBytes - 1] = 0x7C;
  OpRunner run(EmbeddingLookupRegistration(OpForm::kOptimized));
  run.Input<int32_t>({2}, {kRows - 1, 0});
  run.EmptyInput({kRows, kColumns}, kTfLiteInt4);
  run.SetScales(1, {0.5f}, 0);
  PlaceTable(run.input(1), memory.data(), kBytes);
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  const std::vector<float> got = run.Values();
  EXPECT_EQ(got[kColumns - 2], -2);
  EXPECT_EQ(got[kColumns - 1], 3.5f);
  EXPECT_EQ(std::count(got.begin(), got.end(), 0), 2 * kColumns - 2);
}

TEST(Gather, TablesOfMoreThan31Bits) {
  constexpr int kRows = 65536, kColumns = 40000;
  constexpr size_t kBytes = size_t{kRows} * kColumns;
  GuardedMemory memory(kBytes, 0);
  memory.data()[kBytes - 1] = 7;
  TfLiteGatherParams params{};
  OpRunner run(GatherRegistration(OpForm::kOptimized), &params);
  run.EmptyInput({kRows, kColumns}, kTfLiteInt8);
  PlaceTable(run.input(0), memory.data(), kBytes);
  run.Input<int32_t>({1}, {kRows - 1});
  run.Output(kTfLiteInt8);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<int8_t>().back(), 7);
}

// A table [2, 4] of integers behind a scale.
void CheckScaled(TfLiteType type, const std::vector<uint8_t>& table,
                 const std::vector<float>& scales, const std::vector<float>& want) {
  OpRunner run(EmbeddingLookupRegistration(OpForm::kOptimized));
  run.Input<int32_t>({2}, {1, 0});
  run.InputAs(type, {2, 4}, table, kTfLiteMmapRo);
  run.SetScales(1, scales, 0);
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(), want);
}

TEST(EmbeddingLookup, TablesWithScales) {
  const std::vector<uint8_t> bytes = {1, 2, 255, 128, 5, 6, 7, 8};
  CheckScaled(kTfLiteInt8, bytes, {0.5f}, {2.5f, 3, 3.5f, 4, 0.5f, 1, -0.5f, -64});
  CheckScaled(kTfLiteUInt8, bytes, {0.5f}, {2.5f, 3, 3.5f, 4, 0.5f, 1, -0.5f, -64});
  CheckScaled(kTfLiteInt8, bytes, {0.5f, 2}, {10, 12, 14, 16, 0.5f, 1, -0.5f, -64});
  CheckScaled(kTfLiteInt4, {0x21, 0xF7, 0x08, 0x54}, {1, 2}, {-16, 0, 8, 10, 1, 2, 7, -1});
  CheckScaled(kTfLiteInt2, {0b11100100, 0b00011011}, {1, 2}, {-2, -4, 2, 0, 0, 1, -2, -1});
}

TEST(EmbeddingLookup, TablesWithScalesBecomeHalves) {
  OpRunner run(EmbeddingLookupRegistration(OpForm::kOptimized));
  run.Input<int32_t>({2}, {2, 0});
  run.Input<int8_t>({3, 2}, {1, -2, 3, 4, 100, -100}, kTfLiteMmapRo);
  run.SetScales(1, {0.013f}, 0);
  run.Output(kTfLiteFloat16);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  std::vector<float> got;
  for (const uint16_t v : run.Values<uint16_t>()) got.push_back(HalfToFloat(v));
  EXPECT_EQ(got, (std::vector<float>{1.2998046875f, -1.2998046875f, 0.01300048828125f,
                                     -0.0260009765625f}));
}

TEST(EmbeddingLookup, TablesWithScalesPerBlock) {
  OpRunner run(EmbeddingLookupRegistration(OpForm::kOptimized));
  run.Input<int32_t>({2}, {1, 0});
  run.Input<int8_t>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, kTfLiteMmapRo);
  std::vector<uint16_t> scales;
  for (const float scale : {1.0f, 2.0f, 0.5f, 4.0f}) scales.push_back(FloatToHalf(scale));
  run.InputAs(kTfLiteFloat16, {2, 2}, scales, kTfLiteMmapRo);
  run.HideLastInput();
  TfLiteBlockwiseQuantization blocks{2, -1, 2, 1};
  run.input(1).quantization = {kTfLiteBlockwiseQuantization, &blocks};
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(), (std::vector<float>{2.5f, 3, 28, 32, 1, 2, 6, 8}));
  blocks.blocksize = 3;
  EXPECT_EQ(run.Run(), kTfLiteError);
  blocks = {9, -1, 2, 1};
  EXPECT_EQ(run.Run(), kTfLiteError);
}

TEST(EmbeddingLookup, BadOperandsAreErrors) {
  OpRunner rank(EmbeddingLookupRegistration(OpForm::kOptimized));
  rank.Input<int32_t>({1}, {0});
  rank.Input<float>({2}, {1, 2});
  rank.Output();
  EXPECT_EQ(rank.Run(), kTfLiteError);
  OpRunner no_scale(EmbeddingLookupRegistration(OpForm::kOptimized));
  no_scale.Input<int32_t>({1}, {0});
  no_scale.Input<int8_t>({2, 1}, {1, 2});
  no_scale.Output();
  EXPECT_EQ(no_scale.Run(), kTfLiteError);
  OpRunner scales(EmbeddingLookupRegistration(OpForm::kOptimized));
  scales.Input<int32_t>({1}, {0});
  scales.Input<int8_t>({2, 1}, {1, 2});
  scales.SetScales(1, {1, 2, 3}, 0);
  scales.Output();
  EXPECT_EQ(scales.Run(), kTfLiteError);
  OpRunner few(EmbeddingLookupRegistration(OpForm::kOptimized));
  few.Input<int32_t>({1}, {0});
  few.InputAs<uint8_t>(kTfLiteInt4, {2, 4}, {1, 2, 3});
  few.SetScales(1, {1}, 0);
  few.Output();
  EXPECT_EQ(few.Run(), kTfLiteError);
}

template <class T>
void CheckUpdate(const Index& shape, const Index& update, const std::vector<int64_t>& begin,
                 const Index& at, TfLiteType type) {
  std::vector<T> want = Numbered<T>(shape);
  const std::vector<T> over = Numbered<T>(update, 50);
  Walk(update, [&](const Index& index) {
    Index to = index;
    for (size_t i = 0; i < to.size(); ++i) to[i] += at[i];
    want[FlatAt(shape, to)] = over[FlatAt(update, index)];
  });
  for (const auto where : kPlaces) {
    OpRunner run(DynamicUpdateSliceRegistration(OpForm::kOptimized));
    run.InputAs(type, shape, Numbered<T>(shape));
    run.InputAs(type, update, over);
    run.Input<int64_t>({static_cast<int>(begin.size())}, begin, where);
    run.Output(type);
    ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.output().allocation_type, kTfLiteArenaRw);
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<T>(), want);
  }
}

// x -> RELU -> DYNAMIC_UPDATE_SLICE at 1, or without the RELU; with a second reader of the operand.
void CheckInPlace(bool computed, bool read_twice, bool in_place) {
  ModelBuilder b;
  const int x = b.Input({4});
  const int operand = computed ? b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor({4})}) : x;
  const int update = b.Const<float>({2}, {10, 20}), begin = b.Input({1}, tflite::TensorType_INT32);
  const int y =
      b.Op(tflite::BuiltinOperator_DYNAMIC_UPDATE_SLICE, {operand, update, begin}, {b.Tensor({4})});
  b.Output(y);
  if (read_twice) b.Output(b.Op(tflite::BuiltinOperator_RELU, {operand}, {b.Tensor({4})}));
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(session->tensor(operand)->data.raw == session->tensor(y)->data.raw, in_place);
  for (int pass = 0; pass < 2; ++pass) {
    session.Set<float>(0, {1, 2, 3, 4});
    session.Set<int32_t>(1, {pass});
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
    const std::vector<float> want =
        pass == 0 ? std::vector<float>{10, 20, 3, 4} : std::vector<float>{1, 10, 20, 4};
    EXPECT_EQ(session.Get<float>(0), want);
    if (read_twice) {
      EXPECT_EQ(session.Get<float>(1), (std::vector<float>{1, 2, 3, 4}));
    }
  }
}

TEST(DynamicUpdateSlice, WorksInPlaceWhereNothingElseReadsTheOperand) {
  CheckInPlace(true, false, true);
  CheckInPlace(true, true, false);
  CheckInPlace(false, false, false);
}

TEST(DynamicUpdateSlice, BeginsAndTypes) {
  CheckUpdate<float>({4, 5}, {2, 3}, {1, 1}, {1, 1}, kTfLiteFloat32);
  CheckUpdate<float>({4, 5}, {2, 3}, {-3, 9}, {0, 2}, kTfLiteFloat32);
  CheckUpdate<float>({4, 5}, {2, 3}, {INT64_MIN, INT64_MAX}, {0, 2}, kTfLiteFloat32);
  CheckUpdate<float>({3, 4}, {3, 4}, {1, 1}, {0, 0}, kTfLiteFloat32);
  CheckUpdate<float>({3, 4}, {0, 4}, {1, 1}, {1, 0}, kTfLiteFloat32);
  CheckUpdate<uint8_t>({2, 4, 3}, {1, 2, 3}, {1, 1, 0}, {1, 1, 0}, kTfLiteBool);
  CheckUpdate<int16_t>({9}, {4}, {3}, {3}, kTfLiteFloat16);
  CheckUpdate<int64_t>({1, 2, 3, 2, 3}, {1, 1, 2, 2, 1}, {0, 1, 1, 0, 2}, {0, 1, 1, 0, 2},
                       kTfLiteInt64);
  struct Bad {
    Index shape, update, begin_shape;
    TfLiteType type;
  };
  for (const Bad& bad :
       {Bad{{4, 5}, {5, 1}, {2}, kTfLiteFloat32}, Bad{{4, 5}, {5}, {2}, kTfLiteFloat32},
        Bad{{4, 5}, {1, 1}, {1}, kTfLiteFloat32}, Bad{{4, 5}, {1, 1}, {1, 2}, kTfLiteFloat32},
        Bad{{4, 5}, {1, 1}, {2}, kTfLiteInt32}}) {
    OpRunner run(DynamicUpdateSliceRegistration(OpForm::kOptimized));
    run.EmptyInput(bad.shape, kTfLiteFloat32);
    run.EmptyInput(bad.update, bad.type);
    run.EmptyInput(bad.begin_shape, kTfLiteInt32);
    run.Output();
    EXPECT_EQ(run.Prepare(), kTfLiteError);
  }
}

template <class T>
void CheckSequence(const Index& shape, int seq, int batch, const std::vector<int32_t>& lengths,
                   TfLiteType type) {
  TfLiteReverseSequenceParams params{seq, batch};
  const std::vector<T> want = Picked(Numbered<T>(shape), shape, shape, [&](Index index) {
    const int length = lengths[index[batch]];
    if (index[seq] < length) index[seq] = length - 1 - index[seq];
    return index;
  });
  for (const auto where : kPlaces) {
    OpRunner run(ReverseSequenceRegistration(OpForm::kOptimized), &params);
    run.InputAs(type, shape, Numbered<T>(shape));
    run.Input<int32_t>({static_cast<int>(lengths.size())}, lengths, where);
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(ReverseSequence, AxesLengthsAndTypes) {
  CheckSequence<float>({5, 3, 2}, 0, 1, {5, 0, 3}, kTfLiteFloat32);
  CheckSequence<float>({2, 4, 2, 3}, 1, 3, {1, 4, 2}, kTfLiteFloat32);
  CheckSequence<float>({2, 3}, 1, 0, {2, 3}, kTfLiteFloat32);
  CheckSequence<uint8_t>({2, 3}, 1, 0, {2, 3}, kTfLiteUInt8);
  CheckSequence<int16_t>({2, 3, 4}, 1, 0, {2, 3}, kTfLiteInt16);
  CheckSequence<int64_t>({2, 3, 4}, 2, 0, {2, 4}, kTfLiteInt64);
  struct Bad {
    int seq, batch;
    std::vector<int32_t> lengths;
  };
  for (const Bad& bad : {Bad{0, 0, {1, 1}}, Bad{1, 2, {1, 1}}, Bad{1, 0, {1}}, Bad{1, 0, {1, 4}},
                         Bad{1, 0, {-1, 0}}}) {
    TfLiteReverseSequenceParams params{bad.seq, bad.batch};
    OpRunner run(ReverseSequenceRegistration(OpForm::kOptimized), &params);
    run.Input<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    run.Input<int32_t>({static_cast<int>(bad.lengths.size())}, bad.lengths);
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("REVERSE_SEQUENCE: ", 0), 0u) << run.error();
  }
}

template <class T>
void CheckOneHot(const Index& shape, const std::vector<int64_t>& indices, int axis, int depth,
                 TfLiteType type) {
  TfLiteOneHotParams params{axis};
  const size_t at = axis < 0 ? axis + shape.size() + 1 : axis;
  Index to = shape;
  to.insert(to.begin() + static_cast<long>(at), depth);
  std::vector<T> want;
  Walk(to, [&](const Index& out) {
    Index in = out;
    in.erase(in.begin() + static_cast<long>(at));
    want.push_back(indices[FlatAt(shape, in)] == out[at] ? T{7} : T{3});
  });
  for (const auto where : kPlaces) {
    OpRunner run(OneHotRegistration(OpForm::kOptimized), &params);
    run.Input(shape, indices);
    run.Input<int32_t>({}, {depth}, where);
    run.InputAs<T>(type, {}, {7}, where);
    run.InputAs<T>(type, {}, {3}, where);
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Dims(run.OutputShape()), to);
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(OneHot, AxesDepthsAndTypes) {
  for (int axis = -1; axis < 3; ++axis) {
    CheckOneHot<float>({2, 3}, {0, 1, 2, 3, -1, 9}, axis, 4, kTfLiteFloat32);
  }
  CheckOneHot<float>({2}, {0, 1}, -1, 0, kTfLiteFloat32);
  CheckOneHot<float>({}, {1}, 0, 3, kTfLiteFloat32);
  CheckOneHot<uint8_t>({2}, {0, 1}, -1, 3, kTfLiteBool);
  CheckOneHot<int64_t>({2}, {0, 1}, -1, 3, kTfLiteInt64);
  for (const auto& [axis, depth] : {std::pair(2, 3), std::pair(-3, 3), std::pair(0, -1)}) {
    TfLiteOneHotParams params{axis};
    OpRunner run(OneHotRegistration(OpForm::kOptimized), &params);
    run.Input<int32_t>({1}, {0});
    run.Input<int32_t>({}, {depth});
    run.Input<float>({}, {1});
    run.Input<float>({}, {0});
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("ONE_HOT: ", 0), 0u) << run.error();
  }
}

}  // namespace
}  // namespace tern::testing
