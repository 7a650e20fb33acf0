// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/c/task.h.
#ifndef TERN_TENSORFLOW_LITE_ASYNC_C_TASK_H_
#define TERN_TENSORFLOW_LITE_ASYNC_C_TASK_H_

#include "tensorflow/lite/core/async/c/task.h"

#endif  // TERN_TENSORFLOW_LITE_ASYNC_C_TASK_H_
