// SPDX-License-Identifier: Apache-2.0
//
// Subgraph: birth and death, tensors and nodes, and what can be asked about them.
#include "tensorflow/lite/core/subgraph.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/arena_planner.h"
#include "runtime/delegate_records.h"
#include "runtime/node_calls.h"
#include "runtime/owned_constants.h"
#include "runtime/subgraph_profiler.h"
#include "runtime/tensor_memory.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/operator.h"
#include "tensorflow/lite/stderr_reporter.h"

namespace tflite {
namespace {

TfLiteIntArray* ToIntArray(const std::vector<int>& values) {
  TfLiteIntArray* array = TfLiteIntArrayCreate(static_cast<int>(values.size()));
  if (!values.empty()) std::memcpy(array->data, values.data(), values.size() * sizeof(int));
  return array;
}

}  // namespace

SubgraphParts::SubgraphParts() = default;
SubgraphParts::SubgraphParts(SubgraphParts&&) = default;
SubgraphParts::~SubgraphParts() = default;

Subgraph::Subgraph(ErrorReporter* error_reporter, TfLiteExternalContext** external_contexts,
                   std::vector<std::unique_ptr<Subgraph>>* subgraphs,
                   resource::ResourceMap* resources, resource::ResourceIDMap* resource_ids,
                   resource::InitializationStatusMap* initialization_status_map,
                   int subgraph_index) {
  error_reporter_ = error_reporter != nullptr ? error_reporter : DefaultErrorReporter();
  external_contexts_ = external_contexts;
  subgraphs_ = subgraphs;
  resources_ = resources;
  resource_ids_ = resource_ids;
  initialization_status_map_ = initialization_status_map;
  subgraph_index_ = subgraph_index;
  owned_constants_ = std::make_unique<tern::OwnedConstants>();
  delegate_records_ = std::make_unique<tern::DelegateRecords>();
  tensors_.reserve(kTensorsReservedCapacity);
  SetUpContext();
}

Subgraph::Subgraph(Subgraph&& other) : SubgraphParts(std::move(other)) {
  context_.impl_ = this;
  other.plan_array_ = nullptr;
  first_use_plan_ = nullptr;
  // The planner knows the old graph, and holds the memory.
  planner_.reset();
  for (TfLiteTensor& tensor : tensors_) {
    const bool in_arena = tensor.allocation_type == kTfLiteArenaRw ||
                          tensor.allocation_type == kTfLiteArenaRwPersistent;
    if (in_arena) tensor.data.raw = nullptr;
  }
  state_ = kUninvokable;
}

Subgraph::~Subgraph() {
  for (size_t i = 0; i < nodes_and_registration_.size(); ++i) CleanupNode(static_cast<int>(i));
  for (TfLiteOperator* op : kernel_operators_) TfLiteOperatorDelete(op);
  DisownSharedMemory();
  for (TfLiteTensor& tensor : tensors_) {
    FreeBufferHandle(&tensor);
    tern::FreeTensorData(&tensor, allocator_);
    TfLiteTensorFree(&tensor);
  }
  FreePreview();
  TfLiteIntArrayFree(plan_array_);
}

void Subgraph::CleanupNode(int node_index) {
  auto& [node, registration] = nodes_and_registration_[node_index];
  if (node.user_data != nullptr) tern::CallFree(&context_, registration, node.user_data);
  node.user_data = nullptr;
  for (TfLiteIntArray** array :
       {&node.inputs, &node.outputs, &node.intermediates, &node.temporaries}) {
    TfLiteIntArrayFree(*array);
    *array = nullptr;
  }
  std::free(node.builtin_data);
  node.builtin_data = nullptr;
}

void Subgraph::SetName(const char* name) { name_ = name != nullptr ? name : ""; }

void Subgraph::ReportErrorImpl(const char* format, va_list args) {
  error_reporter_->Report(format, args);
}

void Subgraph::ReportError(const char* format, ...) {
  va_list args;
  va_start(args, format);
  ReportErrorImpl(format, args);
  va_end(args);
}

// ---- Tensors.

void Subgraph::UpdateTensorsPointer() {
  context_.tensors = tensors_.data();
  context_.tensors_size = tensors_.size();
}

void Subgraph::EnsureTensorsCapacity() {
  const size_t needed = tensors_.size() + kTensorsCapacityHeadroom;
  if (needed <= tensors_.capacity()) return;
  tensors_.reserve(std::max(needed, tensors_.capacity() * 2));
  UpdateTensorsPointer();
}

TfLiteStatus Subgraph::AddTensors(int tensors_to_add, int* first_new_tensor_index) {
  constexpr int kMaxTensors = 1 << 22;
  const size_t first = tensors_.size();
  if (tensors_to_add < 0 || tensors_to_add > kMaxTensors - static_cast<int>(first)) {
    ReportError("Cannot add %d tensors to a subgraph of %d.", tensors_to_add,
                static_cast<int>(first));
    return kTfLiteError;
  }
  TfLiteTensor empty = {};
  empty.buffer_handle = kTfLiteNullBufferHandle;
  tensors_.resize(first + tensors_to_add, empty);
  UpdateTensorsPointer();
  if (first_new_tensor_index != nullptr) *first_new_tensor_index = static_cast<int>(first);
  return kTfLiteOk;
}

TfLiteTensor* Subgraph::tensor(int tensor_index) {
  if (tensor_index < 0 || static_cast<size_t>(tensor_index) >= tensors_.size()) return nullptr;
  return &tensors_[tensor_index];
}

const TfLiteTensor* Subgraph::tensor(int tensor_index) const {
  return const_cast<Subgraph*>(this)->tensor(tensor_index);
}

TfLiteStatus Subgraph::CheckTensorIndices(const char* label, const int* indices, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int index = indices[i];
    if (index == kTfLiteOptionalTensor) continue;
    if (index < 0 || static_cast<size_t>(index) >= tensors_.size()) {
      ReportError("Invalid tensor index %d in %s. The subgraph has %d tensors\n", index, label,
                  static_cast<int>(tensors_.size()));
      consistent_ = false;
      return kTfLiteError;
    }
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::CheckOverlap(const std::vector<int>& inputs,
                                    const std::vector<int>& outputs) {
  const auto place = [](const std::vector<int>& list, int tensor) {
    return static_cast<int>(std::find(list.begin(), list.end(), tensor) - list.begin());
  };
  std::vector<int> written = outputs;
  std::sort(written.begin(), written.end());
  written.erase(written.begin(),
                std::upper_bound(written.begin(), written.end(), kTfLiteOptionalTensor));
  const auto twice = std::adjacent_find(written.begin(), written.end());
  if (twice != written.end()) {
    ReportError("Tensor %d is output %d and another output, too\n", *twice, place(outputs, *twice));
    consistent_ = false;
    return kTfLiteError;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!std::binary_search(written.begin(), written.end(), inputs[i])) continue;
    ReportError("Tensor %d is both input %d and output %d\n", inputs[i], static_cast<int>(i),
                place(outputs, inputs[i]));
    consistent_ = false;
    return kTfLiteError;
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::SetInputs(std::vector<int> inputs) {
  TF_LITE_ENSURE_STATUS(CheckTensorIndices("inputs", inputs.data(), inputs.size()));
  inputs_ = std::move(inputs);
  if (state_ == kInvokable) state_ = kUninvokable;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::SetOutputs(std::vector<int> outputs) {
  TF_LITE_ENSURE_STATUS(CheckTensorIndices("outputs", outputs.data(), outputs.size()));
  outputs_ = std::move(outputs);
  if (state_ == kInvokable) state_ = kUninvokable;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::SetVariables(std::vector<int> variables) {
  TF_LITE_ENSURE_STATUS(CheckTensorIndices("variables", variables.data(), variables.size()));
  variables_ = std::move(variables);
  return kTfLiteOk;
}

// ---- Nodes.

bool Subgraph::MayHaveSideEffect(const TfLiteNode& node,
                                 const TfLiteRegistration& registration) const {
  switch (registration.builtin_code) {
    case kTfLiteBuiltinIf:
    case kTfLiteBuiltinWhile:
    case kTfLiteBuiltinCallOnce:
      return true;
    default:
      break;
  }
  for (const TfLiteIntArray* tensors : {node.inputs, node.outputs}) {
    for (int i = 0; i < tensors->size; ++i) {
      const TfLiteTensor* used = tensor(tensors->data[i]);
      if (used != nullptr && used->type == kTfLiteResource) return true;
    }
  }
  return false;
}

TfLiteStatus Subgraph::AddNodeWithParameters(
    const std::vector<int>& inputs, const std::vector<int>& outputs,
    const std::vector<int>& intermediates, const char* init_data, size_t init_data_size,
    void* builtin_data, const TfLiteRegistration* registration, int* node_index) {
  if (registration == nullptr || state_ == kInvokableAndImmutable) {
    std::free(builtin_data);
    ReportError(registration == nullptr
                    ? "Null registration."
                    : "AddNodeWithParameters is disallowed when graph is immutable.");
    return kTfLiteError;
  }
  state_ = kUninvokable;
  return AddNode(inputs, outputs, intermediates, init_data, init_data_size, builtin_data,
                 *registration, node_index);
}

TfLiteStatus Subgraph::AddNode(const std::vector<int>& inputs, const std::vector<int>& outputs,
                               const std::vector<int>& intermediates, const char* init_data,
                               size_t init_data_size, void* builtin_data,
                               const TfLiteRegistration& registration, int* node_index) {
  if (CheckTensorIndices("node inputs", inputs.data(), inputs.size()) != kTfLiteOk ||
      CheckTensorIndices("node outputs", outputs.data(), outputs.size()) != kTfLiteOk ||
      CheckTensorIndices("node intermediates", intermediates.data(), intermediates.size()) !=
          kTfLiteOk ||
      CheckOverlap(inputs, outputs) != kTfLiteOk) {
    std::free(builtin_data);
    return kTfLiteError;
  }
  TfLiteNode node = {};
  node.inputs = ToIntArray(inputs);
  node.outputs = ToIntArray(outputs);
  node.intermediates = ToIntArray(intermediates);
  node.temporaries = TfLiteIntArrayCreate(0);
  node.builtin_data = builtin_data;
  if (registration.builtin_code == kTfLiteBuiltinCustom) {
    node.custom_initial_data = init_data;
    node.custom_initial_data_size = static_cast<int>(init_data_size);
  }
  node.might_have_side_effect = MayHaveSideEffect(node, registration);
  const int index = static_cast<int>(nodes_and_registration_.size());
  nodes_and_registration_.emplace_back(node, registration);

  EnsureTensorsCapacity();
  void* user_data =
      init_data != nullptr
          ? tern::CallInit(&context_, registration, init_data, init_data_size)
          : tern::CallInit(&context_, registration, static_cast<const char*>(builtin_data), 0);
  if (user_data == TfLiteKernelInitFailed()) {
    ReportError("Failed to initialize kernel.");
    CleanupNode(index);
    nodes_and_registration_.pop_back();
    return kTfLiteError;
  }
  nodes_and_registration_[index].first.user_data = user_data;
  execution_plan_.push_back(index);
  if (node_index != nullptr) *node_index = index;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::SetExecutionPlan(const std::vector<int>& new_plan) {
  std::vector<bool> seen(nodes_and_registration_.size(), false);
  for (int node : new_plan) {
    if (node < 0 || static_cast<size_t>(node) >= seen.size() || seen[node]) {
      ReportError("Invalid execution plan: node %d of %d.", node, static_cast<int>(seen.size()));
      return kTfLiteError;
    }
    seen[node] = true;
  }
  execution_plan_ = new_plan;
  if (state_ == kUninvokable) return kTfLiteOk;
  return PlanAndAllocate();  // tensors that shared memory may now live at the same time
}

const Subgraph::NodeAndRegistration* Subgraph::node_and_registration(int node_index) const {
  if (node_index < 0 || static_cast<size_t>(node_index) >= nodes_and_registration_.size()) {
    return nullptr;
  }
  return &nodes_and_registration_[node_index];
}

// ---- Inspection.

TfLiteStatus Subgraph::SetMetadata(const std::map<std::string, std::string>* metadata,
                                   const ControlEdges* control_edges) {
  metadata_ = metadata;
  control_edges_ =
      control_edges != nullptr ? std::make_unique<ControlEdges>(*control_edges) : nullptr;
  return kTfLiteOk;
}

std::vector<int> Subgraph::GetInputTensorsCount() {
  std::vector<int> counts(tensors_.size(), 0);
  for (int node_index : execution_plan_) {
    const TfLiteIntArray* inputs = nodes_and_registration_[node_index].first.inputs;
    for (int i = 0; i < inputs->size; ++i) {
      if (inputs->data[i] != kTfLiteOptionalTensor) ++counts[inputs->data[i]];
    }
  }
  for (int output : outputs_) {
    if (output != kTfLiteOptionalTensor) ++counts[output];
  }
  return counts;
}

TfLiteStatus Subgraph::RemoveUnusedInputs() {
  const std::vector<int> counts = GetInputTensorsCount();
  for (int& input : inputs_) {
    if (input != kTfLiteOptionalTensor && counts[input] == 0) input = kTfLiteOptionalTensor;
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::GetNodeInitDataMmapInfo(const TfLiteNode* node, int* fd,
                                               int64_t* offset_in_file, int64_t* size) const {
  if (node == nullptr || fd == nullptr || offset_in_file == nullptr || size == nullptr ||
      allocation_ == nullptr || allocation_->type() != Allocation::Type::kMMap) {
    return kTfLiteError;
  }
  const auto* mapped = static_cast<const MMAPAllocation*>(allocation_);
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

const char* Subgraph::OpProfilingString(const TfLiteRegistration& registration,
                                        const TfLiteNode* node) const {
  if (registration.profiling_string == nullptr) return nullptr;
  return registration.profiling_string(&context_, node);
}

void Subgraph::GetMemoryAllocInfo(SubgraphAllocInfo* info) const {
  if (info == nullptr) return;
  *info = SubgraphAllocInfo();
  if (planner_ != nullptr) {
    info->arena_size = planner_->shared_bytes();
    info->arena_lower_bound = planner_->LowerBound();
    info->arena_persist_size = planner_->persistent_bytes();
  }
  for (const TfLiteTensor& tensor : tensors_) {
    if (tensor.allocation_type == kTfLiteDynamic && tensor.data.raw != nullptr) {
      info->dynamic_size += tensor.bytes;
    }
  }
  if (!IsPrimarySubgraph()) return;  // resources are shared, they count once
  for (const auto& [id, resource] : *resources_) info->resource_size += resource->GetMemoryUsage();
}

void Subgraph::DumpMemoryPlannerDebugInfo() const {
  SubgraphAllocInfo info;
  GetMemoryAllocInfo(&info);
  std::printf("Subgraph %d: arena %zu bytes, persistent %zu bytes, dynamic %zu bytes\n",
              subgraph_index_, info.arena_size, info.arena_persist_size, info.dynamic_size);
  if (planner_ == nullptr) return;
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const size_t offset = planner_->Offset(static_cast<int>(i));
    if (offset == tern::ArenaPlanner::kNowhere) continue;
    std::printf("  tensor %zu: offset %zu, %zu bytes\n", i, offset, tensors_[i].bytes);
  }
}

void Subgraph::SetProfiler(Profiler* profiler, int associated_subgraph_index) {
  profiler_ = profiler != nullptr
                  ? std::make_unique<tern::SubgraphProfiler>(profiler, associated_subgraph_index)
                  : nullptr;
  context_.profiler = GetProfiler();
}

Profiler* Subgraph::GetProfiler() { return profiler_.get(); }

}  // namespace tflite
