// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/delegates/hexagon/hexagon_delegate.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_DELEGATES_HEXAGON_HEXAGON_DELEGATE_H_
#define TERN_TFLITE_DELEGATES_HEXAGON_HEXAGON_DELEGATE_H_

#include "tensorflow/lite/delegates/hexagon/hexagon_delegate.h"

#endif  // TERN_TFLITE_DELEGATES_HEXAGON_HEXAGON_DELEGATE_H_
