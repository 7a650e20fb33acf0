// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/async/c/task.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_ASYNC_C_TASK_H_
#define TERN_TFLITE_ASYNC_C_TASK_H_

#include "tensorflow/lite/async/c/task.h"

#endif  // TERN_TFLITE_ASYNC_C_TASK_H_
