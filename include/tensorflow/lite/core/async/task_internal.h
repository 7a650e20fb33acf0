// SPDX-License-Identifier: Apache-2.0
// The content of the handle of an asynchronous run: buffers and synchronizations by tensor, and the
// status.
#ifndef TERN_TENSORFLOW_LITE_CORE_ASYNC_TASK_INTERNAL_H_
#define TERN_TENSORFLOW_LITE_CORE_ASYNC_TASK_INTERNAL_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "tensorflow/lite/core/async/async_kernel_internal.h"
#include "tensorflow/lite/core/async/c/types.h"
#include "tensorflow/lite/core/async/interop/c/types.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/core/c/common.h"

namespace tflite::async {

// Not thread-safe but for Scheduled, Status and their setters.
class ExecutionTask {
 public:
  using TensorNameMapT = std::map<std::string, uint32_t>;  // tensor index by name

  // ---- Buffers: kTfLiteNullBufferHandle where none was set; kTfLiteError for an unknown name. An
  // index is not checked.
  TfLiteBufferHandle GetBufferHandle(TfLiteIoType io_type, const char* name) const;
  TfLiteBufferHandle GetBufferHandle(int tensor_index) const;
  TfLiteStatus SetBufferHandle(TfLiteIoType io_type, const char* name, TfLiteBufferHandle handle);
  TfLiteStatus SetBufferHandle(int tensor_index, TfLiteBufferHandle handle);

  // ---- Synchronizations: not owned, null where none was set.
  TfLiteSynchronization* GetSynchronization(TfLiteIoType io_type, const char* name) const;
  TfLiteSynchronization* GetSynchronization(int tensor_index) const;
  TfLiteStatus SetSynchronization(TfLiteIoType io_type, const char* name,
                                  TfLiteSynchronization* sync);
  TfLiteStatus SetSynchronization(int tensor_index, TfLiteSynchronization* sync);

  // The names of a signature; not owned, must outlive the task. No name is known without them.
  void SetInputNameMap(const TensorNameMapT* input_name_to_idx) { inputs_ = input_name_to_idx; }
  void SetOutputNameMap(const TensorNameMapT* output_name_to_idx) { outputs_ = output_name_to_idx; }

  // Whether a run is under way; the setter returns what was so before.
  bool Scheduled() const { return scheduled_; }
  bool SetScheduled(bool scheduled) { return scheduled_.exchange(scheduled); }

  // The latest status, kTfLiteOk at first.
  TfLiteStatus Status() const { return status_; }
  void SetStatus(TfLiteStatus status) { status_ = status; }

  // A pointer that the kernel keeps with the run; not owned.
  void SetDelegateExecutionData(TfLiteAsyncKernel* /*kernel*/, void* data) { data_ = data; }
  void* GetDelegateExecutionData(TfLiteAsyncKernel* /*kernel*/) const { return data_; }

 private:
  struct Place {
    TfLiteBufferHandle buffer = kTfLiteNullBufferHandle;
    TfLiteSynchronization* sync = nullptr;
  };

  int IndexOf(TfLiteIoType io_type, const char* name) const;  // -1 for an unknown name
  Place PlaceOf(int tensor_index) const;

  const TensorNameMapT* inputs_ = nullptr;
  const TensorNameMapT* outputs_ = nullptr;
  std::map<int, Place> places_;  // by tensor index
  std::atomic<bool> scheduled_ = {false};
  std::atomic<TfLiteStatus> status_ = {kTfLiteOk};
  void* data_ = nullptr;
};

}  // namespace tflite::async

struct TfLiteExecutionTask {
  TfLiteExecutionTask();
  std::unique_ptr<tflite::async::ExecutionTask> task;  // never null
};

#endif  // TERN_TENSORFLOW_LITE_CORE_ASYNC_TASK_INTERNAL_H_
