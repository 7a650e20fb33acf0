// SPDX-License-Identifier: Apache-2.0
// The asynchronous C API: runners, which pass everything to the kernel of the one delegate that
// took the graph.
#include <utility>

#include "abi/operator.h"
#include "api/c_api_async_internal.h"
#include "api/c_api_internal.h"
#include "tensorflow/lite/core/async/c/async_signature_runner.h"
#include "tensorflow/lite/minimal_logging.h"

using tern::c_api::AnyIsNull;
using tern::c_api::IsNull;

struct TfLiteAsyncSignatureRunner {
  TfLiteOpaqueContext* context() const {
    return reinterpret_cast<TfLiteOpaqueContext*>(graph->context());
  }
  // Where the node is now: it moves when the graph grows.
  TfLiteOpaqueNode* node() const {
    const auto* entry = graph->node_and_registration(node_index);
    return reinterpret_cast<TfLiteOpaqueNode*>(const_cast<TfLiteNode*>(&entry->first));
  }
  bool HasTensor(int index) const {
    return index >= 0 && static_cast<size_t>(index) < graph->tensors_size();
  }

  tflite::SignatureRunner* signature;  // owned by the interpreter, as the graph is
  tflite::Subgraph* graph;
  tern::c_api::SignatureTensors tensors;
  TfLiteAsyncKernel* kernel = nullptr;  // the delegate's; null when the graph cannot run so
  int node_index = -1;                  // the one that the kernel is of
  TfLiteBufferHandle next_handle = 0;
};

namespace {

TfLiteAsyncKernel* KernelOf(tflite::Subgraph& graph, TfLiteNode* node,
                            const TfLiteRegistration& registration) {
  if (registration.registration_external != nullptr) {
    TfLiteAsyncKernel* kernel =
        tern::OperatorAsyncKernel(*registration.registration_external, graph.context(), node);
    if (kernel != nullptr) return kernel;
  }
  return registration.async_kernel == nullptr ? nullptr
                                              : registration.async_kernel(graph.context(), node);
}

// Finds the kernel, or says why there is none.
void FindKernel(TfLiteAsyncSignatureRunner* runner) {
  tflite::Subgraph& graph = *runner->graph;
  const std::vector<int>& plan = graph.execution_plan();
  const auto* entry = plan.size() == 1 ? graph.node_and_registration(plan[0]) : nullptr;
  if (entry == nullptr || entry->first.delegate == nullptr) {
    graph.ReportError("Model is not fully delegated by 1 backend.");
    return;
  }
  runner->node_index = plan[0];
  runner->kernel = KernelOf(graph, const_cast<TfLiteNode*>(&entry->first), entry->second);
  if (runner->kernel == nullptr) {
    graph.ReportError("Backend does not support asynchronous execution.");
  }
}

// Calls a function of the kernel, if there are both.
template <class Function, class... Arguments>
TfLiteStatus Call(const TfLiteAsyncSignatureRunner* runner, Function TfLiteAsyncKernel::*function,
                  Arguments... arguments) {
  TfLiteAsyncKernel* const kernel = runner->kernel;
  if (kernel == nullptr || kernel->*function == nullptr) return kTfLiteError;
  return (kernel->*function)(kernel, runner->context(), arguments...);
}

// The handle is the runtime's choice.
template <class Function, class... Arguments>
TfLiteStatus Register(TfLiteAsyncSignatureRunner* runner, Function TfLiteAsyncKernel::*function,
                      TfLiteBufferHandle* handle, Arguments... arguments) {
  *handle = kTfLiteNullBufferHandle;
  const TfLiteBufferHandle fresh = runner->next_handle++;
  TF_LITE_ENSURE_STATUS(Call(runner, function, arguments..., fresh));
  *handle = fresh;
  return kTfLiteOk;
}

template <class Function>
TfLiteStatus Types(const TfLiteAsyncSignatureRunner* runner, Function TfLiteAsyncKernel::*function,
                   TfLiteIoType io_type, const char* const** types, size_t* num_types) {
  *types = nullptr;
  *num_types = 0;
  if (io_type != kTfLiteIoTypeInput && io_type != kTfLiteIoTypeOutput) return kTfLiteError;
  if (runner->kernel == nullptr) return kTfLiteError;
  if (runner->kernel->*function != nullptr) {
    (runner->kernel->*function)(runner->kernel, io_type, types, num_types);
  }
  return kTfLiteOk;
}

const char* SignatureName(const std::vector<const char*>& names, int32_t position) {
  return position < 0 || static_cast<size_t>(position) >= names.size()
             ? nullptr
             : names[static_cast<size_t>(position)];
}

const TfLiteOpaqueTensor* TensorAt(const TfLiteAsyncSignatureRunner* runner, int index) {
  return reinterpret_cast<const TfLiteOpaqueTensor*>(runner->graph->tensor(index));
}

}  // namespace

TfLiteAsyncSignatureRunner* TfLiteInterpreterGetAsyncSignatureRunner(
    const TfLiteInterpreter* interpreter, const char* signature_key) {
  if (IsNull(interpreter, __func__)) return nullptr;
  tflite::SignatureRunner* signature = interpreter->impl->GetSignatureRunner(signature_key);
  if (signature == nullptr) return nullptr;
  const int graph_index = signature_key == nullptr
                              ? 0
                              : interpreter->impl->GetSubgraphIndexFromSignature(signature_key);
  tflite::Subgraph* graph = interpreter->impl->subgraph(graph_index);
  auto* runner = new TfLiteAsyncSignatureRunner{signature, graph, {}};
  const TfLiteTensor* first = graph->context()->tensors;
  for (const char* name : signature->input_names()) {
    runner->tensors.inputs[name] = static_cast<int>(signature->input_tensor(name) - first);
  }
  for (const char* name : signature->output_names()) {
    runner->tensors.outputs[name] = static_cast<int>(signature->output_tensor(name) - first);
  }
  FindKernel(runner);
  return runner;
}

void TfLiteAsyncSignatureRunnerDelete(TfLiteAsyncSignatureRunner* signature_runner) {
  delete signature_runner;
}

TfLiteStatus TfLiteAsyncSignatureRunnerRegisterBuffer(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const TfLiteBackendBuffer* buffer, const TfLiteAttributeMap* attrs,
    TfLiteBufferHandle* handle) {
  if (AnyIsNull(__func__, async_signature_runner, buffer, attrs, handle)) return kTfLiteError;
  if (!TfLiteAttributeMapIsBufferAttributeMap(attrs)) return kTfLiteError;
  return Register(async_signature_runner, &TfLiteAsyncKernel::register_buffer, handle, io_type,
                  buffer, attrs);
}

TfLiteStatus TfLiteAsyncSignatureRunnerRegisterBufferSlice(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteBufferHandle buffer_pool,
    const TfLiteAttributeMap* attrs, TfLiteBufferHandle* handle) {
  if (AnyIsNull(__func__, async_signature_runner, attrs, handle)) return kTfLiteError;
  if (!TfLiteAttributeMapIsBufferAttributeMap(attrs)) return kTfLiteError;
  return Register(async_signature_runner, &TfLiteAsyncKernel::register_buffer_slice, handle,
                  buffer_pool, attrs);
}

TfLiteStatus TfLiteAsyncSignatureRunnerUnregisterBuffer(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteBufferHandle handle) {
  if (IsNull(async_signature_runner, __func__)) return kTfLiteError;
  return Call(async_signature_runner, &TfLiteAsyncKernel::unregister_buffer, handle);
}

TfLiteStatus TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const char* const** types, size_t* num_types) {
  if (AnyIsNull(__func__, async_signature_runner, types, num_types)) return kTfLiteError;
  return Types(async_signature_runner, &TfLiteAsyncKernel::supported_buffer_types, io_type, types,
               num_types);
}

TfLiteStatus TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const char* const** types, size_t* num_types) {
  if (AnyIsNull(__func__, async_signature_runner, types, num_types)) return kTfLiteError;
  return Types(async_signature_runner, &TfLiteAsyncKernel::supported_synchronizations, io_type,
               types, num_types);
}

bool TfLiteAsyncSignatureRunnerReconcileRestrictions(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const char* name, const TfLiteAttributeMap* user_provided_attributes,
    TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict) {
  if (AnyIsNull(__func__, async_signature_runner, name)) return false;
  return TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(
      async_signature_runner, async_signature_runner->tensors.IndexOf(io_type, name),
      user_provided_attributes, merged, conflict);
}

bool TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int tensor_index,
    const TfLiteAttributeMap* user_provided_attributes, TfLiteAttributeMap* merged,
    TfLiteAttributeMap* conflict) {
  if (AnyIsNull(__func__, async_signature_runner, user_provided_attributes, merged)) return false;
  const TfLiteAsyncKernel* kernel = async_signature_runner->kernel;
  if (kernel == nullptr || kernel->reconcile_restrictions == nullptr) return false;
  if (!async_signature_runner->HasTensor(tensor_index)) return false;
  return kernel->reconcile_restrictions(kernel, async_signature_runner->context(),
                                        async_signature_runner->node(), tensor_index,
                                        user_provided_attributes, merged, conflict);
}

TfLiteStatus TfLiteAsyncSignatureRunnerSetAttributes(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type, const char* name,
    const TfLiteAttributeMap* attrs) {
  if (AnyIsNull(__func__, async_signature_runner, name)) return kTfLiteError;
  return TfLiteAsyncSignatureRunnerSetAttributesByIndex(
      async_signature_runner, async_signature_runner->tensors.IndexOf(io_type, name), attrs);
}

TfLiteStatus TfLiteAsyncSignatureRunnerSetAttributesByIndex(
    TfLiteAsyncSignatureRunner* async_signature_runner, int tensor_index,
    const TfLiteAttributeMap* attrs) {
  if (AnyIsNull(__func__, async_signature_runner, attrs)) return kTfLiteError;
  if (async_signature_runner->kernel == nullptr) return kTfLiteError;
  if (!async_signature_runner->HasTensor(tensor_index)) return kTfLiteError;
  return Call(async_signature_runner, &TfLiteAsyncKernel::set_attributes,
              async_signature_runner->node(), tensor_index, attrs);
}

TfLiteStatus TfLiteAsyncSignatureRunnerPrepareBackends(
    TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return kTfLiteError;
  if (async_signature_runner->kernel == nullptr) return kTfLiteError;
  return Call(async_signature_runner, &TfLiteAsyncKernel::prepare, async_signature_runner->node());
}

TfLiteExecutionTask* TfLiteAsyncSignatureRunnerCreateTask(
    TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  auto* task = new TfLiteExecutionTask;
  task->names = async_signature_runner->tensors;
  return task;
}

TfLiteStatus TfLiteAsyncSignatureRunnerInvokeAsync(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteExecutionTask* task) {
  if (AnyIsNull(__func__, async_signature_runner, task)) return kTfLiteError;
  if (async_signature_runner->kernel == nullptr) return kTfLiteError;
  if (task->scheduled.exchange(true)) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "The task has already been scheduled for execution.");
    return kTfLiteError;
  }
  task->status =
      Call(async_signature_runner, &TfLiteAsyncKernel::eval, async_signature_runner->node(), task);
  return task->status;
}

TfLiteStatus TfLiteAsyncSignatureRunnerWait(TfLiteAsyncSignatureRunner* async_signature_runner,
                                            TfLiteExecutionTask* task) {
  if (AnyIsNull(__func__, async_signature_runner, task)) return kTfLiteError;
  if (async_signature_runner->kernel == nullptr) return kTfLiteError;
  if (!task->scheduled) return task->status;
  const TfLiteStatus status = Call(async_signature_runner, &TfLiteAsyncKernel::wait, task);
  task->status = status;
  task->scheduled = false;
  return status;
}

TfLiteStatus TfLiteAsyncSignatureRunnerFinish(TfLiteAsyncSignatureRunner* async_signature_runner,
                                              TfLiteExecutionTask* task) {
  if (AnyIsNull(__func__, async_signature_runner, task)) return kTfLiteError;
  const TfLiteStatus status = Call(async_signature_runner, &TfLiteAsyncKernel::finish, task);
  if (status != kTfLiteOk) async_signature_runner->graph->ReportError("Failed to finish task.");
  delete task;
  return status;
}

size_t TfLiteAsyncSignatureRunnerGetInputCount(
    const TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return 0;
  return async_signature_runner->graph->inputs().size();
}

const char* TfLiteAsyncSignatureRunnerGetInputName(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int32_t input_index) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  return SignatureName(async_signature_runner->signature->input_names(), input_index);
}

size_t TfLiteAsyncSignatureRunnerGetOutputCount(
    const TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return 0;
  return async_signature_runner->graph->outputs().size();
}

const char* TfLiteAsyncSignatureRunnerGetOutputName(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int32_t output_index) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  return SignatureName(async_signature_runner->signature->output_names(), output_index);
}

const TfLiteOpaqueTensor* TfLiteAsyncSignatureRunnerGetInputTensor(
    TfLiteAsyncSignatureRunner* async_signature_runner, const char* input_name) {
  if (AnyIsNull(__func__, async_signature_runner, input_name)) return nullptr;
  return TensorAt(async_signature_runner,
                  async_signature_runner->tensors.IndexOf(kTfLiteIoTypeInput, input_name));
}

const TfLiteOpaqueTensor* TfLiteAsyncSignatureRunnerGetOutputTensor(
    const TfLiteAsyncSignatureRunner* async_signature_runner, const char* output_name) {
  if (AnyIsNull(__func__, async_signature_runner, output_name)) return nullptr;
  return TensorAt(async_signature_runner,
                  async_signature_runner->tensors.IndexOf(kTfLiteIoTypeOutput, output_name));
}

const int* TfLiteAsyncSignatureRunnerInputTensorIndices(
    const TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  return async_signature_runner->graph->inputs().data();
}

const int* TfLiteAsyncSignatureRunnerOutputTensorIndices(
    const TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  return async_signature_runner->graph->outputs().data();
}

const TfLiteOpaqueTensor* TfLiteAsyncSignatureRunnerGetTensor(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int index) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  return TensorAt(async_signature_runner, index);
}
