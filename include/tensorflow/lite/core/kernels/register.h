// SPDX-License-Identifier: Apache-2.0
// Other spelling of tensorflow/lite/kernels/register.h.
#ifndef TERN_TENSORFLOW_LITE_CORE_KERNELS_REGISTER_H_
#define TERN_TENSORFLOW_LITE_CORE_KERNELS_REGISTER_H_

#include "tensorflow/lite/kernels/register.h"

#endif  // TERN_TENSORFLOW_LITE_CORE_KERNELS_REGISTER_H_
