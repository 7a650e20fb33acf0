// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/interop/c/types.h.
#ifndef TERN_TENSORFLOW_LITE_ASYNC_INTEROP_C_TYPES_H_
#define TERN_TENSORFLOW_LITE_ASYNC_INTEROP_C_TYPES_H_

#include "tensorflow/lite/core/async/interop/c/types.h"

#endif  // TERN_TENSORFLOW_LITE_ASYNC_INTEROP_C_TYPES_H_
