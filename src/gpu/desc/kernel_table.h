// SPDX-License-Identifier: Apache-2.0
// The tables behind kernel_text.h, generated from the .kernel files.
#ifndef TERN_GPU_DESC_KERNEL_TABLE_H_
#define TERN_GPU_DESC_KERNEL_TABLE_H_

#include <span>

namespace tern::gpu {

struct KernelEntry {
  const char* name;
  const char* text;
};

// By KernelId, KernelId::kCount entries.
extern const KernelEntry kKernelTable[];

// Kernels that only test programs have, with the ids after KernelId::kCount. Static storage;
// called once, before main.
void SetTestKernels(std::span<const KernelEntry> kernels);

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_KERNEL_TABLE_H_
