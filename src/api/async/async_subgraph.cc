// SPDX-License-Identifier: Apache-2.0
// AsyncSubgraph: finds the kernel of the one delegate that took the graph, and calls it.
#include "tensorflow/lite/core/async/async_subgraph.h"

#include "abi/operator.h"
#include "api/async/c_handles.h"
#include "tensorflow/lite/core/async/task_internal.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tflite::async {
namespace {

TfLiteOpaqueNode* Opaque(const TfLiteNode& node) {
  return reinterpret_cast<TfLiteOpaqueNode*>(const_cast<TfLiteNode*>(&node));
}

TfLiteAsyncKernel* KernelOf(Subgraph& graph, const Subgraph::NodeAndRegistration& entry) {
  auto* node = const_cast<TfLiteNode*>(&entry.first);
  const TfLiteRegistration& registration = entry.second;
  if (registration.registration_external != nullptr) {
    TfLiteAsyncKernel* kernel =
        tern::OperatorAsyncKernel(*registration.registration_external, graph.context(), node);
    if (kernel != nullptr) return kernel;
  }
  return registration.async_kernel == nullptr ? nullptr
                                              : registration.async_kernel(graph.context(), node);
}

}  // namespace

AsyncSubgraph::AsyncSubgraph(Subgraph* subgraph) : subgraph_(subgraph) { FindKernel(); }

bool AsyncSubgraph::IsFullyDelegated() const {
  if (subgraph_ == nullptr || subgraph_->execution_plan().size() != 1) return false;
  const auto* entry = subgraph_->node_and_registration(subgraph_->execution_plan()[0]);
  return entry != nullptr && entry->first.delegate != nullptr;
}

bool AsyncSubgraph::HasTensor(int tensor_index) const {
  return subgraph_ != nullptr && subgraph_->tensor(tensor_index) != nullptr;
}

TfLiteOpaqueContext* AsyncSubgraph::OpaqueContext() const {
  return reinterpret_cast<TfLiteOpaqueContext*>(context());
}

void AsyncSubgraph::FindKernel() {
  if (Kernel() != nullptr) return;
  kernel_ = nullptr;
  buffer_types_.clear();
  synchronizations_.clear();
  if (subgraph_ == nullptr) return;
  if (!IsFullyDelegated()) {
    subgraph_->ReportError("Model is not fully delegated by 1 backend.");
    return;
  }
  const int index = subgraph_->execution_plan()[0];
  const auto* entry = subgraph_->node_and_registration(index);
  kernel_ = KernelOf(*subgraph_, *entry);
  if (kernel_ == nullptr) {
    subgraph_->ReportError("Backend does not support asynchronous execution.");
    return;
  }
  node_index_ = index;
  node_data_ = entry->first.user_data;
}

const AsyncSubgraph::Types& AsyncSubgraph::Ask(TypesFunction TfLiteAsyncKernel::*function,
                                               TfLiteIoType io_type,
                                               std::map<TfLiteIoType, Types>* answers) const {
  Types& types = (*answers)[io_type];
  const TfLiteAsyncKernel* kernel = Kernel();
  const bool known = io_type == kTfLiteIoTypeInput || io_type == kTfLiteIoTypeOutput;
  if (!types.empty() || !known || kernel == nullptr || kernel->*function == nullptr) return types;
  const char* const* names = nullptr;
  size_t count = 0;
  (kernel->*function)(kernel, io_type, &names, &count);
  if (names != nullptr) types.assign(names, names + count);
  return types;
}

TfLiteAsyncKernel* AsyncSubgraph::Kernel() const {
  if (kernel_ == nullptr || !IsFullyDelegated()) return nullptr;
  if (subgraph_->execution_plan()[0] != node_index_) return nullptr;
  const void* data = subgraph_->node_and_registration(node_index_)->first.user_data;
  return data == node_data_ ? kernel_ : nullptr;
}

TfLiteOpaqueNode* AsyncSubgraph::OpaqueNode() const {
  return Opaque(subgraph_->node_and_registration(node_index_)->first);
}

template <class Function, class... Arguments>
TfLiteStatus AsyncSubgraph::Call(Function TfLiteAsyncKernel::*function,
                                 Arguments... arguments) const {
  TfLiteAsyncKernel* const kernel = Kernel();
  if (kernel == nullptr || kernel->*function == nullptr) return kTfLiteError;
  return (kernel->*function)(kernel, arguments...);
}

template <class Function, class... Arguments>
TfLiteStatus AsyncSubgraph::Register(Function TfLiteAsyncKernel::*function,
                                     const TfLiteAttributeMap* attrs, TfLiteBufferHandle* handle,
                                     Arguments... arguments) {
  if (handle == nullptr) return kTfLiteError;
  *handle = kTfLiteNullBufferHandle;
  if (attrs == nullptr || attrs->type != kTfLiteAttrMapTypeBuffer) return kTfLiteError;
  const TfLiteBufferHandle fresh = next_handle_++;
  TF_LITE_ENSURE_STATUS(Call(function, OpaqueContext(), arguments..., attrs, fresh));
  *handle = fresh;
  return kTfLiteOk;
}

TfLiteStatus AsyncSubgraph::RegisterBuffer(TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                           const TfLiteAttributeMap* attrs,
                                           TfLiteBufferHandle* handle) {
  if (buffer == nullptr) return kTfLiteError;
  return Register(&TfLiteAsyncKernel::register_buffer, attrs, handle, io_type, buffer);
}

TfLiteStatus AsyncSubgraph::RegisterBufferSlice(TfLiteBufferHandle buffer_pool,
                                                const TfLiteAttributeMap* attrs,
                                                TfLiteBufferHandle* handle) {
  return Register(&TfLiteAsyncKernel::register_buffer_slice, attrs, handle, buffer_pool);
}

TfLiteStatus AsyncSubgraph::UnregisterBuffer(TfLiteBufferHandle handle) {
  return Call(&TfLiteAsyncKernel::unregister_buffer, OpaqueContext(), handle);
}

const std::vector<const char*>& AsyncSubgraph::SupportedBufferTypes(TfLiteIoType io_type) const {
  return Ask(&TfLiteAsyncKernel::supported_buffer_types, io_type, &buffer_types_);
}

const std::vector<const char*>& AsyncSubgraph::SupportedSynchronizations(
    TfLiteIoType io_type) const {
  return Ask(&TfLiteAsyncKernel::supported_synchronizations, io_type, &synchronizations_);
}

bool AsyncSubgraph::ReconcileRestrictions(int tensor_index,
                                          const TfLiteAttributeMap* user_provided_attributes,
                                          TfLiteAttributeMap* merged,
                                          TfLiteAttributeMap* conflict) const {
  if (user_provided_attributes == nullptr || merged == nullptr) return false;
  const TfLiteAsyncKernel* kernel = Kernel();
  if (kernel == nullptr || kernel->reconcile_restrictions == nullptr) return false;
  if (!HasTensor(tensor_index)) return false;
  return kernel->reconcile_restrictions(kernel, OpaqueContext(), OpaqueNode(), tensor_index,
                                        user_provided_attributes, merged, conflict);
}

TfLiteStatus AsyncSubgraph::SetAttributes(int tensor_index, const TfLiteAttributeMap* attrs) {
  if (attrs == nullptr || Kernel() == nullptr || !HasTensor(tensor_index)) return kTfLiteError;
  return Call(&TfLiteAsyncKernel::set_attributes, OpaqueContext(), OpaqueNode(), tensor_index,
              attrs);
}

TfLiteStatus AsyncSubgraph::SetBufferAttributes(const TfLiteBackendBuffer* buffer,
                                                const TfLiteAttributeMap* attrs) {
  if (buffer == nullptr || attrs == nullptr) return kTfLiteError;
  return Call(&TfLiteAsyncKernel::set_buffer_attributes, buffer, attrs);
}

TfLiteStatus AsyncSubgraph::GetBufferAttributes(const TfLiteBackendBuffer* buffer,
                                                TfLiteAttributeMap* attrs) {
  if (buffer == nullptr || attrs == nullptr) return kTfLiteError;
  return Call(&TfLiteAsyncKernel::get_buffer_attributes, buffer, attrs);
}

TfLiteStatus AsyncSubgraph::Prepare() {
  if (Kernel() == nullptr) return kTfLiteError;
  return Call(&TfLiteAsyncKernel::prepare, OpaqueContext(), OpaqueNode());
}

TfLiteExecutionTask* AsyncSubgraph::CreateTask() { return new TfLiteExecutionTask; }

TfLiteStatus AsyncSubgraph::InvokeAsync(TfLiteExecutionTask* task) {
  if (task == nullptr || Kernel() == nullptr) return kTfLiteError;
  if (task->task->SetScheduled(true)) {
    TFLITE_LOG_PROD(TFLITE_LOG_ERROR, "The task has already been scheduled for execution.");
    return kTfLiteError;
  }
  const TfLiteStatus status = Call(&TfLiteAsyncKernel::eval, OpaqueContext(), OpaqueNode(), task);
  task->task->SetStatus(status);
  return status;
}

TfLiteStatus AsyncSubgraph::Wait(TfLiteExecutionTask* task) {
  if (task == nullptr || Kernel() == nullptr) return kTfLiteError;
  if (!task->task->Scheduled()) return task->task->Status();
  const TfLiteStatus status = Call(&TfLiteAsyncKernel::wait, OpaqueContext(), task);
  task->task->SetStatus(status);
  task->task->SetScheduled(false);
  return status;
}

TfLiteStatus AsyncSubgraph::Finish(TfLiteExecutionTask* task) {
  if (task == nullptr) return kTfLiteError;
  const TfLiteStatus status = Call(&TfLiteAsyncKernel::finish, OpaqueContext(), task);
  if (status != kTfLiteOk && subgraph_ != nullptr) subgraph_->ReportError("Failed to finish task.");
  delete task;
  return status;
}

}  // namespace tflite::async
