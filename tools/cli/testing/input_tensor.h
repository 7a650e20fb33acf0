// SPDX-License-Identifier: Apache-2.0
// An input of a model for tests that fill one: type and shape, without data.
#ifndef TERN_TOOLS_CLI_TESTING_INPUT_TENSOR_H_
#define TERN_TOOLS_CLI_TESTING_INPUT_TENSOR_H_

#include <algorithm>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tern::testing {

struct InputTensor {
  InputTensor(TfLiteType type, const std::vector<int>& shape) {
    tensor.type = type;
    tensor.dims = TfLiteIntArrayCreate(static_cast<int>(shape.size()));
    std::copy(shape.begin(), shape.end(), tensor.dims->data);
  }
  ~InputTensor() { TfLiteIntArrayFree(tensor.dims); }
  InputTensor(const InputTensor&) = delete;
  InputTensor& operator=(const InputTensor&) = delete;

  TfLiteTensor tensor{};
};

}  // namespace tern::testing

#endif  // TERN_TOOLS_CLI_TESTING_INPUT_TENSOR_H_
