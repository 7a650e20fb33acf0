// SPDX-License-Identifier: Apache-2.0
//
// Interpreter: finding signatures and their runners.
#include <string>

#include "tensorflow/lite/core/interpreter.h"

namespace tflite {
namespace {

// Tensors by name; a tensor without a name of its own is called by its position.
std::map<std::string, uint32_t> NamesOf(const Subgraph& graph, const std::vector<int>& indices,
                                        const char* prefix) {
  std::map<std::string, uint32_t> names;
  for (size_t i = 0; i < indices.size(); ++i) {
    const TfLiteTensor* tensor = graph.tensor(indices[i]);
    if (tensor == nullptr) continue;
    std::string name = tensor->name != nullptr ? tensor->name : "";
    if (name.empty() || names.count(name) > 0) name = prefix + std::to_string(i);
    names[name] = static_cast<uint32_t>(indices[i]);
  }
  return names;
}

}  // namespace

void Interpreter::SetSignatureDef(std::vector<internal::SignatureDef> signature_defs) {
  signature_runners_.clear();
  async_signature_runners_.clear();
  signature_defs_ = std::move(signature_defs);
  if (options_ == nullptr || !options_->GetUseSignatureTensorNames()) return;
  for (const internal::SignatureDef& def : signature_defs_) {
    Subgraph* graph = subgraph(static_cast<int>(def.subgraph_index));
    if (graph == nullptr) continue;
    for (const auto* names : {&def.inputs, &def.outputs}) {
      for (const auto& [name, index] : *names) {
        TfLiteTensor* tensor = graph->tensor(static_cast<int>(index));
        if (tensor != nullptr) tensor->name = name.c_str();
      }
    }
  }
}

const internal::SignatureDef* Interpreter::FindSignature(const char* signature_key) const {
  if (signature_key == nullptr) return nullptr;
  for (const internal::SignatureDef& def : signature_defs_) {
    if (def.signature_key == signature_key) return &def;
  }
  return nullptr;
}

std::vector<const std::string*> Interpreter::signature_keys() const {
  std::vector<const std::string*> keys;
  for (const internal::SignatureDef& def : signature_defs_) keys.push_back(&def.signature_key);
  return keys;
}

const std::map<std::string, uint32_t>& Interpreter::signature_inputs(
    const char* signature_key) const {
  static const std::map<std::string, uint32_t> empty;
  const internal::SignatureDef* def = FindSignature(signature_key);
  return def != nullptr ? def->inputs : empty;
}

const std::map<std::string, uint32_t>& Interpreter::signature_outputs(
    const char* signature_key) const {
  static const std::map<std::string, uint32_t> empty;
  const internal::SignatureDef* def = FindSignature(signature_key);
  return def != nullptr ? def->outputs : empty;
}

int Interpreter::GetSubgraphIndexFromSignature(const char* signature_key) const {
  const internal::SignatureDef* def = FindSignature(signature_key);
  return def != nullptr ? static_cast<int>(def->subgraph_index) : -1;
}

TfLiteTensor* Interpreter::input_tensor_by_signature(const char* signature_input_name,
                                                     const char* signature_key) {
  Subgraph* graph = subgraph(GetSubgraphIndexFromSignature(signature_key));
  if (graph == nullptr || signature_input_name == nullptr) return nullptr;
  const auto& names = signature_inputs(signature_key);
  const auto found = names.find(signature_input_name);
  return found != names.end() ? graph->tensor(static_cast<int>(found->second)) : nullptr;
}

const TfLiteTensor* Interpreter::output_tensor_by_signature(const char* signature_output_name,
                                                            const char* signature_key) const {
  const Subgraph* graph = subgraph(GetSubgraphIndexFromSignature(signature_key));
  if (graph == nullptr || signature_output_name == nullptr) return nullptr;
  const auto& names = signature_outputs(signature_key);
  const auto found = names.find(signature_output_name);
  return found != names.end() ? graph->tensor(static_cast<int>(found->second)) : nullptr;
}

const internal::SignatureDef* Interpreter::PrimarySignature() {
  if (signature_defs_.empty()) {
    if (placeholder_signature_ == nullptr) {
      placeholder_signature_ = std::make_unique<internal::SignatureDef>();
      placeholder_signature_->signature_key = "<placeholder signature>";
      placeholder_signature_->inputs = NamesOf(primary_subgraph(), inputs(), "input");
      placeholder_signature_->outputs = NamesOf(primary_subgraph(), outputs(), "output");
    }
    return placeholder_signature_.get();
  }
  for (const internal::SignatureDef& def : signature_defs_) {
    if (def.subgraph_index == 0) return &def;
  }
  ReportError("The model has signature def but none of those points to primary subgraph.");
  return nullptr;
}

std::pair<const internal::SignatureDef*, Subgraph*> Interpreter::SignatureToRun(
    const char* signature_key) {
  const internal::SignatureDef* def =
      signature_key == nullptr ? PrimarySignature() : FindSignature(signature_key);
  if (def == nullptr || ApplyLazyDelegateProviders() != kTfLiteOk) return {nullptr, nullptr};
  Subgraph* graph = subgraph(static_cast<int>(def->subgraph_index));
  if (graph == nullptr) return {nullptr, nullptr};
  return {def, graph};
}

SignatureRunner* Interpreter::GetSignatureRunner(const char* signature_key) {
  const auto [def, graph] = SignatureToRun(signature_key);
  if (def == nullptr) return nullptr;
  std::unique_ptr<SignatureRunner>& runner = signature_runners_[def];
  if (runner == nullptr) runner.reset(new SignatureRunner(def, graph, this));
  return runner.get();
}

async::AsyncSignatureRunner* Interpreter::GetAsyncSignatureRunner(const char* signature_key) {
  const auto [def, graph] = SignatureToRun(signature_key);
  if (def == nullptr) return nullptr;
  std::unique_ptr<async::AsyncSignatureRunner>& runner = async_signature_runners_[def];
  if (runner == nullptr) {
    runner = std::make_unique<async::AsyncSignatureRunner>(def, graph);
  } else {
    runner->graph_.FindKernel();
  }
  return runner.get();
}

}  // namespace tflite
