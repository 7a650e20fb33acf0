// SPDX-License-Identifier: Apache-2.0
// From C++ types to element types and back, strings and complex numbers included.
#ifndef TERN_TENSORFLOW_LITE_TYPE_TO_TFLITETYPE_H_
#define TERN_TENSORFLOW_LITE_TYPE_TO_TFLITETYPE_H_

#include <complex>
#include <string>

#include "tensorflow/lite/portable_type_to_tflitetype.h"

namespace tflite {

TERN_TYPE_PAIR(std::string, kTfLiteString)
TERN_TYPE_PAIR(std::complex<float>, kTfLiteComplex64)
TERN_TYPE_PAIR(std::complex<double>, kTfLiteComplex128)

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_TYPE_TO_TFLITETYPE_H_
