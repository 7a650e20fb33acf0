// SPDX-License-Identifier: Apache-2.0
// SLICE and STRIDED_SLICE.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/cpu_registry.h"
#include "ops/testing/index_walk.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

struct StridedCase {
  Index shape;
  std::vector<int32_t> begin, end, strides;
  TfLiteStridedSliceParams masks;  // begin, end, ellipsis, new axis, shrink, offset
  Index want_shape;
  std::vector<int> want;  // first elements; the input counts from 0
};

template <class T>
void Load(OpRunner& run, const StridedCase& c, TfLiteType type, TfLiteAllocationType where) {
  const int entries = static_cast<int>(c.begin.size());
  run.InputAs(type, c.shape, Numbered<T>(c.shape, 0));
  run.Input<int32_t>({entries}, c.begin, where);
  run.Input<int32_t>({static_cast<int>(c.end.size())}, c.end, where);
  run.Input<int32_t>({static_cast<int>(c.strides.size())}, c.strides, where);
  run.Output(type);
}

template <class T>
void CheckStrided(StridedCase c, TfLiteType type) {
  for (const auto where : kPlaces) {
    OpRunner run(StridedSliceRegistration(OpForm::kOptimized), &c.masks);
    Load<T>(run, c, type, where);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Dims(run.OutputShape()), c.want_shape);
    std::vector<T> got = run.Values<T>();
    ASSERT_EQ(static_cast<int64_t>(got.size()), Count(c.want_shape));
    ASSERT_GE(got.size(), c.want.size());
    got.resize(c.want.size());
    EXPECT_EQ(got, std::vector<T>(c.want.begin(), c.want.end()));
  }
}

TEST(StridedSlice, MasksAndRanges) {
  const StridedCase cases[] = {
      {{4, 5}, {1, 0}, {3, 5}, {1, 2}, {}, {2, 3}, {5, 7, 9, 10, 12, 14}},
      {{4, 5}, {-1, -1}, {-5, -6}, {-1, -1}, {}, {4, 5}, {19, 18, 17, 16, 15, 14}},
      {{4, 5}, {0, 0}, {0, 0}, {-1, 1}, {1, 3, 0, 0, 0, false}, {4, 5}, {15, 16, 17, 18, 19, 10}},
      {{4, 5}, {2, 1}, {0, 0}, {1, 1}, {0, 0, 0, 0, 3, false}, {}, {11}},
      {{4, 5}, {0, 3}, {0, 4}, {1, 1}, {0, 0, 1, 0, 0, false}, {4, 1}, {3, 8, 13, 18}},
      {{4, 5}, {0, 0, 1}, {0, 0, 3}, {1, 1, 1}, {0, 2, 0, 1, 0, false}, {1, 4, 2}, {1, 2, 6, 7}},
      {{4, 5}, {3, 0}, {1, 5}, {1, 1}, {}, {0, 5}, {}},
      // Far outside, in both directions.
      {{4, 5}, {-90, 2}, {90, 90}, {1, 1}, {}, {4, 3}, {2, 3, 4, 7}},
      {{9}, {90}, {-90}, {-3}, {}, {3}, {8, 5, 2}},
      {{4}, {-1}, {INT32_MAX}, {INT32_MAX}, {}, {1}, {3}},
      // Shrink takes what begin says, or the first element when begin is masked.
      {{2, 3}, {-9}, {0}, {1}, {0, 0, 0, 0, 1, false}, {3}, {0, 1, 2}},
      {{2, 3}, {1}, {0}, {1}, {1, 0, 0, 0, 1, false}, {3}, {0, 1, 2}},
      {{2, 3}, {0, -1}, {0, 0}, {1, 1}, {3, 1, 0, 0, 2, false}, {2}, {0, 3}},
      // Outside, it takes the nearest one.
      {{4}, {4}, {5}, {1}, {0, 0, 0, 0, 1, false}, {}, {3}},
      {{4}, {INT32_MAX}, {INT32_MAX}, {7}, {0, 0, 0, 0, 1, false}, {}, {3}},
      {{4}, {INT32_MIN}, {0}, {1}, {0, 0, 0, 0, 1, false}, {}, {0}},
      {{2, 3}, {1, 9}, {2, 10}, {1, 1}, {0, 0, 0, 0, 3, false}, {}, {5}},
      // Ends are lengths, also where they pass the input. Their mask says nothing.
      {{4}, {1}, {INT32_MAX}, {126322568}, {0, 0, 0, 0, 0, true}, {17}, {1, 0, 0}},
      {{4}, {1}, {2}, {INT32_MAX}, {0, 0, 0, 0, 0, true}, {1}, {1}},
      {{4}, {1}, {9}, {2}, {0, 0, 0, 0, 0, true}, {5}, {1, 3, 0, 0, 0}},
      {{4}, {3}, {-3}, {-1}, {0, 0, 0, 0, 0, true}, {3}, {3, 2, 1}},
      {{4}, {1}, {-5}, {-1}, {0, 0, 0, 0, 0, true}, {5}, {1, 0, 0, 0, 0}},
      {{4}, {1}, {-1}, {1}, {0, 0, 0, 0, 0, true}, {0}, {}},
      {{4}, {9}, {2}, {1}, {0, 0, 0, 0, 0, true}, {2}, {0, 0}},
      {{4}, {1}, {3}, {2}, {1, 1, 0, 0, 0, true}, {2}, {0, 2}},
      {{4}, {2}, {2}, {1}, {0, 0, 0, 0, 1, true}, {}, {2}},
      {{4, 5}, {1, 2}, {2, 2}, {1, 1}, {0, 0, 0, 0, 0, true}, {2, 2}, {7, 8, 12, 13}},
      {{4, 5}, {3, 2}, {2, 4}, {1, 1}, {0, 0, 0, 0, 0, true}, {2, 4}, {17, 18, 19, 0, 0, 0}},
      {{2, 2, 2}, {1, 0, 1}, {1, 3, 2}, {1, 1, 1}, {0, 0, 0, 2, 1, true}, {1, 2, 2}, {6, 7, 0, 0}},
      // Ellipses and new axes.
      {{2, 3, 4}, {0, 1}, {0, 2}, {1, 1}, {0, 0, 1, 0, 0, false}, {2, 3, 1}, {1, 5, 9, 13}},
      {{2, 3, 4}, {1, 0}, {2, 0}, {1, 1}, {0, 0, 2, 0, 1, false}, {3, 4}, {12, 13}},
      {{2, 3}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {7, 7, 2, 4, 0, false}, {2, 3, 1}, {0, 1}},
      {{2, 3}, {0, 0}, {0, 0}, {1, 1}, {3, 3, 0, 1, 1, false}, {1, 2, 3}, {0, 1}},
      {{2}, {0, 0}, {0, 1}, {1, 1}, {0, 0, 1, 0, 0, false}, {2}, {0, 1}},
      {{2, 3}, {}, {}, {}, {}, {2, 3}, {0, 1, 2}},
      {{0, 3}, {0}, {0}, {-1}, {1, 1, 0, 0, 0, false}, {0, 3}, {}},
  };
  for (const StridedCase& c : cases) {
    SCOPED_TRACE(&c - cases);
    CheckStrided<float>(c, kTfLiteFloat32);
  }
  CheckStrided<uint8_t>(cases[0], kTfLiteBool);
  CheckStrided<int16_t>(cases[1], kTfLiteFloat16);
  CheckStrided<int64_t>(cases[1], kTfLiteInt64);
}

// Where the slice begins is open, how large it is is not.
TEST(StridedSlice, LengthsGiveTheShapeInPrepare) {
  TfLiteStridedSliceParams params{};
  for (const bool offset : {true, false}) {
    params.offset = offset;
    OpRunner run(StridedSliceRegistration(OpForm::kOptimized), &params);
    run.Input<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    run.Input<int32_t>({2}, {1, 1});
    run.Input<int32_t>({2}, {1, 3}, kTfLiteMmapRo);
    run.Input<int32_t>({2}, {1, 2}, kTfLiteMmapRo);
    run.Output();
    ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.output().allocation_type, offset ? kTfLiteArenaRw : kTfLiteDynamic);
    if (offset) {
      EXPECT_EQ(run.OutputShape(), (Shape{1, 2}));
    }
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values(), offset ? (std::vector<float>{5, 0}) : (std::vector<float>{}));
  }
}

// Past the input lies the zero point, or a string without characters.
TEST(StridedSlice, ElementsPastTheInput) {
  TfLiteStridedSliceParams params{};
  params.offset = true;
  OpRunner run(StridedSliceRegistration(OpForm::kOptimized), &params);
  run.Input<int8_t>({2}, {1, 2});
  OpRunner text(StridedSliceRegistration(OpForm::kOptimized), &params);
  text.InputStrings({2}, {"zero", "one"});
  for (OpRunner* r : {&run, &text}) {
    for (const int32_t v : {1, 3, 1}) r->Input<int32_t>({1}, {v}, kTfLiteMmapRo);
  }
  run.Output(kTfLiteInt8);
  run.output().params = {0.5f, -7};
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<int8_t>(), (std::vector<int8_t>{2, -7, -7}));
  text.Output(kTfLiteString);
  ASSERT_EQ(text.Run(), kTfLiteOk) << text.error();
  EXPECT_EQ(text.Strings(), (std::vector<std::string>{"one", "", ""}));
}

// The message of a strided slice of `c`.
std::string ErrorOf(StridedCase c, TfLiteAllocationType where) {
  OpRunner run(StridedSliceRegistration(OpForm::kOptimized), &c.masks);
  Load<float>(run, c, kTfLiteFloat32, where);
  EXPECT_EQ(run.Run(), kTfLiteError);
  EXPECT_EQ(run.error().rfind("STRIDED_SLICE: ", 0), 0u) << run.error();
  return run.error();
}

// Words that users of TensorFlow Lite look for.
TEST(StridedSlice, ErrorsHaveTheReferencesWords) {
  const std::pair<StridedCase, const char*> cases[] = {
      {{{4}, {0}, {4}, {0}, {}, {}, {}}, "stride value has to be non-zero"},
      {{{4}, {0}, {4, 4}, {1}, {}, {}, {}},
       "NumElements(op_context.begin) != NumElements(op_context.end) (1 != 2)"},
      {{{1},
        std::vector<int32_t>(32),
        std::vector<int32_t>(32),
        std::vector<int32_t>(32, 1),
        {},
        {},
        {}},
       "StridedSlice op only supports up to 31 indices"},
  };
  for (const auto& [c, message] : cases) {
    for (const auto where : kPlaces) EXPECT_THAT(ErrorOf(c, where), ::testing::HasSubstr(message));
  }
}

TEST(StridedSlice, BadListsAreErrors) {
  const StridedCase cases[] = {
      {{4}, {0}, {4}, {0}, {}, {}, {}},
      {{4}, {0}, {4}, {INT32_MIN}, {}, {}, {}},
      {{4}, {0}, {4, 4}, {1}, {}, {}, {}},
      {{4}, {0}, {4}, {1, 1}, {}, {}, {}},
      {{4}, {0, 0}, {4, 4}, {1, 1}, {}, {}, {}},
      {{0}, {0}, {1}, {1}, {0, 0, 0, 0, 1, false}, {}, {}},
      {{4}, {1}, {0}, {-1}, {0, 0, 0, 0, 1, false}, {}, {}},
      {{4, 2}, {0, 0}, {0, 0}, {1, 1}, {0, 0, 3, 0, 0, false}, {}, {}},
      {{4}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {0, 0, 1, 4, 0, false}, {}, {}},
      {{1},
       std::vector<int32_t>(32),
       std::vector<int32_t>(32),
       std::vector<int32_t>(32, 1),
       {},
       {},
       {}},
  };
  for (const StridedCase& c : cases) {
    for (const auto where : kPlaces) ErrorOf(c, where);
  }
}

TEST(StridedSlice, Strings) {
  TfLiteStridedSliceParams params{};
  OpRunner run(StridedSliceRegistration(OpForm::kOptimized), &params);
  run.InputStrings({4}, {"zero", "one", "", "three"});
  run.Input<int32_t>({1}, {3}, kTfLiteMmapRo);
  run.Input<int32_t>({1}, {0}, kTfLiteMmapRo);
  run.Input<int32_t>({1}, {-1}, kTfLiteMmapRo);
  run.Output(kTfLiteString);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Strings(), (std::vector<std::string>{"three", "", "one"}));
  EXPECT_EQ(run.OutputShape(), Shape{3});
}

template <class T>
void CheckSlice(const Index& shape, const Index& begin, const Index& size, TfLiteType type) {
  Index to = size;
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] == -1) to[i] = shape[i] - begin[i];
  }
  const std::vector<T> want = Picked(Numbered<T>(shape), shape, to, [&](Index index) {
    for (size_t i = 0; i < index.size(); ++i) index[i] += begin[i];
    return index;
  });
  for (const auto where : kPlaces) {
    OpRunner run(SliceRegistration(OpForm::kOptimized));
    run.InputAs(type, shape, Numbered<T>(shape));
    const int rank = static_cast<int>(shape.size());
    run.Input<int64_t>({rank}, std::vector<int64_t>(begin.begin(), begin.end()), where);
    run.Input<int64_t>({rank}, std::vector<int64_t>(size.begin(), size.end()), where);
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Dims(run.OutputShape()), to);
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(Slice, RanksAndTypes) {
  CheckSlice<float>({9}, {3}, {4}, kTfLiteFloat32);
  CheckSlice<float>({2, 3, 4}, {1, 0, 2}, {-1, 2, -1}, kTfLiteFloat32);
  CheckSlice<float>({2, 3, 4}, {1, 3, 2}, {1, -1, 2}, kTfLiteFloat32);
  CheckSlice<float>({1, 2, 3, 2, 4, 3}, {0, 1, 0, 0, 1, 1}, {1, 1, 3, 2, 2, 2}, kTfLiteFloat32);
  CheckSlice<uint8_t>({2, 3, 4, 5}, {0, 1, 1, 2}, {2, 2, 2, 3}, kTfLiteBool);
  CheckSlice<int16_t>({3, 40}, {1, 3}, {2, 37}, kTfLiteFloat16);
  CheckSlice<int64_t>({3, 4}, {1, 1}, {2, 2}, kTfLiteInt64);
}

// Where the box begins is open, how large it is is not.
TEST(Slice, TheModelMayDeclareTheShape) {
  for (const int32_t size : {2, 3}) {
    OpRunner run(SliceRegistration(OpForm::kOptimized));
    run.Input<float>({4}, {1, 2, 3, 4});
    run.Input<int32_t>({1}, {1});
    run.Input<int32_t>({1}, {size}, kTfLiteMmapRo);
    run.Output(kTfLiteFloat32, {2});
    ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.output().allocation_type, kTfLiteArenaRw);
    ASSERT_EQ(run.Eval(), size == 2 ? kTfLiteOk : kTfLiteError) << run.error();
    if (size != 2) continue;
    EXPECT_EQ(run.Values(), (std::vector<float>{2, 3}));
  }
}

TEST(Slice, BadBoxesAreErrors) {
  struct Case {
    Index begin, size;
  };
  for (const Case& c : {Case{{0}, {1}}, Case{{0, 4}, {1, 1}}, Case{{0, -1}, {1, 1}},
                        Case{{0, 0}, {1, -2}}, Case{{1, 1}, {1, 3}}, Case{{3, 0}, {0, 0}}}) {
    for (const auto where : kPlaces) {
      OpRunner run(SliceRegistration(OpForm::kOptimized));
      run.Input<float>({2, 3}, {1, 2, 3, 4, 5, 6});
      run.Input<int32_t>({static_cast<int>(c.begin.size())}, c.begin, where);
      run.Input<int32_t>({static_cast<int>(c.size.size())}, c.size, where);
      run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError);
      EXPECT_EQ(run.error().rfind("SLICE: ", 0), 0u) << run.error();
    }
  }
}

}  // namespace
}  // namespace tern::testing
