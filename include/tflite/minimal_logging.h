// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/minimal_logging.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_MINIMAL_LOGGING_H_
#define TERN_TFLITE_MINIMAL_LOGGING_H_

#include "tensorflow/lite/minimal_logging.h"

#endif  // TERN_TFLITE_MINIMAL_LOGGING_H_
