// SPDX-License-Identifier: Apache-2.0
// Building, preparing and running a model on an engine.
#include "cli/engine/engine.h"

#include <sys/resource.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cli/engine/engine_names.h"
#include "cli/inputs/fill.h"
#include "cli/progress.h"
#include "cli/reports/decisions.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/delegates/gpu/slow_partitions.h"
#include "tensorflow/lite/delegates/serialization.h"
#include "tensorflow/lite/instruction_set.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"
#include "tensorflow/lite/string_util.h"
#include "tensorflow/lite/version.h"

namespace tern::cli {
namespace {

// The plug-in entry reports through a plain function; creation happens on one thread.
thread_local std::string plugin_error;

void KeepPluginError(const char* text) { plugin_error = text; }

std::string Trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

int FindName(const std::vector<std::string>& names, const std::string& name) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

// A step of the start, as long as the scope.
class Step {
 public:
  Step(const char* name, std::vector<TraceSpan>* steps) : steps_(steps) {
    span_.name = name;
    span_.category = "start";
    span_.start_nanos = SteadyNanos();
  }
  ~Step() {
    span_.nanos = SteadyNanos() - span_.start_nanos;
    steps_->push_back(std::move(span_));
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

 private:
  std::vector<TraceSpan>* const steps_;
  TraceSpan span_;
};

}  // namespace

int ErrorLog::Report(const char* format, va_list args) {
  char line[1024];
  const int size = std::vsnprintf(line, sizeof(line), format, args);
  std::string text = Trimmed(line);
  if (!text.empty()) lines_.push_back(std::move(text));
  return size;
}

std::string ErrorLog::Take() {
  std::string text = absl::StrJoin(lines_, "; ");
  lines_.clear();
  return text;
}

std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)> CreateGpuDelegate(
    const EngineOptions& options, std::string* error) {
  const std::string width = std::to_string(options.slice_width);
  std::vector<const char*> keys = {"tern_precision", "max_delegated_partitions"};
  const std::string partitions = std::to_string(options.max_partitions);
  std::vector<const char*> values = {options.precision.c_str(), partitions.c_str()};
  if (!options.engine.empty()) {
    keys.push_back("tern_backend");
    values.push_back(options.engine.c_str());
  }
  if (options.slice_width != 0) {
    keys.push_back("tern_slice_width");
    values.push_back(width.c_str());
  }
  if (!options.fuse) {
    keys.push_back("tern_fuse");
    values.push_back("0");
  }
  const int flags =
      (options.quantized ? TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT : 0) |
      (options.cache_dir.empty() ? 0 : TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION);
  const std::string flags_text = std::to_string(flags);
  keys.push_back("experimental_flags");
  values.push_back(flags_text.c_str());
  if (options.activations != "auto") {
    keys.push_back("tern_activations");
    values.push_back(options.activations.c_str());
  }
  if (options.sums != "f32") {
    keys.push_back("tern_sums");
    values.push_back(options.sums.c_str());
  }
  if (options.guard) {
    keys.push_back("tern_guard");
    values.push_back("1");
  }
  if (options.winograd) {
    keys.push_back("tern_winograd");
    values.push_back("1");
  }
  if (options.packed != "auto") {
    keys.push_back("tern_packed");
    values.push_back(options.packed == "on" ? "1" : "0");
  }
  for (const auto& [key, list] :
       {std::pair("tern_least_gain_us", &options.gpu_least_gain),
        std::pair("serialization_dir", &options.cache_dir),
        std::pair("model_token", &options.model_token), std::pair("tern_allow", &options.gpu_allow),
        std::pair("tern_deny", &options.gpu_deny)}) {
    if (list->empty()) continue;
    keys.push_back(key);
    values.push_back(list->c_str());
  }
  const std::string tuning_ms = absl::StrCat(static_cast<int64_t>(options.tune_seconds * 1000));
  if (options.tune_seconds >= 0) {
    keys.push_back("tern_tuning_ms");
    values.push_back(tuning_ms.c_str());
  }
  if (options.list) {
    keys.push_back("tern_list");
    values.push_back("1");
  }
  if (options.trace) {
    keys.push_back("tern_trace");
    values.push_back("1");
  }
  if (options.plan_only) {
    keys.push_back("tern_plan_only");
    values.push_back("1");
  }
  plugin_error.clear();
  std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)> delegate(
      tflite_plugin_create_delegate(keys.data(), values.data(), keys.size(), KeepPluginError),
      tflite_plugin_destroy_delegate);
  if (delegate == nullptr) {
    *error = plugin_error.empty() ? "the delegate could not be created" : Trimmed(plugin_error);
  }
  return delegate;
}

Engine::Engine(EngineOptions options)
    : options_(std::move(options)), delegate_(nullptr, tflite_plugin_destroy_delegate) {}

Engine::~Engine() = default;

absl::Status Engine::Error(const std::string& what) {
  const std::string log = log_.Take();
  const std::string text = log.empty() ? what : absl::StrCat(what, ": ", log);
  const bool no_kernel = absl::StrContains(log, "Didn't find op") ||
                         absl::StrContains(log, "unresolved custom op") ||
                         absl::StrContains(log, "not supported yet");
  return no_kernel ? absl::UnimplementedError(text) : absl::InternalError(text);
}

absl::StatusOr<std::unique_ptr<Engine>> Engine::Open(const std::string& model_path,
                                                     const EngineOptions& options) {
  if (absl::Status status = CheckReadable(model_path); !status.ok()) return status;
  std::unique_ptr<Engine> engine(new Engine(options));
  {
    const Step step("load", &engine->start_);
    engine->model_ =
        tflite::FlatBufferModel::VerifyAndBuildFromFile(model_path.c_str(), nullptr, &engine->log_);
  }
  if (engine->model_ == nullptr) {
    return engine->Error(absl::StrCat(model_path, ": not a usable model"));
  }
  absl::Status status = engine->Build();
  if (!status.ok()) return status;
  return engine;
}

absl::StatusOr<std::unique_ptr<Engine>> Engine::OpenBytes(const Bytes& model,
                                                          const EngineOptions& options) {
  std::unique_ptr<Engine> engine(new Engine(options));
  engine->bytes_ = model;
  {
    const Step step("load", &engine->start_);
    engine->model_ = tflite::FlatBufferModel::VerifyAndBuildFromBuffer(
        reinterpret_cast<const char*>(engine->bytes_.data()), engine->bytes_.size(), nullptr,
        &engine->log_);
  }
  if (engine->model_ == nullptr) return engine->Error("not a usable model");
  absl::Status status = engine->Build();
  if (!status.ok()) return status;
  return engine;
}

absl::Status Engine::Build() {
  const Step step("build", &start_);
  const tflite::ops::builtin::BuiltinOpResolver known;
  const AnyOpResolver any;
  const tflite::OpResolver* const resolver = options_.stand_ins ? &any : &known;
  tflite::InterpreterOptions experimental;
  experimental.SetPreserveAllTensors(options_.keep_tensors);
  tflite::InterpreterBuilder builder(*model_, *resolver, &experimental);
  if (options_.threads >= 0) builder.SetNumThreads(options_.threads);
  if (builder(&interpreter_) != kTfLiteOk || interpreter_ == nullptr) {
    return Error("the model cannot be built");
  }
  if (options_.stand_ins) stand_ins_ = std::make_unique<StandIns>(interpreter_.get(), &log_);
  if (!options_.signature.empty()) return ChooseSignature();
  nodes_ = static_cast<int>(interpreter_->execution_plan().size());
  for (size_t i = 0; i < interpreter_->inputs().size(); ++i) {
    const char* name = interpreter_->GetInputName(static_cast<int>(i));
    input_names_.emplace_back(name == nullptr ? "" : name);
  }
  for (size_t i = 0; i < interpreter_->outputs().size(); ++i) {
    const char* name = interpreter_->GetOutputName(static_cast<int>(i));
    output_names_.emplace_back(name == nullptr ? "" : name);
  }
  return absl::OkStatus();
}

absl::Status Engine::ChooseSignature() {
  const char* key = options_.signature.c_str();
  signature_ = interpreter_->GetSignatureRunner(key);
  if (signature_ == nullptr) {
    std::vector<std::string> keys;
    for (const std::string* known : interpreter_->signature_keys()) keys.push_back(*known);
    return absl::NotFoundError(absl::StrCat("the model has no signature '", key, "' (it has ",
                                            keys.empty() ? "none" : absl::StrJoin(keys, ", "),
                                            ")"));
  }
  const int subgraph = interpreter_->GetSubgraphIndexFromSignature(key);
  if (subgraph >= 0) {
    nodes_ = static_cast<int>(interpreter_->subgraph(subgraph)->execution_plan().size());
  }
  for (const char* name : signature_->input_names()) input_names_.emplace_back(name);
  for (const char* name : signature_->output_names()) output_names_.emplace_back(name);
  return absl::OkStatus();
}

absl::Status Engine::Resize(int input, const std::vector<int>& shape) {
  if (input < 0 || input >= input_count()) {
    return absl::InvalidArgumentError(
        absl::StrCat("input ", input, ": the model has ", input_count(), " inputs"));
  }
  const TfLiteStatus status = signature_ != nullptr
                                  ? signature_->ResizeInputTensor(input_name(input).c_str(), shape)
                                  : interpreter_->ResizeInputTensor(
                                        interpreter_->inputs()[static_cast<size_t>(input)], shape);
  if (status == kTfLiteOk) return absl::OkStatus();
  return Error(absl::StrCat("input ", input, ": cannot be resized to ", ShapeText(shape)));
}

absl::Status Engine::ApplyDelegate() {
  std::string error;
  if (!options_.cache_dir.empty() && options_.model_token.empty()) {
    const tflite::Allocation* const file = model_->allocation();
    options_.model_token = tflite::delegates::StrFingerprint(file->base(), file->bytes());
  }
  delegate_ = CreateGpuDelegate(options_, &error);
  if (delegate_ == nullptr) {
    const bool missing = absl::StrContains(error, "no usable GPU");
    return absl::UnavailableError(
        absl::StrCat(options_.engine, ": ", error, missing ? kSeeDevices : ""));
  }
  const TfLiteStatus status = interpreter_->ModifyGraphWithDelegate(delegate_.get());
  if (status == kTfLiteOk) return absl::OkStatus();
  const std::string what = absl::StrCat(options_.engine, ": the delegate was not applied");
  // Only this status says that delegate and graph do not fit together; anything else is a defect.
  if (status != kTfLiteApplicationError) return Error(what);
  not_applied_ = WhyNotApplied();
  if (options_.allow_fallback) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(what, ": ", not_applied_));
}

// The runtime says it in a log of its own when a shape depends on data.
std::string Engine::WhyNotApplied() {
  std::string log = log_.Take();
  if (!log.empty()) return log;
  for (const int node : interpreter_->execution_plan()) {
    const TfLiteIntArray* outputs = interpreter_->node_and_registration(node)->first.outputs;
    for (int i = 0; i < outputs->size; ++i) {
      const TfLiteTensor* tensor = interpreter_->tensor(outputs->data[i]);
      const bool open = tensor != nullptr && tensor->allocation_type == kTfLiteDynamic &&
                        tensor->type != kTfLiteResource;
      if (!open) continue;
      return absl::StrCat("the shape of tensor '", tensor->name == nullptr ? "" : tensor->name,
                          "' is known only when the model runs");
    }
  }
  return "it does not fit the graph";
}

absl::Status Engine::Prepare() {
  if (!options_.on_cpu()) {
    const Step step("delegate", &start_);
    const Progress progress(absl::StrCat("preparing the model on ", options_.engine));
    absl::Status status = ApplyDelegate();
    if (!status.ok()) return status;
  }
  const Step step("allocate", &start_);
  const TfLiteStatus status =
      signature_ != nullptr ? signature_->AllocateTensors() : interpreter_->AllocateTensors();
  if (status != kTfLiteOk) return Error("tensors cannot be allocated");
  return absl::OkStatus();
}

absl::Status Engine::DropSlowParts(int runs) {
  if (delegate_ == nullptr) return absl::OkStatus();
  if (signature_ != nullptr) {
    return absl::InvalidArgumentError(
        "parts are measured in the primary subgraph, not in one of a "
        "signature");
  }
  if (DropSlowGpuPartitions(interpreter_.get(), delegate_.get(), runs) == kTfLiteOk) {
    return absl::OkStatus();
  }
  return Error("parts on the GPU could not be measured");
}

absl::Status Engine::Invoke() {
  const TfLiteStatus status = signature_ != nullptr ? signature_->Invoke() : interpreter_->Invoke();
  if (status != kTfLiteOk) return Error("the run failed");
  return absl::OkStatus();
}

int Engine::FindInput(const std::string& name) const { return FindName(input_names_, name); }
int Engine::FindOutput(const std::string& name) const { return FindName(output_names_, name); }

TfLiteTensor* Engine::input(int i) {
  return signature_ != nullptr ? signature_->input_tensor(input_name(i).c_str())
                               : interpreter_->input_tensor(static_cast<size_t>(i));
}

const TfLiteTensor* Engine::output(int i) {
  return signature_ != nullptr ? signature_->output_tensor(output_name(i).c_str())
                               : interpreter_->output_tensor(static_cast<size_t>(i));
}

absl::Status Engine::SetInput(int i, const Bytes& data) {
  TfLiteTensor* tensor = input(i);
  if (tensor == nullptr) return absl::InternalError(absl::StrCat("input ", i, ": not in use"));
  if (data.size() != tensor->bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("input ", i, ": ", data.size(), " bytes given, ", tensor->bytes, " needed"));
  }
  if (tensor->allocation_type == kTfLiteMmapRo) {
    return absl::InvalidArgumentError(absl::StrCat("input ", i, ": a constant of the model"));
  }
  if (!data.empty()) std::memcpy(tensor->data.raw, data.data(), data.size());
  return absl::OkStatus();
}

absl::Status Engine::FillInput(int i) {
  TfLiteTensor* tensor = input(i);
  if (tensor == nullptr || tensor->allocation_type == kTfLiteMmapRo) return absl::OkStatus();
  if (tensor->type == kTfLiteString) {
    tflite::DynamicBuffer strings;
    for (int64_t n = ElementCount(ShapeOf(*tensor)); n > 0; --n) strings.AddString("", 0);
    strings.WriteToTensor(tensor, nullptr);
    return absl::OkStatus();
  }
  absl::StatusOr<Bytes> data =
      FillDefault(ShapeOf(*tensor), tensor->type, static_cast<uint64_t>(i) + 1);
  if (!data.ok()) return data.status();
  return SetInput(i, *data);
}

std::vector<std::string> Engine::OutputStrings(int i) {
  std::vector<std::string> strings;
  const TfLiteTensor* tensor = output(i);
  if (tensor == nullptr || tensor->type != kTfLiteString || tensor->data.raw == nullptr) {
    return strings;
  }
  const int count = tflite::GetStringCount(tensor);
  for (int s = 0; s < count; ++s) {
    const tflite::StringRef ref = tflite::GetString(tensor, s);
    strings.emplace_back(ref.str, static_cast<size_t>(ref.len));
  }
  return strings;
}

bool Engine::HasState() const {
  for (size_t i = 0; i < interpreter_->subgraphs_size(); ++i) {
    if (!interpreter_->subgraph(static_cast<int>(i))->variables().empty()) return true;
  }
  return false;
}

Report Engine::MakeReport() {
  Report report;
  report.engine = options_.engine;
  report.choice = absl::StrCat(options_.engine, ": ", options_.why);
  report.precision = options_.precision;
  report.instruction_set = TfLiteInstructionSet();
  report.nodes = nodes_;
  for (const TraceSpan& span : start_) report.start_us[span.name] += span.nanos / 1000;
  if (options_.on_cpu()) {
    report.device = CpuName();
    report.driver = absl::StrCat("tern ", TFLITE_VERSION_STRING);
    report.precision = "f32";
  } else if (delegate_ != nullptr) {
    ReadDelegateReport(TfLiteGpuDelegateV2Report(delegate_.get()), &report);
  }
  if (!not_applied_.empty()) {
    report.nodes = nodes_;
    report.not_applied = not_applied_;
    report.decisions = NotAppliedDecisions(*interpreter_, not_applied_);
  }
  if (stand_ins_ != nullptr) TellOfStandIns(stand_ins_->All(), *interpreter_, &report);
  return report;
}

void Engine::SetProfiler(tflite::Profiler* profiler) { interpreter_->SetProfiler(profiler); }

const TfLiteTensor* Engine::NodeOutput(int subgraph, int node) {
  tflite::Subgraph* graph = interpreter_->subgraph(subgraph);
  if (graph == nullptr) return nullptr;
  const auto* found = graph->node_and_registration(node);
  if (found == nullptr || found->first.outputs->size == 0) return nullptr;
  return graph->tensor(found->first.outputs->data[0]);
}

const TfLiteTensor* Engine::Tensor(int index) {
  const auto count = static_cast<int>(interpreter_->tensors_size());
  return index < 0 || index >= count ? nullptr : interpreter_->tensor(index);
}

std::string Engine::Metadata(const std::string& name) const {
  const std::map<std::string, std::string> metadata = model_->ReadAllMetadata();
  const auto found = metadata.find(name);
  return found == metadata.end() ? "" : found->second;
}

Activations Engine::ActivationBytes() {
  Activations sum;
  for (const SubgraphMemory& memory : Memory()) {
    const size_t other = memory.persistent_bytes + memory.dynamic_bytes;
    sum.bytes += memory.arena_bytes + other;
    sum.lower_bound += memory.arena_lower_bound + other;
  }
  return sum;
}

std::vector<SubgraphMemory> Engine::Memory() {
  std::vector<SubgraphMemory> all;
  for (size_t i = 0; i < interpreter_->subgraphs_size(); ++i) {
    const tflite::Subgraph* graph = interpreter_->subgraph(static_cast<int>(i));
    tflite::Subgraph::SubgraphAllocInfo info{};
    graph->GetMemoryAllocInfo(&info);
    all.push_back({info.arena_size, info.arena_lower_bound, info.arena_persist_size,
                   info.dynamic_size, ArenaBlocks(*graph)});
  }
  return all;
}

std::string CpuName() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "cpu";
}

// The kernel's record of resource use, which systems without /proc have too, begins with what the
// parent used when it started this program.
size_t PeakRssBytes() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<size_t>(usage.ru_maxrss) * 1024;
}

}  // namespace tern::cli
