// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/shared_library.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_SHARED_LIBRARY_H_
#define TERN_TFLITE_SHARED_LIBRARY_H_

#include "tensorflow/lite/shared_library.h"

#endif  // TERN_TFLITE_SHARED_LIBRARY_H_
