// SPDX-License-Identifier: Apache-2.0
// Loading and preparing, through the public API alone.
#include "benchmark_model/session.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmark_model/model_file.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/interpreter_options.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/tools/logging.h"

namespace tern::tools {
namespace {

constexpr int kSpareEvents = 512;  // beside one for every node

}  // namespace

Session::~Session() = default;

absl::Status Session::Load() {
  const std::string& file = flags_->Text("graph");
  absl::StatusOr<ModelFile> opened = OpenModelFile(file);
  if (!opened.ok()) return opened.status();
  model_ = std::move(opened->model);
  model_mb_ = static_cast<double>(opened->bytes) / 1e6;
  TFLITE_LOG(INFO) << "Loaded model " << file;

  tflite::InterpreterOptions options;
  options.SetEnsureDynamicTensorsAreReleased(flags_->Bool("release_dynamic_tensors"));
  options.OptimizeMemoryForLargeTensors(flags_->Int("optimize_memory_for_large_tensors"));
  options.SetDisableDelegateClustering(flags_->Bool("disable_delegate_clustering"));
  options.SetCacheConstantCastOp(flags_->Bool("enable_builtin_cast_constant_cache"));
  const tflite::ops::builtin::BuiltinOpResolver resolver;
  tflite::InterpreterBuilder builder(*model_, resolver, &options);
  if (builder.SetNumThreads(flags_->Int("num_threads")) != kTfLiteOk) {
    return absl::InvalidArgumentError("Failed to set thread number");
  }
  if (builder(&interpreter_) != kTfLiteOk || interpreter_ == nullptr) {
    return absl::InternalError("Failed to initialize the interpreter");
  }
  interpreter_->SetAllowFp16PrecisionForFp32(flags_->Bool("allow_fp16"));
  if (!flags_->Bool("enable_op_profiling")) return absl::OkStatus();
  int nodes = 0;
  for (size_t i = 0; i < interpreter_->subgraphs_size(); ++i) {
    nodes += static_cast<int>(interpreter_->subgraph(static_cast<int>(i))->nodes_size());
  }
  int entries = std::max(1, flags_->Int("max_profiling_buffer_entries"));
  if (nodes > entries) entries = nodes + kSpareEvents;
  profiler_ = std::make_unique<tflite::profiling::BufferedProfiler>(
      static_cast<uint32_t>(entries), flags_->Bool("allow_dynamic_profiling_buffer_increase"));
  interpreter_->SetProfiler(profiler_.get());
  profiler_->StartProfiling();
  return absl::OkStatus();
}

absl::Status Session::ChooseSignature() {
  std::string wanted = flags_->Text("signature_to_run_for");
  std::vector<std::string> keys;
  for (const std::string* key : interpreter_->signature_keys()) keys.push_back(*key);
  graph_ = &interpreter_->primary_subgraph();
  if (keys.empty()) {
    return wanted.empty() ? absl::OkStatus()
                          : absl::InvalidArgumentError(
                                "Signature key is specified, but the model "
                                "does not have any signatures.");
  }
  if (keys.size() == 1 && wanted.empty()) wanted = keys.front();
  if (std::find(keys.begin(), keys.end(), wanted) == keys.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Signature not specified or incorrect. Pass one of the following to the flag "
                     "\"--signature_to_run_for\": ",
                     absl::StrJoin(keys, ", ")));
  }
  TFLITE_LOG(INFO) << "Using signature: " << wanted;
  signature_ = interpreter_->GetSignatureRunner(wanted.c_str());
  if (signature_ == nullptr) {
    return absl::InternalError(absl::StrCat("signature '", wanted, "' cannot be run"));
  }
  graph_ = interpreter_->subgraph(interpreter_->GetSubgraphIndexFromSignature(wanted.c_str()));
  return absl::OkStatus();
}

absl::Status Session::ResizeInputs() {
  const std::vector<int>& inputs = graph_->inputs();
  if (layers_->empty()) return absl::OkStatus();
  if (layers_->size() != inputs.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Inputs mismatch: Model inputs #:", layers_->size(), " expected: ", inputs.size()));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputLayer& layer = (*layers_)[i];
    const TfLiteTensor* tensor = graph_->tensor(inputs[i]);
    const std::string name = tensor->name == nullptr ? "" : tensor->name;
    if (layer.name != name) {
      TFLITE_LOG(WARN) << "Tensor # " << inputs[i] << " is named " << name << " but flags call it "
                       << layer.name;
    }
    if (tensor->type == kTfLiteString) continue;
    const int rank = tensor->dims == nullptr ? 0 : tensor->dims->size;
    if (static_cast<int>(layer.shape.size()) != rank) {
      return absl::InvalidArgumentError(
          absl::StrCat("Input tensor #", inputs[i], " should have ", rank, " dimensions!"));
    }
    if (graph_->ResizeInputTensor(inputs[i], layer.shape) != kTfLiteOk) {
      return absl::InvalidArgumentError(absl::StrCat(
          "Input tensor #", inputs[i], " cannot be resized to ", cli::ShapeText(layer.shape)));
    }
  }
  return absl::OkStatus();
}

absl::Status Session::TellDelegation(const std::string& name) {
  const std::vector<int>& plan = graph_->execution_plan();
  const auto kernels = std::count_if(plan.begin(), plan.end(), [this](int node) {
    return graph_->node_and_registration(node)->first.delegate != nullptr;
  });
  const bool all = kernels == 1 && plan.size() == 1;
  if (flags_->Bool("require_full_delegation") && !all) {
    return absl::FailedPreconditionError("Disallowed CPU fallback detected.");
  }
  const std::string applied =
      absl::StrCat("Explicitly applied ", name, " delegate, and the model graph will be ");
  if (all) {
    TFLITE_LOG(INFO) << applied << "completely executed by the delegate.";
  } else if (kernels > 0) {
    TFLITE_LOG(INFO) << applied << "partially executed by the delegate w/ " << kernels
                     << " delegate kernels.";
  } else {
    TFLITE_LOG(INFO) << "Though " << name
                     << " delegate is explicitly applied, the model graph will not be executed by "
                        "the delegate.";
  }
  return absl::OkStatus();
}

absl::Status Session::ApplyDelegates() {
  absl::StatusOr<std::vector<Delegate>> delegates = CreateDelegates(*flags_);
  if (!delegates.ok()) return delegates.status();
  delegates_ = *std::move(delegates);
  for (const Delegate& made : delegates_) {
    TFLITE_LOG(INFO) << made.name << " delegate created.";
  }
  if (delegates_.size() > 1) {
    TFLITE_LOG(INFO) << "Going to apply " << delegates_.size() << " delegates one after another.";
  }
  if (delegates_.empty() && flags_->Bool("require_full_delegation")) {
    return absl::FailedPreconditionError("Disallowed CPU fallback detected.");
  }
  for (const Delegate& made : delegates_) {
    if (interpreter_->ModifyGraphWithDelegate(made.delegate.get()) != kTfLiteOk) {
      return absl::InternalError(absl::StrCat("Failed to apply ", made.name, " delegate."));
    }
    absl::Status status = TellDelegation(made.name);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Session::Prepare() {
  absl::Status status = ChooseSignature();
  if (status.ok()) status = ResizeInputs();
  if (status.ok()) status = ApplyDelegates();
  if (!status.ok()) return status;
  const TfLiteStatus allocated =
      signature_ != nullptr ? signature_->AllocateTensors() : interpreter_->AllocateTensors();
  return allocated == kTfLiteOk ? absl::OkStatus()
                                : absl::InternalError("Failed to allocate tensors!");
}

absl::Status Session::MakeInputs() {
  data_.clear();
  const std::vector<int>& inputs = graph_->inputs();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TfLiteTensor* tensor = graph_->tensor(inputs[i]);
    InputData data;
    if (tensor->allocation_type != kTfLiteMmapRo) {  // constants keep what they have
      absl::StatusOr<InputData> made =
          MakeInputData(*tensor, layers_->empty() ? nullptr : &(*layers_)[i], i + 1);
      if (!made.ok()) return made.status();
      data = *std::move(made);
    }
    data_.push_back(std::move(data));
  }
  return absl::OkStatus();
}

absl::Status Session::WriteInputs() {
  for (size_t i = 0; i < data_.size(); ++i) {
    TfLiteTensor* tensor = graph_->tensor(graph_->inputs()[i]);
    if (tensor->allocation_type == kTfLiteMmapRo) continue;
    absl::Status status = WriteInputData(data_[i], tensor);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Session::Invoke() {
  const TfLiteStatus status = signature_ != nullptr ? signature_->Invoke() : interpreter_->Invoke();
  return status == kTfLiteOk ? absl::OkStatus() : absl::InternalError("Failed to invoke");
}

size_t Session::InputBytes() const {
  size_t bytes = 0;
  for (const int index : graph_->inputs()) {
    if (const TfLiteTensor* tensor = graph_->tensor(index)) bytes += tensor->bytes;
  }
  return bytes;
}

std::vector<const TfLiteTensor*> Session::Outputs() const {
  std::vector<const TfLiteTensor*> outputs;
  for (const int index : graph_->outputs()) outputs.push_back(graph_->tensor(index));
  return outputs;
}

}  // namespace tern::tools
