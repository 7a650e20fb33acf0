// SPDX-License-Identifier: Apache-2.0
// How far an output of a node on the GPU may be from the CPU's, and how far it is.
#ifndef TERN_TOOLS_CLI_CASES_DIFF_JUDGE_H_
#define TERN_TOOLS_CLI_CASES_DIFF_JUDGE_H_

#include <string>

#include "cli/cases/case.h"

namespace tern::cli {

// Beyond which a half-precision number is infinite.
inline constexpr double kLargestHalf = 65504;

struct DiffRule {
  bool half = false;
  double share = 0;  // of the largest magnitude in a float tensor
  double steps = 0;  // of quantized elements
};

// `tolerance` and `steps` as the user gave them; negative: 2^-10 of the largest magnitude in half
// precision, where a step of the largest numbers is that large, 2^-16 else; two steps.
DiffRule MakeDiffRule(bool half, double tolerance, double steps);

// Returns the result of the CPU as an output of a case without limits.
CaseOutput WantedOf(const TfLiteTensor& tensor);
// The largest finite magnitude.
double LargestOf(const CaseOutput& wanted);
// Returns the difference that the rule allows, given how far the CPU's result moves when the
// operands are rounded to half precision: quantized elements their steps; others four times that
// movement in half precision and a 2^11th of it in F32, whose steps are 2^13 times smaller, and
// floats their share, too; of as many `nodes` one after the other.
Limit LimitOf(const DiffRule& rule, const CaseOutput& wanted, bool quantized, double movement,
              size_t nodes);

struct DiffResult {
  Verdict verdict;
  double difference = 0;
  // The difference in words: "1.2e-07" of the largest magnitude, "2 steps" of an integer.
  std::string text;
};
DiffResult DiffTensor(const CaseOutput& wanted, const TfLiteTensor& got, Limit limit);
// A difference of elements of the wanted type in those words.
std::string DifferenceText(const CaseOutput& wanted, double difference);
// Returns the likely cause of a wrong element; empty when none is known. `operand` is the largest
// magnitude among the inputs.
std::string Cause(const Verdict& verdict, const DiffRule& rule, double operand);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_CASES_DIFF_JUDGE_H_
