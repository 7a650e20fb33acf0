// SPDX-License-Identifier: Apache-2.0
// --name=value and nothing else.
#include "flags/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flags/delegates.h"

namespace tern::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Flags SomeFlags() {
  return Flags({{"runs", FlagType::kInt, "50", "Min num runs", "how often"},
                {"secs", FlagType::kFloat, "0.5", "Seconds", "how long"},
                {"name", FlagType::kText, "", "Name", "a name", true},
                {"quick", FlagType::kBool, "false", nullptr, "or not"},
                {"runs", FlagType::kInt, "50", "The same", "how often"}});
}

TEST(Flags, TakeWhatTheyKnowAndLeaveTheRest) {
  Flags flags = SomeFlags();
  std::vector<std::string> arguments = {"--runs=7", "--other=1", "--secs=0.250", "--quick",
                                        "--runs=8", "--quick=1", "word"};
  ASSERT_TRUE(flags.Parse(&arguments).ok());
  EXPECT_EQ(flags.Int("runs"), 7);
  EXPECT_EQ(flags.Float("secs"), 0.25F);
  EXPECT_TRUE(flags.Bool("quick"));
  EXPECT_EQ(flags.Position("quick"), 5);
  EXPECT_FALSE(flags.IsGiven("name"));
  EXPECT_THAT(arguments, ElementsAre("--other=1", "--quick", "--runs=8", "word"));
  EXPECT_THAT(flags.LogLines(false),
              ElementsAre("Min num runs: [7]", "Seconds: [0.25]", "Name: []", "The same: [7]"));
}

TEST(Flags, AnEmptyValueIsAValue) {
  Flags flags = SomeFlags();
  std::vector<std::string> arguments = {"--name=", "--runs=1"};
  ASSERT_TRUE(flags.Parse(&arguments).ok());
  EXPECT_TRUE(flags.IsGiven("name"));
  EXPECT_EQ(flags.Text("name"), "");
  EXPECT_EQ(flags.Int("runs"), 1);
}

TEST(Flags, ValuesOfAnotherTypeAreErrors) {
  for (const char* argument : {"--runs=", "--runs=1e3", "--runs=99999999999", "--secs=nan",
                               "--secs=x", "--quick=yes", "--quick="}) {
    Flags flags = SomeFlags();
    std::vector<std::string> arguments = {argument};
    EXPECT_THAT(std::string(flags.Parse(&arguments).message()), HasSubstr(argument));
  }
}

TEST(Flags, UsageNamesEveryFlagWithItsDefault) {
  EXPECT_THAT(SomeFlags().Usage("tool"), HasSubstr("--secs=0.5"));
}

TEST(Delegates, StandInTheOrderOfTheirFlags) {
  Flags flags(DelegateFlags());
  std::vector<std::string> arguments = {"--use_xnnpack=true", "--use_gpu=true"};
  ASSERT_TRUE(flags.Parse(&arguments).ok());
  absl::StatusOr<std::vector<Delegate>> delegates = CreateDelegates(flags);
  ASSERT_TRUE(delegates.ok()) << delegates.status();
  ASSERT_EQ(delegates->size(), 2u);
  EXPECT_EQ(delegates->front().name, "XNNPACK");
  EXPECT_EQ(delegates->back().name, "GPU");
}

TEST(Delegates, BadOptionsAreErrors) {
  for (const std::vector<std::string>& given :
       {std::vector<std::string>{"--use_gpu=1", "--gpu_backend=abacus"},
        {"--external_delegate_path=/no/such.so"},
        {"--external_delegate_path=/no/such.so", "--external_delegate_options=word"}}) {
    Flags flags(DelegateFlags());
    std::vector<std::string> arguments = given;
    ASSERT_TRUE(flags.Parse(&arguments).ok());
    EXPECT_FALSE(CreateDelegates(flags).ok()) << given.back();
  }
}

}  // namespace
}  // namespace tern::tools
