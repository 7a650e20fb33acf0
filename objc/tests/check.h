// SPDX-License-Identifier: Apache-2.0
// A test program's frame: TEST(Name) { ... } registers a function, CHECK counts and prints what is
// wrong.
#import <Foundation/Foundation.h>

#include <stdbool.h>

typedef void (*TestFunction)(void);

// Called before main.
void AddTest(const char *name, TestFunction function);

#define TEST(name)                                                                         \
  static void Test##name(void);                                                            \
  __attribute__((constructor)) static void Add##name(void) { AddTest(#name, Test##name); } \
  static void Test##name(void)

// Prints the place and the text of a check that failed. Returns ok.
bool Check(bool ok, const char *file, int line, NSString *text);

#define CHECK(...) Check((__VA_ARGS__), __FILE__, __LINE__, @ #__VA_ARGS__)
#define CHECK_NUMBER(got, want) \
  CheckNumber((double)(got), (double)(want), __FILE__, __LINE__, @ #got)
#define CHECK_EQUAL(got, want) CheckEqual((got), (want), __FILE__, __LINE__, @ #got)

bool CheckNumber(double got, double want, const char *file, int line, NSString *text);
bool CheckEqual(id got, id want, const char *file, int line, NSString *text);

// Whether an error is of that domain and code and its description has all parts, which end with
// nil.
#define CHECK_ERROR(error, domain, code, ...) \
  CheckError((error), (domain), (code), __FILE__, __LINE__, __VA_ARGS__, nil)
#define CHECK_INTERPRETER_ERROR(error, code, ...) \
  CHECK_ERROR(error, @"org.tensorflow.lite.interpreter", TFLInterpreterErrorCode##code, __VA_ARGS__)
#define CHECK_RUNNER_ERROR(error, code, ...) \
  CHECK_ERROR(error, TFLSignatureRunnerErrorDomain, TFLSignatureRunnerErrorCode##code, __VA_ARGS__)

bool CheckError(NSError *error, NSString *domain, NSInteger code, const char *file, int line,
                ...) NS_REQUIRES_NIL_TERMINATION;
