// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/acceleration/configuration/configuration_generated.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_ACCELERATION_CONFIGURATION_CONFIGURATION_GENERATED_H_
#define TERN_TFLITE_ACCELERATION_CONFIGURATION_CONFIGURATION_GENERATED_H_

#include "tensorflow/lite/acceleration/configuration/configuration_generated.h"

#endif  // TERN_TFLITE_ACCELERATION_CONFIGURATION_CONFIGURATION_GENERATED_H_
