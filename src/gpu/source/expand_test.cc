// SPDX-License-Identifier: Apache-2.0
// Expansion, expressions and words: results, errors, bounds, garbage.
#include "gpu/source/expand.h"

#include <gtest/gtest.h>

#include <random>

#include "gpu/desc/words.h"
#include "gpu/source/expression.h"

namespace tern::gpu {
namespace {

std::string Expanded(std::string_view text, const std::vector<Define>& defines = {}) {
  const absl::StatusOr<std::string> result = Expand("k", text, defines);
  return result.ok() ? *result : std::string(result.status().message());
}

int Value(std::string_view expression, const Names& names = {}) {
  const absl::StatusOr<int> value = Evaluate(expression, names);
  EXPECT_TRUE(value.ok()) << value.status();
  return value.ok() ? *value : -12345;
}

std::string Failure(std::string_view expression, const Names& names = {}) {
  const absl::StatusOr<int> value = Evaluate(expression, names);
  return value.ok() ? "ok" : std::string(value.status().message());
}

TEST(Expression, HasThePrecedenceOfC) {
  EXPECT_EQ(Value("2 + 3 * 4"), 14);
  EXPECT_EQ(Value("(2 + 3) * 4"), 20);
  EXPECT_EQ(Value("10 - 4 - 3"), 3);
  EXPECT_EQ(Value("-7 / 2"), -3);
  EXPECT_EQ(Value("-7 % 2"), -1);
  EXPECT_EQ(Value("1 < 2 == 1"), 1);
  EXPECT_EQ(Value("!0 && 3 >= 3 || 0"), 1);
  EXPECT_EQ(Value("1 || 0 && 0"), 1);
  EXPECT_EQ(Value("--3"), 3);
  EXPECT_EQ(Value("ROWS * W - 1", {{"ROWS", 7}, {"W", 16}}), 111);
}

TEST(Expression, SaysWhatIsWrong) {
  EXPECT_EQ(Failure("ROWS + 1"), "unknown name 'ROWS'");
  EXPECT_EQ(Failure("1 / (2 - 2)"), "division by zero in '1 / (2 - 2)'");
  EXPECT_EQ(Failure("1.5"), "not an integer in '1.5'");
  EXPECT_EQ(Failure(""), "expression ends early: ''");
  EXPECT_EQ(Failure("(1"), "missing ) in '(1'");
  EXPECT_EQ(Failure("1 2"), "unexpected '2' in '1 2'");
  EXPECT_EQ(Failure("99999999999"), "value beyond 32 bits in '99999999999'");
  EXPECT_EQ(Failure("65536 * 65536"), "value beyond 32 bits in '65536 * 65536'");
  EXPECT_EQ(Failure(std::string(1000, '(')), "expression is nested too deeply");
}

TEST(Expand, RepeatsNestAndVariablesAreReplaced) {
  EXPECT_EQ(Expanded("@repeat i 2\n@repeat j N\nsum$i_$j = $(i * N + j);\n@end\nend$i;\n@end\n",
                     {{"N", 2}}),
            "sum0_0 = 0;\nsum0_1 = 1;\nend0;\nsum1_0 = 2;\nsum1_1 = 3;\nend1;\n");
  EXPECT_EQ(Expanded("@repeat i 0\nx\n@end\n"), "");
  EXPECT_EQ(Expanded("@repeat i 3\n@repeat j $i\n$i$j\n@end\n@end\n"), "10\n20\n21\n");
}

TEST(Expand, ChoosesLines) {
  const char* text = "@if N > 1 && !FLAG\nmany\n@else\n@if N == 1\none\n@end\nfew\n@end\n";
  EXPECT_EQ(Expanded(text, {{"N", 2}, {"FLAG", 0}}), "many\n");
  EXPECT_EQ(Expanded(text, {{"N", 1}, {"FLAG", 0}}), "one\nfew\n");
  EXPECT_EQ(Expanded(text, {{"N", 0}, {"FLAG", 1}}), "few\n");
}

TEST(Expand, DropsCommentsAndEmptyLines) {
  EXPECT_EQ(Expanded("// head\n\n  int x; // why\n\t\n//@end\ny\r\n"), "  int x;\ny\n");
}

TEST(Expand, RepeatVariableHidesADefine) {
  EXPECT_EQ(Expanded("$(i)\n@repeat i 1\n$(i)\n@end\n$(i)\n", {{"i", 9}}), "9\n0\n9\n");
}

TEST(Expand, NegativeValuesStayOneTerm) { EXPECT_EQ(Expanded("x - $(1 - 3)\n"), "x - (-2)\n"); }

TEST(Expand, ErrorsNameKernelAndLine) {
  EXPECT_EQ(Expanded("a\n@repeat i ROWS\n@end\n"), "k.kernel:2: unknown name 'ROWS'");
  EXPECT_EQ(Expanded("a\n@repeat i 2\nb\n"), "k.kernel:2: @end is missing");
  EXPECT_EQ(Expanded("@end\n"), "k.kernel:1: @end without @repeat or @if");
  EXPECT_EQ(Expanded("@else\n"), "k.kernel:1: @else without @if");
  EXPECT_EQ(Expanded("@if 1\n@else\n@else\n@end\n"), "k.kernel:3: @else without @if");
  EXPECT_EQ(Expanded("@if\n@end\n"), "k.kernel:1: @if needs an expression");
  EXPECT_EQ(Expanded("@if 1\n@end x\n"), "k.kernel:2: @end stands alone");
  EXPECT_EQ(Expanded("@loop\n"), "k.kernel:1: unknown directive '@loop'");
  EXPECT_EQ(Expanded("@repeat count 2\n@end\n"),
            "k.kernel:1: @repeat needs a variable of one letter and a count");
  EXPECT_EQ(Expanded("x$i\n"), "k.kernel:1: $i is not repeated here");
  EXPECT_EQ(Expanded("$(1\n"), "k.kernel:1: missing ) after $(");
  EXPECT_EQ(Expanded("@repeat i 2\n@repeat i 2\n@end\n@end\n"),
            "k.kernel:2: 'i' is already repeated");
}

TEST(Expand, IsBounded) {
  EXPECT_EQ(Expanded("@repeat i 4097\n@end\n"), "k.kernel:1: too many rounds of @repeat");
  EXPECT_EQ(Expanded("@repeat i 2000000000\n@end\n"), "k.kernel:1: too many rounds of @repeat");
  EXPECT_EQ(Expanded("@repeat i 64\n@repeat j 64\n@end\n@end\n"),
            "k.kernel:2: too many rounds of @repeat");
  const std::string line(2000, 'x');
  EXPECT_EQ(Expanded("@repeat i 4000\n" + line + "\n@end\n"),
            "k.kernel:2: the expanded text is too long");
  EXPECT_EQ(Expanded(line + line), "k.kernel:1: the line is too long");
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "@if 1\n";
  EXPECT_EQ(Expanded(deep), "k.kernel:33: blocks are nested too deeply");
}

// Garbage made of the dialect's own pieces is refused or expanded, never a crash or a hang.
TEST(Expand, SurvivesGarbage) {
  const char* pieces[] = {"@repeat i ", "@repeat j 3", "@if ",  "@else", "@end", "\n", "\n", "$i",
                          "$(",         ")",           "(",     "N",     "7",    "-",  "*",  "%",
                          "<",          "&&",          "x y z", "//",    " ",    "$",  "@",  "2"};
  std::mt19937 random(7);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (unsigned i = 0, n = random() % 30; i < n; ++i)
      text += pieces[random() % std::size(pieces)];
    if (round % 4 == 0 && !text.empty()) text[random() % text.size()] = static_cast<char>(random());
    accepted += Expand("k", text, {{"N", 5}}).ok() ? 1 : 0;
  }
  EXPECT_GT(accepted, 100);
}

TEST(Words, FindsIdentifiers) {
  EXPECT_EQ(Identifiers("src_read(x1, 2.5f, 3e5)+_y"), (Words{"src_read", "x1", "_y"}));
  EXPECT_EQ(FindWord("KERNEL_W KERNEL {", "KERNEL"), std::vector<size_t>{9});
}

TEST(Words, SuffixesReals) {
  EXPECT_EQ(SuffixReals("x = 0.0 + 1.5e-3*a1 - 2. / 7;"), "x = 0.0f + 1.5e-3f*a1 - 2.f / 7;");
  EXPECT_EQ(SuffixReals("0.5f 3 x0.y 1e5 v.s0 12e"), "0.5f 3 x0.y 1e5f v.s0 12e");
}

}  // namespace
}  // namespace tern::gpu
