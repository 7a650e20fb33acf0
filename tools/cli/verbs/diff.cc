// SPDX-License-Identifier: Apache-2.0
// `tern diff`: a model on the CPU and on a GPU engine, tensor by tensor. Each node runs alone on
// the GPU with what the CPU gave to it, so that nothing adds up and the first node that is wrong is
// wrong by itself; beside that stands what each tensor is when the GPU computes all before it, too.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/cases/diff_case.h"
#include "cli/cases/diff_judge.h"
#include "cli/engine/engine.h"
#include "cli/inputs/fill.h"
#include "cli/inputs/inputs.h"
#include "cli/model/cut.h"
#include "cli/verbs.h"

namespace tern::cli {
namespace {

bool IsRaw(const TfLiteTensor* tensor) {
  return tensor != nullptr && ElementBytes(tensor->type) > 0 &&
         (tensor->data.raw_const != nullptr || tensor->bytes == 0);
}

bool IsQuantized(const TfLiteTensor& tensor) {
  return tensor.params.scale != 0 &&
         (tensor.type == kTfLiteInt8 || tensor.type == kTfLiteUInt8 || tensor.type == kTfLiteInt16);
}

Bytes BytesOf(const TfLiteTensor& tensor, bool halves) {
  const auto* data = reinterpret_cast<const uint8_t*>(tensor.data.raw_const);
  Bytes bytes;
  if (data != nullptr) bytes.assign(data, data + tensor.bytes);
  if (!halves || tensor.type != kTfLiteFloat32) return bytes;
  Bytes rounded;
  for (int64_t i = 0; i < ElementCount(ShapeOf(tensor)); ++i) {
    const double v = ReadElement(tensor.type, bytes.data(), i);
    AppendElement(tensor.type, DoubleFromHalf(HalfFromDouble(v)), &rounded);
  }
  return rounded;
}

// The result of a node that ran alone, or with those that read it.
struct PartResult {
  std::vector<int> nodes;
  std::string left;   // why it was not compared; empty when it was
  std::string wrong;  // what is wrong; empty when nothing is
  std::vector<DiffResult> outputs;
  std::vector<CaseOutput> wanted;
  std::vector<Limit> limits;
  Cut cut;
  bool whole = true;  // the GPU takes all of the cut
};

class Comparison {
 public:
  Comparison(const DiffOptions& options, const Bytes& file)
      : options_(options),
        rule_(MakeDiffRule(options.engine.precision == "f16", options.tolerance, options.steps)),
        cutter_(file) {
    gpu_ = options.engine;
    gpu_.allow_fallback = true;
    plain_.threads = options.engine.threads;
  }

  absl::StatusOr<int> Run() {
    absl::Status status = RunOnCpu();
    if (!status.ok()) return status;
    RunWholeOnGpu();
    std::printf("%-5s %-22s %-26s %-9s %-9s %-9s %s\n", "node", "operation", "type and shape",
                "own", "allowed", "all", "tensor");
    std::optional<int> first;
    for (int node = 0; node < cutter_.node_count(); ++node) {
      absl::StatusOr<PartResult> result = RunPart({node}, cutter_.NodeOutputs(node));
      absl::StatusOr<PartResult> read = PartResult();
      if (result.ok() && IsBeyondMemory(*result)) read = RunWithReaders(node);
      if (!result.ok() || !read.ok()) return result.ok() ? read.status() : result.status();
      Print(node, *result, !read->wrong.empty());
      if (first.has_value() || (result->wrong.empty() && read->wrong.empty())) continue;
      first = node;
      first_ = result->wrong.empty() ? *std::move(read) : *std::move(result);
    }
    if (first.has_value() || !whole_error_.empty()) return Conclude(first);
    whole_error_ = WrongAsItRuns();
    for (int node = 0; node < cutter_.node_count() && !whole_error_.empty(); ++node) {
      absl::StatusOr<PartResult> result = RunWithReaders(node);
      if (!result.ok()) return result.status();
      if (result->wrong.empty()) continue;
      first_ = *std::move(result);
      return Conclude(node);
    }
    return Conclude(first);
  }

 private:
  absl::Status RunOnCpu() {
    EngineOptions keeping = plain_;
    keeping.keep_tensors = true;
    absl::StatusOr<std::unique_ptr<Engine>> opened = Engine::Open(options_.model, keeping);
    if (!opened.ok()) return opened.status();
    cpu_ = *std::move(opened);
    absl::Status status = ResizeInputs(options_.shapes, cpu_.get());
    if (status.ok()) status = cpu_->Prepare();
    if (status.ok()) status = GiveInputs({"", options_.inputs, {}}, cpu_.get()).status();
    // A run may change its inputs only where they are variables, which no cut has as inputs.
    if (status.ok()) status = cpu_->Invoke();
    return status;
  }

  std::vector<int> ShapeIn(int tensor) const {
    const TfLiteTensor* t = cpu_->Tensor(tensor);
    return t == nullptr || t->dims == nullptr ? std::vector<int>() : ShapeOf(*t);
  }

  Cut Take(const std::vector<int>& nodes, const std::vector<int>& outputs,
           Constants constants = Constants::kStored) const {
    return cutter_.Take(
        nodes, outputs, [this](int t) { return ShapeIn(t); }, constants);
  }

  // A cut with the CPU's tensors as inputs, prepared and, if it is the CPU or some of it lies on
  // the GPU, run. Null: nothing of it does.
  absl::StatusOr<std::unique_ptr<Engine>> RunCut(const Cut& cut,
                                                 const EngineOptions& engine_options, bool halves,
                                                 Report* report) const {
    absl::StatusOr<std::unique_ptr<Engine>> opened = Engine::OpenBytes(cut.model, engine_options);
    if (!opened.ok()) return opened.status();
    std::unique_ptr<Engine> engine = *std::move(opened);
    absl::Status status = engine->Prepare();
    if (!status.ok()) return status;
    *report = engine->MakeReport();
    if (!engine_options.on_cpu() && report->delegated == 0) return std::unique_ptr<Engine>();
    for (size_t i = 0; i < cut.inputs.size(); ++i) {
      const int position = static_cast<int>(i);
      if (engine->input(position) == nullptr || engine->input(position)->bytes == 0) continue;
      status = engine->SetInput(position, BytesOf(*cpu_->Tensor(cut.inputs[i]), halves));
      if (!status.ok()) return status;
    }
    status = engine->Invoke();
    if (!status.ok()) return status;
    return engine;
  }

  // All tensors as the GPU computes them from the inputs on.
  void RunWholeOnGpu() {
    std::vector<int> nodes, outputs;
    for (int node = 0; node < cutter_.node_count(); ++node) {
      nodes.push_back(node);
      for (const int output : cutter_.NodeOutputs(node)) {
        if (IsRaw(cpu_->Tensor(output))) outputs.push_back(output);
      }
    }
    all_.assign(cpu_tensors(), nullptr);
    const Cut cut = Take(nodes, outputs);
    Report report;
    absl::StatusOr<std::unique_ptr<Engine>> ran = RunCut(cut, gpu_, false, &report);
    if (!ran.ok()) {
      whole_error_ = std::string(ran.status().message());
      return;
    }
    std::printf("%s on %s, %s: %d of %d nodes on the GPU\n", report.engine.c_str(),
                report.device.c_str(), report.precision.c_str(), report.delegated, report.nodes);
    gpu_engine_ = *std::move(ran);
    if (gpu_engine_ == nullptr) return;
    for (size_t o = 0; o < outputs.size(); ++o) {
      all_[static_cast<size_t>(outputs[o])] = gpu_engine_->output(static_cast<int>(o));
    }
  }

  // Says what is wrong with the outputs of the model as it runs, with nothing in between to be
  // seen; empty when nothing is. They may be as far off as they are with all of it.
  std::string WrongAsItRuns() const {
    std::vector<int> nodes, outputs;
    for (int node = 0; node < cutter_.node_count(); ++node) nodes.push_back(node);
    for (const int output : cutter_.Outputs()) {
      if (all_[static_cast<size_t>(output)] != nullptr) outputs.push_back(output);
    }
    if (outputs.empty()) return "";
    Report report;
    const absl::StatusOr<std::unique_ptr<Engine>> ran =
        RunCut(Take(nodes, outputs), gpu_, false, &report);
    if (!ran.ok()) return std::string(ran.status().message());
    if (*ran == nullptr) return "";
    for (size_t o = 0; o < outputs.size(); ++o) {
      const CaseOutput wanted = WantedOf(*cpu_->Tensor(outputs[o]));
      const double apart =
          DiffTensor(wanted, *all_[static_cast<size_t>(outputs[o])], {}).difference;
      Limit limit = LimitOf(rule_, wanted, IsQuantized(*cpu_->Tensor(outputs[o])), 0, 1);
      limit.abs = 4 * std::max(limit.abs, std::isfinite(apart) ? apart : 0);
      const DiffResult diff = DiffTensor(wanted, *(*ran)->output(static_cast<int>(o)), limit);
      if (!diff.verdict.passed) return absl::StrCat("'", wanted.name, "': ", diff.verdict.text);
    }
    return "";
  }

  size_t cpu_tensors() const {
    int count = 0;
    while (cpu_->Tensor(count) != nullptr) ++count;
    return static_cast<size_t>(count);
  }

  // Why a node cannot run apart from the others; empty when it can.
  std::string WhyNotAlone(int node) const {
    if (cutter_.IsOfConstants(node)) return "computed from constants";
    std::vector<int> tensors = cutter_.NodeInputs(node);
    for (const int output : cutter_.NodeOutputs(node)) tensors.push_back(output);
    for (const int index : tensors) {
      const TfLiteTensor* tensor = cpu_->Tensor(index);
      if (!cutter_.IsConstant(index) && !IsRaw(tensor)) {
        return absl::StrCat("on the CPU: a tensor has type ",
                            tensor == nullptr ? "none" : TypeName(tensor->type));
      }
    }
    return cutter_.NodeOutputs(node).empty() ? "no results" : "";
  }

  bool HasDynamicRange(const std::vector<int>& nodes) const {
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](int n) { return cutter_.IsDynamicRange(n); });
  }

  // Sets the results that the CPU gives for the part, and the differences from them that the GPU is
  // allowed.
  absl::Status SetLimits(const std::vector<int>& outputs, PartResult* result) const {
    const std::vector<int>& nodes = result->nodes;
    Report ignored;
    std::unique_ptr<Engine> exact;
    if (HasDynamicRange(nodes)) {
      auto ran = RunCut(Take(nodes, outputs, Constants::kFloats), plain_, false, &ignored);
      if (!ran.ok()) return ran.status();
      exact = *std::move(ran);
    }
    for (size_t o = 0; o < outputs.size(); ++o) {
      result->wanted.push_back(WantedOf(exact != nullptr ? *exact->output(static_cast<int>(o))
                                                         : *cpu_->Tensor(outputs[o])));
    }
    auto rounded = RunCut(Take(nodes, outputs, Constants::kHalves), plain_, true, &ignored);
    for (size_t o = 0; o < outputs.size(); ++o) {
      const CaseOutput& wanted = result->wanted[o];
      // Where halves are no operands at all, nothing moved.
      double movement = 0;
      if (rounded.ok()) {
        movement = DiffTensor(wanted, *(*rounded)->output(static_cast<int>(o)), {}).difference;
      }
      result->limits.push_back(
          LimitOf(rule_, wanted, IsQuantized(*cpu_->Tensor(outputs[o])), movement, nodes.size()));
    }
    return absl::OkStatus();
  }

  double LargestOperand(const std::vector<int>& nodes) const {
    double largest = 0;
    for (const int node : nodes) {
      for (const int input : cutter_.NodeInputs(node)) {
        const TfLiteTensor* tensor = cpu_->Tensor(input);
        if (!IsRaw(tensor) || !IsFloat(tensor->type)) continue;
        largest = std::max(largest, LargestOf(WantedOf(*tensor)));
      }
    }
    return largest;
  }

  // The outputs of the last nodes, with what the CPU gave to all of them.
  absl::StatusOr<PartResult> RunPart(const std::vector<int>& nodes,
                                     const std::vector<int>& outputs) const {
    PartResult result;
    result.nodes = nodes;
    for (const int node : nodes) {
      if (result.left.empty()) result.left = WhyNotAlone(node);
    }
    if (!result.left.empty()) return result;
    result.cut = Take(nodes, outputs);
    Report report;
    absl::StatusOr<std::unique_ptr<Engine>> ran = RunCut(result.cut, gpu_, false, &report);
    if (!ran.ok() && absl::IsUnavailable(ran.status())) return ran.status();
    const Refused* failed = report.FirstFailed();
    const bool errs = !ran.ok() || failed != nullptr;
    if (!errs && *ran == nullptr) {
      const bool reported = !report.refused.empty();
      result.left = absl::StrCat("on the CPU: ",
                                 reported ? report.refused.back().reason : report.not_applied);
      return result;
    }
    absl::Status status = SetLimits(outputs, &result);
    if (!status.ok()) return status;
    if (errs) {
      result.wrong = failed != nullptr ? failed->reason : std::string(ran.status().message());
      return result;
    }
    result.whole = report.delegated == report.nodes;
    for (size_t o = 0; o < outputs.size(); ++o) {
      const DiffResult& diff = result.outputs.emplace_back(
          DiffTensor(result.wanted[o], *(*ran)->output(static_cast<int>(o)), result.limits[o]));
      if (diff.verdict.passed || !result.wrong.empty()) continue;
      const std::string cause = Cause(diff.verdict, rule_, LargestOperand(nodes));
      result.wrong = absl::StrCat("tensor '", result.wanted[o].name, "': ", diff.verdict.text,
                                  cause.empty() ? "" : ": ", cause);
    }
    return result;
  }

  // A result that leaves the GPU is a float, one that a node there reads is a half.
  bool IsBeyondMemory(const PartResult& alone) const {
    return rule_.half && alone.wrong.empty() && LargestResult(alone) > kLargestHalf;
  }

  static double LargestResult(const PartResult& result) {
    double largest = 0;
    for (const CaseOutput& wanted : result.wanted) {
      if (IsFloat(wanted.type)) largest = std::max(largest, LargestOf(wanted));
    }
    return largest;
  }

  // A node and those that read it, as one part: what lies between them is no result.
  absl::StatusOr<PartResult> RunWithReaders(int node) const {
    std::vector<int> nodes = {node}, outputs;
    for (const int reader : cutter_.Readers(node)) {
      nodes.push_back(reader);
      for (const int output : cutter_.NodeOutputs(reader)) outputs.push_back(output);
    }
    if (outputs.empty()) return PartResult();
    return RunPart(nodes, outputs);
  }

  void Print(int node, const PartResult& result, bool bad) const {
    const std::vector<int> outputs = cutter_.NodeOutputs(node);
    for (size_t o = 0; o < outputs.size(); ++o) {
      const TfLiteTensor* tensor = cpu_->Tensor(outputs[o]);
      const TfLiteTensor* all = all_[static_cast<size_t>(outputs[o])];
      std::string own = "-", allowed = "-", from_start = "-";
      if (IsRaw(tensor) && all != nullptr)
        from_start = DiffTensor(WantedOf(*tensor), *all, {}).text;
      if (o < result.limits.size()) {
        allowed = DifferenceText(result.wanted[o], result.limits[o].abs);
      }
      if (o < result.outputs.size()) own = result.outputs[o].text;
      const bool own_bad =
          o < result.outputs.size() ? !result.outputs[o].verdict.passed : !result.wrong.empty();
      const std::string shape = absl::StrCat(tensor == nullptr ? "" : TypeName(tensor->type), " ",
                                             ShapeText(ShapeIn(outputs[o])));
      std::printf("#%-4d %-22s %-26s %-9s %-9s %-9s %s%s%s\n", node, cutter_.OpName(node).c_str(),
                  shape.c_str(), own.c_str(), allowed.c_str(), from_start.c_str(),
                  tensor == nullptr || tensor->name == nullptr ? "" : tensor->name,
                  bad || own_bad ? "  BAD" : "",
                  result.left.empty() ? "" : absl::StrCat("  (", result.left, ")").c_str());
    }
    std::fflush(stdout);
  }

  absl::StatusOr<int> Conclude(const std::optional<int>& first) const {
    if (!whole_error_.empty()) std::printf("the model as it runs: %s\n", whole_error_.c_str());
    if (!first.has_value()) {
      std::printf("no bad node\n");
      return whole_error_.empty() ? 0 : 1;
    }
    std::printf("first bad node: %s #%d%s, %s\n", cutter_.OpName(*first).c_str(), *first,
                first_.nodes.size() > 1 ? " with those that read it" : "", first_.wrong.c_str());
    if (options_.write.empty()) return 1;
    std::vector<const TfLiteTensor*> inputs;
    for (const int input : first_.cut.inputs) inputs.push_back(cpu_->Tensor(input));
    std::vector<std::string> ops;
    for (const int node : first_.nodes) ops.push_back(cutter_.OpName(node));
    absl::Status status = WriteDiffCase(options_.write, first_.cut, ops, inputs, first_.wanted,
                                        first_.limits, !HasDynamicRange(first_.nodes));
    if (!status.ok()) return status;
    std::printf("it alone: %s; tern verify %s%s\n", options_.write.c_str(),
                CaseFileOf(options_.write).c_str(), VerifyFlags().c_str());
    return 1;
  }

  std::string VerifyFlags() const {
    const EngineOptions& o = options_.engine;
    std::string flags = absl::StrCat(" --engine ", o.engine, " --precision ", o.precision);
    if (o.activations != "auto") absl::StrAppend(&flags, " --activations ", o.activations);
    if (o.sums != "f32") absl::StrAppend(&flags, " --sums ", o.sums);
    if (o.packed != "auto") absl::StrAppend(&flags, " --packed ", o.packed);
    if (o.slice_width != 0) absl::StrAppend(&flags, " --slice-width ", o.slice_width);
    if (!first_.whole) absl::StrAppend(&flags, " --allow-fallback");
    return flags;
  }

  const DiffOptions& options_;
  const DiffRule rule_;
  const Cutter cutter_;
  EngineOptions gpu_, plain_;
  std::unique_ptr<Engine> cpu_;           // after a run
  std::unique_ptr<Engine> gpu_engine_;    // after a run of the whole model
  std::vector<const TfLiteTensor*> all_;  // its results, by tensor; null where there is none
  std::string whole_error_;
  PartResult first_;  // of the first bad node
};

}  // namespace

absl::StatusOr<int> Diff(const DiffOptions& options) {
  if (options.engine.on_cpu() || absl::StartsWith(options.engine.engine, "null:")) {
    return absl::InvalidArgumentError(
        "diff: a GPU engine is compared with the CPU: --engine "
        "opencl, gles or host");
  }
  absl::StatusOr<Bytes> file = ReadFile(options.model);
  if (!file.ok()) return file.status();
  // The reader of parts relies on a sound file, which opening it tells.
  absl::StatusOr<std::unique_ptr<Engine>> sound = Engine::OpenBytes(*file, EngineOptions());
  if (!sound.ok()) {
    return absl::Status(sound.status().code(),
                        absl::StrCat(options.model, ": ", sound.status().message()));
  }
  sound->reset();
  return Comparison(options, *file).Run();
}

}  // namespace tern::cli
