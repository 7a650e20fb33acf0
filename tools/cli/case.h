// SPDX-License-Identifier: Apache-2.0
// A case: one model file, the inputs to give it and the outputs it must produce (NAME.case.json),
// and the rule that judges an output.
#ifndef TERN_TOOLS_CLI_CASE_H_
#define TERN_TOOLS_CLI_CASE_H_

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/tensor_bytes.h"
#include "nlohmann/json.hpp"

namespace tern::cli {

// Moving JSON checks its invariants by an assertion that throws nothing.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct CaseInput {
  int index = 0;
  std::string name;
  TfLiteType type = kTfLiteNoType;
  std::vector<int> shape;
  nlohmann::json fill;
};

// NOLINTNEXTLINE(bugprone-exception-escape)
struct CaseOutput {
  int index = 0;
  std::string name;
  TfLiteType type = kTfLiteNoType;
  std::vector<int> shape;
  Bytes wanted;                      // the stored elements: all, or the picked ones in pick order
  std::vector<std::string> strings;  // for string outputs
  std::vector<int64_t> picked;       // flat positions of the stored elements; empty: all of them
  bool all = true;
  nlohmann::json tolerance;
};

struct Case {
  std::string name;  // GROUP/short_name
  std::filesystem::path file;
  std::filesystem::path model;
  std::string signature;  // empty: the primary subgraph by index
  std::vector<CaseInput> inputs;
  std::vector<CaseOutput> outputs;
  std::set<int> resized;  // input positions whose shape must be set before allocation
  int runs = 1;
  bool no_f16 = false;
  bool unstable = false;

  std::string group() const { return name.substr(0, name.find('/')); }
};

// Which tolerance applies.
enum class Judge { kCpu, kGpu, kF16 };

struct Verdict {
  bool passed = false;
  std::string text;  // the worst element when elements differ, or what is wrong
};

// Reads a case file and the expected elements. Errors name the file.
absl::StatusOr<Case> ReadCase(const std::filesystem::path& file);
// Every *.case.json below a folder (or the file itself), sorted by path.
std::vector<std::filesystem::path> FindCases(const std::filesystem::path& root);

// Judges a whole output tensor, given as raw elements.
Verdict Compare(const CaseOutput& output, const uint8_t* got, size_t bytes, Judge judge);
// Judges a string output.
Verdict CompareStrings(const CaseOutput& output, const std::vector<std::string>& got);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_CASE_H_
