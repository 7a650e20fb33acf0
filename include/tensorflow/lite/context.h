// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/common.h.
#ifndef TERN_TENSORFLOW_LITE_CONTEXT_H_
#define TERN_TENSORFLOW_LITE_CONTEXT_H_

#include "tensorflow/lite/core/c/common.h"

#endif  // TERN_TENSORFLOW_LITE_CONTEXT_H_
