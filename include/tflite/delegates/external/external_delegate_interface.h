// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/external/external_delegate_interface.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_INTERFACE_H_
#define TERN_TFLITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_INTERFACE_H_

#include "tensorflow/lite/delegates/external/external_delegate_interface.h"

#endif  // TERN_TFLITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_INTERFACE_H_
