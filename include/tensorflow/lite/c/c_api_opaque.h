// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/c_api_opaque.h.
#ifndef TERN_TENSORFLOW_LITE_C_C_API_OPAQUE_H_
#define TERN_TENSORFLOW_LITE_C_C_API_OPAQUE_H_

#include "tensorflow/lite/core/c/c_api_opaque.h"

#endif  // TERN_TENSORFLOW_LITE_C_C_API_OPAQUE_H_
