// SPDX-License-Identifier: Apache-2.0
// The parts of the verifier, and the context that they share.
#ifndef TERN_MODEL_VERIFY_CONTEXT_H_
#define TERN_MODEL_VERIFY_CONTEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/tensor_data.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

class VerifyContext {
 public:
  VerifyContext(const tflite::Model& model, Bytes file) : model_(model), file_(file) {
    if (!file.empty()) budget_ = file.size() * 8 + kSmallBudget;
  }

  const tflite::Model& model() const { return model_; }
  Bytes file() const { return file_; }

  // Counts list elements looked at. A file whose tables share their lists could otherwise ask for
  // work out of all proportion to its size.
  Status Spend(uint64_t elements) {
    if (elements > budget_) return TooLarge("lists are far longer than the file");
    budget_ -= elements;
    return OkStatus();
  }

  // The op code of every entry of the model's table, once they are known to be sound.
  std::vector<tflite::BuiltinOperator>& codes() { return codes_; }

  tflite::BuiltinOperator CodeOf(const tflite::Operator& op) const {
    return codes_[op.opcode_index()];
  }

 private:
  static constexpr uint64_t kSmallBudget = 1 << 16;

  const tflite::Model& model_;
  Bytes file_;
  uint64_t budget_ = UINT64_MAX;
  std::vector<tflite::BuiltinOperator> codes_;
};

// The facts about one tensor; VerifyTensors sets the first two, VerifyGraph the others.
enum TensorFlag : uint8_t {
  kConstantTensor = 1,  // has data
  kVariableTensor = 2,
  kInputTensor = 4,
  kHasWriter = 8,
  kWritten = 16,
};
using TensorFlags = std::vector<uint8_t>;

// «CONV_2D #3», «CUSTOM Name #3», in a further subgraph «subgraph 1: CONV_2D #3».
std::string OpLabel(const VerifyContext& context, uint32_t subgraph, uint32_t op);

// «tensor #4 (name)».
std::string TensorLabel(const tflite::SubGraph& subgraph, uint32_t subgraph_index, uint32_t tensor);

// «Tensor name», «String tensor name», as TensorFlow Lite's verifier begins its texts.
std::string NamedTensor(const tflite::Tensor& tensor);

// How an error names its tensor: TensorLabel or NamedTensor.
enum class TensorText : uint8_t { kLabel, kName };

// Types, shapes, data, quantization and sparsity of every tensor. `flags` gets one entry per
// tensor.
Status VerifyTensors(VerifyContext& context, uint32_t subgraph, TensorFlags& flags,
                     TensorText text = TensorText::kLabel);

// Index lists in range, custom options inside of the file, no tensor read before its first write
// and no constant written.
Status VerifyGraph(VerifyContext& context, uint32_t subgraph, TensorFlags& flags);

}  // namespace tern

#endif  // TERN_MODEL_VERIFY_CONTEXT_H_
