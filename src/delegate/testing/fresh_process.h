// SPDX-License-Identifier: Apache-2.0
// For tests about what comes first in a process: drivers, environment, delegates.
#ifndef TERN_DELEGATE_TESTING_FRESH_PROCESS_H_
#define TERN_DELEGATE_TESTING_FRESH_PROCESS_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

namespace tern::delegate::testing {

// GoogleTest says nothing of its own in such a process.
inline void PrintFailures() {
  const ::testing::TestResult& result =
      *::testing::UnitTest::GetInstance()->current_test_info()->result();
  for (int i = 0; i < result.total_part_count(); ++i) {
    const ::testing::TestPartResult& part = result.GetTestPartResult(i);
    if (part.failed()) {
      std::fprintf(stderr, "%s:%d: %s\n", part.file_name(), part.line_number(), part.message());
    }
  }
}

// Runs the body of a test in a new process, where the test starts once more. Its failures are
// printed there and count here.
inline void InFreshProcess(void (*body)()) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        body();
        PrintFailures();
        _exit(::testing::Test::HasFailure() ? 1 : 0);
      },
      ::testing::ExitedWithCode(0), "");
}

// Whether this is that new process.
inline bool IsFreshProcess() { return ::testing::internal::InDeathTestChild(); }

}  // namespace tern::delegate::testing

#endif  // TERN_DELEGATE_TESTING_FRESH_PROCESS_H_
