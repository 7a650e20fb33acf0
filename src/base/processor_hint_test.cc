// SPDX-License-Identifier: Apache-2.0
// The processors on which a thread may run, before, during and after a hint.
#include "base/processor_hint.h"

#include <gtest/gtest.h>

#include "base/thread.h"

namespace tern {
namespace {

#ifdef __linux__

cpu_set_t Allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  return set;
}

cpu_set_t Only(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return set;
}

bool Equal(const cpu_set_t& a, const cpu_set_t& b) { return CPU_EQUAL(&a, &b) != 0; }

bool HasOneProcessor() {
  const cpu_set_t set = Allowed();
  return CPU_COUNT(&set) < 2;
}

// On a thread of its own, so that no other test meets its processors.
void OnThread(void (*body)()) {
  Thread thread([body] { body(); });
  ASSERT_TRUE(thread.started());
  thread.Join();
}

TEST(ProcessorHint, KeepsAThreadOffOneProcessor) {
  if (HasOneProcessor()) GTEST_SKIP() << "one processor";
  OnThread([] {
    const cpu_set_t before = Allowed();
    const int here = CurrentProcessor();
    ASSERT_GE(here, 0);
    ProcessorHint hint;
    hint.Avoid(here);
    const cpu_set_t during = Allowed();
    EXPECT_FALSE(CPU_ISSET(here, &during));
    EXPECT_EQ(CPU_COUNT(&during), CPU_COUNT(&before) - 1);
    EXPECT_NE(CurrentProcessor(), here);
    hint.Forget();
    EXPECT_TRUE(Equal(Allowed(), before));
  });
}

TEST(ProcessorHint, LeavesTheOnlyProcessor) {
  OnThread([] {
    const cpu_set_t one = Only(CurrentProcessor());
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    ProcessorHint hint;
    hint.Avoid(CurrentProcessor());
    EXPECT_TRUE(Equal(Allowed(), one));
    hint.Forget();
    EXPECT_TRUE(Equal(Allowed(), one));
  });
}

TEST(ProcessorHint, KeepsTheProcessorsThatSomebodyElseChose) {
  if (HasOneProcessor()) GTEST_SKIP() << "one processor";
  OnThread([] {
    const int here = CurrentProcessor();
    ProcessorHint hint;
    hint.Avoid(here);
    const cpu_set_t chosen = Only(here);
    ASSERT_EQ(sched_setaffinity(0, sizeof(chosen), &chosen), 0);
    hint.Forget();
    EXPECT_TRUE(Equal(Allowed(), chosen));
  });
}

TEST(ProcessorHint, TakesAnyNumber) {
  OnThread([] {
    const cpu_set_t before = Allowed();
    ProcessorHint hint;
    for (const int processor : {-1, CPU_SETSIZE - 1, CPU_SETSIZE, 1 << 30}) hint.Avoid(processor);
    hint.Forget();
    EXPECT_TRUE(Equal(Allowed(), before));
  });
}

#endif

}  // namespace
}  // namespace tern
