// SPDX-License-Identifier: Apache-2.0
//
// Places in memory for blocks of bytes. Blocks that are alive at one step share no byte.
#ifndef TERN_BASE_OFFSET_PLANNER_H_
#define TERN_BASE_OFFSET_PLANNER_H_

#include <cstddef>
#include <vector>

namespace tern {

struct Block {
  size_t size = 0;
  int first = 0, last = 0;  // steps that it is alive at
  size_t buffer = 0, offset = 0;
};

struct PlaceRules {
  size_t alignment = 1;                    // of offsets
  size_t limit = static_cast<size_t>(-1);  // of a buffer with several blocks
  size_t enough = 0;                       // no fewer bytes are sought
};

// Returns the minimum size of one buffer: the largest sum of blocks alive at one step.
size_t LowerBound(const std::vector<Block>& blocks, size_t alignment);

// Gives every block a place beside `fixed` ones, which lie in buffer 0, and returns the sizes of
// the buffers that the blocks need. Of equal blocks, earlier ones of the list are placed first.
std::vector<size_t> PlaceBlocks(std::vector<Block>* blocks, const std::vector<Block>& fixed,
                                const PlaceRules& rules);

}  // namespace tern

#endif  // TERN_BASE_OFFSET_PLANNER_H_
