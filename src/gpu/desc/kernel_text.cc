// SPDX-License-Identifier: Apache-2.0
// Looking up kernels by id: the embedded ones, then those of the test program.
#include "gpu/desc/kernel_text.h"

#include <cstddef>
#include <span>

#include "gpu/desc/kernel_table.h"

namespace tern::gpu {
namespace {

// Constant initialization: it is there before any static object sets it.
constinit std::span<const KernelEntry> test_kernels;

constexpr auto kCount = static_cast<size_t>(KernelId::kCount);

// Null where there is no such kernel; KernelId::kCount is none.
const KernelEntry* Find(KernelId id) {
  const auto index = static_cast<size_t>(id);
  if (index < kCount) return &kKernelTable[index];
  return index > kCount && index - kCount <= test_kernels.size() ? &test_kernels[index - kCount - 1]
                                                                 : nullptr;
}

}  // namespace

void SetTestKernels(std::span<const KernelEntry> kernels) { test_kernels = kernels; }

bool HasKernel(KernelId id) { return Find(id) != nullptr; }
const char* KernelName(KernelId id) { return Find(id)->name; }
const char* KernelText(KernelId id) { return Find(id)->text; }

}  // namespace tern::gpu
