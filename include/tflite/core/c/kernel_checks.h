// SPDX-License-Identifier: Apache-2.0
// Another spelling of tensorflow/lite/core/c/kernel_checks.h (tools/make_forwards.py).
#ifndef TERN_TFLITE_CORE_C_KERNEL_CHECKS_H_
#define TERN_TFLITE_CORE_C_KERNEL_CHECKS_H_

#include "tensorflow/lite/core/c/kernel_checks.h"

#endif  // TERN_TFLITE_CORE_C_KERNEL_CHECKS_H_
