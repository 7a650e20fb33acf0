// SPDX-License-Identifier: Apache-2.0
//
// Subgraph: its API over its parts. Functions on single tensors stand in tensors.cc.
#include "tensorflow/lite/core/subgraph.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "abi/called_graph.h"
#include "runtime/abi_context.h"
#include "runtime/subgraph_parts.h"
#include "runtime/tensor_memory.h"
#include "tensorflow/lite/core/api/tensor_utils.h"
#include "tensorflow/lite/profiling/telemetry/telemetry.h"
#include "tensorflow/lite/stderr_reporter.h"

namespace tern {

GraphState& GraphState::Of(tflite::Subgraph& subgraph) { return SubgraphParts::Of(subgraph).graph; }

// Kernels call the context while they are freed: the Subgraph still has its parts then.
void SubgraphParts::Clear() {
  for (size_t i = 0; i < graph.nodes.size(); ++i) graph.CleanupNode(static_cast<int>(i));
  delegation.FreeAll();
  graph.FreeTensors();
}

TfLiteStatus SubgraphParts::Allocate() {
  TFLITE_SCOPED_TAGGED_DEFAULT_PROFILE(graph.profiler.get(), "AllocateTensors");
  if (!graph.consistent) {
    graph.ReportError("AllocateTensors() called on inconsistent model.");
    return kTfLiteError;
  }
  if (graph.invoking) {
    graph.ReportError("AllocateTensors() called on a subgraph that is running.");
    return kTfLiteError;
  }
  if (graph.preparing) {
    graph.ReportError("Subgraph %d calls itself, directly or through others.",
                      graph.subgraph_index);
    return kTfLiteError;
  }
  TF_LITE_ENSURE_STATUS(delegation.RedoAll());
  TF_LITE_ENSURE_STATUS(inliner.Inline());
  return preparer.Allocate();
}

// ---- A graph as the operator sees that runs it.

void BorrowInput(tflite::Subgraph* graph, int tensor_index) {
  SubgraphParts::Of(*graph).outside.Borrow(tensor_index);
}

bool IsBorrowed(const tflite::Subgraph& graph, int tensor_index) {
  return SubgraphParts::Of(graph).outside.IsBorrowed(tensor_index);
}

TfLiteStatus AllocateForCaller(tflite::Subgraph* graph) {
  const TfLiteStatus status = SubgraphParts::Of(*graph).Allocate();
  tflite::telemetry::TelemetryReportEvent(graph->context(), "AllocateTensors", status);
  return status;
}

bool IsReady(const tflite::Subgraph& graph) { return SubgraphParts::Of(graph).preparer.IsReady(); }

}  // namespace tern

namespace tflite {

using tern::GraphState;

Subgraph::Subgraph(ErrorReporter* error_reporter, TfLiteExternalContext** external_contexts,
                   std::vector<std::unique_ptr<Subgraph>>* subgraphs,
                   resource::ResourceMap* resources, resource::ResourceIDMap* resource_ids,
                   resource::InitializationStatusMap* initialization_status_map, int subgraph_index)
    : parts_(std::make_unique<tern::SubgraphParts>()) {
  GraphState& graph = parts_->graph;
  graph.error_reporter = error_reporter != nullptr ? error_reporter : DefaultErrorReporter();
  graph.external_contexts = external_contexts;
  graph.subgraphs = subgraphs;
  graph.resources = resources;
  graph.resource_ids = resource_ids;
  graph.initialization_status_map = initialization_status_map;
  graph.subgraph_index = subgraph_index;
  graph.tensors.reserve(kTensorsReservedCapacity);
  graph.UpdateTensorsPointer();
  tern::SetUpContext(this, &graph.context);
}

Subgraph::Subgraph(Subgraph&& other) : parts_(std::move(other.parts_)) {
  parts_->graph.context.impl_ = this;
  parts_->graph.readiness = GraphState::kUninvokable;
}

Subgraph::~Subgraph() {
  if (parts_ != nullptr) parts_->Clear();
}

// ---- Building.

TfLiteStatus Subgraph::SetInputs(Indices inputs) {
  return parts_->graph.SetOperands("inputs", std::move(inputs), &parts_->graph.inputs);
}

TfLiteStatus Subgraph::SetOutputs(Indices outputs) {
  return parts_->graph.SetOperands("outputs", std::move(outputs), &parts_->graph.outputs);
}

TfLiteStatus Subgraph::SetVariables(Indices variables) {
  GraphState& graph = parts_->graph;
  TF_LITE_ENSURE_STATUS(graph.CheckTensorIndices("variables", variables.data(), variables.size()));
  graph.variables = std::move(variables);
  return kTfLiteOk;
}

TfLiteStatus Subgraph::AddTensors(int tensors_to_add, int* first_new_tensor_index) {
  return parts_->graph.AddTensors(tensors_to_add, first_new_tensor_index);
}

TfLiteStatus Subgraph::AddNodeWithParameters(const Indices& inputs, const Indices& outputs,
                                             const Indices& intermediates, const char* init_data,
                                             size_t init_data_size, void* builtin_data,
                                             const TfLiteRegistration* op, int* node_index) {
  GraphState& graph = parts_->graph;
  if (op == nullptr || graph.readiness == GraphState::kInvokableAndImmutable) {
    std::free(builtin_data);
    graph.ReportError(op == nullptr
                          ? "Null registration."
                          : "AddNodeWithParameters is disallowed when graph is immutable.");
    return kTfLiteError;
  }
  graph.readiness = GraphState::kUninvokable;
  return graph.AddNode(inputs, outputs, intermediates, init_data, init_data_size, builtin_data, *op,
                       node_index);
}

TfLiteStatus Subgraph::SetTensorParametersReadOnly(
    int tensor_index, TfLiteType type, const char* name, const Indices& dims,
    TfLiteQuantization quantization, const char* buffer, size_t bytes, const Allocation* allocation,
    TfLiteSparsity* sparsity, size_t buffer_identifier) {
  return SetTensorParametersReadOnly(tensor_index, type, name, dims.size(), dims.data(),
                                     quantization, buffer, bytes, allocation, sparsity,
                                     buffer_identifier);
}

TfLiteStatus Subgraph::SetTensorParametersReadWrite(int tensor_index, TfLiteType type,
                                                    const char* name, const Indices& dims,
                                                    TfLiteQuantization quantization,
                                                    bool is_variable,
                                                    const Indices& dims_signature) {
  return SetTensorParametersReadWrite(tensor_index, type, name, dims.size(), dims.data(),
                                      quantization, is_variable, dims_signature.size(),
                                      dims_signature.data());
}

TfLiteStatus Subgraph::SetExecutionPlan(const Indices& new_plan) {
  GraphState& graph = parts_->graph;
  std::vector<bool> seen(graph.nodes.size(), false);
  for (int node : new_plan) {
    if (node < 0 || static_cast<size_t>(node) >= seen.size() || seen[node]) {
      ReportError("Invalid execution plan: node %d of %d.", node, static_cast<int>(seen.size()));
      return kTfLiteError;
    }
    seen[node] = true;
  }
  graph.execution_plan = new_plan;
  if (graph.readiness == GraphState::kUninvokable) return kTfLiteOk;
  return parts_->preparer.PlanAndAllocate();  // tensors that shared memory may now live together
}

TfLiteStatus Subgraph::SetMetadata(const std::map<std::string, std::string>* metadata,
                                   const ControlEdges* control_edges) {
  parts_->graph.metadata = metadata;
  parts_->graph.control_edges =
      control_edges != nullptr ? std::make_unique<ControlEdges>(*control_edges) : nullptr;
  return kTfLiteOk;
}

void Subgraph::SetAllocation(const Allocation* allocation) {
  parts_->graph.allocation = allocation;
}
void Subgraph::SetName(const char* name) { parts_->graph.name = name != nullptr ? name : ""; }
void Subgraph::SetExternalContext(TfLiteExternalContextType type,
                                  TfLiteExternalContext* external_context) {
  context()->SetExternalContext(context(), type, external_context);
}

// ---- Inspection.

TfLiteTensor* Subgraph::tensor(int tensor_index) { return parts_->graph.tensor(tensor_index); }
const TfLiteTensor* Subgraph::tensor(int tensor_index) const {
  return parts_->graph.tensor(tensor_index);
}
TfLiteTensor* Subgraph::tensors() { return parts_->graph.tensors.data(); }
size_t Subgraph::tensors_size() const { return parts_->graph.tensors.size(); }
Subgraph::Indices& Subgraph::inputs() { return parts_->graph.inputs; }
const Subgraph::Indices& Subgraph::inputs() const { return parts_->graph.inputs; }
Subgraph::Indices& Subgraph::outputs() { return parts_->graph.outputs; }
const Subgraph::Indices& Subgraph::outputs() const { return parts_->graph.outputs; }
Subgraph::Indices& Subgraph::variables() { return parts_->graph.variables; }
const Subgraph::Indices& Subgraph::variables() const { return parts_->graph.variables; }
Subgraph::Indices& Subgraph::execution_plan() { return parts_->graph.execution_plan; }
const Subgraph::Indices& Subgraph::execution_plan() const { return parts_->graph.execution_plan; }
const Subgraph::Indices& Subgraph::pre_delegation_execution_plan() const {
  return parts_->graph.pre_delegation_execution_plan;
}
size_t Subgraph::nodes_size() const { return parts_->graph.nodes.size(); }
std::vector<Subgraph::NodeAndRegistration>& Subgraph::nodes_and_registration() {
  return parts_->graph.nodes;
}
const std::vector<Subgraph::NodeAndRegistration>& Subgraph::nodes_and_registration() const {
  return parts_->graph.nodes;
}
const Subgraph::NodeAndRegistration* Subgraph::node_and_registration(int node_index) const {
  const auto& nodes = parts_->graph.nodes;
  const bool known = node_index >= 0 && static_cast<size_t>(node_index) < nodes.size();
  return known ? &nodes[node_index] : nullptr;
}
TfLiteContext* Subgraph::context() { return &parts_->graph.context; }
const TfLiteContext* Subgraph::context() const { return &parts_->graph.context; }
const std::string& Subgraph::GetName() const { return parts_->graph.name; }
int Subgraph::GetSubgraphIndex() const { return parts_->graph.subgraph_index; }
std::vector<std::unique_ptr<Subgraph>>* Subgraph::GetSubgraphs() const {
  return parts_->graph.subgraphs;
}
ErrorReporter* Subgraph::error_reporter() const { return parts_->graph.error_reporter; }
resource::ResourceMap& Subgraph::resources() { return *parts_->graph.resources; }
resource::ResourceIDMap& Subgraph::resource_ids() { return *parts_->graph.resource_ids; }
resource::InitializationStatusMap& Subgraph::initialization_status_map() {
  return *parts_->graph.initialization_status_map;
}
const std::unordered_map<size_t, size_t>& Subgraph::GetTensorBufferIdentifiers() const {
  return parts_->graph.tensor_buffer_identifiers;
}

Subgraph::Indices Subgraph::GetInputTensorsCount() {
  const GraphState& graph = parts_->graph;
  std::vector<int> counts(graph.tensors.size(), 0);
  for (int node_index : graph.execution_plan) {
    const TfLiteIntArray* inputs = graph.nodes[node_index].first.inputs;
    for (int i = 0; i < inputs->size; ++i) {
      if (inputs->data[i] != kTfLiteOptionalTensor) ++counts[inputs->data[i]];
    }
  }
  for (int output : graph.outputs) {
    if (output != kTfLiteOptionalTensor) ++counts[output];
  }
  return counts;
}

TfLiteStatus Subgraph::RemoveUnusedInputs() {
  const std::vector<int> counts = GetInputTensorsCount();
  for (int& input : inputs()) {
    if (input != kTfLiteOptionalTensor && counts[input] == 0) input = kTfLiteOptionalTensor;
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::GetNodeInitDataMmapInfo(const TfLiteNode* node, int* fd,
                                               int64_t* offset_in_file, int64_t* size) const {
  const Allocation* allocation = parts_->graph.allocation;
  if (node == nullptr || fd == nullptr || offset_in_file == nullptr || size == nullptr ||
      allocation == nullptr || allocation->type() != Allocation::Type::kMMap) {
    return kTfLiteError;
  }
  const auto* mapped = static_cast<const MMAPAllocation*>(allocation);
  *fd = mapped->fd();
  *offset_in_file = -1;
  *size = -1;
  if (node->custom_initial_data != nullptr) {
    const auto* data = static_cast<const uint8_t*>(node->custom_initial_data);
    const auto* base = static_cast<const uint8_t*>(mapped->mmapped_buffer());
    *offset_in_file = static_cast<int64_t>(data - base) +
                      static_cast<int64_t>(mapped->mmapped_buffer_offset_in_file());
    *size = node->custom_initial_data_size;
  }
  return kTfLiteOk;
}

const char* Subgraph::OpProfilingString(const TfLiteRegistration& op,
                                        const TfLiteNode* node) const {
  return op.profiling_string != nullptr ? op.profiling_string(context(), node) : nullptr;
}

void Subgraph::GetMemoryAllocInfo(SubgraphAllocInfo* info) const {
  if (info == nullptr) return;
  *info = SubgraphAllocInfo();
  if (const tern::ArenaPlanner* planner = parts_->preparer.planner()) {
    info->arena_size = planner->shared_bytes();
    info->arena_lower_bound = planner->LowerBound();
    info->arena_persist_size = planner->persistent_bytes();
  }
  for (const TfLiteTensor& tensor : parts_->graph.tensors) {
    if (tensor.allocation_type == kTfLiteDynamic && tensor.data.raw != nullptr) {
      info->dynamic_size += tensor.bytes;
    }
  }
  if (!IsPrimarySubgraph()) return;  // resources are shared, they count once
  for (const auto& [id, resource] : *parts_->graph.resources) {
    info->resource_size += resource->GetMemoryUsage();
  }
}

void Subgraph::DumpMemoryPlannerDebugInfo() const {
  SubgraphAllocInfo info;
  GetMemoryAllocInfo(&info);
  std::printf("Subgraph %d: arena %zu bytes, persistent %zu bytes, dynamic %zu bytes\n",
              GetSubgraphIndex(), info.arena_size, info.arena_persist_size, info.dynamic_size);
  const tern::ArenaPlanner* planner = parts_->preparer.planner();
  for (size_t i = 0; planner != nullptr && i < tensors_size(); ++i) {
    const size_t offset = planner->Offset(static_cast<int>(i));
    if (offset == tern::ArenaPlanner::kNowhere) continue;
    std::printf("  tensor %zu: offset %zu, %zu bytes\n", i, offset, parts_->graph.tensors[i].bytes);
  }
}

// ---- Shapes and memory.

TfLiteStatus Subgraph::ResizeInputTensor(int tensor_index, const int* dims, int rank) {
  if (rank < 0 || (dims == nullptr && rank > 0)) return kTfLiteError;
  return ResizeInputTensor(tensor_index, Indices(dims, dims + rank));
}

TfLiteStatus Subgraph::AllocateTensors() {
  const GraphState& graph = parts_->graph;
  if (!graph.invoking && !graph.preparing) parts_->outside.ReturnBorrowed();
  return tern::AllocateForCaller(this);
}

TfLiteStatus Subgraph::ReleaseNonPersistentMemory() {
  parts_->preparer.ReleaseArena();
  return kTfLiteOk;
}

TfLiteStatus Subgraph::ReleaseMemory() {
  GraphState& graph = parts_->graph;
  graph.DisownSharedMemory();
  parts_->preparer.ReleaseArena();
  for (TfLiteTensor& tensor : graph.tensors) {
    if (tensor.allocation_type == kTfLiteDynamic) tern::FreeTensorData(&tensor, graph.allocator);
  }
  if (graph.readiness == GraphState::kInvokable) graph.readiness = GraphState::kUninvokable;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::ResetVariableTensors() { return parts_->preparer.ResetVariableTensors(); }
bool Subgraph::HasDynamicTensors() const { return parts_->graph.has_dynamic_tensors; }
TfLiteStatus Subgraph::SetCustomAllocationForTensor(int index,
                                                    const TfLiteCustomAllocation& allocation,
                                                    int64_t flags) {
  return parts_->outside.Set(index, allocation, flags);
}

TfLiteStatus Subgraph::SetAllocator(TfLiteAllocator* allocator) {
  if (parts_->preparer.planner() != nullptr) {
    ReportError("SetAllocator must be called before AllocateTensors().");
    return kTfLiteError;
  }
  GraphState& graph = parts_->graph;
  for (TfLiteTensor& tensor : graph.tensors) {
    if (tern::OwnsBlock(tensor)) tern::FreeTensorData(&tensor, graph.allocator);
  }
  graph.allocator = allocator;
  return kTfLiteOk;
}

// ---- Running.

TfLiteStatus Subgraph::Invoke() {
  const TfLiteStatus status = parts_->runner.Run();
  telemetry::TelemetryReportEvent(context(), "Invoke", status);
  return status;
}

void Subgraph::SetCancellationFunction(void* data, bool (*check_cancelled_func)(void*)) {
  parts_->runner.SetCancellationFunction(data, check_cancelled_func);
}

void Subgraph::EnableCancellation(std::atomic_flag* continue_invocation) {
  parts_->runner.EnableCancellation(continue_invocation);
}

void Subgraph::SetProfiler(Profiler* profiler, int associated_subgraph_index) {
  parts_->graph.profiler = profiler != nullptr ? std::make_unique<tern::SubgraphProfiler>(
                                                     profiler, associated_subgraph_index)
                                               : nullptr;
  context()->profiler = GetProfiler();
}

Profiler* Subgraph::GetProfiler() { return parts_->graph.profiler.get(); }

void Subgraph::ReportErrorImpl(const char* format, va_list args) {
  error_reporter()->Report(format, args);
}

void Subgraph::ReportError(const char* format, ...) {
  va_list args;
  va_start(args, format);
  ReportErrorImpl(format, args);
  va_end(args);
}

// ---- Delegates.

TfLiteStatus Subgraph::ModifyGraphWithDelegate(TfLiteDelegate* delegate) {
  const TfLiteStatus status = parts_->delegation.Add(delegate);
  telemetry::TelemetryReportEvent(context(), "ModifyGraphWithDelegate", status);
  return status;
}

TfLiteStatus Subgraph::RemoveAllDelegates() { return parts_->delegation.RemoveAll(); }
bool Subgraph::HasDelegates() { return parts_->delegation.HasDelegates(); }
bool Subgraph::IsFullyDelegated() const { return parts_->delegation.IsFullyDelegated(); }
TfLiteStatus Subgraph::EnsureTensorDataIsReadable(int tensor_index) {
  return parts_->graph.EnsureTensorDataIsReadable(tensor_index);
}

TfLiteStatus Subgraph::SetBufferHandle(int tensor_index, TfLiteBufferHandle handle,
                                       TfLiteDelegate* delegate, bool release_existing) {
  TfLiteTensor* target = tensor(tensor_index);
  if (target == nullptr) {
    ReportError("Tensor index %d is out of range.", tensor_index);
    return kTfLiteError;
  }
  return SetBufferHandle(target, handle, delegate, release_existing);
}

TfLiteStatus Subgraph::SetBufferHandle(TfLiteTensor* tensor, TfLiteBufferHandle handle,
                                       TfLiteDelegate* delegate, bool release_existing) {
  if (tensor == nullptr || delegate == nullptr ||
      (tensor->delegate != nullptr && tensor->delegate != delegate)) {
    ReportError("A buffer handle needs the delegate that the tensor belongs to.");
    return kTfLiteError;
  }
  parts_->graph.delegate_records.Add(delegate);
  tensor->delegate = delegate;
  if (release_existing) parts_->graph.FreeBufferHandle(tensor);
  tensor->buffer_handle = handle;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::GetBufferHandle(int index, TfLiteBufferHandle* handle,
                                       TfLiteDelegate** delegate) {
  const TfLiteTensor* target = tensor(index);
  if (target == nullptr || handle == nullptr || delegate == nullptr) {
    ReportError("Tensor index %d is out of range.", index);
    return kTfLiteError;
  }
  *handle = target->buffer_handle;
  *delegate = target->delegate;
  return kTfLiteOk;
}

bool Subgraph::IsDelegationSkippable() const { return parts_->graph.is_delegation_skippable; }
void Subgraph::MarkAsDelegationSkippable() { parts_->graph.is_delegation_skippable = true; }

TfLiteStatus Subgraph::MarkSubgraphAsDelegationSkippable(int subgraph_index) {
  Subgraph* other = subgraph_index > 0 ? parts_->graph.OtherGraph(subgraph_index) : nullptr;
  if (other == nullptr) return kTfLiteError;
  other->MarkAsDelegationSkippable();
  return kTfLiteOk;
}

TfLiteStatus Subgraph::AcquireSubgraphContext(int subgraph_index, TfLiteContext** context) {
  Subgraph* other = context != nullptr ? parts_->graph.OtherGraph(subgraph_index) : nullptr;
  if (other == nullptr) {
    ReportError("Subgraph index %d is out of range.", subgraph_index);
    return kTfLiteError;
  }
  other->parts_->delegation.OpenContext();
  *context = other->context();
  return kTfLiteOk;
}

TfLiteStatus Subgraph::ReleaseSubgraphContext(int subgraph_index) {
  Subgraph* other = parts_->graph.OtherGraph(subgraph_index);
  if (other == nullptr) {
    ReportError("Subgraph index %d is out of range.", subgraph_index);
    return kTfLiteError;
  }
  if (!other->parts_->delegation.IsOpen()) return kTfLiteError;
  other->parts_->delegation.CloseContext();
  return kTfLiteOk;
}

TfLiteStatus Subgraph::AcquireSubgraphContext(TfLiteContext* context, int subgraph_index,
                                              TfLiteContext** acquired_context) {
  return context->AcquireSubgraphContext(context, subgraph_index, acquired_context);
}

TfLiteStatus Subgraph::ReleaseSubgraphContext(TfLiteContext* context, int subgraph_index) {
  return context->ReleaseSubgraphContext(context, subgraph_index);
}

// ---- Options.

void Subgraph::SetOptions(InterpreterOptions* options) {
  parts_->graph.options = options != nullptr ? options : &parts_->graph.own_options;
}
const InterpreterOptions* Subgraph::GetOptions() const { return parts_->graph.options; }
bool Subgraph::ShouldPreserveAllTensors() const { return GetOptions()->GetPreserveAllTensors(); }
bool Subgraph::ShouldReleaseDynamicTensors() const {
  return GetOptions()->GetEnsureDynamicTensorsAreReleased();
}
bool Subgraph::ShouldOptimizeMemoryForLargeTensors() const {
  return GetOptions()->GetDynamicAllocationForLargeTensors() > 0;
}
bool Subgraph::DisableDelegateClustering() const {
  return GetOptions()->GetDisableDelegateClustering();
}
void Subgraph::OptimizeMemoryForLargeTensors(int large_tensors_thresholds_in_bytes) {
  parts_->graph.options->OptimizeMemoryForLargeTensors(large_tensors_thresholds_in_bytes);
}

}  // namespace tflite
