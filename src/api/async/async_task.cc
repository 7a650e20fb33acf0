// SPDX-License-Identifier: Apache-2.0
// One asynchronous run: buffers and synchronizations by tensor.
#include "api/interpreter/signature_names.h"
#include "tensorflow/lite/core/async/task_internal.h"

TfLiteExecutionTask::TfLiteExecutionTask()
    : task(std::make_unique<tflite::async::ExecutionTask>()) {}

namespace tflite::async {

int ExecutionTask::IndexOf(TfLiteIoType io_type, const char* name) const {
  const TensorNameMapT* names = io_type == kTfLiteIoTypeInput    ? inputs_
                                : io_type == kTfLiteIoTypeOutput ? outputs_
                                                                 : nullptr;
  return names == nullptr ? -1 : tern::TensorIndexIn(*names, name);
}

ExecutionTask::Place ExecutionTask::PlaceOf(int tensor_index) const {
  const auto found = places_.find(tensor_index);
  return found == places_.end() ? Place() : found->second;
}

TfLiteBufferHandle ExecutionTask::GetBufferHandle(TfLiteIoType io_type, const char* name) const {
  return GetBufferHandle(IndexOf(io_type, name));
}

TfLiteBufferHandle ExecutionTask::GetBufferHandle(int tensor_index) const {
  return PlaceOf(tensor_index).buffer;
}

TfLiteStatus ExecutionTask::SetBufferHandle(TfLiteIoType io_type, const char* name,
                                            TfLiteBufferHandle handle) {
  const int index = IndexOf(io_type, name);
  return index < 0 ? kTfLiteError : SetBufferHandle(index, handle);
}

TfLiteStatus ExecutionTask::SetBufferHandle(int tensor_index, TfLiteBufferHandle handle) {
  places_[tensor_index].buffer = handle;
  return kTfLiteOk;
}

TfLiteSynchronization* ExecutionTask::GetSynchronization(TfLiteIoType io_type,
                                                         const char* name) const {
  return GetSynchronization(IndexOf(io_type, name));
}

TfLiteSynchronization* ExecutionTask::GetSynchronization(int tensor_index) const {
  return PlaceOf(tensor_index).sync;
}

TfLiteStatus ExecutionTask::SetSynchronization(TfLiteIoType io_type, const char* name,
                                               TfLiteSynchronization* sync) {
  const int index = IndexOf(io_type, name);
  return index < 0 ? kTfLiteError : SetSynchronization(index, sync);
}

TfLiteStatus ExecutionTask::SetSynchronization(int tensor_index, TfLiteSynchronization* sync) {
  places_[tensor_index].sync = sync;
  return kTfLiteOk;
}

}  // namespace tflite::async
