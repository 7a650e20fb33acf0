// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE, REVERSE_V2, TILE, BROADCAST_TO, EXPAND_DIMS, SQUEEZE, PADV2, MIRROR_PAD, FILL and
// ZEROS_LIKE on the GPU engines.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "ops/testing/move_case.h"

namespace tern::testing {
namespace {

using namespace tflite;  // NOLINT: the schema's names

void CheckTranspose(const Sizes& shape, const Sizes& order, Engines engines = Engines::kInTurn) {
  Sizes to;
  for (const int32_t d : order) to.push_back(shape[d < 0 ? d + shape.size() : d]);
  CheckMove({BuiltinOperator_TRANSPOSE,
             Pack(TransposeOptionsT()),
             {Runtime(shape), ConstantInts(order)},
             {to}},
            engines);
}

TEST(TransposeGpu, EveryOrder) {
  for (const Sizes& shape : {Sizes{5}, {3, 17}, {2, 3, 5}, {2, 3, 4, 7}, {2, 3, 2, 4, 5}}) {
    Sizes order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    do {
      CheckTranspose(shape, order);
    } while (std::next_permutation(order.begin(), order.end()));
  }
  CheckTranspose({2, 3, 1, 2, 3, 2}, {0, 2, 4, 1, 3, 5});
  CheckTranspose({2, 3, 4, 3, 2, 3}, {5, 4, 3, 2, 1, 0});
}

TEST(TransposeGpu, Channels) {
  for (const int channels : kMoveChannels) {
    CheckTranspose({2, 3, 4, channels}, {0, 3, 1, 2});
    CheckTranspose({2, 3, 4, channels}, {2, 0, 1, 3});
  }
  CheckTranspose({2, 3, 4, 17}, {0, 2, 1, 3}, Engines::kAll);
  CheckTranspose({1, 3, 4, 16}, {0, -1, 1, 2}, Engines::kAll);
  CheckTranspose({2, 0, 3}, {2, 1, 0});
}

TEST(ReverseGpu, Axes) {
  for (const int channels : kMoveChannels) {
    for (const Sizes& axes : {Sizes{0}, {1}, {2}, {-1}, {1, 2}, {0, 1, 2, 3}}) {
      const Sizes shape = {2, 3, 4, channels};
      CheckMove({BuiltinOperator_REVERSE_V2,
                 Pack(ReverseV2OptionsT()),
                 {Runtime(shape), ConstantInts(axes)},
                 {shape}});
    }
  }
  const Sizes shape = {2, 3, 2, 3, 5};
  CheckMove({BuiltinOperator_REVERSE_V2,
             Pack(ReverseV2OptionsT()),
             {Runtime(shape), ConstantInts({1, 2})},
             {shape}},
            Engines::kAll);
}

void CheckTile(const Sizes& shape, const Sizes& multiples, Engines engines = Engines::kInTurn) {
  Sizes to = shape;
  for (size_t d = 0; d < to.size(); ++d) to[d] *= multiples[d];
  CheckMove(
      {BuiltinOperator_TILE, Pack(TileOptionsT()), {Runtime(shape), ConstantInts(multiples)}, {to}},
      engines);
}

TEST(TileGpu, Multiples) {
  for (const int channels : kMoveChannels) {
    CheckTile({2, 2, 3, channels}, {1, 3, 2, 1});
    CheckTile({1, 2, 3, channels}, {2, 1, 1, 3});
  }
  CheckTile({5}, {3});
  CheckTile({2, 3, 5}, {2, 2, 2});
  CheckTile({1, 2, 1, 2, 3}, {2, 1, 3, 1, 2}, Engines::kAll);
  CheckTile({2, 3}, {0, 2});
}

TEST(BroadcastToGpu, Shapes) {
  const std::pair<Sizes, Sizes> cases[] = {
      {{3, 1}, {2, 3, 4}},
      {{2, 1, 1, 3}, {2, 4, 5, 3}},
      {{2, 3, 2, 1}, {2, 3, 2, 7}},
      {{1, 1, 1, 19}, {1, 5, 6, 19}},
      {{3, 1}, {2, 1, 2, 3, 4}},
      {{1, 2, 1, 3, 1, 2}, {2, 2, 2, 3, 3, 2}},
      {{}, {2, 3, 2, 5}},
      {{1}, {17}},
      {{1, 16}, {3, 16}},
      {{1, 2, 1, 1, 2, 1, 1, 3}, {2, 2, 1, 2, 2, 1, 2, 3}},
      {{2, 3}, {1, 1, 1, 1, 1, 1, 1, 2, 3}},
      {{1, 2, 1, 1, 1, 1, 1, 1, 2}, {3, 2, 1, 1, 1, 1, 1, 1, 2}},
      {{1, 2, 1, 2, 1, 2, 1, 2, 1, 5}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 5}}};
  for (const auto& [from, to] : cases) {
    CheckMove({BuiltinOperator_BROADCAST_TO,
               Pack(BroadcastToOptionsT()),
               {Runtime(from), ConstantInts(to)},
               {to},
               2});
  }
  CheckMove({BuiltinOperator_BROADCAST_TO,
             Pack(BroadcastToOptionsT()),
             {Runtime({2, 1, 1, 17}), ConstantInts({2, 2, 3, 17})},
             {{2, 2, 3, 17}},
             2},
            Engines::kAll);
}

TEST(ExpandDimsGpu, AxesAndBack) {
  const Sizes shape = {2, 3, 17};
  for (int axis = -4; axis < 4; ++axis) {
    Sizes to = shape;
    to.insert(to.begin() + (axis < 0 ? axis + 4 : axis), 1);
    CheckMove({BuiltinOperator_EXPAND_DIMS,
               Pack(ExpandDimsOptionsT()),
               {Runtime(shape), ConstantInts({axis})},
               {to}});
    SqueezeOptionsT squeeze;
    squeeze.squeeze_dims = {axis};
    CheckMove({BuiltinOperator_SQUEEZE, Pack(squeeze), {Runtime(to)}, {shape}});
  }
  CheckMove({BuiltinOperator_SQUEEZE, Pack(SqueezeOptionsT()), {Runtime({1, 1, 1})}, {{}}});
  CheckMove({BuiltinOperator_SQUEEZE, Pack(SqueezeOptionsT()), {Runtime({1, 5, 1, 3})}, {{5, 3}}},
            Engines::kAll);
}

TEST(PadV2Gpu, Values) {
  for (const int channels : kMoveChannels) {
    for (const Sizes& amounts :
         {Sizes{0, 0, 1, 2, 2, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0, 3}, {0, 0, 0, 0, 1, 0, 16, 4}}) {
      Sizes to = {2, 3, 2, channels};
      for (size_t d = 0; d < 4; ++d) to[d] += amounts[2 * d] + amounts[2 * d + 1];
      CheckMove({BuiltinOperator_PADV2,
                 Pack(PadV2OptionsT()),
                 {Runtime({2, 3, 2, channels}), ConstantInts(amounts, {4, 2}), Constant({})},
                 {to}});
    }
  }
  CheckMove({BuiltinOperator_PADV2,
             Pack(PadV2OptionsT()),
             {Runtime({3, 5}), ConstantInts({1, 0, 2, 1}, {2, 2}), Constant({})},
             {{4, 8}}},
            Engines::kAll);
}

void CheckMirror(const Sizes& shape, const Sizes& amounts, bool symmetric,
                 Engines engines = Engines::kInTurn) {
  Sizes to = shape;
  const auto rank = static_cast<int32_t>(shape.size());
  for (size_t d = 0; d < to.size(); ++d) to[d] += amounts[2 * d] + amounts[2 * d + 1];
  MirrorPadOptionsT options;
  options.mode = symmetric ? MirrorPadMode_SYMMETRIC : MirrorPadMode_REFLECT;
  CheckMove({BuiltinOperator_MIRROR_PAD,
             Pack(options),
             {Runtime(shape), ConstantInts(amounts, {rank, 2})},
             {to}},
            engines);
}

TEST(MirrorPadGpu, AxesAndModes) {
  for (const bool symmetric : {false, true}) {
    for (const int channels : {4, 5, 16, 17}) {
      CheckMirror({2, 3, 4, channels}, {0, 0, 1, 2, 3, 0, 0, 0}, symmetric);
      CheckMirror({2, 3, 4, channels}, {1, 1, 0, 0, 0, 3, 2, 3}, symmetric);
      CheckMirror({1, 2, 2, channels}, {0, 0, 0, 0, 0, 0, 3, 0}, symmetric);
    }
    CheckMirror({7}, {3, 6}, symmetric);
    CheckMirror({2, 2, 3, 2, 3}, {1, 1, 0, 1, 2, 0, 1, 1, 2, 2}, symmetric);
    CheckMirror({2, 3, 3}, {0, 1, 2, 0, 1, 2}, symmetric, Engines::kAll);
  }
  CheckMirror({2, 3}, {0, 0, 0, 0}, true);
}

TEST(FillGpu, ValuesOfTheRun) {
  for (const Sizes& to : {Sizes{2, 3, 2, 5}, {17}, {3, 16}}) {
    CheckMove({BuiltinOperator_FILL, Pack(FillOptionsT()), {ConstantInts(to), Runtime({})}, {to}});
    CheckMove({BuiltinOperator_ZEROS_LIKE, Pack(ZerosLikeOptionsT()), {Runtime(to)}, {to}});
  }
}

}  // namespace
}  // namespace tern::testing
