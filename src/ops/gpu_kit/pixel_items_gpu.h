// SPDX-License-Identifier: Apache-2.0
// Work over the channels of each pixel: by one work-item, or by several that share local memory
// where pixels are few.
#ifndef TERN_OPS_GPU_KIT_PIXEL_ITEMS_GPU_H_
#define TERN_OPS_GPU_KIT_PIXEL_ITEMS_GPU_H_

#include "gpu/lower/lowering.h"

namespace tern::gpu {

// Above this many pixels there is work enough without sharing.
inline constexpr int64_t kPixelsThatFillADevice = 4096;

// Adds ITEMS, the local array «values» and the grid to a dispatch that writes `box`, and emits it.
inline absl::Status EmitOverPixels(const Box& box, const Lowering& lower,
                                   DispatchBuilder& dispatch) {
  const int64_t pixels = int64_t{box.b} * box.h * box.w;
  const int slices = lower.Slices(box.c);
  int items = pixels <= kPixelsThatFillADevice ? lower.tuning().reduce_items : 1;
  while (items > 1 && items / 2 >= slices) items /= 2;
  dispatch.Define("ITEMS", items);
  if (items > 1) dispatch.LocalNumbers("values", items).Group(items, 1, 1);
  return dispatch.Grid(box.c == 0 ? 0 : pixels * items, 1, 1).Emit();
}

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_PIXEL_ITEMS_GPU_H_
