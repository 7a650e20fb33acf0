// SPDX-License-Identifier: Apache-2.0
// Greedy-by-size placement.
#include "gpu/plan/memory_plan.h"

#include <algorithm>
#include <vector>

namespace tern::gpu {
namespace {

struct Life {
  TensorId tensor;
  int first, last;  // dispatches that touch it first and last
};

std::vector<Life> LivesOf(const Plan& plan) {
  std::vector<Life> lives(plan.tensors.size(), {-1, -1, -1});
  auto touch = [&](TensorId id, int at) {
    if (id < 0 || plan.tensors[id].role != Role::kTemp) return;
    Life& life = lives[id];
    if (life.tensor < 0) life = {id, at, at};
    life.last = at;
  };
  for (int d = 0; d < static_cast<int>(plan.dispatches.size()); ++d) {
    const Dispatch& dispatch = plan.dispatches[d];
    for (const Binding& binding : dispatch.bindings) touch(binding.tensor, d);
    touch(dispatch.constants, d);
    for (const ElementwiseStep& step : dispatch.chain) touch(step.operand.value_or(-1), d);
  }
  std::erase_if(lives, [](const Life& life) { return life.tensor < 0; });
  return lives;
}

int64_t RoundUp(int64_t value, int64_t to) { return (value + to - 1) / to * to; }

}  // namespace

void PlanMemory(Plan& plan, int alignment) {
  std::vector<Life> lives = LivesOf(plan);
  std::stable_sort(lives.begin(), lives.end(), [&](const Life& a, const Life& b) {
    return plan.tensors[a.tensor].bytes > plan.tensors[b.tensor].bytes;
  });
  std::vector<Life> placed;  // by offset
  for (const Life& life : lives) {
    PlanTensor& tensor = plan.tensors[life.tensor];
    const int64_t bytes = RoundUp(std::max<int64_t>(tensor.bytes, 1), alignment);
    int64_t at = 0;
    for (const Life& other : placed) {
      if (other.last < life.first || other.first > life.last) continue;
      const PlanTensor& neighbour = plan.tensors[other.tensor];
      if (at + bytes <= neighbour.offset) break;
      at = std::max(at,
                    neighbour.offset + RoundUp(std::max<int64_t>(neighbour.bytes, 1), alignment));
    }
    tensor.offset = at;
    plan.arena_bytes = std::max(plan.arena_bytes, at + bytes);
    const auto spot = std::find_if(placed.begin(), placed.end(), [&](const Life& other) {
      return plan.tensors[other.tensor].offset > at;
    });
    placed.insert(spot, life);
  }
  for (PlanTensor& tensor : plan.tensors) {
    if (tensor.role != Role::kConstant) continue;
    tensor.offset = plan.constant_bytes;
    plan.constant_bytes += RoundUp(std::max<int64_t>(tensor.bytes, 1), alignment);
  }
}

}  // namespace tern::gpu
