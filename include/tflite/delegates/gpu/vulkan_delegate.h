// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/gpu/vulkan_delegate.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_GPU_VULKAN_DELEGATE_H_
#define TERN_TFLITE_DELEGATES_GPU_VULKAN_DELEGATE_H_

#include "tensorflow/lite/delegates/gpu/vulkan_delegate.h"

#endif  // TERN_TFLITE_DELEGATES_GPU_VULKAN_DELEGATE_H_
