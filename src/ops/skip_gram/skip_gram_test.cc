// SPDX-License-Identifier: Apache-2.0
// SKIP_GRAM: n-grams as TensorFlow Lite gives them, also of texts with odd white space.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

using Texts = std::vector<std::string>;

Texts Grams(const std::string& text, int size, int skip, bool all) {
  TfLiteSkipGramParams params{size, skip, all};
  OpRunner run(SkipGramRegistration(OpForm::kOptimized), &params);
  run.InputStrings({1}, {text});
  run.Output(kTfLiteString);
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  const Texts grams = run.Strings();
  EXPECT_EQ(run.OutputShape(), (Shape{static_cast<int64_t>(grams.size())}));
  return grams;
}

TEST(SkipGram, OrderAndSkips) {
  EXPECT_EQ(Grams("a b c d", 2, 1, true),
            (Texts{"a b", "a c", "a", "b c", "b d", "b", "c d", "c", "d"}));
  EXPECT_EQ(Grams("a b c d", 2, 1, false), (Texts{"a b", "a c", "b c", "b d", "c d"}));
  EXPECT_EQ(Grams("a b c d", 3, 0, true),
            (Texts{"a b c", "a b", "a", "b c d", "b c", "b", "c d", "c", "d"}));
  EXPECT_EQ(Grams("a b c d", 3, 2, false), (Texts{"a b c", "a b d", "a c d", "b c d"}));
  EXPECT_EQ(Grams("a b", 2, 10, true), (Texts{"a b", "a", "b"}));
  EXPECT_EQ(Grams("a b c", 2, -1, true), (Texts{"a", "b", "c"}));
  EXPECT_EQ(Grams("a b", 2, INT32_MAX, false), (Texts{"a b"}));
}

TEST(SkipGram, TooFewWords) {
  EXPECT_EQ(Grams("a b", 3, 1, true), Texts{});
  EXPECT_EQ(Grams("a b c", 0, 0, true), Texts{});
  EXPECT_EQ(Grams("a b c", -1, 0, true), Texts{});
  EXPECT_EQ(Grams("", 1, 0, false), Texts{});
}

TEST(SkipGram, WhiteSpace) {
  EXPECT_EQ(Grams("a  b\tc\n", 1, 0, false), (Texts{"a", "b", "c"}));
  EXPECT_EQ(Grams(" a b c", 1, 0, true), (Texts{"b", "c"}));  // as the reference has it
  EXPECT_EQ(Grams("  a  b", 1, 0, false), (Texts{"a", "b"}));
  EXPECT_EQ(Grams(" ", 1, 0, false), Texts{" "});
  EXPECT_EQ(Grams(std::string("a\0b c", 5), 1, 0, true), (Texts{std::string("a\0b", 3), "c"}));
  EXPECT_EQ(Grams("\xC3\xA4 \xA0"
                  "b",
                  1, 0, true),
            (Texts{"\xC3\xA4",
                   "\xA0"
                   "b"}));
}

TEST(SkipGram, LongTextsNeedNoDeepStack) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "w ";
  EXPECT_EQ(Grams(text, 2000, 0, false).size(), 1u);
}

TEST(SkipGram, TooManyNGramsAreAnError) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "word ";
  TfLiteSkipGramParams params{30, 60, true};
  OpRunner run(SkipGramRegistration(OpForm::kOptimized), &params);
  run.InputStrings({1}, {text});
  run.Output(kTfLiteString);
  EXPECT_EQ(run.Run(), kTfLiteError);
  EXPECT_EQ(run.error(),
            "SKIP_GRAM: the n-grams are too long together (limit 268435456 characters)");
}

TEST(SkipGram, NoTextIsAnError) {
  TfLiteSkipGramParams params{1, 0, true};
  OpRunner none(SkipGramRegistration(OpForm::kOptimized), &params);
  none.InputStrings({0}, {});
  none.Output(kTfLiteString);
  EXPECT_EQ(none.Run(), kTfLiteError);
  OpRunner type(SkipGramRegistration(OpForm::kOptimized), &params);
  type.Input<float>({1}, {1});
  type.Output(kTfLiteString);
  EXPECT_EQ(type.Prepare(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
