// SPDX-License-Identifier: Apache-2.0
//
// Model and interpreter builder together, under the usual path.
#ifndef TERN_TENSORFLOW_LITE_MODEL_H_
#define TERN_TENSORFLOW_LITE_MODEL_H_

#include "tensorflow/lite/core/model.h"

#endif  // TERN_TENSORFLOW_LITE_MODEL_H_
