// SPDX-License-Identifier: Apache-2.0
// Rounds of loops, counted by hand.
#include "gpu/source/loop_iterations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tern::gpu {
namespace {

using ::testing::HasSubstr;

int64_t Rounds(std::string_view text, const Names& names = {}) {
  const absl::StatusOr<int64_t> rounds = LoopIterations("k", text, names);
  EXPECT_TRUE(rounds.ok()) << rounds.status();
  return rounds.value_or(-1);
}

std::string IterationsFailure(std::string_view text, const Names& names = {}) {
  const absl::StatusOr<int64_t> rounds = LoopIterations("k", text, names);
  return std::string(rounds.status().message());
}

// Leaving a loop is an iteration.
TEST(LoopIterations, Ends) {
  EXPECT_EQ(Rounds("KERNEL {\n}"), 0);
  EXPECT_EQ(Rounds("for (int i = 0; i < 5; i = i + 1) { a = f(i); }"), 6);
  EXPECT_EQ(Rounds("for (int i = 0; i <= 5; i = i + 1) {\n}"), 7);
  EXPECT_EQ(Rounds("for (int i = 2; i < n * (m + 1); i = i + 1) {\n}", {{"n", 3}, {"m", 1}}), 5);
  EXPECT_EQ(Rounds("for (int i = item; i < 7; i = i + ITEMS) {\n}", {{"ITEMS", 4}}), 3);
  EXPECT_EQ(Rounds("for (int i = (y + 2) % 3; i < 7; i = i + 3) {\n}"), 4);
  EXPECT_EQ(Rounds("for (int r = $(N / 2); r > 0; r = r / 2) {\n}", {{"N", 16}}), 5);
  EXPECT_EQ(Rounds("for (int i = 9; i < 5; i = i + 1) {\n}"), 1);
}

TEST(LoopIterations, InsideAndAfterEachOther) {
  // 3 * (4 + 1 + 2 + 1 + 1) + 1
  EXPECT_EQ(Rounds("for (int i = 0; i < 3; i = i + 1) {\n"
                   "  for (int j = 0; j < 4; j = j + 1) { if (a) { b = c; } }\n"
                   "  for (int j = 0; j < 2; j = j + 1) {\n"
                   "  }\n"
                   "}\n"),
            28);
  EXPECT_EQ(Rounds("for (int i = 0; i < 3; i = i + 1) { }\nfor (int i = 0; i < 3; i = i + 1) { }"),
            8);
}

// As in the last iteration of what is around it.
TEST(LoopIterations, RepeatsThatDependOnRepeats) {
  const char* text =
      "@repeat t 2\n"
      "@repeat c 3 * (t + 1)\n"
      "for (int i = 0; i < 4; i = i + 1) { }\n"
      "@end\n"
      "@end\n"
      "for (int i = 0; i < t; i = i + 1) { }\n";
  EXPECT_EQ(Rounds(text, {{"t", 9}}), 2 * 6 * 5 + 10);
}

TEST(LoopIterations, DirectivesAroundAndInside) {
  const char* text =
      "@if WIDE\n"
      "for (int i = 0; i < 9; i = i + 1) {\n"
      "@else\n"
      "for (int i = 0; i < 2; i = i + 1) {\n"
      "@end\n"
      "  @repeat c N\n"
      "  for (int j = 0; j < 4; j = j + 1) { a$c = j; }\n"
      "  @end\n"
      "}\n"
      "@repeat c 2\n"
      "for (int j = 0; j < 1; j = j + 1) { }\n"
      "@end\n";
  EXPECT_EQ(Rounds(text, {{"WIDE", 1}, {"N", 3}}), 9 * (3 * 5 + 1) + 1 + 2 * 2);
  EXPECT_EQ(Rounds(text, {{"WIDE", 0}, {"N", 0}}), 2 + 1 + 2 * 2);
  // Names in text that is not printed may be unknown.
  EXPECT_EQ(Rounds("@if 0\n@repeat i UNKNOWN\nfor (int i = 0; i < end; i = i + 1) {\n@end\n@end"),
            0);
}

TEST(LoopIterations, ConditionsOnARepeat) {
  // 3 * (4 + 1): each iteration may take either branch.
  EXPECT_EQ(Rounds("@repeat c 3\n"
                   "@if c * N == 2\n"
                   "for (int j = 0; j < 4; j = j + 1) { }\n"
                   "@else\n"
                   "a = $c;\n"
                   "@end\n"
                   "@end\n",
                   {{"N", 2}}),
            15);
  EXPECT_THAT(IterationsFailure("@repeat c 3\n@if d\n@end\n@end\n"), HasSubstr("unknown name 'd'"));
}

TEST(LoopIterations, EndsThatAreLocal) {
  EXPECT_EQ(Rounds("@rounds imin(k, 8)\nfor (int i = a; i < b; i = i + 1) {\n}", {{"k", 12}}), 9);
  EXPECT_THAT(IterationsFailure("int end = 3;\nfor (int i = 0; i < end; i = i + 1) {\n}"),
              HasSubstr("k.kernel:2: the rounds of this loop are not known: say @rounds"));
  // It is said of one loop.
  EXPECT_THAT(IterationsFailure("@rounds 2\nfor (int i = a; i < b; i = i + 1) { }\n"
                                "for (int i = a; i < b; i = i + 1) { }"),
              HasSubstr("k.kernel:3:"));
}

TEST(LoopIterations, OddHeads) {
  EXPECT_THAT(IterationsFailure("for (int i = 0; i != 3; i = i + 1) { }"), HasSubstr("counted"));
  EXPECT_THAT(IterationsFailure("for (int i = 0; i < 3; i++) { }"), HasSubstr("counted"));
  EXPECT_THAT(IterationsFailure("for (int i = 0; i < 3; i = i + 0) { }"), HasSubstr("not known"));
  EXPECT_THAT(IterationsFailure("for (int i = 0; i < 3; i = i + 1) a = b;"), HasSubstr("braces"));
  EXPECT_THAT(IterationsFailure("for (int i"), HasSubstr("head"));
  EXPECT_THAT(IterationsFailure("@while 3"), HasSubstr("unknown directive"));
}

TEST(LoopIterations, StopsAtALargeNumber) {
  std::string text;
  for (int i = 0; i < 5; ++i) text += "for (int i = 0; i < 1000000; i = i + 1) {\n";
  EXPECT_EQ(Rounds(text + "}}}}}"), int64_t{1} << 31);
}

}  // namespace
}  // namespace tern::gpu
