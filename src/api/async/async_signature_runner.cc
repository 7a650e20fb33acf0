// SPDX-License-Identifier: Apache-2.0
// AsyncSignatureRunner: names to tensor indices; the rest is the graph's.
#include "tensorflow/lite/core/async/async_signature_runner.h"

#include "api/interpreter/signature_names.h"
#include "tensorflow/lite/core/async/task_internal.h"

namespace tflite::async {

AsyncSignatureRunner::AsyncSignatureRunner(const internal::SignatureDef* signature_def,
                                           Subgraph* subgraph)
    : signature_def_(signature_def),
      signature_key_(signature_def->signature_key),
      input_names_(tern::NamesIn(signature_def->inputs)),
      output_names_(tern::NamesIn(signature_def->outputs)),
      graph_(subgraph) {}

int AsyncSignatureRunner::GetTensorIndex(TfLiteIoType io_type, const char* name) const {
  switch (io_type) {
    case kTfLiteIoTypeInput:
      return tern::TensorIndexIn(signature_def_->inputs, name);
    case kTfLiteIoTypeOutput:
      return tern::TensorIndexIn(signature_def_->outputs, name);
    default:
      return -1;
  }
}

TfLiteExecutionTask* AsyncSignatureRunner::CreateTask() {
  TfLiteExecutionTask* task = graph_.CreateTask();
  task->task->SetInputNameMap(&signature_def_->inputs);
  task->task->SetOutputNameMap(&signature_def_->outputs);
  return task;
}

}  // namespace tflite::async
