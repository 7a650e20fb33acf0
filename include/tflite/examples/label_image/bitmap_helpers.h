// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/examples/label_image/bitmap_helpers.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_EXAMPLES_LABEL_IMAGE_BITMAP_HELPERS_H_
#define TERN_TFLITE_EXAMPLES_LABEL_IMAGE_BITMAP_HELPERS_H_

#include "tensorflow/lite/examples/label_image/bitmap_helpers.h"

#endif  // TERN_TFLITE_EXAMPLES_LABEL_IMAGE_BITMAP_HELPERS_H_
