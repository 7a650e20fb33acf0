// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/async/interop/c/attribute_map.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_ASYNC_INTEROP_C_ATTRIBUTE_MAP_H_
#define TERN_TFLITE_ASYNC_INTEROP_C_ATTRIBUTE_MAP_H_

#include "tensorflow/lite/async/interop/c/attribute_map.h"

#endif  // TERN_TFLITE_ASYNC_INTEROP_C_ATTRIBUTE_MAP_H_
