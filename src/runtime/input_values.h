// SPDX-License-Identifier: Apache-2.0
//
// Keeps what is in a graph's inputs while the memory of the graph is planned again.
#ifndef TERN_RUNTIME_INPUT_VALUES_H_
#define TERN_RUNTIME_INPUT_VALUES_H_

#include <cstring>
#include <utility>
#include <vector>

#include "runtime/arena_planner.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern {

class InputValues {
 public:
  InputValues(const ArenaPlanner& planner, const std::vector<TfLiteTensor>& tensors,
              const std::vector<int>& inputs) {
    for (const int index : inputs) {
      // An application may have pointed a tensor elsewhere, to what is gone by now.
      if (index == kTfLiteOptionalTensor || !planner.Holds(tensors[index])) continue;
      const char* data = tensors[index].data.raw_const;
      saved_.emplace_back(index, std::vector<char>(data, data + tensors[index].bytes));
    }
  }

  // A tensor whose size has changed keeps nothing.
  void WriteTo(const ArenaPlanner& planner, std::vector<TfLiteTensor>* tensors) const {
    for (const auto& [index, bytes] : saved_) {
      TfLiteTensor& tensor = (*tensors)[index];
      if (!planner.Holds(tensor) || tensor.bytes != bytes.size() || bytes.empty()) continue;
      std::memcpy(tensor.data.raw, bytes.data(), bytes.size());
    }
  }

 private:
  std::vector<std::pair<int, std::vector<char>>> saved_;  // by index of the tensor
};

}  // namespace tern

#endif  // TERN_RUNTIME_INPUT_VALUES_H_
