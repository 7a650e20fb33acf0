// SPDX-License-Identifier: Apache-2.0
// The usual include path of FlatBufferModel.
#ifndef TERN_TENSORFLOW_LITE_MODEL_BUILDER_H_
#define TERN_TENSORFLOW_LITE_MODEL_BUILDER_H_

#include "tensorflow/lite/core/model_builder.h"

#endif  // TERN_TENSORFLOW_LITE_MODEL_BUILDER_H_
