// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/experimental/remat/metadata_util.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CONVERTER_EXPERIMENTAL_REMAT_METADATA_UTIL_H_
#define TERN_TFLITE_CONVERTER_EXPERIMENTAL_REMAT_METADATA_UTIL_H_

#include "tensorflow/lite/experimental/remat/metadata_util.h"

#endif  // TERN_TFLITE_CONVERTER_EXPERIMENTAL_REMAT_METADATA_UTIL_H_
