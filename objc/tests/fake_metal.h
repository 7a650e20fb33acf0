// SPDX-License-Identifier: Apache-2.0
// The last requests to the stand-in for the Metal delegate's C functions.
#include "tensorflow/lite/delegates/gpu/metal_delegate.h"

// Options of the last TFLGpuDelegateCreate, and delegates that live.
extern TFLGpuDelegateOptions fake_metal_options;
extern int fake_metal_alive;
// Whether the next TFLGpuDelegateCreate returns NULL, as without a GPU.
extern bool fake_metal_fails;
