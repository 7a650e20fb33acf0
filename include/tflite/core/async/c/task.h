// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/c/task.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_ASYNC_C_TASK_H_
#define TERN_TFLITE_CORE_ASYNC_C_TASK_H_

#include "tensorflow/lite/core/async/c/task.h"

#endif  // TERN_TFLITE_CORE_ASYNC_C_TASK_H_
