// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/version.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_VERSION_H_
#define TERN_TFLITE_VERSION_H_

#include "tensorflow/lite/version.h"

#endif  // TERN_TFLITE_VERSION_H_
