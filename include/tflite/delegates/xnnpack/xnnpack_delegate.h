// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_XNNPACK_XNNPACK_DELEGATE_H_
#define TERN_TFLITE_DELEGATES_XNNPACK_XNNPACK_DELEGATE_H_

#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

#endif  // TERN_TFLITE_DELEGATES_XNNPACK_XNNPACK_DELEGATE_H_
