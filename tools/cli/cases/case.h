// SPDX-License-Identifier: Apache-2.0
// A case: one model file, the inputs to give it and the outputs it must produce (NAME.case.json),
// and the rule that judges an output.
#ifndef TERN_TOOLS_CLI_CASES_CASE_H_
#define TERN_TOOLS_CLI_CASES_CASE_H_

#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/inputs/tensor_bytes.h"

namespace tern::cli {

struct CaseInput {
  int index = 0;
  std::string name;
  TfLiteType type = kTfLiteNoType;
  std::vector<int> shape;
  absl::StatusOr<Bytes> elements = Bytes();  // or why there are none
};

// Whose result it is; each has a tolerance of its own.
enum class Judge { kCpu, kGpu, kF16 };

// How far an element may be off: abs + rel * |wanted|; for integers, abs steps.
struct Limit {
  double abs = 0;
  double rel = 0;
};

struct CaseOutput {
  int index = 0;
  std::string name;
  TfLiteType type = kTfLiteNoType;
  std::vector<int> shape;
  Bytes wanted;                      // the stored elements: all, or the picked ones in pick order
  std::vector<std::string> strings;  // for string outputs
  std::vector<int64_t> picked;       // flat positions of the stored elements; empty: all of them
  bool all = true;
  std::array<std::optional<Limit>, 3> limits;  // by Judge; nothing where the case has none
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

struct Verdict {
  bool passed = false;
  std::string text;  // the worst element when elements differ, or what is wrong
  // Of the worst element, where elements were compared.
  double got = 0, wanted = 0;
  double difference = 0;
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

#endif  // TERN_TOOLS_CLI_CASES_CASE_H_
