// SPDX-License-Identifier: Apache-2.0
// The runtime's way to the data that a kernel's device holds: inputs and outputs of a kernel carry
// a handle, their own index, and the runtime copies by it. Handles stay good while their kernel
// lives, even when the delegate was deleted.
#ifndef TERN_DELEGATE_BUFFER_HANDLES_H_
#define TERN_DELEGATE_BUFFER_HANDLES_H_

#include "absl/status/status.h"
#include "delegate/delegate_kernel.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

// Gives handles to the inputs and outputs of the kernel. Inputs that another delegate holds keep
// theirs.
void GiveHandles(TfLiteContext* context, TfLiteDelegate* delegate, DelegateKernel* kernel);
// The kernel goes: its handles lead nowhere any more.
void TakeHandlesBack(const DelegateKernel* kernel);

// From the device to the tensor's memory, which is then no longer stale, and the other way.
absl::Status CopyFromHandle(const TfLiteContext* context, TfLiteBufferHandle handle,
                            TfLiteTensor* tensor);
absl::Status CopyToHandle(const TfLiteContext* context, TfLiteBufferHandle handle,
                          const TfLiteTensor* tensor);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_BUFFER_HANDLES_H_
