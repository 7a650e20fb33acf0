// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/c/c_api_for_testing.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_C_C_API_FOR_TESTING_H_
#define TERN_TFLITE_C_C_API_FOR_TESTING_H_

#include "tensorflow/lite/c/c_api_for_testing.h"

#endif  // TERN_TFLITE_C_C_API_FOR_TESTING_H_
