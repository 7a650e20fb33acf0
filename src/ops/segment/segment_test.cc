// SPDX-License-Identifier: Apache-2.0
// Segments, sparse tensors and table lookups.
#include <gtest/gtest.h>

#include <limits>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

TEST(SegmentSum, SortedIdsOnly) {
  for (const auto where : kPlaces) {
    OpRunner run(SegmentSumRegistration(OpForm::kReference));
    run.Input<float>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    run.Input<int32_t>({4}, {0, 0, 1, 2}, where);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), (Shape{3, 2}));
    EXPECT_EQ(run.Values(), (std::vector<float>{4, 6, 5, 6, 7, 8}));
    const std::vector<int32_t> bad[] = {
        {1, 1, 2, 3}, {0, 2, 2, 3}, {0, 1, 0, 1}, {-1, 0, 1, 2}, {0, 0, 1, 1 << 30}};
    for (const auto& ids : bad) {
      OpRunner broken(SegmentSumRegistration(OpForm::kReference));
      broken.Input<float>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
      broken.Input({4}, ids, where);
      broken.Output();
      EXPECT_EQ(broken.Run(), kTfLiteError);
      EXPECT_EQ(broken.error().rfind("SEGMENT_SUM: ", 0), 0u) << broken.error();
    }
  }
  OpRunner empty(SegmentSumRegistration(OpForm::kReference));
  empty.Input<int32_t>({0, 2}, {});
  empty.Input<int32_t>({0}, {});
  empty.Output(kTfLiteInt32);
  ASSERT_EQ(empty.Run(), kTfLiteOk) << empty.error();
  EXPECT_EQ(empty.OutputShape(), (Shape{0, 2}));
}

template <class T>
std::vector<T> Unsorted(TfLiteRegistration (*op)(OpForm), const std::vector<T>& data,
                        const std::vector<int>& shape, const std::vector<int>& ids_shape,
                        const std::vector<int32_t>& ids, int segments, TfLiteType type,
                        TfLiteAllocationType where) {
  OpRunner run(op(OpForm::kReference));
  run.Input(shape, data);
  run.Input(ids_shape, ids);
  run.Input<int32_t>({}, {segments}, where);
  run.Output(type);
  if (run.Run() != kTfLiteOk) return {};
  return run.Values<T>();
}

TEST(UnsortedSegments, FourWaysToMerge) {
  constexpr float kMax = std::numeric_limits<float>::max();
  const std::vector<float> data = {1, 2, 3, 4, 5, 6};
  const std::vector<int32_t> ids = {2, -1, 2};
  const auto merged = [&](TfLiteRegistration (*op)(OpForm), TfLiteAllocationType where) {
    return Unsorted(op, data, {3, 2}, {3}, ids, 3, kTfLiteFloat32, where);
  };
  using Floats = std::vector<float>;
  for (const auto where : kPlaces) {
    EXPECT_EQ(merged(UnsortedSegmentSumRegistration, where), (Floats{0, 0, 0, 0, 6, 8}));
    EXPECT_EQ(merged(UnsortedSegmentProdRegistration, where), (Floats{1, 1, 1, 1, 5, 12}));
    EXPECT_EQ(merged(UnsortedSegmentMaxRegistration, where),
              (Floats{-kMax, -kMax, -kMax, -kMax, 5, 6}));
    EXPECT_EQ(merged(UnsortedSegmentMinRegistration, where),
              (Floats{kMax, kMax, kMax, kMax, 1, 2}));
    // Ids of rank 2, and of rank 0: everything is one row.
    EXPECT_EQ(Unsorted(UnsortedSegmentSumRegistration, data, {3, 2}, {3, 2}, {0, 1, 0, 1, 0, 1}, 2,
                       kTfLiteFloat32, where),
              (Floats{9, 12}));
    EXPECT_EQ(
        Unsorted(UnsortedSegmentSumRegistration, data, {3, 2}, {}, {1}, 2, kTfLiteFloat32, where),
        (Floats{0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(Unsorted<int32_t>(UnsortedSegmentSumRegistration, {INT32_MAX, 1}, {2}, {2}, {0, 0}, 1,
                                kTfLiteInt32, where),
              (std::vector<int32_t>{INT32_MIN}));
    // Out of range, of another shape, a negative or a huge number of segments.
    EXPECT_TRUE(
        Unsorted(UnsortedSegmentSumRegistration, data, {3, 2}, {3}, ids, 2, kTfLiteFloat32, where)
            .empty());
    EXPECT_TRUE(Unsorted(UnsortedSegmentSumRegistration, data, {3, 2}, {2}, {0, 0}, 2,
                         kTfLiteFloat32, where)
                    .empty());
    for (const int count : {-1, INT32_MAX}) {
      EXPECT_TRUE(Unsorted(UnsortedSegmentSumRegistration, data, {3, 2}, {3}, ids, count,
                           kTfLiteFloat32, where)
                      .empty());
    }
  }
}

// Operands that do not fit are an error in Prepare where the model holds them, else in Eval.
TEST(UnsortedSegments, ErrorsOfConstantsInPrepare) {
  struct Case {
    std::vector<int> ids_shape;
    std::vector<int32_t> ids, segments;
  };
  for (const Case& c : {Case{{3}, {0, 1, 2}, {2}}, Case{{2}, {0, 1}, {2}},
                        Case{{3, 1}, {0, 1, 0}, {2}}, Case{{3, 2, 1}, {0, 0, 0, 0, 0, 0}, {2}},
                        Case{{3}, {0, 0, 0}, {-1}}, Case{{3}, {0, 0, 0}, {2, 2}}}) {
    for (const auto ids : kPlaces) {
      for (const auto segments : kPlaces) {
        OpRunner run(UnsortedSegmentMaxRegistration(OpForm::kReference));
        run.Input<float>({3, 2}, {1, 2, 3, 4, 5, 6});
        run.Input(c.ids_shape, c.ids, ids);
        run.Input({static_cast<int>(c.segments.size())}, c.segments, segments);
        run.Output();
        const bool constant = ids == kTfLiteMmapRo && segments == kTfLiteMmapRo;
        ASSERT_EQ(run.Prepare(), constant ? kTfLiteError : kTfLiteOk) << run.error();
        if (!constant) {
          EXPECT_EQ(run.Eval(), kTfLiteError);
        }
        EXPECT_EQ(run.error().rfind("UNSORTED_SEGMENT_MAX: ", 0), 0u) << run.error();
      }
    }
  }
}

TEST(SegmentSum, ErrorsOfConstantsInPrepare) {
  for (const auto data : kPlaces) {
    for (const auto ids : kPlaces) {
      for (const std::vector<int32_t>& bad : {std::vector<int32_t>{0, 1}, {0, 2, 2}, {1, 1, 1}}) {
        OpRunner run(SegmentSumRegistration(OpForm::kReference));
        run.Input<float>({3, 1}, {1, 2, 3}, data);
        run.Input({static_cast<int>(bad.size())}, bad, ids);
        run.Output();
        const bool constant = data == kTfLiteMmapRo && ids == kTfLiteMmapRo;
        ASSERT_EQ(run.Prepare(), constant ? kTfLiteError : kTfLiteOk) << run.error();
        if (!constant) {
          EXPECT_EQ(run.Eval(), kTfLiteError);
        }
      }
    }
  }
}

// Beside an axis of 0 the product of the others does not matter.
TEST(UnsortedSegments, EmptyDataOfHugeAxes) {
  struct Case {
    std::vector<int> shape;
    std::vector<int32_t> ids;
    int segments;
    Shape want;
  };
  const Case cases[] = {{{2, 0, 65536, 65536}, {-1, -1}, 0, {0, 0, 65536, 65536}},
                        {{2, 0, 65536, 65536}, {-1, 1}, 2, {2, 0, 65536, 65536}},
                        {{0, 65536, 65536}, {}, 0, {0, 65536, 65536}}};
  for (const auto op : {UnsortedSegmentSumRegistration, UnsortedSegmentProdRegistration,
                        UnsortedSegmentMaxRegistration, UnsortedSegmentMinRegistration}) {
    for (const auto where : kPlaces) {
      for (const Case& c : cases) {
        OpRunner run(op(OpForm::kReference));
        run.Input<float>(c.shape, {});
        run.Input({static_cast<int>(c.ids.size())}, c.ids);
        run.Input<int32_t>({}, {c.segments}, where);
        run.Output();
        ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
        EXPECT_EQ(run.OutputShape(), c.want);
      }
    }
  }
}

TEST(SparseToDense, RanksOfIndices) {
  struct Case {
    std::vector<int> indices_shape;
    std::vector<int64_t> indices;
    std::vector<int> values_shape;
    std::vector<int32_t> shape;
    bool fine = true;
  };
  const Case cases[] = {{{}, {2}, {}, {4}},
                        {{2}, {3, 0}, {2}, {4}},
                        {{2}, {3, 0}, {}, {4}},
                        {{2, 2}, {0, 1, 1, 0}, {2}, {2, 2}},
                        {{0, 2}, {}, {0}, {2, 2}},
                        {{1, 3}, {1, 0, 1}, {1}, {2, 1, 2}},
                        {{1}, {4}, {1}, {4}, false},
                        {{1}, {-1}, {1}, {4}, false},
                        {{2}, {0, 1}, {3}, {4}, false},
                        {{1, 2}, {0, 1}, {1}, {4}, false},
                        {{1}, {0}, {1}, {-4}, false},
                        {{1, 2}, {0, 0}, {1}, {65536, 65536}, false}};
  for (const Case& c : cases) {
    for (const auto where : kPlaces) {
      OpRunner run(SparseToDenseRegistration(OpForm::kReference));
      run.Input(c.indices_shape, c.indices, where);
      run.Input({static_cast<int>(c.shape.size())}, c.shape, where);
      int count = 1, total = 1;
      for (const int size : c.values_shape) count *= size;
      std::vector<float> values;
      for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(10 + i));
      run.Input(c.values_shape, values);
      run.Input<float>({}, {-1});
      run.Output();
      ASSERT_EQ(run.Run() == kTfLiteOk, c.fine) << run.error();
      if (!c.fine) continue;
      for (const int32_t size : c.shape) total *= size;
      std::vector<float> want(static_cast<size_t>(total), -1.0f);
      const size_t depth = c.shape.size();
      for (size_t i = 0; i * depth < c.indices.size(); ++i) {
        int64_t at = 0;
        for (size_t d = 0; d < depth; ++d) at = at * c.shape[d] + c.indices[i * depth + d];
        want[static_cast<size_t>(at)] = c.values_shape.empty() ? 10.0f : 10.0f + float(i);
      }
      EXPECT_EQ(run.Values(), want);
    }
  }
}

TEST(HashtableLookup, NumbersAndStrings) {
  OpRunner run(HashtableLookupRegistration(OpForm::kReference));
  run.Input<int32_t>({4}, {7, -5, 8, 1});
  run.Input<int32_t>({3}, {-5, 1, 7}, kTfLiteMmapRo);
  run.Input<float>({3, 2}, {1, 2, 3, 4, 5, 6}, kTfLiteMmapRo);
  run.Output();
  run.Output(kTfLiteUInt8);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(), (std::vector<float>{5, 6, 1, 2, 0, 0, 3, 4}));
  EXPECT_EQ(run.Values<uint8_t>(1), (std::vector<uint8_t>{1, 1, 0, 1}));
  OpRunner text(HashtableLookupRegistration(OpForm::kReference));
  text.Input<int32_t>({2}, {2, 3});
  text.Input<int32_t>({2}, {1, 2}, kTfLiteMmapRo);
  text.InputStrings({2}, {"one", "two"});
  text.Output(kTfLiteString);
  text.Output(kTfLiteUInt8);
  ASSERT_EQ(text.Run(), kTfLiteOk) << text.error();
  EXPECT_EQ(text.Strings(), (std::vector<std::string>{"two", ""}));
  text.input(1).dims->data[0] = 1;
  EXPECT_EQ(text.Prepare(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
