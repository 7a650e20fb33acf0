// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/lstm_shared.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_LSTM_SHARED_H_
#define TERN_TFLITE_KERNELS_LSTM_SHARED_H_

#include "tensorflow/lite/kernels/lstm_shared.h"

#endif  // TERN_TFLITE_KERNELS_LSTM_SHARED_H_
