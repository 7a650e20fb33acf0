// SPDX-License-Identifier: Apache-2.0
// Steps and offsets of tensors in the arena.
#include "cli/reports/arena_blocks.h"

#include <gtest/gtest.h>

#include "cli/engine/engine.h"

namespace tern::cli {
namespace {

TEST(ArenaBlocks, CoverWhatNodesNeed) {
  absl::StatusOr<std::unique_ptr<Engine>> engine = Engine::Open("demo/landscape.tflite", {});
  ASSERT_TRUE(engine.ok()) << engine.status();
  ASSERT_TRUE((*engine)->Prepare().ok());
  const std::vector<SubgraphMemory> memory = (*engine)->Memory();
  ASSERT_EQ(memory.size(), 1u);
  const std::vector<ArenaBlock>& blocks = memory.front().blocks;
  ASSERT_GE(blocks.size(), 11u);  // the input and ten outputs
  EXPECT_EQ(blocks.front().tensor, 0);
  EXPECT_EQ(blocks.front().first, 0);
  EXPECT_EQ(blocks.front().last, 0);
  EXPECT_EQ(blocks.front().bytes, 921600u);
  size_t end = 0;
  size_t lowest = blocks.front().offset;
  int last = 0;
  for (const ArenaBlock& block : blocks) {
    EXPECT_LE(block.first, block.last);
    end = std::max(end, block.offset + block.bytes);
    lowest = std::min(lowest, block.offset);
    last = std::max(last, block.last);
  }
  EXPECT_EQ(lowest, 0u);
  EXPECT_LE(end, memory.front().arena_bytes);
  EXPECT_EQ(last, 9);
}

TEST(ArenaBlocks, AreNotThereBeforeAllocation) {
  absl::StatusOr<std::unique_ptr<Engine>> engine = Engine::Open("demo/landscape.tflite", {});
  ASSERT_TRUE(engine.ok()) << engine.status();
  EXPECT_TRUE((*engine)->Memory().front().blocks.empty());
}

}  // namespace
}  // namespace tern::cli
