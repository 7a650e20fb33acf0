// SPDX-License-Identifier: Apache-2.0
// Running an interpreter whose delegate may fail.
#ifndef TERN_TENSORFLOW_LITE_DELEGATES_INTERPRETER_UTILS_H_
#define TERN_TENSORFLOW_LITE_DELEGATES_INTERPRETER_UTILS_H_

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/interpreter.h"

namespace tflite {
namespace delegates {

class InterpreterUtils {
 public:
  // Invokes; when that fails while delegates are applied, removes them for good and invokes again
  // with the same inputs. Ok; kTfLiteDelegateError when the second attempt gave valid outputs
  // (tensor pointers obtained earlier are then invalid); any other status of a run that failed.
  static TfLiteStatus InvokeWithCPUFallback(Interpreter* interpreter);
};

}  // namespace delegates
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_DELEGATES_INTERPRETER_UTILS_H_
