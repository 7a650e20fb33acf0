// SPDX-License-Identifier: Apache-2.0
// Parts are put together from the object forms of single tensors, buffers and operators: that of a
// whole model would be another copy of its weights for each part.
#include "cli/model/cut.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "absl/strings/match.h"
#include "cli/model/model_facts.h"

namespace tern::cli {
namespace {

void RoundToHalf(std::vector<uint8_t>* floats) {
  for (size_t at = 0; at + sizeof(float) <= floats->size(); at += sizeof(float)) {
    float value;
    std::memcpy(&value, &(*floats)[at], sizeof value);
    value = static_cast<float>(DoubleFromHalf(HalfFromDouble(value)));
    std::memcpy(&(*floats)[at], &value, sizeof value);
  }
}

bool IsWeightType(tflite::TensorType type) {
  return type == tflite::TensorType_INT4 || type == tflite::TensorType_INT8 ||
         type == tflite::TensorType_UINT8;
}

bool HasWeightType(const tflite::Tensor& tensor) {
  const tflite::QuantizationParameters* q = tensor.quantization();
  return IsWeightType(tensor.type()) && q != nullptr &&
         ((q->scale() != nullptr && q->scale()->size() > 0) ||
          q->details_as_BlockwiseQuantization() != nullptr);
}

// Element `i` of packed or whole bytes.
int WeightAt(tflite::TensorType type, const std::vector<uint8_t>& bytes, size_t i) {
  if (type == tflite::TensorType_UINT8) return bytes[i];
  if (type == tflite::TensorType_INT8) return static_cast<int8_t>(bytes[i]);
  const int nibble = bytes[i / 2] >> (i % 2 * 4) & 15;
  return nibble < 8 ? nibble : nibble - 16;
}

// Returns the real values of the stored elements. Sparse tensors of known models have only one
// scale.
std::vector<uint8_t> WeightFloats(const tflite::TensorT& tensor,
                                  const std::vector<uint8_t>& bytes) {
  const tflite::QuantizationParametersT& q = *tensor.quantization;
  size_t count = 1, inner = 1;
  for (size_t d = 0; d < tensor.shape.size(); ++d) {
    const auto size = static_cast<size_t>(tensor.shape[d]);
    count *= size;
    if (static_cast<int>(d) > q.quantized_dimension) inner *= size;
  }
  if (tensor.sparsity != nullptr) count = bytes.size();
  std::vector<uint8_t> floats(count * sizeof(float));
  for (size_t i = 0; i < count; ++i) {
    const size_t channel = i / inner % q.scale.size();
    const int64_t zero = channel < q.zero_point.size() ? q.zero_point[channel]
                         : q.zero_point.empty()        ? 0
                                                       : q.zero_point[0];
    const auto steps = static_cast<float>(WeightAt(tensor.type, bytes, i) - zero);
    const float value = steps * q.scale[channel];
    std::memcpy(&floats[i * sizeof value], &value, sizeof value);
  }
  return floats;
}

// Real values of weights with scales by block, which are those of `scales`.
std::vector<uint8_t> BlockFloats(const tflite::TensorT& tensor, const std::vector<uint8_t>& bytes,
                                 tflite::TensorType type, const std::vector<uint8_t>& scales) {
  const auto block =
      static_cast<size_t>(tensor.quantization->details.AsBlockwiseQuantization()->block_size);
  size_t count = 1;
  for (const int32_t size : tensor.shape) count *= static_cast<size_t>(size);
  std::vector<uint8_t> floats(count * sizeof(float));
  for (size_t i = 0; i < count; ++i) {
    float scale = 0;
    if (type == tflite::TensorType_FLOAT16) {
      uint16_t half;
      std::memcpy(&half, &scales[i / block * sizeof half], sizeof half);
      scale = static_cast<float>(DoubleFromHalf(half));
    } else {
      std::memcpy(&scale, &scales[i / block * sizeof scale], sizeof scale);
    }
    const float value = static_cast<float>(WeightAt(tensor.type, bytes, i)) * scale;
    std::memcpy(&floats[i * sizeof value], &value, sizeof value);
  }
  return floats;
}

// One model under construction. Buffers are taken over when a tensor needs them.
class Part {
 public:
  Part(const Bytes& file, const tflite::Model& from, bool halves)
      : file_(file), from_(from), halves_(halves) {
    model_.version = from.version();
    for (const tflite::OperatorCode* code : *from.operator_codes()) {
      model_.operator_codes.emplace_back(code->UnPack());
    }
    model_.buffers.push_back(std::make_unique<tflite::BufferT>());
    graph_ = model_.subgraphs.emplace_back(std::make_unique<tflite::SubGraphT>()).get();
  }

  tflite::SubGraphT& graph() { return *graph_; }

  // The tensor's index here.
  int Tensor(int index, const std::function<std::vector<int>(int)>& shape) {
    const auto [found, added] = tensors_.emplace(index, static_cast<int>(graph_->tensors.size()));
    if (!added) return found->second;
    std::unique_ptr<tflite::TensorT> tensor = TakeTensor(*from_.subgraphs()->Get(0), index);
    if (tensor->buffer == 0 && !tensor->is_variable) {
      tensor->shape = shape(index);
      tensor->shape_signature.clear();
    }
    const int added_at = found->second;
    tflite::QuantizationParametersT* q = tensor->quantization.get();
    graph_->tensors.push_back(std::move(tensor));
    if (q != nullptr) TakeScales(*q, shape);
    return added_at;
  }

  void Node(const tflite::Operator& op, const std::function<std::vector<int>(int)>& shape) {
    std::unique_ptr<tflite::OperatorT> node = TakeNode(op);
    for (auto* list : {&node->inputs, &node->outputs, &node->intermediates}) {
      for (int& tensor : *list) tensor = tensor < 0 ? tensor : Tensor(tensor, shape);
    }
    graph_->operators.push_back(std::move(node));
  }

  // Makes floats of a constant.
  void ExpandWeights(int index) {
    tflite::TensorT& tensor = *graph_->tensors[static_cast<size_t>(tensors_.at(index))];
    if (!IsWeightType(tensor.type)) return;  // done already
    auto buffer = std::make_unique<tflite::BufferT>();
    const std::vector<uint8_t>& bytes = model_.buffers[tensor.buffer]->data;
    if (const auto* blocks = tensor.quantization->details.AsBlockwiseQuantization()) {
      const tflite::TensorT& scales = *graph_->tensors[static_cast<size_t>(blocks->scales)];
      buffer->data = BlockFloats(tensor, bytes, scales.type, model_.buffers[scales.buffer]->data);
    } else {
      buffer->data = WeightFloats(tensor, bytes);
    }
    if (halves_) RoundToHalf(&buffer->data);
    tensor.buffer = static_cast<uint32_t>(model_.buffers.size());
    tensor.type = tflite::TensorType_FLOAT32;
    tensor.quantization = nullptr;
    model_.buffers.push_back(std::move(buffer));
  }

  // With the graphs that nodes may call.
  Bytes Finish() {
    for (uint32_t s = 1; s < from_.subgraphs()->size(); ++s) {
      const tflite::SubGraph& graph = *from_.subgraphs()->Get(s);
      auto copy = std::make_unique<tflite::SubGraphT>();
      if (graph.name() != nullptr) copy->name = graph.name()->str();
      for (uint32_t t = 0; t < graph.tensors()->size(); ++t) {
        copy->tensors.push_back(TakeTensor(graph, static_cast<int>(t)));
      }
      copy->inputs.assign(graph.inputs()->begin(), graph.inputs()->end());
      copy->outputs.assign(graph.outputs()->begin(), graph.outputs()->end());
      for (const tflite::Operator* op : *graph.operators()) {
        copy->operators.push_back(TakeNode(*op));
      }
      model_.subgraphs.push_back(std::move(copy));
    }
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(tflite::Model::Pack(builder, &model_), tflite::ModelIdentifier());
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
  }

 private:
  // Tensors that a quantization names come with it.
  void TakeScales(tflite::QuantizationParametersT& q,
                  const std::function<std::vector<int>(int)>& shape) {
    const auto take = [&](int32_t& tensor) {
      if (tensor >= 0) tensor = Tensor(tensor, shape);
    };
    if (auto* blocks = q.details.AsBlockwiseQuantization()) {
      take(blocks->scales);
      take(blocks->zero_points);
    }
    if (auto* axes = q.details.AsMultiAxisQuantization()) {
      take(axes->scales);
      take(axes->zero_points);
    }
  }

  std::unique_ptr<tflite::TensorT> TakeTensor(const tflite::SubGraph& graph, int index) {
    const tflite::Tensor& from = *graph.tensors()->Get(static_cast<uint32_t>(index));
    std::unique_ptr<tflite::TensorT> tensor(from.UnPack());
    tensor->buffer = Buffer(tensor->buffer, from.type() == tflite::TensorType_FLOAT32);
    return tensor;
  }

  // Custom options may lie behind the tables of the file.
  std::unique_ptr<tflite::OperatorT> TakeNode(const tflite::Operator& op) {
    std::unique_ptr<tflite::OperatorT> node(op.UnPack());
    if (op.large_custom_options_offset() > 1) {
      const auto first =
          file_.begin() + static_cast<std::ptrdiff_t>(op.large_custom_options_offset());
      node->custom_options.assign(
          first, first + static_cast<std::ptrdiff_t>(op.large_custom_options_size()));
      node->large_custom_options_offset = node->large_custom_options_size = 0;
    }
    return node;
  }

  uint32_t Buffer(uint32_t index, bool floats) {
    if (BufferBytes(from_, index) == 0) return 0;
    const auto [found, added] =
        buffers_.emplace(index, static_cast<uint32_t>(model_.buffers.size()));
    if (!added) return found->second;
    const tflite::Buffer& from = *from_.buffers()->Get(index);
    auto buffer = std::make_unique<tflite::BufferT>();
    if (from.offset() > 1) {
      const auto first = file_.begin() + static_cast<std::ptrdiff_t>(from.offset());
      buffer->data.assign(first, first + static_cast<std::ptrdiff_t>(from.size()));
    } else {
      buffer->data.assign(from.data()->begin(), from.data()->end());
    }
    if (halves_ && floats) RoundToHalf(&buffer->data);
    model_.buffers.push_back(std::move(buffer));
    return found->second;
  }

  const Bytes& file_;
  const tflite::Model& from_;
  const bool halves_;
  tflite::ModelT model_;
  tflite::SubGraphT* graph_ = nullptr;
  std::map<int, int> tensors_;
  std::map<uint32_t, uint32_t> buffers_;
};

std::vector<int> Present(const flatbuffers::Vector<int32_t>* tensors) {
  std::vector<int> list;
  if (tensors == nullptr) return list;
  std::copy_if(tensors->begin(), tensors->end(), std::back_inserter(list),
               [](int tensor) { return tensor >= 0; });
  return list;
}

// Whether a node gives the same each time.
bool IsFunction(const OpCode& code) {
  return !code.custom && !absl::StrContains(code.name, "RANDOM") && code.name != "MULTINOMIAL";
}

}  // namespace

Cutter::Cutter(const Bytes& file) : file_(file), model_(*tflite::GetModel(file.data())) {
  writer_.assign(graph().tensors()->size(), -1);
  for (int node = 0; node < node_count(); ++node) {
    const std::vector<int> inputs = NodeInputs(node);
    of_constants_.push_back(!inputs.empty() &&
                            IsFunction(OpCodeAt(model_, op(node).opcode_index())) &&
                            std::all_of(inputs.begin(), inputs.end(), [&](int input) {
                              const int writer = writer_[static_cast<size_t>(input)];
                              return IsConstant(input) || (writer >= 0 && IsOfConstants(writer));
                            }));
    for (const int output : NodeOutputs(node)) writer_[static_cast<size_t>(output)] = node;
  }
}

const tflite::Operator& Cutter::op(int node) const {
  return *graph().operators()->Get(static_cast<uint32_t>(node));
}

std::string Cutter::OpName(int node) const {
  return OpCodeAt(model_, op(node).opcode_index()).name;
}

std::vector<int> Cutter::NodeInputs(int node) const { return Present(op(node).inputs()); }
std::vector<int> Cutter::NodeOutputs(int node) const { return Present(op(node).outputs()); }

std::vector<int> Cutter::Outputs() const { return Present(graph().outputs()); }

std::vector<int> Cutter::Readers(int node) const {
  const std::vector<int> written = NodeOutputs(node);
  std::vector<int> readers;
  for (int other = node + 1; other < node_count(); ++other) {
    const std::vector<int> inputs = NodeInputs(other);
    if (std::find_first_of(inputs.begin(), inputs.end(), written.begin(), written.end()) !=
        inputs.end()) {
      readers.push_back(other);
    }
  }
  return readers;
}

const tflite::Tensor& Cutter::tensor(int index) const {
  return *graph().tensors()->Get(static_cast<uint32_t>(index));
}

bool Cutter::IsGraphInput(int tensor) const {
  const std::vector<int> inputs = Present(graph().inputs());
  return std::count(inputs.begin(), inputs.end(), tensor) != 0;
}

bool Cutter::IsConstant(int index) const { return BufferBytes(model_, tensor(index).buffer()) > 0; }

bool Cutter::IsDynamicRange(int node) const {
  const std::vector<int> inputs = NodeInputs(node);
  return !inputs.empty() && tensor(inputs[0]).type() == tflite::TensorType_FLOAT32 &&
         std::any_of(inputs.begin(), inputs.end(),
                     [&](int input) { return IsConstant(input) && HasWeightType(tensor(input)); });
}

Cut Cutter::Take(const std::vector<int>& nodes, const std::vector<int>& outputs,
                 const std::function<std::vector<int>(int)>& shape, Constants constants) const {
  std::vector<bool> taken(static_cast<size_t>(node_count()));
  const std::function<void(int)> take = [&](int node) {
    if (taken[static_cast<size_t>(node)]) return;
    taken[static_cast<size_t>(node)] = true;
    for (const int input : NodeInputs(node)) {
      const int writer = writer_[static_cast<size_t>(input)];
      if (writer >= 0 && IsOfConstants(writer)) take(writer);
    }
  };
  for (const int node : nodes) take(node);
  Part part(file_, model_, constants == Constants::kHalves);
  Cut cut;
  for (int node = 0; node < node_count(); ++node) {
    if (!taken[static_cast<size_t>(node)]) continue;
    for (const int input : NodeInputs(node)) {
      const int writer = writer_[static_cast<size_t>(input)];
      // A tensor that no node writes and nobody gives, such as an empty list, stays as it is.
      const bool given = writer < 0 ? IsGraphInput(input) && !IsConstant(input)
                                    : !taken[static_cast<size_t>(writer)];
      if (!given || std::count(cut.inputs.begin(), cut.inputs.end(), input) != 0) continue;
      cut.inputs.push_back(input);
      part.graph().inputs.push_back(part.Tensor(input, shape));
    }
    part.Node(op(node), shape);
    if (constants == Constants::kStored || !IsDynamicRange(node)) continue;
    for (const int input : NodeInputs(node)) {
      if (IsConstant(input) && HasWeightType(tensor(input))) part.ExpandWeights(input);
    }
  }
  for (const int output : outputs) part.graph().outputs.push_back(part.Tensor(output, shape));
  cut.outputs = outputs;
  cut.model = part.Finish();
  return cut;
}

}  // namespace tern::cli
