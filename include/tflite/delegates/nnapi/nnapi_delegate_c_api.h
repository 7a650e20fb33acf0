// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/nnapi/nnapi_delegate_c_api.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_NNAPI_NNAPI_DELEGATE_C_API_H_
#define TERN_TFLITE_DELEGATES_NNAPI_NNAPI_DELEGATE_C_API_H_

#include "tensorflow/lite/delegates/nnapi/nnapi_delegate_c_api.h"

#endif  // TERN_TFLITE_DELEGATES_NNAPI_NNAPI_DELEGATE_C_API_H_
