// SPDX-License-Identifier: Apache-2.0
// One function per kind of thing in a model file.
#include "cli/model/model_json.h"

#include <map>

#include "cli/model/model_facts.h"
#include "cli/model/op_options.h"

namespace tern::cli {
namespace {

using Json = nlohmann::ordered_json;

// Numbers of a vector that may be missing.
template <class Vector>
Json Numbers(const Vector* values) {
  Json list = Json::array();
  if (values != nullptr) {
    for (const auto value : *values) list.push_back(value);
  }
  return list;
}

Json Quantization(const tflite::QuantizationParameters* quantization) {
  if (quantization == nullptr) return nullptr;
  const bool by_scale = quantization->scale() != nullptr && quantization->scale()->size() > 0;
  const bool has_details = quantization->details() != nullptr;
  if (!by_scale && !has_details && quantization->min() == nullptr &&
      quantization->max() == nullptr) {
    return nullptr;
  }
  const auto* blocks = quantization->details_as_BlockwiseQuantization();
  return {{"scale", Numbers(quantization->scale())},
          {"zero_point", Numbers(quantization->zero_point())},
          {"axis", quantization->quantized_dimension()},
          {"min", Numbers(quantization->min())},
          {"max", Numbers(quantization->max())},
          {"details", has_details
                          ? Json(tflite::EnumNameQuantizationDetails(quantization->details_type()))
                          : Json(nullptr)},
          {"blocks", blocks == nullptr ? Json(nullptr)
                                       : Json({{"size", blocks->block_size()},
                                               {"scales", blocks->scales()},
                                               {"zero_points", blocks->zero_points()}})}};
}

Json Sparsity(const tflite::SparsityParameters* sparsity) {
  if (sparsity == nullptr) return nullptr;
  Json dimensions = Json::array();
  if (sparsity->dim_metadata() != nullptr) {
    for (const tflite::DimensionMetadata* dimension : *sparsity->dim_metadata()) {
      dimensions.push_back({{"format", tflite::EnumNameDimensionType(dimension->format())},
                            {"dense_size", dimension->dense_size()}});
    }
  }
  return {{"traversal_order", Numbers(sparsity->traversal_order())},
          {"block_map", Numbers(sparsity->block_map())},
          {"dimensions", std::move(dimensions)}};
}

Json TensorJson(const tflite::Model& model, const tflite::Tensor& tensor, size_t index) {
  const std::optional<uint64_t> bytes = TensorBytes(tensor);
  const size_t constant = BufferBytes(model, tensor.buffer());
  const bool has_signature =
      tensor.shape_signature() != nullptr && tensor.shape_signature()->size() > 0;
  return {{"index", index},
          {"name", Text(tensor.name())},
          {"type", ElementTypeName(tensor)},
          {"shape", Numbers(tensor.shape())},
          {"shape_signature", has_signature ? Numbers(tensor.shape_signature()) : Json(nullptr)},
          {"bytes", bytes ? Json(*bytes) : Json(nullptr)},
          {"buffer", tensor.buffer()},
          {"constant_bytes", constant},
          {"variable", tensor.is_variable()},
          {"quantization", Quantization(tensor.quantization())},
          {"sparsity", Sparsity(tensor.sparsity())}};
}

Json OperatorJson(const tflite::Model& model, const tflite::Operator& op, size_t index,
                  const OpOptions& options) {
  const OpCode code = OpCodeAt(model, op.opcode_index());
  return {{"index", index},
          {"op", code.name},
          {"builtin_code", code.builtin},
          {"custom", code.custom},
          {"version", code.version},
          {"inputs", Numbers(op.inputs())},
          {"outputs", Numbers(op.outputs())},
          {"intermediates", Numbers(op.intermediates())},
          {"options", options.Read(op)}};
}

Json SubgraphJson(const tflite::Model& model, const tflite::SubGraph& graph, size_t index,
                  const OpOptions& options) {
  Json tensors = Json::array();
  if (graph.tensors() != nullptr) {
    for (const tflite::Tensor* tensor : *graph.tensors()) {
      tensors.push_back(TensorJson(model, *tensor, tensors.size()));
    }
  }
  Json operators = Json::array();
  if (graph.operators() != nullptr) {
    for (const tflite::Operator* op : *graph.operators()) {
      operators.push_back(OperatorJson(model, *op, operators.size(), options));
    }
  }
  return {{"index", index},
          {"name", Text(graph.name())},
          {"inputs", Numbers(graph.inputs())},
          {"outputs", Numbers(graph.outputs())},
          {"operators", std::move(operators)},
          {"tensors", std::move(tensors)}};
}

Json TensorMaps(const flatbuffers::Vector<flatbuffers::Offset<tflite::TensorMap>>* maps) {
  Json list = Json::array();
  if (maps != nullptr) {
    for (const tflite::TensorMap* map : *maps) {
      list.push_back({{"name", Text(map->name())}, {"tensor", map->tensor_index()}});
    }
  }
  return list;
}

Json Signatures(const tflite::Model& model) {
  Json list = Json::array();
  if (model.signature_defs() == nullptr) return list;
  for (const tflite::SignatureDef* signature : *model.signature_defs()) {
    list.push_back({{"key", Text(signature->signature_key())},
                    {"subgraph", signature->subgraph_index()},
                    {"inputs", TensorMaps(signature->inputs())},
                    {"outputs", TensorMaps(signature->outputs())}});
  }
  return list;
}

Json Metadata(const tflite::Model& model) {
  Json list = Json::array();
  if (model.metadata() == nullptr) return list;
  for (const tflite::Metadata* entry : *model.metadata()) {
    list.push_back({{"name", Text(entry->name())},
                    {"buffer", entry->buffer()},
                    {"bytes", BufferBytes(model, entry->buffer())}});
  }
  return list;
}

Json Buffers(const tflite::Model& model) {
  const uint32_t count = model.buffers() == nullptr ? 0 : model.buffers()->size();
  size_t bytes = 0;
  for (uint32_t i = 0; i < count; ++i) bytes += BufferBytes(model, i);
  return {{"count", count}, {"bytes", bytes}};
}

}  // namespace

Json DescribeModel(const tflite::Model& model, const std::string& file, size_t bytes) {
  const OpOptions options;
  Json subgraphs = Json::array();
  if (model.subgraphs() != nullptr) {
    for (const tflite::SubGraph* graph : *model.subgraphs()) {
      subgraphs.push_back(SubgraphJson(model, *graph, subgraphs.size(), options));
    }
  }
  std::map<std::string, int> counts;
  for (const Json& graph : subgraphs) {
    for (const Json& op : graph["operators"]) ++counts[op["op"].get<std::string>()];
  }
  return {{"format", 1},
          {"file", file},
          {"bytes", bytes},
          {"schema_version", model.version()},
          {"description", Text(model.description())},
          {"metadata", Metadata(model)},
          {"signatures", Signatures(model)},
          {"buffers", Buffers(model)},
          {"op_counts", Json(counts)},
          {"subgraphs", std::move(subgraphs)}};
}

}  // namespace tern::cli
