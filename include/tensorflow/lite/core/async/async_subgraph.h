// SPDX-License-Identifier: Apache-2.0
// Asynchronous runs of one graph: everything goes to the kernel of the delegate that took it whole.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_ASYNC_SUBGRAPH_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_ASYNC_SUBGRAPH_H_

#include <atomic>
#include <cstddef>
#include <map>
#include <vector>

#include "tensorflow/lite/core/async/async_kernel_internal.h"
#include "tensorflow/lite/core/async/c/types.h"
#include "tensorflow/lite/core/async/interop/c/types.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tflite {

class Interpreter;

namespace async {

class AsyncSignatureRunner;
class AsyncSubgraphTestPeer;

// Calls fail (kTfLiteError, false or no names) for null arguments, and as long as the graph is not
// one node of a delegate that has an asynchronous kernel. See AsyncSignatureRunner, which has the
// same functions by name, for what they do.
class AsyncSubgraph {
 public:
  // Reports it when the graph cannot run so. `subgraph` is not owned and must outlive the object.
  explicit AsyncSubgraph(Subgraph* subgraph);
  AsyncSubgraph(const AsyncSubgraph&) = delete;
  AsyncSubgraph& operator=(const AsyncSubgraph&) = delete;

  Subgraph* subgraph() const { return subgraph_; }
  TfLiteContext* context() const { return subgraph_ == nullptr ? nullptr : subgraph_->context(); }

  TfLiteStatus RegisterBuffer(TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                              const TfLiteAttributeMap* attrs, TfLiteBufferHandle* handle);
  TfLiteStatus RegisterBufferSlice(TfLiteBufferHandle buffer_pool, const TfLiteAttributeMap* attrs,
                                   TfLiteBufferHandle* handle);
  TfLiteStatus UnregisterBuffer(TfLiteBufferHandle handle);

  const std::vector<const char*>& SupportedBufferTypes(TfLiteIoType io_type) const;
  const std::vector<const char*>& SupportedSynchronizations(TfLiteIoType io_type) const;

  bool ReconcileRestrictions(int tensor_index, const TfLiteAttributeMap* user_provided_attributes,
                             TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict) const;
  TfLiteStatus SetAttributes(int tensor_index, const TfLiteAttributeMap* attrs);
  TfLiteStatus SetBufferAttributes(const TfLiteBackendBuffer* buffer,
                                   const TfLiteAttributeMap* attrs);
  TfLiteStatus GetBufferAttributes(const TfLiteBackendBuffer* buffer, TfLiteAttributeMap* attrs);

  TfLiteStatus Prepare();
  // The caller gives the task to Finish in the end.
  TfLiteExecutionTask* CreateTask();
  TfLiteStatus InvokeAsync(TfLiteExecutionTask* task);
  TfLiteStatus Wait(TfLiteExecutionTask* task);
  // Deletes the task, whatever it returns.
  TfLiteStatus Finish(TfLiteExecutionTask* task);

 private:
  friend class AsyncSignatureRunner;
  friend class AsyncSubgraphTestPeer;
  friend class ::tflite::Interpreter;

  using Types = std::vector<const char*>;
  using TypesFunction = void (*)(const TfLiteAsyncKernel*, TfLiteIoType, const char* const**,
                                 size_t*);

  bool IsFullyDelegated() const;
  bool HasTensor(int tensor_index) const;
  TfLiteOpaqueContext* OpaqueContext() const;
  // Looks for the kernel unless the one that is known still serves, or reports why there is none.
  void FindKernel();
  // The kernel's answer, kept in `answers`.
  const Types& Ask(TypesFunction TfLiteAsyncKernel::*function, TfLiteIoType io_type,
                   std::map<TfLiteIoType, Types>* answers) const;
  // Null as soon as the graph is not that of the kernel any more.
  TfLiteAsyncKernel* Kernel() const;
  // Where the node is now: it moves when the graph grows. Only with a kernel.
  TfLiteOpaqueNode* OpaqueNode() const;

  template <class Function, class... Arguments>
  TfLiteStatus Call(Function TfLiteAsyncKernel::*function, Arguments... arguments) const;
  template <class Function, class... Arguments>
  TfLiteStatus Register(Function TfLiteAsyncKernel::*function, const TfLiteAttributeMap* attrs,
                        TfLiteBufferHandle* handle, Arguments... arguments);

  Subgraph* const subgraph_;
  TfLiteAsyncKernel* kernel_ = nullptr;  // the delegate's
  int node_index_ = -1;                  // the one that the kernel is of, and what it holds
  const void* node_data_ = nullptr;
  mutable std::map<TfLiteIoType, Types> buffer_types_;
  mutable std::map<TfLiteIoType, Types> synchronizations_;
  std::atomic<TfLiteBufferHandle> next_handle_ = {0};
};

}  // namespace async
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_ASYNC_SUBGRAPH_H_
