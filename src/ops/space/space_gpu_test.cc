// SPDX-License-Identifier: Apache-2.0
// DEPTH_TO_SPACE, SPACE_TO_DEPTH, SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND on the GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/move_case.h"

namespace tern::testing {
namespace {

using namespace tflite;  // NOLINT: the schema's names

void CheckDepth(int block, int channels, Engines engines = Engines::kInTurn) {
  const Sizes deep = {2, 2, 3, block * block * channels},
              wide = {2, 2 * block, 3 * block, channels};
  DepthToSpaceOptionsT to_space;
  to_space.block_size = block;
  CheckMove({BuiltinOperator_DEPTH_TO_SPACE, Pack(to_space), {Runtime(deep)}, {wide}}, engines);
  SpaceToDepthOptionsT to_depth;
  to_depth.block_size = block;
  CheckMove({BuiltinOperator_SPACE_TO_DEPTH, Pack(to_depth), {Runtime(wide)}, {deep}}, engines);
}

TEST(DepthAndSpaceGpu, BlocksAndChannels) {
  for (const int channels : kMoveChannels) CheckDepth(2, channels);
  CheckDepth(3, 5, Engines::kAll);
  CheckDepth(4, 1);
  CheckDepth(1, 6);
}

void CheckBatch(const Sizes& image, const Sizes& block, const Sizes& borders,
                Engines engines = Engines::kInTurn) {
  const auto axes = static_cast<int32_t>(block.size());
  Sizes batch = image;
  for (size_t d = 0; d < block.size(); ++d) {
    batch[d + 1] = (batch[d + 1] + borders[2 * d] + borders[2 * d + 1]) / block[d];
    batch[0] *= block[d];
  }
  const CaseOperand blocks = ConstantInts(block), border = ConstantInts(borders, {axes, 2});
  CheckMove({BuiltinOperator_SPACE_TO_BATCH_ND,
             Pack(SpaceToBatchNDOptionsT()),
             {Runtime(image), blocks, border},
             {batch}},
            engines);
  CheckMove({BuiltinOperator_BATCH_TO_SPACE_ND,
             Pack(BatchToSpaceNDOptionsT()),
             {Runtime(batch), blocks, border},
             {image}},
            engines);
}

TEST(SpaceAndBatchGpu, BlocksAndBorders) {
  for (const int channels : kMoveChannels) {
    CheckBatch({2, 4, 6, channels}, {2, 2}, {0, 0, 0, 0});
    CheckBatch({1, 3, 5, channels}, {2, 3}, {1, 0, 2, 2});
  }
  CheckBatch({2, 4, 5}, {3}, {0, 2});
  CheckBatch({2, 4, 17}, {2}, {0, 0});
  CheckBatch({1, 2, 2, 3}, {1, 1}, {1, 0, 0, 1});
  CheckBatch({1, 3, 4, 5}, {2, 2}, {1, 2, 0, 0}, Engines::kAll);
}

}  // namespace
}  // namespace tern::testing
