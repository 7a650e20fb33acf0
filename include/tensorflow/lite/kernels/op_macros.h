// SPDX-License-Identifier: Apache-2.0
// Checks of custom ops that end the program, and the message for a type that an op does not take.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_OP_MACROS_H_
#define TERN_TENSORFLOW_LITE_KERNELS_OP_MACROS_H_

#include <cstdio>
#include <cstdlib>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/kernels/internal/compatibility.h"

// Reports and leaves the function with kTfLiteError.
#define TF_LITE_UNSUPPORTED_TYPE(context, type, op_name)                                        \
  do {                                                                                          \
    TF_LITE_KERNEL_LOG((context), "%s:%d Type %s is unsupported by op %s.", __FILE__, __LINE__, \
                       TfLiteTypeGetName(type), (op_name));                                     \
    return kTfLiteError;                                                                        \
  } while (0)

#define TF_LITE_FATAL(message)               \
  do {                                       \
    std::fprintf(stderr, "%s\n", (message)); \
    TFLITE_ABORT;                            \
  } while (0)

#define TF_LITE_ASSERT(x)        \
  do {                           \
    if (!(x)) TF_LITE_FATAL(#x); \
  } while (0)

#define TF_LITE_ASSERT_EQ(x, y)                            \
  do {                                                     \
    if ((x) != (y)) TF_LITE_FATAL(#x " didn't equal " #y); \
  } while (0)

#endif  // TERN_TENSORFLOW_LITE_KERNELS_OP_MACROS_H_
