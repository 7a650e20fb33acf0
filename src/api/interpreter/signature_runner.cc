// SPDX-License-Identifier: Apache-2.0
//
// SignatureRunner: names to tensor indices, then calls to the subgraph.
#include "tensorflow/lite/core/signature_runner.h"

#include "api/interpreter/signature_names.h"
#include "runtime/subgraph_parts.h"
#include "tensorflow/lite/core/interpreter.h"

namespace tflite {
namespace {

std::vector<const char*> NamesInOrder(const std::map<std::string, uint32_t>& tensors,
                                      const std::vector<int>& order) {
  std::map<int, const char*> by_index;
  for (const auto& [name, index] : tensors) by_index.emplace(static_cast<int>(index), name.c_str());
  std::vector<const char*> names;
  for (int index : order) {
    const auto found = by_index.find(index);
    if (found != by_index.end()) names.push_back(found->second);
  }
  return names;
}

}  // namespace

SignatureRunner::SignatureRunner(const internal::SignatureDef* signature_def, Subgraph* subgraph,
                                 Interpreter* interpreter)
    : signature_def_(signature_def),
      subgraph_(subgraph),
      interpreter_(interpreter),
      input_names_(tern::NamesIn(signature_def->inputs)),
      output_names_(tern::NamesIn(signature_def->outputs)),
      subgraph_input_names_(NamesInOrder(signature_def->inputs, subgraph->inputs())),
      subgraph_output_names_(NamesInOrder(signature_def->outputs, subgraph->outputs())) {}

int SignatureRunner::FindInput(const char* name) const {
  const int index = tern::TensorIndexIn(signature_def_->inputs, name);
  if (index < 0) {
    subgraph_->ReportError("Input name %s was not found", name != nullptr ? name : "(null)");
  }
  return index;
}

int SignatureRunner::FindOutput(const char* name) const {
  const int index = tern::TensorIndexIn(signature_def_->outputs, name);
  if (index < 0) {
    subgraph_->ReportError("Output name %s was not found", name != nullptr ? name : "(null)");
  }
  return index;
}

TfLiteTensor* SignatureRunner::input_tensor(const char* input_name) {
  return subgraph_->tensor(FindInput(input_name));
}

const TfLiteTensor* SignatureRunner::output_tensor(const char* output_name) const {
  return subgraph_->tensor(FindOutput(output_name));
}

TfLiteStatus SignatureRunner::ResizeInputTensor(const char* input_name,
                                                const std::vector<int>& new_size) {
  const int index = FindInput(input_name);
  return index < 0 ? kTfLiteError : subgraph_->ResizeInputTensor(index, new_size);
}

TfLiteStatus SignatureRunner::ResizeInputTensorStrict(const char* input_name,
                                                      const std::vector<int>& new_size) {
  const int index = FindInput(input_name);
  return index < 0 ? kTfLiteError : subgraph_->ResizeInputTensorStrict(index, new_size);
}

TfLiteStatus SignatureRunner::Invoke() {
  return interpreter_->InvokeSubgraph(subgraph_, allow_buffer_handle_output_);
}

TfLiteStatus SignatureRunner::Cancel() { return interpreter_->Cancel(); }

TfLiteStatus SignatureRunner::SetCustomAllocationForInputTensor(
    const char* input_name, const TfLiteCustomAllocation& allocation, int64_t flags) {
  const int index = FindInput(input_name);
  return index < 0 ? kTfLiteError
                   : subgraph_->SetCustomAllocationForTensor(index, allocation, flags);
}

TfLiteStatus SignatureRunner::SetCustomAllocationForOutputTensor(
    const char* output_name, const TfLiteCustomAllocation& allocation, int64_t flags) {
  const int index = FindOutput(output_name);
  return index < 0 ? kTfLiteError
                   : subgraph_->SetCustomAllocationForTensor(index, allocation, flags);
}

TfLiteStatus SignatureRunner::ClearCustomAllocations() {
  for (const auto* indices : {&subgraph_->inputs(), &subgraph_->outputs()}) {
    for (int index : *indices) {
      if (index == kTfLiteOptionalTensor) continue;
      tern::SubgraphParts::Of(*subgraph_).outside.Clear(index);
    }
  }
  return kTfLiteOk;
}

TfLiteStatus SignatureRunner::SetInputBufferHandle(const char* input_name,
                                                   TfLiteBufferHandle buffer_handle,
                                                   TfLiteDelegate* delegate,
                                                   bool release_existing_buffer_handle) {
  const int index = FindInput(input_name);
  return index < 0 ? kTfLiteError
                   : subgraph_->SetBufferHandle(index, buffer_handle, delegate,
                                                release_existing_buffer_handle);
}

TfLiteStatus SignatureRunner::SetOutputBufferHandle(const char* output_name,
                                                    TfLiteBufferHandle buffer_handle,
                                                    TfLiteDelegate* delegate,
                                                    bool release_existing_buffer_handle) {
  const int index = FindOutput(output_name);
  return index < 0 ? kTfLiteError
                   : subgraph_->SetBufferHandle(index, buffer_handle, delegate,
                                                release_existing_buffer_handle);
}

}  // namespace tflite
