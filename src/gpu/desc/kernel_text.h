// SPDX-License-Identifier: Apache-2.0
// The embedded .kernel files.
#ifndef TERN_GPU_DESC_KERNEL_TEXT_H_
#define TERN_GPU_DESC_KERNEL_TEXT_H_

#include "gpu/desc/kernel_id.h"

namespace tern::gpu {

// Whether there is a kernel with this id; the functions below need one.
bool HasKernel(KernelId id);
// File name without ".kernel"; "softmax".
const char* KernelName(KernelId id);
// The whole file.
const char* KernelText(KernelId id);
// Of all kernels and of everything that prints them: builds where it is equal print equal texts.
const char* PrinterHash();

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_KERNEL_TEXT_H_
