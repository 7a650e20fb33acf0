// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/examples/label_image/label_image.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_EXAMPLES_LABEL_IMAGE_LABEL_IMAGE_H_
#define TERN_TFLITE_EXAMPLES_LABEL_IMAGE_LABEL_IMAGE_H_

#include "tensorflow/lite/examples/label_image/label_image.h"

#endif  // TERN_TFLITE_EXAMPLES_LABEL_IMAGE_LABEL_IMAGE_H_
