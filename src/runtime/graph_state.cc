// SPDX-License-Identifier: Apache-2.0
//
// The nodes of a graph, and reports about it.
#include "runtime/graph_state.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "abi/op_table.h"
#include "runtime/node_calls.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/util.h"

namespace tern {

void GraphState::ReportError(const char* format, ...) const {
  va_list args;
  va_start(args, format);
  error_reporter->Report(format, args);
  va_end(args);
}

tflite::Subgraph* GraphState::OtherGraph(int index) const {
  const bool known =
      subgraphs != nullptr && index >= 0 && static_cast<size_t>(index) < subgraphs->size();
  return known ? (*subgraphs)[index].get() : nullptr;
}

TfLiteStatus GraphState::ReportNodeError(const TfLiteRegistration& registration, int node_index,
                                         const char* what) const {
  ReportError("Node number %d (%s) %s.", node_index, NodeName(registration), what);
  return kTfLiteError;
}

void GraphState::CleanupNode(int node_index) {
  auto& [node, registration] = nodes[node_index];
  if (node.user_data != nullptr) CallFree(&context, registration, node.user_data);
  node.user_data = nullptr;
  for (TfLiteIntArray** array :
       {&node.inputs, &node.outputs, &node.intermediates, &node.temporaries}) {
    TfLiteIntArrayFree(*array);
    *array = nullptr;
  }
  std::free(node.builtin_data);
  node.builtin_data = nullptr;
}

TfLiteStatus GraphState::CheckTensorIndices(const char* label, const int* indices, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int index = indices[i];
    if (index == kTfLiteOptionalTensor) continue;
    if (index < 0 || static_cast<size_t>(index) >= tensors.size()) {
      ReportError("Invalid tensor index %d in %s. The subgraph has %d tensors\n", index, label,
                  static_cast<int>(tensors.size()));
      consistent = false;
      return kTfLiteError;
    }
  }
  return kTfLiteOk;
}

TfLiteStatus GraphState::CheckOverlap(const std::vector<int>& read,
                                      const std::vector<int>& written) {
  const auto place = [](const std::vector<int>& list, int tensor) {
    return static_cast<int>(std::find(list.begin(), list.end(), tensor) - list.begin());
  };
  std::vector<int> sorted = written;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(sorted.begin(),
               std::upper_bound(sorted.begin(), sorted.end(), kTfLiteOptionalTensor));
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    ReportError("Tensor %d is output %d and another output, too\n", *twice, place(written, *twice));
    consistent = false;
    return kTfLiteError;
  }
  for (size_t i = 0; i < read.size(); ++i) {
    if (!std::binary_search(sorted.begin(), sorted.end(), read[i])) continue;
    ReportError("Tensor %d is both input %d and output %d\n", read[i], static_cast<int>(i),
                place(written, read[i]));
    consistent = false;
    return kTfLiteError;
  }
  return kTfLiteOk;
}

TfLiteStatus GraphState::SetOperands(const char* label, std::vector<int> indices,
                                     std::vector<int>* operands) {
  TF_LITE_ENSURE_STATUS(CheckTensorIndices(label, indices.data(), indices.size()));
  *operands = std::move(indices);
  if (readiness == kInvokable) readiness = kUninvokable;
  return kTfLiteOk;
}

bool GraphState::MayHaveSideEffect(const TfLiteNode& node,
                                   const TfLiteRegistration& registration) const {
  if (BuiltinOpIsImpure(registration.builtin_code)) return true;
  for (const TfLiteIntArray* tensors : {node.inputs, node.outputs}) {
    for (int i = 0; i < tensors->size; ++i) {
      const TfLiteTensor* used = tensor(tensors->data[i]);
      if (used != nullptr && used->type == kTfLiteResource) return true;
    }
  }
  return false;
}

TfLiteStatus GraphState::AddNode(const std::vector<int>& read, const std::vector<int>& written,
                                 const std::vector<int>& intermediates, const char* init_data,
                                 size_t init_data_size, void* builtin_data,
                                 const TfLiteRegistration& registration, int* node_index) {
  if (CheckTensorIndices("node inputs", read.data(), read.size()) != kTfLiteOk ||
      CheckTensorIndices("node outputs", written.data(), written.size()) != kTfLiteOk ||
      CheckTensorIndices("node intermediates", intermediates.data(), intermediates.size()) !=
          kTfLiteOk ||
      CheckOverlap(read, written) != kTfLiteOk) {
    std::free(builtin_data);
    return kTfLiteError;
  }
  TfLiteNode node = {};
  node.inputs = tflite::ConvertVectorToTfLiteIntArray(read);
  node.outputs = tflite::ConvertVectorToTfLiteIntArray(written);
  node.intermediates = tflite::ConvertVectorToTfLiteIntArray(intermediates);
  node.temporaries = TfLiteIntArrayCreate(0);
  node.builtin_data = builtin_data;
  if (registration.builtin_code == kTfLiteBuiltinCustom) {
    node.custom_initial_data = init_data;
    node.custom_initial_data_size = static_cast<int>(init_data_size);
  }
  node.might_have_side_effect = MayHaveSideEffect(node, registration);
  const int index = static_cast<int>(nodes.size());
  nodes.emplace_back(node, registration);

  EnsureTensorsCapacity();
  void* user_data =
      init_data != nullptr
          ? CallInit(&context, registration, init_data, init_data_size)
          : CallInit(&context, registration, static_cast<const char*>(builtin_data), 0);
  if (user_data == TfLiteKernelInitFailed()) {
    ReportError("Failed to initialize kernel.");
    CleanupNode(index);
    nodes.pop_back();
    return kTfLiteError;
  }
  nodes[index].first.user_data = user_data;
  execution_plan.push_back(index);
  if (node_index != nullptr) *node_index = index;
  return kTfLiteOk;
}

}  // namespace tern
