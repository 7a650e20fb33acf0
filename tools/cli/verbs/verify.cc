// SPDX-License-Identifier: Apache-2.0
// `tern verify`: runs every case below some folders in one process and judges the outputs.
#include <fnmatch.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/cases/case.h"
#include "cli/engine/engine.h"
#include "cli/inputs/fill.h"
#include "cli/verbs.h"

namespace tern::cli {
namespace {

namespace fs = std::filesystem;

enum class Outcome { kPassed, kFailed, kSkipped };

struct Result {
  Outcome outcome = Outcome::kFailed;
  std::string text;
};

struct Counts {
  int passed = 0;
  int failed = 0;
  int skipped = 0;

  void Add(Outcome outcome) {
    ++(outcome == Outcome::kPassed ? passed : outcome == Outcome::kFailed ? failed : skipped);
  }
};

Judge JudgeFor(const EngineOptions& options) {
  if (options.on_cpu()) return Judge::kCpu;
  return options.precision == "f16" ? Judge::kF16 : Judge::kGpu;
}

// Position of a case's input or output in the engine: by name for signatures, else by index.
int InputPosition(const Case& c, const CaseInput& input, const Engine& engine) {
  return c.signature.empty() ? input.index : engine.FindInput(input.name);
}

int OutputPosition(const Case& c, const CaseOutput& output, const Engine& engine) {
  return c.signature.empty() ? output.index : engine.FindOutput(output.name);
}

absl::Status GiveInputs(const Case& c, Engine* engine) {
  for (const CaseInput& input : c.inputs) {
    const int position = InputPosition(c, input, *engine);
    if (position < 0 || position >= engine->input_count()) {
      return absl::InvalidArgumentError(absl::StrCat("the model has no input '", input.name, "'"));
    }
    if (!input.elements.ok()) return input.elements.status();
    // An input that nothing reads may have no memory.
    if (const TfLiteTensor* tensor = engine->input(position);
        tensor == nullptr || (tensor->data.raw == nullptr && tensor->bytes == 0)) {
      continue;
    }
    absl::Status status = engine->SetInput(position, *input.elements);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ResizeInputs(const Case& c, Engine* engine) {
  for (const CaseInput& input : c.inputs) {
    if (c.resized.count(input.index) == 0) continue;
    absl::Status status = engine->Resize(InputPosition(c, input, *engine), input.shape);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

Verdict JudgeOutput(const CaseOutput& output, int position, Judge judge, Engine* engine) {
  const TfLiteTensor* tensor = engine->output(position);
  if (tensor == nullptr) return {false, "the output has no tensor"};
  if (tensor->type != output.type) {
    return {false,
            absl::StrCat("type ", TypeName(tensor->type), ", expected ", TypeName(output.type))};
  }
  if (output.type == kTfLiteString) {
    return CompareStrings(output, engine->OutputStrings(position));
  }
  const auto* data = reinterpret_cast<const uint8_t*>(tensor->data.raw_const);
  if (data == nullptr && tensor->bytes > 0) return {false, "the output has no data"};
  return Compare(output, data, tensor->bytes, judge);
}

absl::Status DumpOutputs(const Case& c, const fs::path& folder, Engine* engine) {
  if (absl::Status made = MakeFolder(folder); !made.ok()) return made;
  for (const CaseOutput& output : c.outputs) {
    const TfLiteTensor* tensor = engine->output(OutputPosition(c, output, *engine));
    if (tensor == nullptr || tensor->type == kTfLiteString) continue;
    absl::Status status = WriteFile(folder / absl::StrCat(output.index, ".bin"),
                                    tensor->data.raw_const, tensor->bytes);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Why nodes of the case did not run on the GPU engine; empty when all did.
std::string Refusal(const Report& report) {
  if (!report.refused.empty()) {
    const Refused* failed = report.FirstFailed();
    return failed != nullptr ? failed->Text() : report.refused[0].Text();
  }
  if (report.delegated >= report.nodes) return "";
  return absl::StrFormat("%d of %d nodes delegated", report.delegated, report.nodes);
}

Result JudgeOutputs(const Case& c, const VerifyOptions& options, Engine* engine) {
  const Judge judge = JudgeFor(options.engine);
  for (const CaseOutput& output : c.outputs) {
    const int position = OutputPosition(c, output, *engine);
    if (position < 0 || position >= engine->output_count()) {
      return {Outcome::kFailed, absl::StrCat("the model has no output '", output.name, "'")};
    }
    const Verdict verdict = JudgeOutput(output, position, judge, engine);
    if (!verdict.passed) {
      return {Outcome::kFailed, absl::StrCat("output ", output.index, ": ", verdict.text)};
    }
  }
  return {Outcome::kPassed, ""};
}

// An error of the engine: a missing kernel or a refused graph is skipped, all else failed.
Result FromStatus(const absl::Status& status, Engine* engine) {
  bool skip = absl::IsUnimplemented(status) || absl::IsFailedPrecondition(status) ||
              absl::IsUnavailable(status);
  std::string reason(status.message());
  if (skip && engine != nullptr) {
    const Report report = engine->MakeReport();
    if (!report.refused.empty()) reason = Refusal(report);
    skip = report.FirstFailed() == nullptr;
  }
  return {skip ? Outcome::kSkipped : Outcome::kFailed, reason};
}

// An engine that is ready for a case, or why there is none. Cases of one model follow each other
// and share it on a GPU, where most of the time goes into building programs.
class ReadyEngine {
 public:
  explicit ReadyEngine(const EngineOptions& options) : options_(options) {}

  // Null: the result tells why.
  Engine* For(const Case& c, Result* why) {
    if (!shared_ || c.model != model_ || c.signature != signature_ || !c.resized.empty()) {
      refusal_ = Open(c);
      model_ = c.model;
      signature_ = c.signature;
      shared_ = !options_.on_cpu() && !options_.allow_fallback && c.resized.empty() &&
                (engine_ == nullptr || !engine_->HasState());
    }
    if (refusal_.has_value()) *why = *refusal_;
    return refusal_.has_value() ? nullptr : engine_.get();
  }
  // The next case gets another one.
  void Drop() { shared_ = false; }

 private:
  std::optional<Result> Open(const Case& c) {
    engine_ = nullptr;
    EngineOptions options = options_;
    options.signature = c.signature;
    absl::StatusOr<std::unique_ptr<Engine>> opened = Engine::Open(c.model.string(), options);
    if (!opened.ok()) return FromStatus(opened.status(), nullptr);
    engine_ = *std::move(opened);
    absl::Status status = ResizeInputs(c, engine_.get());
    if (status.ok()) status = engine_->Prepare();
    if (!status.ok()) return FromStatus(status, engine_.get());
    if (options.on_cpu() || options.allow_fallback) return std::nullopt;
    const Report report = engine_->MakeReport();
    const std::string refusal = Refusal(report);
    if (refusal.empty()) return std::nullopt;
    const bool failed = report.FirstFailed() != nullptr;
    return Result{failed ? Outcome::kFailed : Outcome::kSkipped, refusal};
  }

  EngineOptions options_;
  std::unique_ptr<Engine> engine_;
  std::filesystem::path model_;
  std::string signature_;
  std::optional<Result> refusal_;
  bool shared_ = false;
};

Result RunCase(const Case& c, const VerifyOptions& options, ReadyEngine& ready) {
  Result why;
  Engine* engine = ready.For(c, &why);
  if (engine == nullptr) return why;
  absl::Status status = GiveInputs(c, engine);
  for (int run = 0; status.ok() && run < c.runs; ++run) status = engine->Invoke();
  if (!status.ok()) {
    ready.Drop();
    return FromStatus(status, engine);
  }
  if (!options.dump.empty()) {
    status = DumpOutputs(c, fs::path(options.dump) / c.name, engine);
    if (!status.ok()) return {Outcome::kFailed, std::string(status.message())};
  }
  return JudgeOutputs(c, options, engine);
}

absl::StatusOr<std::vector<fs::path>> CasesBelow(const std::string& root) {
  std::error_code error;
  const bool folder = fs::is_directory(root, error);
  if (!folder && !fs::is_regular_file(root, error)) {
    return absl::NotFoundError(absl::StrCat(
        root, ": cannot be read (", error ? error.message() : "neither a file nor a folder", ")"));
  }
  if (folder) fs::directory_iterator(root, error);
  if (error) return absl::NotFoundError(absl::StrCat(root, ": ", error.message()));
  std::vector<fs::path> files = FindCases(root);
  if (files.empty()) {
    return absl::NotFoundError(absl::StrCat(root, ": expected *.case.json files in this folder"));
  }
  return files;
}

bool Selected(const std::string& name, const std::string& only) {
  const std::string last = name.substr(name.find('/') + 1);
  return fnmatch(only.c_str(), name.c_str(), 0) == 0 || fnmatch(only.c_str(), last.c_str(), 0) == 0;
}

const char* Word(Outcome outcome) {
  return outcome == Outcome::kPassed   ? "passed"
         : outcome == Outcome::kFailed ? "failed"
                                       : "skipped";
}

// Everything counted and said so far.
struct Tally {
  Counts total;
  std::map<std::string, Counts> groups;
  std::vector<std::string> failures, skips, unstable;

  void Add(const Case& c, const Result& result) {
    if (c.unstable) {
      unstable.push_back(absl::StrCat("unstable ", c.name, ": ", Word(result.outcome),
                                      result.text.empty() ? "" : ", ", result.text));
      return;
    }
    total.Add(result.outcome);
    groups[c.group()].Add(result.outcome);
    if (result.outcome == Outcome::kFailed) {
      failures.push_back(absl::StrCat("failed   ", c.name, ": ", result.text));
    } else if (result.outcome == Outcome::kSkipped) {
      skips.push_back(absl::StrCat("skipped  ", c.name, ": ", result.text));
    }
  }

  void Print(bool quiet) const {
    if (!quiet) {
      for (const auto& [group, n] : groups) {
        std::printf("%-44s passed %5d  failed %5d  skipped %5d\n", group.c_str(), n.passed,
                    n.failed, n.skipped);
      }
    }
    for (const auto* lines : {&skips, &unstable, &failures}) {
      for (const std::string& line : *lines) std::printf("%s\n", line.c_str());
    }
    std::printf("%d passed, %d failed, %d skipped\n", total.passed, total.failed, total.skipped);
  }
};

}  // namespace

absl::StatusOr<int> Verify(const VerifyOptions& options) {
  Tally tally;
  ReadyEngine ready(options.engine);
  int chosen = 0;
  for (const std::string& root : options.roots) {
    const absl::StatusOr<std::vector<fs::path>> files = CasesBelow(root);
    if (!files.ok()) return files.status();
    for (const fs::path& file : *files) {
      absl::StatusOr<Case> c = ReadCase(file);
      if (!c.ok()) return c.status();
      if (!Selected(c->name, options.only)) continue;
      if (JudgeFor(options.engine) == Judge::kF16 && c->no_f16) continue;
      const int number = chosen++ - options.from;
      if (number < 0 || number % options.every != 0) continue;
      const Result result = RunCase(*c, options, ready);
      if (!options.dump.empty() && result.outcome == Outcome::kSkipped) {
        const fs::path folder = fs::path(options.dump) / c->name;
        if (absl::Status made = MakeFolder(folder); !made.ok()) return made;
        absl::Status status =
            WriteFile(folder / "skipped.txt", result.text.data(), result.text.size());
        if (!status.ok()) return status;
      }
      tally.Add(*c, result);
    }
  }
  tally.Print(options.quiet);
  if (chosen == 0) {
    return absl::NotFoundError(absl::StrCat("verify: no case has a name like ", options.only));
  }
  if (chosen <= options.from) {
    return absl::InvalidArgumentError(
        absl::StrCat("verify: --from ", options.from, " leaves out all ", chosen, " cases"));
  }
  return tally.total.failed == 0 && tally.total.passed > 0 ? 0 : 1;
}

}  // namespace tern::cli
