// SPDX-License-Identifier: Apache-2.0
// SPLIT, SPLIT_V, UNPACK and PACK on the GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/move_case.h"

namespace tern::testing {
namespace {

using namespace tflite;  // NOLINT: the schema's names

TEST(SplitGpu, AxesAndChannels) {
  for (const int channels : kMoveChannels) {
    for (int axis = 0; axis < 4; ++axis) {
      Sizes shape = {2, 2, 3, channels}, part = shape;
      shape[axis] *= 3;
      SplitOptionsT options;
      options.num_splits = 3;
      CheckMove({BuiltinOperator_SPLIT,
                 Pack(options),
                 {ConstantInts({axis - 4}), Runtime(shape)},
                 {part, part, part}});
    }
  }
  SplitOptionsT two;
  two.num_splits = 2;
  CheckMove(
      {BuiltinOperator_SPLIT, Pack(two), {ConstantInts({1}), Runtime({3, 10})}, {{3, 5}, {3, 5}}},
      Engines::kAll);
  CheckMove({BuiltinOperator_SPLIT,
             Pack(two),
             {ConstantInts({0}), Runtime({2, 1, 2, 3, 5})},
             {{1, 1, 2, 3, 5}, {1, 1, 2, 3, 5}}});
}

TEST(SplitVGpu, Sizes) {
  SplitVOptionsT options;
  options.num_splits = 3;
  CheckMove({BuiltinOperator_SPLIT_V,
             Pack(options),
             {Runtime({2, 2, 3, 25}), ConstantInts({4, -1, 5}), ConstantInts({3})},
             {{2, 2, 3, 4}, {2, 2, 3, 16}, {2, 2, 3, 5}}},
            Engines::kAll);
  CheckMove({BuiltinOperator_SPLIT_V,
             Pack(options),
             {Runtime({2, 7, 3, 5}), ConstantInts({1, 2, 4}), ConstantInts({1})},
             {{2, 1, 3, 5}, {2, 2, 3, 5}, {2, 4, 3, 5}}});
  CheckMove({BuiltinOperator_SPLIT_V,
             Pack(options),
             {Runtime({2, 7}), ConstantInts({7, 0, -1}), ConstantInts({-1})},
             {{2, 7}, {2, 0}, {2, 0}}});
}

TEST(PackAndUnpackGpu, AxesAndChannels) {
  for (const int channels : kMoveChannels) {
    const Sizes each = {2, 3, channels};
    for (int axis = 0; axis < 4; ++axis) {
      Sizes whole = each;
      whole.insert(whole.begin() + axis, 3);
      PackOptionsT pack;
      pack.values_count = 3;
      pack.axis = axis;
      CheckMove({BuiltinOperator_PACK,
                 Pack(pack),
                 {Runtime(each), Runtime(each), Constant(each)},
                 {whole}});
      UnpackOptionsT unpack;
      unpack.num = 3;
      unpack.axis = axis - 4;
      CheckMove({BuiltinOperator_UNPACK, Pack(unpack), {Runtime(whole)}, {each, each, each}});
    }
  }
}

TEST(PackAndUnpackGpu, Ranks) {
  PackOptionsT pack;
  pack.values_count = 2;
  UnpackOptionsT unpack;
  unpack.num = 2;
  for (const Sizes& each : {Sizes{}, {5}, {1, 2, 3, 5}, {1, 2, 2, 2, 3}}) {
    for (size_t axis = 0; axis <= each.size(); ++axis) {
      Sizes whole = each;
      whole.insert(whole.begin() + static_cast<long>(axis), 2);
      pack.axis = unpack.axis = static_cast<int>(axis);
      const Engines engines = each.size() == 1 ? Engines::kAll : Engines::kInTurn;
      CheckMove({BuiltinOperator_PACK, Pack(pack), {Runtime(each), Runtime(each)}, {whole}},
                engines);
      CheckMove({BuiltinOperator_UNPACK, Pack(unpack), {Runtime(whole)}, {each, each}}, engines);
    }
  }
}

}  // namespace
}  // namespace tern::testing
