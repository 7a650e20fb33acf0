// SPDX-License-Identifier: Apache-2.0
// SLICE and STRIDED_SLICE on the GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/move_case.h"

namespace tern::testing {
namespace {

using namespace tflite;  // NOLINT: the schema's names

void CheckSlice(const Sizes& shape, const Sizes& begin, const Sizes& size,
                Engines engines = Engines::kInTurn) {
  Sizes to = size;
  for (size_t d = 0; d < to.size(); ++d) {
    if (to[d] == -1) to[d] = shape[d] - begin[d];
  }
  CheckMove({BuiltinOperator_SLICE,
             Pack(SliceOptionsT()),
             {Runtime(shape), ConstantInts(begin), ConstantInts(size)},
             {to}},
            engines);
}

TEST(SliceGpu, Channels) {
  for (const int channels : {1, 3, 4, 16, 17, 20}) {
    for (const int begin : {0, 1, 4, 16}) {
      CheckSlice({2, 3, 2, begin + channels + 2}, {0, 1, 0, begin}, {2, 2, 2, channels});
      CheckSlice({2, 3, 2, begin + channels}, {1, 0, 1, begin}, {1, -1, 1, -1});
    }
  }
}

TEST(SliceGpu, Ranks) {
  CheckSlice({9}, {3}, {4});
  CheckSlice({5, 7}, {3, 1}, {2, 5});
  CheckSlice({3, 4, 6}, {1, 1, 2}, {2, 3, 3}, Engines::kAll);
  CheckSlice({2, 3, 2, 4, 3}, {0, 1, 0, 0, 1}, {2, 2, 1, 4, 1});
  CheckSlice({1, 2, 3, 2, 4, 3}, {0, 1, 0, 0, 1, 0}, {1, 1, 2, 2, 2, 3});
  CheckSlice({2, 3, 4}, {0, 3, 0}, {2, 0, 4});
}

struct Strided {
  Sizes shape, begin, end, strides;
  StridedSliceOptionsT masks;
  Sizes to;
};

// Ends are lengths.
StridedSliceOptionsT Lengths(int shrink = 0) {
  StridedSliceOptionsT o;
  o.offset = true;
  o.shrink_axis_mask = shrink;
  return o;
}

StridedSliceOptionsT Masks(int begin, int end, int ellipsis = 0, int new_axis = 0, int shrink = 0) {
  StridedSliceOptionsT o;
  o.begin_mask = begin;
  o.end_mask = end;
  o.ellipsis_mask = ellipsis;
  o.new_axis_mask = new_axis;
  o.shrink_axis_mask = shrink;
  return o;
}

void CheckStrided(const Strided& c, Engines engines = Engines::kInTurn) {
  CheckMove(
      {BuiltinOperator_STRIDED_SLICE,
       Pack(c.masks),
       {Runtime(c.shape), ConstantInts(c.begin), ConstantInts(c.end), ConstantInts(c.strides)},
       {c.to},
       6},
      engines);
}

TEST(StridedSliceGpu, StridesAndChannels) {
  for (const int c : kMoveChannels) {
    CheckStrided(
        {{2, 5, 6, c}, {0, 1, 0, 0}, {2, 5, 6, c}, {1, 2, 3, 1}, Masks(0, 0), {2, 2, 2, c}});
    CheckStrided(
        {{2, 5, 6, c}, {0, 0, -1, 0}, {0, 0, -7, 0}, {1, 1, -1, 1}, Masks(0, 11), {2, 5, 6, c}});
    CheckStrided({{3, 2, 2, 2 * c},
                  {-1, 0, 0, 0},
                  {0, 2, 2, 2 * c},
                  {-2, 1, 1, 2},
                  Masks(0, 1),
                  {2, 2, 2, c}});
    CheckStrided(
        {{1, 2, 2, c}, {0, 0, 0, -1}, {1, 2, 2, 0}, {1, 1, 1, -1}, Masks(0, 8), {1, 2, 2, c}});
  }
}

TEST(StridedSliceGpu, Masks) {
  CheckStrided(
      {{2, 5, 6, 7}, {0, 1, 2, 0}, {0, 0, 0, 0}, {1, 1, 1, 1}, Masks(9, 9, 0, 0, 6), {2, 7}},
      Engines::kAll);
  CheckStrided({{2, 5, 6, 7}, {0, 3}, {0, 5}, {1, 1}, Masks(0, 0, 1), {2, 5, 6, 2}});
  CheckStrided({{2, 5, 6, 7}, {1, 0, 2}, {2, 0, 7}, {1, 1, 2}, Masks(0, 0, 2), {1, 5, 6, 3}});
  CheckStrided({{3, 4}, {0, 0, 1}, {0, 0, 3}, {1, 1, 1}, Masks(0, 2, 0, 1), {1, 3, 2}});
  CheckStrided({{3, 4}, {0, 0}, {0, 0}, {1, 1}, Masks(0, 0, 1, 2), {3, 4, 1}});
  CheckStrided(
      {{2, 3, 4, 5}, {1, 0, 0, 2}, {0, 0, 0, 0}, {1, 1, 1, 1}, Masks(0, 0, 4, 2, 9), {1, 3, 4}});
  CheckStrided({{4, 5}, {2, 1}, {0, 0}, {1, 1}, Masks(0, 0, 0, 0, 3), {}});
  CheckStrided({{2, 5, 6, 7}, {1}, {2}, {1}, Masks(0, 0), {1, 5, 6, 7}});
  CheckStrided({{1, 2, 3, 2, 2, 3},
                {0, 0, 0, 0, 1, 0},
                {1, 2, 3, 2, 2, 3},
                {1, 1, 2, 1, 1, 2},
                Masks(0, 0),
                {1, 2, 2, 2, 1, 2}});
  CheckStrided({{4, 5}, {3, 0}, {1, 5}, {1, 1}, Masks(0, 0), {0, 5}});
}

TEST(StridedSliceGpu, LengthsThatPassTheInput) {
  for (const int c : kMoveChannels) {
    CheckStrided({{2, 3, 4, c}, {0, 1, 1, 0}, {2, 2, 3, c}, {1, 1, 1, 1}, Lengths(), {2, 2, 3, c}});
    CheckStrided(
        {{2, 3, 4, c}, {0, 1, 1, 0}, {2, 4, 3, c + 3}, {1, 1, 2, 1}, Lengths(), {2, 4, 2, c + 3}});
    CheckStrided({{2, 3, c}, {1, 1, -1}, {2, -4, -c - 1}, {1, -1, -1}, Lengths(), {2, 4, c + 1}},
                 Engines::kAll);
  }
  CheckStrided({{4, 5}, {2, 1}, {1, 9}, {1, 2}, Lengths(1), {5}});
  CheckStrided({{4}, {1}, {INT32_MAX}, {126322568}, Lengths(), {17}});
  CheckStrided({{4, 3}, {9, 0}, {2, 3}, {1, 1}, Lengths(), {2, 3}});
}

}  // namespace
}  // namespace tern::testing
