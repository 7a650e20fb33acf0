// SPDX-License-Identifier: Apache-2.0
// Sums that work-items of a group share.
#ifndef TERN_OPS_GPU_KIT_SHARING_GPU_H_
#define TERN_OPS_GPU_KIT_SHARING_GPU_H_

#include <algorithm>
#include <cstdint>

#include "ops/gpu_kit/gpu_op.h"

namespace tern::gpu {

// Work-items that share one of `made` sums over `reads` slices; 1 where there is work enough
// without, and one could do it. Few and long sums have more of them than the tuning says: each
// work-item adds its share and then the parts of all, which is cheapest where both are as many.
inline int SharingItems(const Lowering& lower, int64_t made, int64_t reads) {
  constexpr int64_t kItemsThatFillADevice = 16384;
  const int max_items = std::min(64, lower.device().max_group_items);
  int items = lower.tuning().reduce_items;
  const int more_items = std::min(4 * items, items > 1 ? lower.device().max_group_items : 1);
  while (items > 1 && (items >= reads || made * items > kItemsThatFillADevice)) items /= 2;
  while (2 * items <= more_items && 2 * made * items <= kItemsThatFillADevice &&
         reads / items > items) {
    items *= 2;
  }
  const auto rounds = [&] { return (reads + items - 1) / items + items; };
  while (2 * items <= max_items && rounds() > lower.device().max_loop_iterations) items *= 2;
  return items;
}

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_SHARING_GPU_H_
