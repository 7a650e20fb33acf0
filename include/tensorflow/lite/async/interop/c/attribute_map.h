// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/async/interop/c/attribute_map.h.
#ifndef TERN_TENSORFLOW_LITE_ASYNC_INTEROP_C_ATTRIBUTE_MAP_H_
#define TERN_TENSORFLOW_LITE_ASYNC_INTEROP_C_ATTRIBUTE_MAP_H_

#include "tensorflow/lite/core/async/interop/c/attribute_map.h"

#endif  // TERN_TENSORFLOW_LITE_ASYNC_INTEROP_C_ATTRIBUTE_MAP_H_
