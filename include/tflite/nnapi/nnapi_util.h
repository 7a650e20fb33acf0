// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/nnapi/nnapi_util.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_NNAPI_NNAPI_UTIL_H_
#define TERN_TFLITE_NNAPI_NNAPI_UTIL_H_

#include "tensorflow/lite/nnapi/nnapi_util.h"

#endif  // TERN_TFLITE_NNAPI_NNAPI_UTIL_H_
