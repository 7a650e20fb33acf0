// SPDX-License-Identifier: Apache-2.0
//
// Printing of an interpreter's state.
#include <cstdio>
#include <cstring>
#include <string>

#include "tensorflow/lite/optional_debug_tools.h"
#include "tensorflow/lite/util.h"

namespace tflite {
namespace {

std::string Cut(const char* text, int32_t length) {
  std::string result = text != nullptr ? text : "(nil)";
  const size_t limit = length > 3 ? static_cast<size_t>(length) : 3;
  if (result.size() > limit) result = result.substr(0, limit - 3) + "...";
  return result;
}

std::string ListOf(const int* values, size_t count) {
  std::string text = "[";
  for (size_t i = 0; i < count; ++i) text += (i > 0 ? "," : "") + std::to_string(values[i]);
  return text + "]";
}

std::string ListOf(const TfLiteIntArray* values) {
  return values != nullptr ? ListOf(values->data, static_cast<size_t>(values->size)) : "(null)";
}

void PrintTensors(const Subgraph& graph, int32_t name_length, int32_t type_length,
                  int32_t alloc_length) {
  std::printf("Tensor %3s %-*s %-*s %-*s %10s %s\n", "ID", name_length, "Name", type_length, "Type",
              alloc_length, "AllocType", "Bytes", "Shape");
  for (size_t i = 0; i < graph.tensors_size(); ++i) {
    const TfLiteTensor* tensor = graph.tensor(static_cast<int>(i));
    std::printf("Tensor %3zu %-*s %-*s %-*s %10zu %s\n", i, name_length,
                Cut(tensor->name, name_length).c_str(), type_length,
                Cut(TfLiteTypeGetName(tensor->type), type_length).c_str(), alloc_length,
                Cut(AllocTypeName(tensor->allocation_type), alloc_length).c_str(), tensor->bytes,
                ListOf(tensor->dims).c_str());
  }
}

void PrintNodes(const Subgraph& graph) {
  const SubgraphDelegationMetadata delegation = GetNodeDelegationMetadata(graph);
  for (size_t i = 0; i < graph.nodes_size(); ++i) {
    const auto& [node, registration] = *graph.node_and_registration(static_cast<int>(i));
    std::printf("Node %3zu %s", i, GetOpNameByRegistration(registration).c_str());
    if (delegation.is_node_delegated[i]) {
      std::printf(" (delegated by node %d)", delegation.replaced_by_node[i]);
    }
    std::printf("\n  inputs %s outputs %s", ListOf(node.inputs).c_str(),
                ListOf(node.outputs).c_str());
    if (node.intermediates != nullptr && node.intermediates->size > 0) {
      std::printf(" intermediates %s", ListOf(node.intermediates).c_str());
    }
    if (node.temporaries != nullptr && node.temporaries->size > 0) {
      std::printf(" temporaries %s", ListOf(node.temporaries).c_str());
    }
    std::printf("\n");
  }
}

}  // namespace

const char* AllocTypeName(TfLiteAllocationType type) {
  // C code may have written any number, which an enumeration of C++ cannot hold.
  unsigned int number = 0;
  std::memcpy(&number, &type, sizeof(number));
  switch (number) {
    case kTfLiteMemNone:
      return "kTfLiteMemNone";
    case kTfLiteMmapRo:
      return "kTfLiteMmapRo";
    case kTfLiteArenaRw:
      return "kTfLiteArenaRw";
    case kTfLiteArenaRwPersistent:
      return "kTfLiteArenaRwPersistent";
    case kTfLiteDynamic:
      return "kTfLiteDynamic";
    case kTfLitePersistentRo:
      return "kTfLitePersistentRo";
    case kTfLiteCustom:
      return "kTfLiteCustom";
    case kTfLiteVariantObject:
      return "kTfLiteVariantObject";
    case kTfLiteNonCpu:
      return "kTfLiteNonCpu";
  }
  return "(invalid)";
}

SubgraphDelegationMetadata GetNodeDelegationMetadata(const Subgraph& subgraph) {
  SubgraphDelegationMetadata metadata;
  metadata.is_node_delegated.resize(subgraph.nodes_size(), false);
  metadata.replaced_by_node.resize(subgraph.nodes_size(), -1);
  for (size_t i = 0; i < subgraph.nodes_size(); ++i) {
    const auto& [node, registration] = *subgraph.node_and_registration(static_cast<int>(i));
    if (node.delegate == nullptr || node.builtin_data == nullptr) continue;
    metadata.has_delegate_applied = true;
    const TfLiteIntArray* replaced =
        registration.registration_external != nullptr
            ? static_cast<TfLiteOpaqueDelegateParams*>(node.builtin_data)->nodes_to_replace
            : static_cast<TfLiteDelegateParams*>(node.builtin_data)->nodes_to_replace;
    for (int r = 0; r < replaced->size; ++r) {
      metadata.is_node_delegated[replaced->data[r]] = true;
      metadata.replaced_by_node[replaced->data[r]] = static_cast<int>(i);
    }
  }
  return metadata;
}

void PrintInterpreterState(const Interpreter* interpreter, int32_t tensor_name_display_length,
                           int32_t tensor_type_display_length, int32_t alloc_type_display_length) {
  if (interpreter == nullptr) {
    std::printf("Interpreter is null\n");
    return;
  }
  std::printf("Interpreter has %zu subgraphs.\n", interpreter->subgraphs_size());
  for (size_t s = 0; s < interpreter->subgraphs_size(); ++s) {
    const Subgraph& graph = *interpreter->subgraph(static_cast<int>(s));
    std::printf("\n-----------Subgraph-%zu (%s) has %zu tensors and %zu nodes------------\n", s,
                graph.GetName().c_str(), graph.tensors_size(), graph.nodes_size());
    const auto& plan = graph.execution_plan();
    std::printf("Inputs: %s\nOutputs: %s\nExecution plan: %s\n",
                ListOf(graph.inputs().data(), graph.inputs().size()).c_str(),
                ListOf(graph.outputs().data(), graph.outputs().size()).c_str(),
                ListOf(plan.data(), plan.size()).c_str());
    PrintTensors(graph, tensor_name_display_length, tensor_type_display_length,
                 alloc_type_display_length);
    PrintNodes(graph);
    graph.DumpMemoryPlannerDebugInfo();
  }
  std::fflush(stdout);
}

}  // namespace tflite
