// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/profile_buffer.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_PROFILE_BUFFER_H_
#define TERN_TFLITE_PROFILING_PROFILE_BUFFER_H_

#include "tensorflow/lite/profiling/profile_buffer.h"

#endif  // TERN_TFLITE_PROFILING_PROFILE_BUFFER_H_
