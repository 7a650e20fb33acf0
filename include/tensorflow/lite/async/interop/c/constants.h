// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/interop/c/constants.h.
#ifndef TERN_TENSORFLOW_LITE_ASYNC_INTEROP_C_CONSTANTS_H_
#define TERN_TENSORFLOW_LITE_ASYNC_INTEROP_C_CONSTANTS_H_

#include "tensorflow/lite/core/async/interop/c/constants.h"

#endif  // TERN_TENSORFLOW_LITE_ASYNC_INTEROP_C_CONSTANTS_H_
