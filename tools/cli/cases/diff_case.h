// SPDX-License-Identifier: Apache-2.0
// A cut with the CPU's numbers as a case for `tern verify`.
#ifndef TERN_TOOLS_CLI_CASES_DIFF_CASE_H_
#define TERN_TOOLS_CLI_CASES_DIFF_CASE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/cases/case.h"
#include "cli/model/cut.h"

namespace tern::cli {

// The case file beside FILE.tflite: FILE.case.json.
std::string CaseFileOf(const std::string& model_file);
// Writes the model, the case, and the elements of each input and output as FILE.in0.bin,
// FILE.out0.bin and so on. `limits` has one entry for each output. The CPU is judged by them, too,
// if `cpu`.
absl::Status WriteDiffCase(const std::string& model_file, const Cut& cut,
                           const std::vector<std::string>& ops,
                           const std::vector<const TfLiteTensor*>& inputs,
                           const std::vector<CaseOutput>& outputs, const std::vector<Limit>& limits,
                           bool cpu);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_CASES_DIFF_CASE_H_
