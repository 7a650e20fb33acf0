// SPDX-License-Identifier: Apache-2.0
// Running the Metal delegate inside a command buffer of the application. C++17 and Objective-C++.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_METAL_DELEGATE_INTERNAL_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_METAL_DELEGATE_INTERNAL_H_

#include "tensorflow/lite/delegates/gpu/metal_delegate.h"

#if defined(__OBJC__)
typedef id<MTLCommandBuffer> TFLGpuDelegateMetalCommandBuffer;
#else
typedef void* TFLGpuDelegateMetalCommandBuffer;
#endif

// Before every Invoke: the work goes into this buffer, which the delegate neither commits nor waits
// for. All outputs must be bound to Metal buffers. The application keeps the buffer until Invoke
// returns, and the buffer retains the memory that its work uses. Inputs that are not
// bound are copied in Invoke, which fails when an earlier buffer that reads them is not committed
// yet. False, with a logged line, for a delegate of another kind and for nil.
bool TFLGpuDelegateSetCommandBuffer(TfLiteDelegate* delegate,
                                    TFLGpuDelegateMetalCommandBuffer command_buffer);

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_METAL_DELEGATE_INTERNAL_H_
