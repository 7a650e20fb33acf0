// SPDX-License-Identifier: Apache-2.0
// The inputs' contents while a graph is allocated again.
#ifndef TERN_API_INTERPRETER_SAVED_INPUTS_H_
#define TERN_API_INTERPRETER_SAVED_INPUTS_H_

#include <cstring>
#include <vector>

#include "tensorflow/lite/interpreter.h"

namespace tern {

class SavedInputs {
 public:
  // Memory of the application stays as it is, so it needs no copy.
  explicit SavedInputs(tflite::Interpreter* interpreter) : interpreter_(interpreter) {
    for (const int index : interpreter->inputs()) {
      const TfLiteTensor* tensor = interpreter->tensor(index);
      if (tensor != nullptr && tensor->data.raw != nullptr && tensor->bytes > 0 &&
          tensor->allocation_type != kTfLiteCustom) {
        inputs_.push_back({index, {tensor->data.raw, tensor->data.raw + tensor->bytes}});
      }
    }
  }

  TfLiteStatus Restore() const {
    for (const Input& input : inputs_) {
      TfLiteTensor* tensor = interpreter_->tensor(input.tensor);
      TF_LITE_ENSURE_STATUS(TfLiteTensorRealloc(input.bytes.size(), tensor));
      if (tensor->data.raw == nullptr || tensor->bytes != input.bytes.size()) {
        return kTfLiteError;
      }
      std::memcpy(tensor->data.raw, input.bytes.data(), input.bytes.size());
    }
    return kTfLiteOk;
  }

 private:
  struct Input {
    int tensor;
    std::vector<char> bytes;
  };

  tflite::Interpreter* interpreter_;
  std::vector<Input> inputs_;
};

}  // namespace tern

#endif  // TERN_API_INTERPRETER_SAVED_INPUTS_H_
