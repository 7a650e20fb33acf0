// SPDX-License-Identifier: Apache-2.0
// Greedy-by-size placement.
#include "gpu/plan/memory_plan.h"

#include <algorithm>
#include <cstddef>
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

// Bytes of a tensor's place, in whole steps of the alignment.
int64_t PlaceBytes(const PlanTensor& tensor, int alignment) {
  return (std::max<int64_t>(tensor.bytes, 1) + alignment - 1) / alignment * alignment;
}

// An arena while tensors are placed in it, and who lies there, by offset.
struct Arena {
  int64_t bytes = 0;
  std::vector<Life> placed;
};

// The lowest place that nobody has while the tensor lives.
int64_t FreePlace(const Plan& plan, const Arena& arena, const Life& life, int alignment) {
  const int64_t bytes = PlaceBytes(plan.tensors[life.tensor], alignment);
  int64_t at = 0;
  for (const Life& other : arena.placed) {
    if (other.last < life.first || other.first > life.last) continue;
    const PlanTensor& neighbour = plan.tensors[other.tensor];
    if (at + bytes <= neighbour.offset) break;
    at = std::max(at, neighbour.offset + PlaceBytes(neighbour, alignment));
  }
  return at;
}

void PlanTemps(Plan& plan, int alignment, int64_t most) {
  std::vector<Life> lives = LivesOf(plan);
  std::stable_sort(lives.begin(), lives.end(), [&](const Life& a, const Life& b) {
    return plan.tensors[a.tensor].bytes > plan.tensors[b.tensor].bytes;
  });
  std::vector<Arena> arenas;
  for (const Life& life : lives) {
    PlanTensor& tensor = plan.tensors[life.tensor];
    const int64_t bytes = PlaceBytes(tensor, alignment);
    size_t number = 0;
    int64_t at = 0;
    for (; number < arenas.size(); ++number) {
      at = FreePlace(plan, arenas[number], life, alignment);
      if (at + bytes <= most) break;
    }
    if (number == arenas.size()) {
      arenas.emplace_back();
      at = 0;
    }
    tensor.buffer = static_cast<int>(number);
    tensor.offset = at;
    Arena& arena = arenas[number];
    arena.bytes = std::max(arena.bytes, at + bytes);
    const auto spot =
        std::find_if(arena.placed.begin(), arena.placed.end(),
                     [&](const Life& other) { return plan.tensors[other.tensor].offset > at; });
    arena.placed.insert(spot, life);
  }
  plan.arenas.clear();
  for (const Arena& arena : arenas) plan.arenas.push_back(arena.bytes);
}

// One after the other, in the order of the plan.
void PlanConstants(Plan& plan, int alignment, int64_t most) {
  plan.constants.clear();
  for (PlanTensor& tensor : plan.tensors) {
    if (tensor.role != Role::kConstant) continue;
    const int64_t bytes = PlaceBytes(tensor, alignment);
    const bool fits = !plan.constants.empty() && plan.constants.back() + bytes <= most;
    if (!fits) plan.constants.push_back(0);
    tensor.buffer = static_cast<int>(plan.constants.size()) - 1;
    tensor.offset = plan.constants.back();
    plan.constants.back() += bytes;
  }
}

}  // namespace

void PlanMemory(Plan& plan, int alignment, int64_t most) {
  PlanTemps(plan, alignment, most);
  PlanConstants(plan, alignment, most);
}

}  // namespace tern::gpu
