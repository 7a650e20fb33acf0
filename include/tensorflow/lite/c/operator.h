// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/operator.h.
#ifndef TERN_TENSORFLOW_LITE_C_OPERATOR_H_
#define TERN_TENSORFLOW_LITE_C_OPERATOR_H_

#include "tensorflow/lite/core/c/operator.h"

#endif  // TERN_TENSORFLOW_LITE_C_OPERATOR_H_
