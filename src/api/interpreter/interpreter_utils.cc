// SPDX-License-Identifier: Apache-2.0
// A run on the CPU after a delegate failed.
#include "tensorflow/lite/delegates/interpreter_utils.h"

#include "api/interpreter/saved_inputs.h"

namespace tflite {
namespace delegates {
TfLiteStatus InterpreterUtils::InvokeWithCPUFallback(Interpreter* interpreter) {
  const TfLiteStatus status = interpreter->Invoke();
  if (status == kTfLiteOk || status == kTfLiteCancelled || !interpreter->HasDelegates()) {
    return status;
  }
  interpreter->error_reporter()->Report(
      "Invoke() failed in the presence of delegation. Retrying without.");
  const tern::SavedInputs saved(interpreter);
  TF_LITE_ENSURE_STATUS(interpreter->RemoveAllDelegates());
  TF_LITE_ENSURE_STATUS(saved.Restore());
  TF_LITE_ENSURE_STATUS(interpreter->Invoke());
  return kTfLiteDelegateError;
}

}  // namespace delegates
}  // namespace tflite
