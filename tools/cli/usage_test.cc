// SPDX-License-Identifier: Apache-2.0
// Guesses at words: near ones are found, far ones are not.
#include "cli/usage.h"

#include <gtest/gtest.h>

namespace tern::cli {
namespace {

const std::vector<std::string> kWords = {"run", "verify", "diff", "bench", "tune", "--precision"};

TEST(UsageTest, SlipsOfTypingAreGuessed) {
  for (const auto& [word, meant] :
       {std::pair("rum", "run"), std::pair("urn", "run"), std::pair("bnech", "bench"),
        std::pair("verifi", "verify"), std::pair("Diff", "diff"), std::pair("ru", "run"),
        std::pair("--precison", "--precision")}) {
    EXPECT_EQ(DidYouMean(word, kWords), std::string("; did you mean ") + meant + "?") << word;
  }
}

TEST(UsageTest, OtherWordsAreLeftAlone) {
  for (const char* word : {"", "frobnicate", "x", "landscape.tflite", "--image"}) {
    EXPECT_EQ(DidYouMean(word, kWords), "") << word;
  }
}

TEST(UsageTest, ListsEndInOr) {
  EXPECT_EQ(OrList({}), "");
  EXPECT_EQ(OrList({"a"}), "a");
  EXPECT_EQ(OrList({"a", "b", "c"}), "a, b or c");
}

}  // namespace
}  // namespace tern::cli
