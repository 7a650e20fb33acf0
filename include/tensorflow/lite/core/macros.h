// SPDX-License-Identifier: Apache-2.0
// Attributes of declarations.
#ifndef TERN_TENSORFLOW_LITE_CORE_MACROS_H_
#define TERN_TENSORFLOW_LITE_CORE_MACROS_H_

#if defined(__GNUC__) || defined(__clang__)
#define TFLITE_ATTRIBUTE_WEAK __attribute__((weak))
#define TFLITE_HAS_ATTRIBUTE_WEAK 1
#define TFLITE_EXPECT_FALSE(cond) __builtin_expect(cond, false)
#define TFLITE_EXPECT_TRUE(cond) __builtin_expect(!!(cond), true)
#define TFLITE_NOINLINE __attribute__((noinline))
#else
#define TFLITE_ATTRIBUTE_WEAK
#define TFLITE_HAS_ATTRIBUTE_WEAK 0
#define TFLITE_EXPECT_FALSE(cond) (cond)
#define TFLITE_EXPECT_TRUE(cond) (cond)
#define TFLITE_NOINLINE
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_MACROS_H_
