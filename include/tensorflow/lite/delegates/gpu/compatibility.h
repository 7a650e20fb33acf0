// SPDX-License-Identifier: Apache-2.0
// Whether the GPU delegate can be trusted with the drivers of this device, and what they are. An
// extension of this library. C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_GPU_COMPATIBILITY_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_GPU_COMPATIBILITY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// True where OpenCL, or else OpenGL ES 3.1 or newer, can be opened and gives the right numbers for
// four small kernels. Each call opens a device of its own and closes it again; the kernels run once
// in a process for each device and version of its driver. `reason` (may be NULL) gets which device
// it is, or what failed on each, as a terminated text of at most `reason_size` bytes. Safe on any
// thread and with any context of the application current.
TFL_CAPI_EXPORT bool TfLiteGpuDelegateV2IsSupported(char* reason, size_t reason_size);

// JSON text about the device that a backend ("opencl", "gles", "vulkan") opens here: "backend",
// "name", "vendor", "driver", "platform", "class" (gpu or cpu), limits, and "self_test", which is
// "passed" or tells what failed of those kernels; where nothing can be opened "backend" and
// "error". Each call opens a device of its own, runs the kernels and closes it. Valid until the
// next call on the same thread.
TFL_CAPI_EXPORT const char* TfLiteGpuDelegateV2DescribeDevice(const char* backend);

// Multiply-adds of floats per second that the device of a backend makes in its registers, measured
// again by each call: some milliseconds, on software devices seconds. 0: the backend opens no
// device here, or the driver tells no true times.
TFL_CAPI_EXPORT int64_t TfLiteGpuDelegateV2MeasureFmaPeak(const char* backend);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_GPU_COMPATIBILITY_H_
