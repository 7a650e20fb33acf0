// SPDX-License-Identifier: Apache-2.0
// Runs of a signature that a delegate's asynchronous kernel carries out on buffers of the platform.
// The C form, with the order of calls, is c/async_signature_runner.h.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_ASYNC_SIGNATURE_RUNNER_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_ASYNC_SIGNATURE_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tensorflow/lite/core/async/async_kernel_internal.h"
#include "tensorflow/lite/core/async/async_subgraph.h"
#include "tensorflow/lite/core/async/c/types.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/internal/signature_def.h"

namespace tflite {

class Interpreter;

namespace async {

class AsyncSignatureRunnerTest;

// Owned by the interpreter that gave it out (Interpreter::GetAsyncSignatureRunner). On a graph that
// no delegate with an asynchronous kernel took whole, it still names inputs and outputs, and
// everything else fails. Unknown names and indices, and null arguments, fail as well: kTfLiteError,
// false or null. Wait may be called from several threads.
class AsyncSignatureRunner {
 public:
  // Neither is owned; both must outlive the runner.
  AsyncSignatureRunner(const internal::SignatureDef* signature_def, Subgraph* subgraph);

  // Whether a delegate with an asynchronous kernel has the graph. An extension of this library.
  bool CanRun() const { return graph_.Kernel() != nullptr; }

  // ---- Buffers. *handle becomes the buffer's name in tasks, or kTfLiteNullBufferHandle on
  // failure. `attrs` must be a buffer map. Slices are unregistered before the buffer of them.
  TfLiteStatus RegisterBuffer(TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                              const TfLiteAttributeMap* attrs, TfLiteBufferHandle* handle) {
    return graph_.RegisterBuffer(io_type, buffer, attrs, handle);
  }
  TfLiteStatus RegisterBufferSlice(TfLiteBufferHandle buffer_pool, const TfLiteAttributeMap* attrs,
                                   TfLiteBufferHandle* handle) {
    return graph_.RegisterBufferSlice(buffer_pool, attrs, handle);
  }
  TfLiteStatus UnregisterBuffer(TfLiteBufferHandle handle) {
    return graph_.UnregisterBuffer(handle);
  }

  // ---- Names of types that the kernel can use; valid as long as the runner.
  const std::vector<const char*>& SupportedBufferTypes(TfLiteIoType io_type) const {
    return graph_.SupportedBufferTypes(io_type);
  }
  const std::vector<const char*>& SupportedSynchronizations(TfLiteIoType io_type) const {
    return graph_.SupportedSynchronizations(io_type);
  }

  // ---- Attributes of a tensor. Reconcile fills `merged` with what application and backend agree
  // on and `conflict`, which may be null, with what they do not; true without a conflict. Set fixes
  // them; prepare afterwards.
  bool ReconcileRestrictions(TfLiteIoType io_type, const char* name,
                             const TfLiteAttributeMap* user_provided_attributes,
                             TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict) const {
    return ReconcileRestrictions(GetTensorIndex(io_type, name), user_provided_attributes, merged,
                                 conflict);
  }
  bool ReconcileRestrictions(int tensor_index, const TfLiteAttributeMap* user_provided_attributes,
                             TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict) const {
    return graph_.ReconcileRestrictions(tensor_index, user_provided_attributes, merged, conflict);
  }
  TfLiteStatus SetAttributes(TfLiteIoType io_type, const char* name,
                             const TfLiteAttributeMap* attrs) {
    return SetAttributes(GetTensorIndex(io_type, name), attrs);
  }
  TfLiteStatus SetAttributes(int tensor_index, const TfLiteAttributeMap* attrs) {
    return graph_.SetAttributes(tensor_index, attrs);
  }
  // The same of one registered buffer, whichever tensor it is for.
  TfLiteStatus SetBufferAttributes(const TfLiteBackendBuffer* buffer,
                                   const TfLiteAttributeMap* attrs) {
    return graph_.SetBufferAttributes(buffer, attrs);
  }
  TfLiteStatus GetBufferAttributes(const TfLiteBackendBuffer* buffer, TfLiteAttributeMap* attrs) {
    return graph_.GetBufferAttributes(buffer, attrs);
  }

  // ---- Runs. A task under way cannot be invoked again before Wait. Wait without a run gives the
  // latest status. Finish deletes the task, whatever it returns; the task must not outlive the
  // runner.
  TfLiteStatus PrepareBackends() { return graph_.Prepare(); }
  TfLiteExecutionTask* CreateTask();
  TfLiteStatus InvokeAsync(TfLiteExecutionTask* task) { return graph_.InvokeAsync(task); }
  TfLiteStatus Wait(TfLiteExecutionTask* task) { return graph_.Wait(task); }
  TfLiteStatus Finish(TfLiteExecutionTask* task) { return graph_.Finish(task); }

  // ---- Inputs and outputs: names sorted, indices in the order of the graph. Tensors show type and
  // shape; their data lies in the buffers.
  const std::string& signature_key() const { return signature_key_; }
  size_t input_size() const { return inputs().size(); }
  size_t output_size() const { return outputs().size(); }
  const std::vector<const char*>& input_names() const { return input_names_; }
  const std::vector<const char*>& output_names() const { return output_names_; }
  const TfLiteOpaqueTensor* input_tensor(const char* input_name) const {
    return tensor(GetTensorIndex(kTfLiteIoTypeInput, input_name));
  }
  const TfLiteOpaqueTensor* output_tensor(const char* output_name) const {
    return tensor(GetTensorIndex(kTfLiteIoTypeOutput, output_name));
  }
  const std::vector<int>& inputs() const { return graph_.subgraph()->inputs(); }
  const std::vector<int>& outputs() const { return graph_.subgraph()->outputs(); }
  const TfLiteOpaqueTensor* tensor(int tensor_index) const {
    return reinterpret_cast<const TfLiteOpaqueTensor*>(graph_.subgraph()->tensor(tensor_index));
  }

 private:
  friend class AsyncSignatureRunnerTest;
  friend class ::tflite::Interpreter;

  int GetTensorIndex(TfLiteIoType io_type, const char* name) const;  // -1 for an unknown name

  const internal::SignatureDef* const signature_def_;
  const std::string signature_key_;
  const std::vector<const char*> input_names_;
  const std::vector<const char*> output_names_;
  AsyncSubgraph graph_;
};

}  // namespace async
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_ASYNC_SIGNATURE_RUNNER_H_
