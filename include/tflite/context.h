// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/context.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CONTEXT_H_
#define TERN_TFLITE_CONTEXT_H_

#include "tensorflow/lite/context.h"

#endif  // TERN_TFLITE_CONTEXT_H_
