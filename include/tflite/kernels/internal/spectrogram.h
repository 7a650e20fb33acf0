// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/kernels/internal/spectrogram.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_KERNELS_INTERNAL_SPECTROGRAM_H_
#define TERN_TFLITE_KERNELS_INTERNAL_SPECTROGRAM_H_

#include "tensorflow/lite/kernels/internal/spectrogram.h"

#endif  // TERN_TFLITE_KERNELS_INTERNAL_SPECTROGRAM_H_
