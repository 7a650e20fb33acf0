// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/experimental/resource/resource_variable.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_EXPERIMENTAL_RESOURCE_RESOURCE_VARIABLE_H_
#define TERN_TFLITE_EXPERIMENTAL_RESOURCE_RESOURCE_VARIABLE_H_

#include "tensorflow/lite/experimental/resource/resource_variable.h"

#endif  // TERN_TFLITE_EXPERIMENTAL_RESOURCE_RESOURCE_VARIABLE_H_
