// SPDX-License-Identifier: Apache-2.0
// Checks of programming errors in kernels: always on, or in debug builds (D).
#ifndef TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_COMPATIBILITY_H_
#define TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_COMPATIBILITY_H_

#include <cstdint>
#include <cstdlib>

#include "tensorflow/lite/core/c/common.h"

#ifndef TFLITE_ABORT
#define TFLITE_ABORT abort()
#endif

#ifndef TFLITE_CHECK
#define TFLITE_CHECK(x) (x) ? (void)0 : TFLITE_ABORT
#endif
#define TFLITE_CHECK_EQ(x, y) TFLITE_CHECK((x) == (y))
#define TFLITE_CHECK_NE(x, y) TFLITE_CHECK((x) != (y))
#define TFLITE_CHECK_GE(x, y) TFLITE_CHECK((x) >= (y))
#define TFLITE_CHECK_GT(x, y) TFLITE_CHECK((x) > (y))
#define TFLITE_CHECK_LE(x, y) TFLITE_CHECK((x) <= (y))
#define TFLITE_CHECK_LT(x, y) TFLITE_CHECK((x) < (y))

#ifndef NDEBUG
#define TFLITE_ASSERT_FALSE (static_cast<bool>(false)) ? (void)0 : TFLITE_ABORT
#define TFLITE_DCHECK(x) TFLITE_CHECK(x)
#else
#define TFLITE_ASSERT_FALSE (void)0
#define TFLITE_DCHECK(x) (void)sizeof(x)
#endif
#define TFLITE_DCHECK_EQ(x, y) TFLITE_DCHECK((x) == (y))
#define TFLITE_DCHECK_NE(x, y) TFLITE_DCHECK((x) != (y))
#define TFLITE_DCHECK_GE(x, y) TFLITE_DCHECK((x) >= (y))
#define TFLITE_DCHECK_GT(x, y) TFLITE_DCHECK((x) > (y))
#define TFLITE_DCHECK_LE(x, y) TFLITE_DCHECK((x) <= (y))
#define TFLITE_DCHECK_LT(x, y) TFLITE_DCHECK((x) < (y))

#endif  // TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_COMPATIBILITY_H_
