// SPDX-License-Identifier: Apache-2.0
// Checks that kernels write: log through the context and leave the function when a condition fails.
// C11 and C++17.
#ifndef TERN_TENSORFLOW_LITE_CORE_C_KERNEL_CHECKS_H_
#define TERN_TENSORFLOW_LITE_CORE_C_KERNEL_CHECKS_H_

#include <stddef.h>

// Users of these macros need TfLiteContext and TfLiteTypeGetName of common.h. All but the STATUS
// and OK forms return kTfLiteError.

#ifndef TF_LITE_STRIP_ERROR_STRINGS
#define TF_LITE_KERNEL_LOG(context, ...)            \
  do {                                              \
    (context)->ReportError((context), __VA_ARGS__); \
  } while (false)

#define TF_LITE_MAYBE_KERNEL_LOG(context, ...)        \
  do {                                                \
    if ((context) != NULL) {                          \
      (context)->ReportError((context), __VA_ARGS__); \
    }                                                 \
  } while (false)
#else
#define TF_LITE_KERNEL_LOG(context, ...) \
  do {                                   \
    (void)(context);                     \
  } while (false)
#define TF_LITE_MAYBE_KERNEL_LOG(context, ...) \
  do {                                         \
    (void)(context);                           \
  } while (false)
#endif

// The format is a literal; the message begins with the file.
#define TF_LITE_ENSURE_MSG(context, value, ...)                \
  do {                                                         \
    if (!(value)) {                                            \
      TF_LITE_KERNEL_LOG((context), __FILE__ " " __VA_ARGS__); \
      return kTfLiteError;                                     \
    }                                                          \
  } while (0)

#define TF_LITE_ENSURE(context, a)                                                     \
  do {                                                                                 \
    if (!(a)) {                                                                        \
      TF_LITE_KERNEL_LOG((context), "%s:%d %s was not true.", __FILE__, __LINE__, #a); \
      return kTfLiteError;                                                             \
    }                                                                                  \
  } while (0)

#define TF_LITE_ENSURE_STATUS(a)                    \
  do {                                              \
    const TfLiteStatus tf_lite_ensure_status = (a); \
    if (tf_lite_ensure_status != kTfLiteOk) {       \
      return tf_lite_ensure_status;                 \
    }                                               \
  } while (0)

#define TF_LITE_ENSURE_EQ(context, a, b)                                                     \
  do {                                                                                       \
    if ((a) != (b)) {                                                                        \
      TF_LITE_KERNEL_LOG((context), "%s:%d %s != %s (%d != %d)", __FILE__, __LINE__, #a, #b, \
                         (int)(a), (int)(b));                                                \
      return kTfLiteError;                                                                   \
    }                                                                                        \
  } while (0)

#define TF_LITE_ENSURE_TYPES_EQ(context, a, b)                                               \
  do {                                                                                       \
    if ((a) != (b)) {                                                                        \
      TF_LITE_KERNEL_LOG((context), "%s:%d %s != %s (%s != %s)", __FILE__, __LINE__, #a, #b, \
                         TfLiteTypeGetName(a), TfLiteTypeGetName(b));                        \
      return kTfLiteError;                                                                   \
    }                                                                                        \
  } while (0)

#define TF_LITE_ENSURE_NEAR(context, a, b, epsilon)                                                \
  do {                                                                                             \
    const double tf_lite_difference = (double)(a) - (double)(b);                                   \
    if (!(tf_lite_difference <= (double)(epsilon) && -tf_lite_difference <= (double)(epsilon))) {  \
      TF_LITE_KERNEL_LOG((context), "%s:%d %s not near %s (%f != %f)", __FILE__, __LINE__, #a, #b, \
                         (double)(a), (double)(b));                                                \
      return kTfLiteError;                                                                         \
    }                                                                                              \
  } while (0)

// TF_LITE_ENSURE_OK(context, status[, format, ...]): returns the failed status itself, after an
// optional message that begins with the file; the format is a literal.
#define TERN_ENSURE_OK_PICK(_1, _2, _3, _4, _5, _6, _7, _8, NAME, ...) NAME
#define TERN_ENSURE_OK_PLAIN(context, status)        \
  do {                                               \
    const TfLiteStatus tf_lite_ensure_ok = (status); \
    if (tf_lite_ensure_ok != kTfLiteOk) {            \
      return tf_lite_ensure_ok;                      \
    }                                                \
  } while (0)
#define TERN_ENSURE_OK_MESSAGE(context, status, ...)                 \
  do {                                                               \
    const TfLiteStatus tf_lite_ensure_ok = (status);                 \
    if (tf_lite_ensure_ok != kTfLiteOk) {                            \
      TF_LITE_MAYBE_KERNEL_LOG((context), __FILE__ " " __VA_ARGS__); \
      return tf_lite_ensure_ok;                                      \
    }                                                                \
  } while (0)
#define TF_LITE_ENSURE_OK(...)                                                                    \
  TERN_ENSURE_OK_PICK(__VA_ARGS__, TERN_ENSURE_OK_MESSAGE, TERN_ENSURE_OK_MESSAGE,                \
                      TERN_ENSURE_OK_MESSAGE, TERN_ENSURE_OK_MESSAGE, TERN_ENSURE_OK_MESSAGE,     \
                      TERN_ENSURE_OK_MESSAGE, TERN_ENSURE_OK_PLAIN, TERN_ENSURE_OK_PLAIN, unused) \
  (__VA_ARGS__)

#ifndef TFL_UNREACHABLE
#if defined(__GNUC__) || defined(__clang__)
#define TFL_UNREACHABLE() (__builtin_unreachable())
#elif defined(_MSC_VER)
#define TFL_UNREACHABLE() (__assume(0))
#else
#define TFL_UNREACHABLE() ((void)0)
#endif
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_C_KERNEL_CHECKS_H_
