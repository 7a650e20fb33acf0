// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/logger.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_LOGGER_H_
#define TERN_TFLITE_LOGGER_H_

#include "tensorflow/lite/logger.h"

#endif  // TERN_TFLITE_LOGGER_H_
