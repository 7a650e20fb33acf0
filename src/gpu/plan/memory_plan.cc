// SPDX-License-Identifier: Apache-2.0
// Lives of tensors, from the dispatches that touch them.
#include "gpu/plan/memory_plan.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/offset_planner.h"

namespace tern::gpu {
namespace {

// Bytes of a tensor's place, in whole steps of the alignment.
int64_t PlaceBytes(const PlanTensor& tensor, int alignment) {
  return (std::max<int64_t>(tensor.bytes, 1) + alignment - 1) / alignment * alignment;
}

// The temporaries that dispatches touch, from the first dispatch to the last.
void PlanTemps(Plan& plan, int alignment, int64_t max) {
  std::vector<Block> lives(plan.tensors.size(), {.first = -1});
  const auto touch = [&](TensorId id, int at) {
    while (plan.tensors[id].inside >= 0) id = plan.tensors[id].inside;
    if (plan.tensors[id].role != Role::kTemp) return;
    if (lives[id].first < 0) lives[id].first = at;
    lives[id].last = at;
  };
  for (int d = 0; d < static_cast<int>(plan.dispatches.size()); ++d) {
    for (const Binding& binding : plan.dispatches[static_cast<size_t>(d)].bindings)
      touch(binding.tensor, d);
  }
  std::vector<Block> blocks;
  std::vector<PlanTensor*> tensors;
  for (size_t i = 0; i < lives.size(); ++i) {
    if (lives[i].first < 0) continue;
    tensors.push_back(&plan.tensors[i]);
    blocks.push_back(lives[i]);
    blocks.back().size = static_cast<size_t>(PlaceBytes(plan.tensors[i], alignment));
  }
  const auto step = static_cast<size_t>(alignment);
  const std::vector<size_t> sizes =
      PlaceBlocks(&blocks, {}, {step, static_cast<size_t>(max), LowerBound(blocks, step)});
  for (size_t i = 0; i < blocks.size(); ++i) {
    tensors[i]->buffer = static_cast<int>(blocks[i].buffer);
    tensors[i]->offset = static_cast<int64_t>(blocks[i].offset);
  }
  plan.arenas.assign(sizes.begin(), sizes.end());
}

// One after the other, in the order of the plan.
void PlanConstants(Plan& plan, int alignment, int64_t max) {
  plan.constants.clear();
  for (PlanTensor& tensor : plan.tensors) {
    if (tensor.role != Role::kConstant) continue;
    const int64_t bytes = PlaceBytes(tensor, alignment);
    const bool fits = !plan.constants.empty() && plan.constants.back() + bytes <= max;
    if (!fits) plan.constants.push_back(0);
    tensor.buffer = static_cast<int>(plan.constants.size()) - 1;
    tensor.offset = plan.constants.back();
    plan.constants.back() += bytes;
  }
}

}  // namespace

void PlanMemory(Plan& plan, int alignment, int64_t max) {
  PlanTemps(plan, alignment, max);
  PlanConstants(plan, alignment, max);
}

}  // namespace tern::gpu
