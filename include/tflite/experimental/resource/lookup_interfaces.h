// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/experimental/resource/lookup_interfaces.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_EXPERIMENTAL_RESOURCE_LOOKUP_INTERFACES_H_
#define TERN_TFLITE_EXPERIMENTAL_RESOURCE_LOOKUP_INTERFACES_H_

#include "tensorflow/lite/experimental/resource/lookup_interfaces.h"

#endif  // TERN_TFLITE_EXPERIMENTAL_RESOURCE_LOOKUP_INTERFACES_H_
