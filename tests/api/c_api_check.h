// SPDX-License-Identifier: Apache-2.0
// Macros and functions that the parts of the C API's test share.
#ifndef TERN_TESTS_API_C_API_CHECK_H_
#define TERN_TESTS_API_C_API_CHECK_H_

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tensorflow/lite/c/c_api.h"

extern int failures;
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

// The path of a model, valid until the next call.
const char* path_of(const char* name);

// An error reporter that counts into the int that user_data points to.
void count_report(void* user_data, const char* format, va_list args);

void test_common(void);
void test_tensors(void);
void test_operators(void);
void test_opaque_objects(void);
void test_opaque_delegates(void);
void test_experimental(void);
void test_resolvers(void);
void test_telemetry(void);
void test_attributes(void);
void test_tasks(void);
void test_async_runs(void);

#endif  // TERN_TESTS_API_C_API_CHECK_H_
