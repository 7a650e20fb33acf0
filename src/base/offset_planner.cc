// SPDX-License-Identifier: Apache-2.0
//
// Greedy placement (Pisarchyk and Lee 2020, arXiv 2001.03288): one block after the other, each into
// the lowest gap among the blocks that are alive at the same time. The order decides how much that
// needs: where it is more than enough, the block that reaches highest comes earlier, and all is
// placed again.
#include "base/offset_planner.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace tern {
namespace {

constexpr size_t kMaxTries = 30;
constexpr size_t kMaxPairs = 4'000'000;

size_t AlignUp(size_t value, size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

struct PlacedBlock {
  PlacedBlock(const Block& block, size_t alignment)
      : first(block.first),
        last(block.last),
        offset(block.offset),
        next(AlignUp(block.offset + block.size, alignment)) {}

  bool operator<(const PlacedBlock& other) const { return offset < other.offset; }

  int first, last;
  size_t offset, next;  // the next offset that is free
};

struct Buffer {
  size_t end = 0;                   // of the blocks that are not fixed
  std::vector<PlacedBlock> placed;  // by offset
};

size_t FindGap(const Block& block, const Buffer& buffer) {
  size_t candidate = 0;
  for (const PlacedBlock& other : buffer.placed) {
    if (other.last < block.first || block.last < other.first) continue;
    if (other.offset >= candidate && other.offset - candidate >= block.size) break;
    candidate = std::max(candidate, other.next);
  }
  return candidate;
}

class OrderSearch {
 public:
  OrderSearch(std::vector<Block>* blocks, const std::vector<Block>& fixed, const PlaceRules& rules)
      : blocks_(blocks), rules_(rules) {
    for (const Block& block : fixed) fixed_.placed.emplace_back(block, rules.alignment);
    std::sort(fixed_.placed.begin(), fixed_.placed.end());
  }

  // Tries orders that begin with this one, until one needs no more than enough.
  void Try(std::vector<Block*> order) {
    // Every try looks at pairs of blocks; large graphs get fewer.
    const size_t pairs = order.size() * (order.size() + fixed_.placed.size());
    const size_t tries = std::clamp<size_t>(kMaxPairs / std::max<size_t>(pairs, 1), 1, kMaxTries);
    for (size_t i = 0; i < tries && !IsEnough(); ++i) {
      const auto top = order.begin() + static_cast<ptrdiff_t>(PlaceInOrder(order));
      const auto earlier = order.begin() + (top - order.begin()) / 2;
      std::rotate(earlier, top, top + 1);
    }
  }

  bool IsEnough() const { return total_ <= rules_.enough; }

  // Writes the best places and returns the sizes of their buffers.
  std::vector<size_t> Best() {
    *blocks_ = std::move(best_);
    return std::move(sizes_);
  }

 private:
  // Returns the position in the order of the block that reaches highest.
  size_t PlaceInOrder(const std::vector<Block*>& order) {
    std::vector<Buffer> buffers(1, fixed_);
    size_t topmost = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      Block& block = *order[i];
      Buffer& buffer = Take(block, &buffers);
      const PlacedBlock placed(block, rules_.alignment);
      buffer.placed.insert(std::upper_bound(buffer.placed.begin(), buffer.placed.end(), placed),
                           placed);
      if (block.offset + block.size <= buffer.end) continue;
      buffer.end = block.offset + block.size;
      topmost = i;
    }
    const size_t total =
        std::accumulate(buffers.begin(), buffers.end(), size_t{0},
                        [](size_t sum, const Buffer& buffer) { return sum + buffer.end; });
    if (total < total_) {
      total_ = total;
      best_ = *blocks_;
      sizes_.clear();
      for (const Buffer& buffer : buffers) sizes_.push_back(buffer.end);
    }
    return topmost;
  }

  // Places the block in the first buffer that has room for it.
  Buffer& Take(Block& block, std::vector<Buffer>* buffers) const {
    for (block.buffer = 0; block.buffer < buffers->size(); ++block.buffer) {
      Buffer& buffer = (*buffers)[block.buffer];
      block.offset = FindGap(block, buffer);
      if (block.size <= rules_.limit && block.offset <= rules_.limit - block.size) return buffer;
      if (buffer.placed.empty()) return buffer;
    }
    block.offset = 0;
    return buffers->emplace_back();
  }

  std::vector<Block>* const blocks_;
  const PlaceRules& rules_;
  Buffer fixed_;
  size_t total_ = std::numeric_limits<size_t>::max();
  std::vector<Block> best_;
  std::vector<size_t> sizes_;
};

}  // namespace

size_t LowerBound(const std::vector<Block>& blocks, size_t alignment) {
  int steps = 0;
  for (const Block& block : blocks) steps = std::max(steps, block.first + 1);
  std::vector<size_t> begins(static_cast<size_t>(steps), 0), ends = begins;
  for (const Block& block : blocks) {
    begins[block.first] += AlignUp(block.size, alignment);
    if (block.last < steps - 1) ends[block.last + 1] += AlignUp(block.size, alignment);
  }
  size_t alive = 0, max = 0;
  for (size_t i = 0; i < begins.size(); ++i) {
    alive += begins[i] - ends[i];
    max = std::max(max, alive);
  }
  return max;
}

std::vector<size_t> PlaceBlocks(std::vector<Block>* blocks, const std::vector<Block>& fixed,
                                const PlaceRules& rules) {
  if (blocks->empty()) return {};
  OrderSearch search(blocks, fixed, rules);
  std::vector<Block*> order;
  for (Block& block : *blocks) order.push_back(&block);
  const auto length = [](const Block* block) { return int64_t{block->last} - block->first; };
  std::stable_sort(order.begin(), order.end(),
                   [](const Block* a, const Block* b) { return a->size > b->size; });
  search.Try(order);
  std::stable_sort(order.begin(), order.end(),
                   [&length](const Block* a, const Block* b) { return length(a) > length(b); });
  search.Try(order);
  return search.Best();
}

}  // namespace tern
