// SPDX-License-Identifier: Apache-2.0
//
// InterpreterBuilder: tensors, nodes and signatures of a checked model.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "api/interpreter/file_bytes.h"
#include "model/external_data.h"
#include "model/quantization.h"
#include "model/read_params.h"
#include "model/signatures.h"
#include "model/sparsity.h"
#include "model/tensor_data.h"
#include "model/tensor_types.h"
#include "runtime/graph_state.h"
#include "tensorflow/lite/core/interpreter_builder.h"

namespace tflite {
namespace {

template <typename T>
std::vector<int> ToVector(const flatbuffers::Vector<T>* values) {
  return values != nullptr ? std::vector<int>(values->begin(), values->end()) : std::vector<int>();
}

}  // namespace

TfLiteStatus InterpreterBuilder::LoadSubgraphs(Interpreter* interpreter) {
  const auto& sources = *model_->subgraphs();
  if (sources.size() > 1) interpreter->AddSubgraphs(static_cast<int>(sources.size()) - 1);
  has_float_tensor_ = false;
  tern::ExternalData external(*model_, allocation_ != nullptr ? allocation_->path() : "");
  for (uint32_t i = 0; i < sources.size(); ++i) {
    const SubGraph& source = *sources[i];
    Subgraph* target = interpreter->subgraph(static_cast<int>(i));
    if (source.tensors() == nullptr) {
      error_reporter_->Report("Did not get tensors in subgraph %d.\n", static_cast<int>(i));
      return kTfLiteError;
    }
    target->SetName(source.name() != nullptr ? source.name()->c_str() : "");
    target->SetAllocation(allocation_);
    TF_LITE_ENSURE_STATUS(target->AddTensors(static_cast<int>(source.tensors()->size())));
    TF_LITE_ENSURE_STATUS(target->SetInputs(ToVector(source.inputs())));
    TF_LITE_ENSURE_STATUS(target->SetOutputs(ToVector(source.outputs())));
    TF_LITE_ENSURE_STATUS(LoadTensors(source, &external, target));
    TF_LITE_ENSURE_STATUS(LoadNodes(source, target));
  }
  return kTfLiteOk;
}

TfLiteStatus InterpreterBuilder::LoadTensors(const SubGraph& source, tern::ExternalData* external,
                                             Subgraph* target) {
  const int count = static_cast<int>(source.tensors()->size());
  std::vector<int> variables;
  TfLiteStatus result = kTfLiteOk;
  for (int i = 0; i < count; ++i) {
    const Tensor& tensor = *source.tensors()->Get(i);
    if (tensor.is_variable()) variables.push_back(i);
    if (tensor.type() == TensorType_FLOAT32) has_float_tensor_ = true;
    // All bad tensors are reported, not just the first.
    if (LoadTensor(tensor, i, count, external, target) != kTfLiteOk) {
      error_reporter_->Report("Tensor %d is invalidly specified in schema.\n", i);
      result = kTfLiteError;
    }
  }
  if (result != kTfLiteOk) return result;
  for (std::shared_ptr<tern::MappedFile>& file : external->files()) {
    tern::GraphState::Of(*target).owned_constants.Keep(std::move(file));
  }
  return target->SetVariables(std::move(variables));
}

TfLiteStatus InterpreterBuilder::LoadTensor(const Tensor& source, int index, int tensor_count,
                                            tern::ExternalData* external, Subgraph* target) {
  const auto fail = [&](const tern::Status& status) {
    error_reporter_->Report("Tensor %d: %s", index, std::string(tern::Message(status)).c_str());
    return kTfLiteError;
  };
  const auto type = tern::RuntimeType(source.type());
  if (!type.ok()) return fail(type.status());
  auto data = tern::ConstantBytes(*model_, source, tern::FileBytes(allocation_));
  if (data.ok() && source.external_buffer() != 0) data = external->Read(source.external_buffer());
  if (!data.ok()) return fail(data.status());
  const char* name = source.name() != nullptr ? source.name()->c_str() : "";
  const std::vector<int> dims = ToVector(source.shape());
  const auto quantization = tern::ReadQuantization(source, tensor_count);
  if (!quantization.ok()) {
    error_reporter_->Report("Tensor %d has invalid quantization parameters.", index);
    return fail(quantization.status());
  }
  if (!data->has_value()) {
    return target->SetTensorParametersReadWrite(index, *type, name, dims, *quantization,
                                                source.is_variable(),
                                                ToVector(source.shape_signature()));
  }
  const auto sparsity = tern::ReadSparsity(source);
  if (!sparsity.ok()) {
    TfLiteQuantization unused = *quantization;
    TfLiteQuantizationFree(&unused);
    return fail(sparsity.status());
  }
  const tern::Bytes bytes = **data;
  return target->SetTensorParametersReadOnly(index, *type, name, dims, *quantization,
                                             reinterpret_cast<const char*>(bytes.data()),
                                             bytes.size(), allocation_, *sparsity, source.buffer());
}

TfLiteStatus InterpreterBuilder::LoadNodes(const SubGraph& source, Subgraph* target) {
  if (source.operators() == nullptr) return kTfLiteOk;
  for (uint32_t i = 0; i < source.operators()->size(); ++i) {
    const Operator& op = *source.operators()->Get(i);
    const auto fail = [&](const char* text) {
      error_reporter_->Report("Operator %d of subgraph %d: %s", static_cast<int>(i),
                              target->GetSubgraphIndex(), text);
      return kTfLiteError;
    };
    if (op.opcode_index() >= registrations_.size()) return fail("opcode index out of range.");
    const TfLiteRegistration* registration = registrations_[op.opcode_index()];
    const char* init_data = nullptr;
    size_t init_size = 0;
    void* params = nullptr;
    if (registration->builtin_code == BuiltinOperator_CUSTOM) {
      const auto options = tern::CustomOptionBytes(op, tern::FileBytes(allocation_));
      if (!options.ok()) return fail(std::string(tern::Message(options.status())).c_str());
      if (!options->empty()) init_data = reinterpret_cast<const char*>(options->data());
      init_size = options->size();
    } else {
      const auto read =
          tern::ReadParams(op, static_cast<BuiltinOperator>(registration->builtin_code));
      if (!read.ok()) return fail(std::string(tern::Message(read.status())).c_str());
      params = *read;
    }
    const TfLiteStatus added = target->AddNodeWithParameters(
        ToVector(op.inputs()), ToVector(op.outputs()), ToVector(op.intermediates()), init_data,
        init_size, params, registration);
    // A graph that is not consistent now can be looked at; AllocateTensors refuses it.
    if (added != kTfLiteOk && tern::GraphState::Of(*target).consistent) return added;
  }
  return kTfLiteOk;
}

TfLiteStatus InterpreterBuilder::LoadSignatures(Interpreter* interpreter) {
  const auto signatures = tern::ReadSignatures(*model_);
  if (!signatures.ok()) {
    error_reporter_->Report("%s", std::string(tern::Message(signatures.status())).c_str());
    return kTfLiteError;
  }
  std::vector<internal::SignatureDef> defs;
  for (const tern::Signature& signature : *signatures) {
    internal::SignatureDef def;
    def.signature_key = signature.key;
    def.subgraph_index = signature.subgraph_index;
    def.inputs = signature.inputs;
    def.outputs = signature.outputs;
    defs.push_back(std::move(def));
  }
  interpreter->SetSignatureDef(std::move(defs));
  return kTfLiteOk;
}

}  // namespace tflite
