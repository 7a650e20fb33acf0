// SPDX-License-Identifier: Apache-2.0
//
// Interpreter: graphs, tensors, running. Most calls go to the primary subgraph.
#include "tensorflow/lite/core/interpreter.h"

#include <cstdarg>
#include <cstdlib>

#include "model/metadata.h"
#include "tensorflow/lite/external_cpu_backend_context.h"
#include "tensorflow/lite/profiling/root_profiler.h"

namespace tflite {
namespace {

// The full form of per-tensor parameters; no scale means not quantized.
TfLiteQuantization ToQuantization(const TfLiteQuantizationParams& params) {
  TfLiteQuantization quantization = {kTfLiteNoQuantization, nullptr};
  if (params.scale == 0) return quantization;
  auto* affine =
      static_cast<TfLiteAffineQuantization*>(std::malloc(sizeof(TfLiteAffineQuantization)));
  affine->scale = TfLiteFloatArrayCreate(1);
  affine->scale->data[0] = params.scale;
  affine->zero_point = TfLiteIntArrayCreate(1);
  affine->zero_point->data[0] = params.zero_point;
  affine->quantized_dimension = 0;
  quantization.type = kTfLiteAffineQuantization;
  quantization.params = affine;
  return quantization;
}

}  // namespace

const int& Interpreter::kTensorsReservedCapacity = Subgraph::kTensorsReservedCapacity;
const int& Interpreter::kTensorsCapacityHeadroom = Subgraph::kTensorsCapacityHeadroom;

Interpreter::Interpreter(ErrorReporter* error_reporter)
    : profilers_(std::make_unique<profiling::RootProfiler>()),
      error_reporter_(error_reporter != nullptr ? error_reporter : DefaultErrorReporter()),
      own_cpu_backend_(std::make_unique<ExternalCpuBackendContext>()) {
  external_contexts_[kTfLiteCpuBackendContext] = own_cpu_backend_.get();
  AddSubgraphs(1);
  context_ = primary_subgraph().context();
}

// Graphs end before anything that they refer to.
Interpreter::~Interpreter() {
  signature_runners_.clear();
  subgraphs_.clear();
  // A context that others share is left without what belongs to this interpreter's constants.
  auto* cpu_backend = ExternalCpuBackendContext::From(external_contexts_[kTfLiteCpuBackendContext]);
  if (cpu_backend != nullptr && cpu_backend != own_cpu_backend_.get() &&
      cpu_backend->internal_backend_context() != nullptr) {
    cpu_backend->internal_backend_context()->ClearCaches();
  }
}

void Interpreter::ReportError(const char* format, ...) const {
  va_list args;
  va_start(args, format);
  error_reporter_->Report(format, args);
  va_end(args);
}

// ---- Graphs.

void Interpreter::AddSubgraphs(int subgraphs_to_add, int* first_new_subgraph_index) {
  const size_t first = subgraphs_.size();
  if (first_new_subgraph_index != nullptr) *first_new_subgraph_index = static_cast<int>(first);
  for (int i = 0; i < subgraphs_to_add; ++i) {
    const int index = static_cast<int>(subgraphs_.size());
    subgraphs_.push_back(std::make_unique<Subgraph>(error_reporter_, external_contexts_,
                                                    &subgraphs_, &resources_, &resource_ids_,
                                                    &initialization_status_map_, index));
    Subgraph* added = subgraphs_.back().get();
    added->SetOptions(options_.get());
    if (context_ != nullptr) {
      added->context()->recommended_num_threads = context_->recommended_num_threads;
      added->context()->allow_fp32_relax_to_fp16 = context_->allow_fp32_relax_to_fp16;
    }
  }
  UpdateProfilers();
}

Subgraph* Interpreter::subgraph(int subgraph_index) {
  if (subgraph_index < 0 || static_cast<size_t>(subgraph_index) >= subgraphs_.size()) {
    return nullptr;
  }
  return subgraphs_[subgraph_index].get();
}

const Subgraph* Interpreter::subgraph(int subgraph_index) const {
  return const_cast<Interpreter*>(this)->subgraph(subgraph_index);
}

TfLiteStatus Interpreter::SetInputs(std::vector<int> inputs) {
  return primary_subgraph().SetInputs(std::move(inputs));
}

TfLiteStatus Interpreter::SetOutputs(std::vector<int> outputs) {
  return primary_subgraph().SetOutputs(std::move(outputs));
}

TfLiteStatus Interpreter::SetVariables(std::vector<int> variables) {
  return primary_subgraph().SetVariables(std::move(variables));
}

TfLiteStatus Interpreter::AddTensors(int tensors_to_add, int* first_new_tensor_index) {
  return primary_subgraph().AddTensors(tensors_to_add, first_new_tensor_index);
}

TfLiteStatus Interpreter::AddNodeWithParameters(const std::vector<int>& inputs,
                                                const std::vector<int>& outputs,
                                                const char* init_data, size_t init_data_size,
                                                void* builtin_data,
                                                const TfLiteRegistration* registration,
                                                int* node_index) {
  return primary_subgraph().AddNodeWithParameters(inputs, outputs, {}, init_data, init_data_size,
                                                  builtin_data, registration, node_index);
}

TfLiteStatus Interpreter::SetTensorParametersReadOnly(int tensor_index, TfLiteType type,
                                                      const char* name,
                                                      const std::vector<int>& dims,
                                                      TfLiteQuantization quantization,
                                                      const char* buffer, size_t bytes,
                                                      const Allocation* allocation) {
  return primary_subgraph().SetTensorParametersReadOnly(tensor_index, type, name, dims,
                                                        quantization, buffer, bytes, allocation);
}

TfLiteStatus Interpreter::SetTensorParametersReadOnly(int tensor_index, TfLiteType type,
                                                      const char* name, size_t rank,
                                                      const int* dims,
                                                      TfLiteQuantizationParams quantization,
                                                      const char* buffer, size_t bytes,
                                                      const Allocation* allocation) {
  return primary_subgraph().SetTensorParametersReadOnly(tensor_index, type, name, rank, dims,
                                                        ToQuantization(quantization), buffer, bytes,
                                                        allocation);
}

TfLiteStatus Interpreter::SetTensorParametersReadWrite(int tensor_index, TfLiteType type,
                                                       const char* name,
                                                       const std::vector<int>& dims,
                                                       TfLiteQuantization quantization,
                                                       bool is_variable) {
  return primary_subgraph().SetTensorParametersReadWrite(tensor_index, type, name, dims,
                                                         quantization, is_variable);
}

TfLiteStatus Interpreter::SetTensorParametersReadWrite(int tensor_index, TfLiteType type,
                                                       const char* name, size_t rank,
                                                       const int* dims,
                                                       TfLiteQuantizationParams quantization,
                                                       bool is_variable, size_t rank_signature,
                                                       const int* dims_signature) {
  return primary_subgraph().SetTensorParametersReadWrite(tensor_index, type, name, rank, dims,
                                                         ToQuantization(quantization), is_variable,
                                                         rank_signature, dims_signature);
}

TfLiteStatus Interpreter::SetExecutionPlan(const std::vector<int>& new_plan) {
  return primary_subgraph().SetExecutionPlan(new_plan);
}

TfLiteStatus Interpreter::SetMetadata(const std::map<std::string, std::string>& metadata) {
  metadata_ = metadata;
  tern::ModelControlDependencies dependencies;
  const auto found = metadata_.find(tern::kControlDependenciesKey);
  const bool has_edges = found != metadata_.end();
  if (has_edges) {
    auto parsed = tern::ParseControlDependencies(found->second);
    if (!parsed.ok()) {
      ReportError("Invalid control dependencies: %s", parsed.status().ToString().c_str());
      return kTfLiteError;
    }
    dependencies = *std::move(parsed);
  }
  dependencies.resize(subgraphs_.size());
  for (size_t i = 0; i < subgraphs_.size(); ++i) {
    subgraphs_[i]->SetMetadata(&metadata_, has_edges ? &dependencies[i] : nullptr);
  }
  return kTfLiteOk;
}

// ---- Inspection.

TfLiteTensor* Interpreter::PositionalTensor(const std::vector<int>& indices,
                                            size_t position) const {
  if (position >= indices.size()) return nullptr;
  return const_cast<Interpreter*>(this)->tensor(indices[position]);
}

const char* Interpreter::GetInputName(int index) const {
  const TfLiteTensor* input = PositionalTensor(inputs(), static_cast<size_t>(index));
  if (input == nullptr) return nullptr;
  return input->name != nullptr ? input->name : "";
}

const char* Interpreter::GetOutputName(int index) const {
  const TfLiteTensor* output = PositionalTensor(outputs(), static_cast<size_t>(index));
  if (output == nullptr) return nullptr;
  return output->name != nullptr ? output->name : "";
}

const std::pair<TfLiteNode, TfLiteRegistration>* Interpreter::node_and_registration(
    int subgraph_index, int node_index) const {
  const Subgraph* graph = subgraph(subgraph_index);
  return graph != nullptr ? graph->node_and_registration(node_index) : nullptr;
}

// ---- Running.

TfLiteStatus Interpreter::AllocateTensors() {
  TF_LITE_ENSURE_STATUS(ApplyLazyDelegateProviders());
  return primary_subgraph().AllocateTensors();
}

TfLiteStatus Interpreter::ResizeInputTensor(int tensor_index, const std::vector<int>& dims) {
  return primary_subgraph().ResizeInputTensor(tensor_index, dims);
}

TfLiteStatus Interpreter::ResizeInputTensorStrict(int tensor_index, const std::vector<int>& dims) {
  return primary_subgraph().ResizeInputTensorStrict(tensor_index, dims);
}

TfLiteStatus Interpreter::Invoke() {
  return InvokeSubgraph(&primary_subgraph(), allow_buffer_handle_output_);
}

TfLiteStatus Interpreter::InvokeSubgraph(Subgraph* subgraph, bool allow_buffer_handle_output) {
  ScopedRuntimeInstrumentationProfile profile(GetProfiler(), "invoke");
  if (cancellation_enabled_) continue_invocation_.test_and_set();
  TfLiteStatus status = subgraph->Invoke();
  if (status == kTfLiteOk && !allow_buffer_handle_output) {
    for (int output : subgraph->outputs()) {
      if (output == kTfLiteOptionalTensor) continue;
      status = subgraph->EnsureTensorDataIsReadable(output);
      if (status != kTfLiteOk) break;
    }
  }
  profile.set_runtime_status(/*delegate_status=*/0, status);
  return status;
}

TfLiteStatus Interpreter::ReleaseNonPersistentMemory() {
  return primary_subgraph().ReleaseNonPersistentMemory();
}

TfLiteStatus Interpreter::ResetVariableTensors() {
  for (auto& graph : subgraphs_) TF_LITE_ENSURE_STATUS(graph->ResetVariableTensors());
  return kTfLiteOk;
}

TfLiteStatus Interpreter::SetNumThreads(int num_threads) {
  if (num_threads < -1) {
    ReportError("num_threads should be >=0 or just -1 to let TFLite runtime set the value.");
    return kTfLiteError;
  }
  if (num_threads == 0) num_threads = 1;
  for (auto& graph : subgraphs_) graph->context()->recommended_num_threads = num_threads;
  for (TfLiteExternalContext* external : external_contexts_) {
    if (external == nullptr || external->Refresh == nullptr) continue;
    TF_LITE_ENSURE_STATUS(external->Refresh(context_));
  }
  return kTfLiteOk;
}

void Interpreter::SetAllowFp16PrecisionForFp32(bool allow) {
  for (auto& graph : subgraphs_) graph->context()->allow_fp32_relax_to_fp16 = allow;
}

bool Interpreter::GetAllowFp16PrecisionForFp32() const {
  return context_->allow_fp32_relax_to_fp16;
}

void Interpreter::SetCancellationFunction(void* data, bool (*check_cancelled_func)(void*)) {
  for (auto& graph : subgraphs_) graph->SetCancellationFunction(data, check_cancelled_func);
}

TfLiteStatus Interpreter::EnableCancellation() {
  cancellation_enabled_ = true;
  continue_invocation_.test_and_set();
  for (auto& graph : subgraphs_) graph->EnableCancellation(&continue_invocation_);
  return kTfLiteOk;
}

TfLiteStatus Interpreter::Cancel() {
  if (!cancellation_enabled_) return kTfLiteError;
  continue_invocation_.clear();
  return kTfLiteOk;
}

// ---- Memory and options.

TfLiteStatus Interpreter::SetCustomAllocationForTensor(int tensor_index,
                                                       const TfLiteCustomAllocation& allocation,
                                                       int64_t flags) {
  return primary_subgraph().SetCustomAllocationForTensor(tensor_index, allocation, flags);
}

TfLiteStatus Interpreter::SetAllocator(TfLiteAllocator* allocator) {
  for (auto& graph : subgraphs_) TF_LITE_ENSURE_STATUS(graph->SetAllocator(allocator));
  return kTfLiteOk;
}

TfLiteStatus Interpreter::ApplyOptions(InterpreterOptions* options) {
  if (options == nullptr) return kTfLiteOk;
  options_ = std::make_unique<InterpreterOptions>(*options);
  for (auto& graph : subgraphs_) graph->SetOptions(options_.get());
  return kTfLiteOk;
}

void Interpreter::SetExternalContext(TfLiteExternalContextType type,
                                     TfLiteExternalContext* context) {
  SetExternalContext(context_, type, context);
}

void Interpreter::SetExternalContext(TfLiteContext* context, TfLiteExternalContextType type,
                                     TfLiteExternalContext* external_context) {
  context->SetExternalContext(context, type, external_context);
}

// ---- Profiling.

void Interpreter::SetProfiler(Profiler* profiler) {
  profilers_->RemoveChildProfilers();
  AddProfiler(profiler);
  UpdateProfilers();
}

void Interpreter::SetProfiler(std::unique_ptr<Profiler> profiler) {
  profilers_->RemoveChildProfilers();
  AddProfiler(std::move(profiler));
  UpdateProfilers();
}

void Interpreter::AddProfiler(Profiler* profiler) {
  if (profiler == nullptr) return;
  profilers_->AddProfiler(profiler);
  UpdateProfilers();
}

void Interpreter::AddProfiler(std::unique_ptr<Profiler> profiler) {
  if (profiler == nullptr) return;
  profilers_->AddProfiler(std::move(profiler));
  UpdateProfilers();
}

Profiler* Interpreter::GetProfiler() {
  return profilers_->HasChildProfilers() ? profilers_.get() : nullptr;
}

void Interpreter::UpdateProfilers() {
  for (size_t i = 0; i < subgraphs_.size(); ++i) {
    subgraphs_[i]->SetProfiler(GetProfiler(), static_cast<int>(i));
  }
}

}  // namespace tflite
