// SPDX-License-Identifier: Apache-2.0
// Rules of the format that a run does not need: every section is there, each tensor is written
// once, and data is as long as its tensor.
#include "model/sparsity.h"
#include "model/tensor_data.h"
#include "model/tensor_types.h"
#include "model/vectors.h"
#include "model/verify_context.h"
#include "model/verify_model.h"
#include "tensorflow/lite/schema/schema_utils.h"

namespace tern {
namespace {

enum class Source : uint8_t { kNone, kConstant, kVariable, kInput, kOp };

class FormatChecker {
 public:
  FormatChecker(const tflite::Model& model, Bytes file) : model_(model), file_(file) {}

  Status Check() {
    TERN_RETURN_IF_ERROR(CheckSections());
    VerifyContext context(model_, file_);
    TensorFlags flags;
    for (uint32_t i = 0; i < model_.subgraphs()->size(); ++i) {
      TERN_RETURN_IF_ERROR(VerifyTensors(context, i, flags, TensorText::kName));
    }
    TERN_RETURN_IF_ERROR(VerifyModel(model_, file_));
    for (const tflite::SubGraph* subgraph : *model_.subgraphs()) {
      TERN_RETURN_IF_ERROR(CheckTensors(*subgraph));
      TERN_RETURN_IF_ERROR(CheckOrder(*subgraph));
    }
    return OkStatus();
  }

 private:
  Status CheckSections() {
    if (model_.subgraphs() == nullptr) return Invalid("Missing 'subgraphs' section.");
    if (model_.subgraphs()->size() == 0) return Invalid("No subgraph in the model.");
    for (const tflite::SubGraph* subgraph : *model_.subgraphs()) {
      if (subgraph->operators() == nullptr) {
        return Invalid("Missing 'operators' section in subgraph.");
      }
      for (const tflite::Operator* op : *subgraph->operators()) {
        if (op->inputs() == nullptr) return Invalid("Missing 'inputs' for operator.");
        if (op->outputs() == nullptr) return Invalid("Missing 'outputs' for operator.");
      }
    }
    if (model_.buffers() == nullptr) return Invalid("Missing 'buffers' section.");
    return OkStatus();
  }

  Status CheckTensors(const tflite::SubGraph& subgraph) {
    sources_.assign(SizeOf(subgraph.tensors()), Source::kNone);
    for (uint32_t i = 0; i < sources_.size(); ++i) {
      const tflite::Tensor& tensor = *subgraph.tensors()->Get(i);
      TERN_ASSIGN_OR_RETURN(const std::optional<Bytes> data, ConstantBytes(model_, tensor, file_));
      if (tensor.external_buffer() != 0) {
        sources_[i] = Source::kConstant;
      } else if (data.has_value()) {
        sources_[i] = Source::kConstant;
        TERN_RETURN_IF_ERROR(CheckLength(tensor, data->size()));
      } else if (tensor.is_variable()) {
        sources_[i] = Source::kVariable;
      }
    }
    for (uint32_t i = 0; i < SizeOf(subgraph.inputs()); ++i) {
      const int32_t input = subgraph.inputs()->Get(i);
      if (input >= 0) sources_[static_cast<size_t>(input)] = Source::kInput;
    }
    return OkStatus();
  }

  // The loader reads the front of a buffer that is too long.
  Status CheckLength(const tflite::Tensor& tensor, size_t needed) {
    if (tensor.type() == tflite::TensorType_STRING) return OkStatus();
    if (tensor.sparsity() != nullptr) {
      TERN_ASSIGN_OR_RETURN(const int64_t stored, CheckSparsity(tensor));
      needed = static_cast<size_t>(PackedBytes(tensor.type(), stored));
    }
    TERN_ASSIGN_OR_RETURN(const std::optional<Bytes> all,
                          BufferBytes(model_, tensor.buffer(), file_));
    if (!all.has_value() || all->size() == needed) return OkStatus();
    return Invalid(NamedTensor(tensor), " requires ", needed, " bytes, but is allocated with ",
                   all->size(), " bytes buffer");
  }

  Status CheckOrder(const tflite::SubGraph& subgraph) {
    for (uint32_t i = 0; i < SizeOf(subgraph.operators()); ++i) {
      const tflite::Operator& op = *subgraph.operators()->Get(i);
      const auto label = [&] {
        const auto* code = model_.operator_codes()->Get(op.opcode_index());
        return StrCat(" to op ", i, " (",
                      tflite::EnumNameBuiltinOperator(tflite::GetBuiltinCode(code)), ") is ");
      };
      for (uint32_t j = 0; j < op.inputs()->size(); ++j) {
        const int32_t tensor = op.inputs()->Get(j);
        if (tensor < 0 || sources_[static_cast<size_t>(tensor)] != Source::kNone) continue;
        return Invalid("Input tensor ", tensor, label(), "not produced");
      }
      for (uint32_t j = 0; j < op.outputs()->size(); ++j) {
        const int32_t tensor = op.outputs()->Get(j);
        if (tensor < 0) continue;
        Source& source = sources_[static_cast<size_t>(tensor)];
        if (source != Source::kNone) {
          return Invalid("Output tensor ", tensor, label(), Text(source));
        }
        source = Source::kOp;
      }
    }
    return OkStatus();
  }

  static const char* Text(Source source) {
    switch (source) {
      case Source::kConstant:
        return "a constant";
      case Source::kVariable:
        return "a variable";
      case Source::kInput:
        return "a subgraph input";
      default:
        return "an output from another op. There is a cycle in the graph";
    }
  }

  const tflite::Model& model_;
  const Bytes file_;
  std::vector<Source> sources_;  // of the tensors of a subgraph, so far
};

}  // namespace

Status VerifyFormat(const tflite::Model& model, std::span<const uint8_t> file) {
  return FormatChecker(model, file).Check();
}

}  // namespace tern
