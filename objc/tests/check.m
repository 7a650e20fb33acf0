// SPDX-License-Identifier: Apache-2.0
// Runs the tests.   PROGRAM MODELS_FOLDER [--leak]
// With --leak it loses an interpreter at the end, which the check for leaks must find.
#import "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#import "models.h"

enum { kMostTests = 200 };
static struct {
  const char *name;
  TestFunction function;
} tests[kMostTests];
static int test_count, check_count, failed_count;

void AddTest(const char *name, TestFunction function) {
  if (test_count == kMostTests) abort();
  tests[test_count].name = name;
  tests[test_count++].function = function;
}

bool Check(bool ok, const char *file, int line, NSString *text) {
  ++check_count;
  if (ok) return true;
  ++failed_count;
  fprintf(stderr, "%s:%d: FAILED: %s\n", file, line, text.UTF8String);
  return false;
}

bool CheckNumber(double got, double want, const char *file, int line, NSString *text) {
  return Check(got == want, file, line,
               [NSString stringWithFormat:@"%@ is %g, not %g", text, got, want]);
}

bool CheckEqual(id got, id want, const char *file, int line, NSString *text) {
  return Check(got == want || [got isEqual:want], file, line,
               [NSString stringWithFormat:@"%@ is %@, not %@", text, got, want]);
}

bool CheckError(NSError *error, NSString *domain, NSInteger code, const char *file, int line, ...) {
  NSString *description = error.localizedDescription;
  bool ok = [error isKindOfClass:[NSError class]] && [error.domain isEqualToString:domain] &&
            error.code == code;
  va_list parts;
  va_start(parts, line);
  for (NSString *part; (part = va_arg(parts, NSString *)) != nil;) {
    ok = ok && [description rangeOfString:part].location != NSNotFound;
  }
  va_end(parts);
  return Check(ok, file, line,
               [NSString stringWithFormat:@"the error is %@ %ld, \"%@\"", error.domain,
                                          (long)error.code, description]);
}

// Absent without AddressSanitizer.
void __lsan_disable(void) __attribute__((weak));
void __lsan_enable(void) __attribute__((weak));

// GNUstep keeps the memory of its first line in the log until the process ends.
static void WriteFirstLine(void) {
  if (__lsan_disable != NULL) __lsan_disable();
  @autoreleasepool {
    NSLog(@"the tests begin");
  }
  if (__lsan_enable != NULL) __lsan_enable();
}

static void Run(const char *name, TestFunction function) {
  const int failed_before = failed_count;
  @autoreleasepool {
    @try {
      function();
    } @catch (NSException *exception) {
      Check(false, name, 0, [NSString stringWithFormat:@"an exception: %@", exception]);
    }
  }
  if (failed_count > failed_before) fprintf(stderr, "FAILED: %s\n", name);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s MODELS_FOLDER [--leak]\n", argv[0]);
    return 2;
  }
  models_folder = argv[1];
  WriteFirstLine();
  for (int i = 0; i < test_count; ++i) Run(tests[i].name, tests[i].function);
  if (argc > 2 && strcmp(argv[2], "--leak") == 0) LoseAnInterpreter();
  printf("%d tests, %d checks, %d failed\n", test_count, check_count, failed_count);
  return failed_count == 0 ? 0 : 1;
}
