// SPDX-License-Identifier: Apache-2.0
// A run on the CPU after a delegate failed.
#include "tensorflow/lite/delegates/interpreter_utils.h"

#include <cstring>
#include <vector>

namespace tflite {
namespace delegates {
namespace {

struct SavedInput {
  int tensor;
  std::vector<char> bytes;
};

// Memory of the application stays as it is, so it needs no copy.
std::vector<SavedInput> SaveInputs(Interpreter* interpreter) {
  std::vector<SavedInput> saved;
  for (const int index : interpreter->inputs()) {
    const TfLiteTensor* tensor = interpreter->tensor(index);
    if (tensor != nullptr && tensor->data.raw != nullptr && tensor->bytes > 0 &&
        tensor->allocation_type != kTfLiteCustom) {
      saved.push_back({index, {tensor->data.raw, tensor->data.raw + tensor->bytes}});
    }
  }
  return saved;
}

TfLiteStatus RestoreInputs(Interpreter* interpreter, const std::vector<SavedInput>& saved) {
  for (const SavedInput& input : saved) {
    TfLiteTensor* tensor = interpreter->tensor(input.tensor);
    TF_LITE_ENSURE_STATUS(TfLiteTensorRealloc(input.bytes.size(), tensor));
    if (tensor->data.raw == nullptr || tensor->bytes != input.bytes.size()) {
      return kTfLiteError;
    }
    std::memcpy(tensor->data.raw, input.bytes.data(), input.bytes.size());
  }
  return kTfLiteOk;
}

}  // namespace

TfLiteStatus InterpreterUtils::InvokeWithCPUFallback(Interpreter* interpreter) {
  const TfLiteStatus status = interpreter->Invoke();
  if (status == kTfLiteOk || status == kTfLiteCancelled || !interpreter->HasDelegates()) {
    return status;
  }
  interpreter->error_reporter()->Report(
      "Invoke() failed in the presence of delegation. Retrying without.");
  const std::vector<SavedInput> saved = SaveInputs(interpreter);
  TF_LITE_ENSURE_STATUS(interpreter->RemoveAllDelegates());
  TF_LITE_ENSURE_STATUS(RestoreInputs(interpreter, saved));
  TF_LITE_ENSURE_STATUS(interpreter->Invoke());
  return kTfLiteDelegateError;
}

}  // namespace delegates
}  // namespace tflite
