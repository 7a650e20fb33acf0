// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/common.h.
#ifndef TERN_TENSORFLOW_LITE_C_COMMON_H_
#define TERN_TENSORFLOW_LITE_C_COMMON_H_

#include "tensorflow/lite/core/c/common.h"

#endif  // TERN_TENSORFLOW_LITE_C_COMMON_H_
