// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/utils/async_type_helpers.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_UTILS_ASYNC_TYPE_HELPERS_H_
#define TERN_TFLITE_DELEGATES_UTILS_ASYNC_TYPE_HELPERS_H_

#include "tensorflow/lite/delegates/utils/async_type_helpers.h"

#endif  // TERN_TFLITE_DELEGATES_UTILS_ASYNC_TYPE_HELPERS_H_
