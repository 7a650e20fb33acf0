// SPDX-License-Identifier: Apache-2.0
// Where tensors lie in the memory that they share, and when.
#ifndef TERN_TOOLS_CLI_REPORTS_ARENA_BLOCKS_H_
#define TERN_TOOLS_CLI_REPORTS_ARENA_BLOCKS_H_

#include <cstddef>
#include <vector>

namespace tflite {
class Subgraph;
}  // namespace tflite

namespace tern::cli {

struct ArenaBlock {
  int tensor = 0;
  size_t offset = 0;  // from the block that lies lowest
  size_t bytes = 0;
  // The first and the last step of the execution plan that needs the tensor. Inputs are there from
  // the first step on, outputs until the last.
  int first = 0;
  int last = 0;
};

// Of an allocated graph, by tensor; scratch memory of nodes included.
std::vector<ArenaBlock> ArenaBlocks(const tflite::Subgraph& graph);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_REPORTS_ARENA_BLOCKS_H_
