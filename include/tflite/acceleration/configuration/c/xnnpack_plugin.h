// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/acceleration/configuration/c/xnnpack_plugin.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_ACCELERATION_CONFIGURATION_C_XNNPACK_PLUGIN_H_
#define TERN_TFLITE_ACCELERATION_CONFIGURATION_C_XNNPACK_PLUGIN_H_

#include "tensorflow/lite/acceleration/configuration/c/xnnpack_plugin.h"

#endif  // TERN_TFLITE_ACCELERATION_CONFIGURATION_C_XNNPACK_PLUGIN_H_
