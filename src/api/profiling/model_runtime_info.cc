// SPDX-License-Identifier: Apache-2.0
// Writes messages of model_runtime_info.proto; the numbers of fields are those of that file.
#include "tensorflow/lite/profiling/model_runtime_info.h"

#include <cstdint>
#include <fstream>
#include <string>

#include "api/profiling/proto_message.h"
#include "tensorflow/lite/minimal_logging.h"
#include "tensorflow/lite/optional_debug_tools.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite {
namespace profiling {
namespace {

using Message = tern::ProtoMessage;

constexpr TfLiteType kLastKnownType = kTfLiteUInt4;  // of the enumeration in the file
constexpr int kTfLiteSubgraph = 1;                   // RuntimeSubgraph.SubgraphType

void AddInts(Message* message, int field, const TfLiteIntArray* values) {
  if (values != nullptr) message->AddInts(field, values->data, static_cast<size_t>(values->size));
}

Message EdgeOf(const TfLiteTensor& tensor, int index) {
  Message edge;
  edge.AddInt(1, index);
  edge.AddBytes(2, tensor.name != nullptr ? tensor.name : "");
  edge.AddInt(3, tensor.type <= kLastKnownType ? tensor.type : kTfLiteNoType);
  AddInts(&edge, 4, tensor.dims);
  edge.AddBytes(5, AllocTypeName(tensor.allocation_type));
  edge.AddInt(6, 0);  // the layout is not known
  edge.AddInt(7, static_cast<int64_t>(tensor.bytes));
  return edge;
}

// `replaced_by` is the delegate's node that runs this one, or -1.
Message NodeOf(const TfLiteNode& node, const TfLiteRegistration& registration, int index,
               int replaced_by) {
  Message message;
  message.AddInt(1, index);
  if (registration.custom_name != nullptr) {
    const std::string name = registration.custom_name;
    message.AddBytes(2, name);
    message.AddBytes(3, replaced_by >= 0 ? "Delegate/" + name : name);
  } else {
    const auto code = static_cast<BuiltinOperator>(registration.builtin_code);
    message.AddBytes(2, EnumNameBuiltinOperator(code));
    message.AddBytes(3, std::to_string(registration.builtin_code));
  }
  AddInts(&message, 4, node.inputs);
  AddInts(&message, 5, node.outputs);
  AddInts(&message, 6, node.intermediates);
  AddInts(&message, 7, node.temporaries);
  if (replaced_by >= 0) {
    message.AddInt(9, replaced_by);
  } else if (node.delegate != nullptr && node.builtin_data != nullptr) {
    Message details;
    details.AddBytes(1, registration.custom_name != nullptr ? registration.custom_name : "");
    AddInts(&details, 2,
            registration.registration_external != nullptr
                ? static_cast<TfLiteOpaqueDelegateParams*>(node.builtin_data)->nodes_to_replace
                : static_cast<TfLiteDelegateParams*>(node.builtin_data)->nodes_to_replace);
    message.AddMessage(8, details);
  }
  return message;
}

Message SubgraphOf(const Subgraph& graph, int index) {
  Message message;
  message.AddInt(1, index);
  for (size_t i = 0; i < graph.tensors_size(); ++i) {
    message.AddMessage(2, EdgeOf(*graph.tensor(static_cast<int>(i)), static_cast<int>(i)));
  }
  const SubgraphDelegationMetadata delegation = GetNodeDelegationMetadata(graph);
  for (size_t i = 0; i < graph.nodes_size(); ++i) {
    const auto& [node, registration] = *graph.node_and_registration(static_cast<int>(i));
    const bool is_kernel = node.delegate != nullptr;
    message.AddMessage(3, NodeOf(node, registration, static_cast<int>(i),
                                 is_kernel ? -1 : delegation.replaced_by_node[i]));
  }
  message.AddInts(4, graph.execution_plan().data(), graph.execution_plan().size());
  message.AddInt(5, kTfLiteSubgraph);
  message.AddBytes(6, graph.GetName());
  return message;
}

}  // namespace

TfLiteStatus GenerateModelRuntimeInfo(const Interpreter& interpreter,
                                      std::string_view output_file_path) {
  Message model;
  for (size_t i = 0; i < interpreter.subgraphs_size(); ++i) {
    const int index = static_cast<int>(i);
    model.AddMessage(2, SubgraphOf(*interpreter.subgraph(index), index));
  }
  const std::string path(output_file_path);
  std::ofstream file(path, std::ios::binary);
  file << model.bytes();
  file.close();
  if (file.good()) return kTfLiteOk;
  TFLITE_LOG_PROD(TFLITE_LOG_ERROR, "Could not write '%s'.", path.c_str());
  return kTfLiteError;
}

}  // namespace profiling
}  // namespace tflite
