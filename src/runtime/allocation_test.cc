// SPDX-License-Identifier: Apache-2.0
//
// A run takes no memory from the heap. Counts calls of operator new in the whole program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "runtime/testing/fake_ops.h"

namespace {
bool g_counting = false;
int g_allocations = 0;
}  // namespace

__attribute__((noinline)) void* operator new(size_t bytes) {
  if (g_counting) ++g_allocations;
  void* block = std::malloc(bytes);
  if (block == nullptr) std::abort();
  return block;
}
// The standard library asks so, too, as in std::stable_sort: a sanitizer's own would not
// fit the delete below.
__attribute__((noinline)) void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  if (g_counting) ++g_allocations;
  return std::malloc(bytes);
}
__attribute__((noinline)) void operator delete(void* block) noexcept { std::free(block); }
__attribute__((noinline)) void operator delete(void* block, size_t) noexcept { std::free(block); }

namespace tern {
namespace {

TEST(Allocation, InvokeTakesNoMemory) {
  testing::Graph graph;
  graph.Chain(10);
  ASSERT_EQ(graph.interpreter.EnableCancellation(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  g_allocations = 0;
  g_counting = true;
  const TfLiteStatus status = graph.interpreter.Invoke();
  g_counting = false;
  EXPECT_EQ(status, kTfLiteOk);
  EXPECT_EQ(g_allocations, 0);
}

}  // namespace
}  // namespace tern
