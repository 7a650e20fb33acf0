// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/experimental/resource/initialization_status.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_EXPERIMENTAL_RESOURCE_INITIALIZATION_STATUS_H_
#define TERN_TFLITE_EXPERIMENTAL_RESOURCE_INITIALIZATION_STATUS_H_

#include "tensorflow/lite/experimental/resource/initialization_status.h"

#endif  // TERN_TFLITE_EXPERIMENTAL_RESOURCE_INITIALIZATION_STATUS_H_
