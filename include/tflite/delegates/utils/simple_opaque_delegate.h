// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/utils/simple_opaque_delegate.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_UTILS_SIMPLE_OPAQUE_DELEGATE_H_
#define TERN_TFLITE_DELEGATES_UTILS_SIMPLE_OPAQUE_DELEGATE_H_

#include "tensorflow/lite/delegates/utils/simple_opaque_delegate.h"

#endif  // TERN_TFLITE_DELEGATES_UTILS_SIMPLE_OPAQUE_DELEGATE_H_
