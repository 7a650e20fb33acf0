// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/profiling/model_runtime_info.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_PROFILING_MODEL_RUNTIME_INFO_H_
#define TERN_TFLITE_PROFILING_MODEL_RUNTIME_INFO_H_

#include "tensorflow/lite/profiling/model_runtime_info.h"

#endif  // TERN_TFLITE_PROFILING_MODEL_RUNTIME_INFO_H_
