// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/gpu/delegate_options.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_
#define TERN_TFLITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_

#include "tensorflow/lite/delegates/gpu/delegate_options.h"

#endif  // TERN_TFLITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_
