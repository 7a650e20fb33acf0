// SPDX-License-Identifier: Apache-2.0
// GATHER with constant indices on the GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/move_case.h"

namespace tern::testing {
namespace {

using namespace tflite;  // NOLINT: the schema's names

void CheckGather(const Sizes& shape, int axis, const Sizes& indices_shape, const Sizes& indices,
                 Engines engines = Engines::kInTurn) {
  const size_t at = axis < 0 ? axis + shape.size() : axis;
  Sizes to(shape.begin(), shape.begin() + static_cast<long>(at));
  to.insert(to.end(), indices_shape.begin(), indices_shape.end());
  to.insert(to.end(), shape.begin() + static_cast<long>(at) + 1, shape.end());
  GatherOptionsT options;
  options.axis = axis;
  CaseOperand operand = ConstantInts(indices);
  operand.shape = indices_shape;
  CheckMove({BuiltinOperator_GATHER, Pack(options), {Runtime(shape), operand}, {to}}, engines);
}

TEST(GatherGpu, RunsOfIndices) {
  for (const int channels : kMoveChannels) {
    for (int axis = 0; axis < 3; ++axis) {
      CheckGather({6, 6, 6, channels}, axis, {4}, {5, 3, 1, 2});
      CheckGather({6, 6, 6, channels}, axis, {7}, {0, 0, 5, 4, 3, 3, 1});
    }
  }
  CheckGather({2, 3, 2, 20}, 3, {18}, {19, 18, 17, 0, 1, 2, 3, 4, 9, 9, 9, 9, 9, 9, 1, 2, 3, 4});
  CheckGather({2, 3, 2, 5}, -1, {5}, {4, 3, 2, 1, 0}, Engines::kAll);
  CheckGather({5, 7}, 0, {2, 2}, {4, 0, 1, 3});
  CheckGather({5, 7}, 1, {2, 2}, {0, 1, 2, 3});
  CheckGather({5, 7}, 1, {}, {6});
  CheckGather({5, 7}, 0, {}, {4});
  CheckGather({3, 7, 2}, 1, {2, 1, 2}, {6, 0, 1, 1}, Engines::kAll);
  CheckGather({4, 3, 1}, 1, {4}, {2, 0, 1, 1});
}

}  // namespace
}  // namespace tern::testing
