// SPDX-License-Identifier: Apache-2.0
#include "fuzz/model_mutator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "fuzz/input.h"
#include "model/testing/model_builder.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace tern::fuzz {
namespace {

using tflite::ModelT;
using tflite::OperatorT;
using tflite::SubGraphT;
using tflite::TensorT;

constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
// Sizes, indices and options at which something changes.
constexpr int32_t kNumbers[] = {0,  1,  2,  3,  4,   5,    6,    7,     8,     9,       15,   16,
                                17, 31, 32, 33, 63,  64,   65,   127,   128,   255,     256,  1000,
                                -1, -2, -3, -4, -64, 1024, 4096, 65535, 65536, 1 << 30, kMax, kMin};

bool IsSound(std::span<const uint8_t> bytes) {
  flatbuffers::Verifier verifier(bytes.data(), bytes.size());
  return tflite::VerifyModelBuffer(verifier);
}

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  // In [0, count); 0 for none.
  size_t Below(size_t count) { return count == 0 ? 0 : random_() % count; }
  bool Chance(int percent) { return Below(100) < static_cast<size_t>(percent); }
  int32_t Number() { return kNumbers[Below(std::size(kNumbers))]; }
  template <class T>
  T& OneOf(std::vector<T>& list) {
    return list[Below(list.size())];
  }

 private:
  std::mt19937 random_;
};

// Edits of the object form. Each may find nothing to do.
class Editor {
 public:
  Editor(ModelT& model, unsigned seed) : model_(model), dice_(seed) {}

  void Edit() {
    if (model_.subgraphs.empty()) return;
    graph_ = dice_.OneOf(model_.subgraphs).get();
    using Change = void (Editor::*)();
    static constexpr Change kChanges[] = {
        &Editor::ChangeSize,     &Editor::ChangeSize,      &Editor::ChangeRank,
        &Editor::ChangeType,     &Editor::ChangeBuffer,    &Editor::ChangeData,
        &Editor::ChangeData,     &Editor::ChangeNumber,    &Editor::ChangeNumber,
        &Editor::Quantize,       &Editor::ChangeOperand,   &Editor::ChangeOperand,
        &Editor::ChangeOperands, &Editor::ChangeCode,      &Editor::ChangeCustom,
        &Editor::ChangeEnds,     &Editor::ChangeKind,      &Editor::ChangeSparsity,
        &Editor::MoveOperators,  &Editor::ChangeSubgraphs, &Editor::ChangeSignature};
    (this->*kChanges[dice_.Below(std::size(kChanges))])();
  }

 private:
  TensorT* SomeTensor() {
    return graph_->tensors.empty() ? nullptr : dice_.OneOf(graph_->tensors).get();
  }
  OperatorT* SomeOperator() {
    return graph_->operators.empty() ? nullptr : dice_.OneOf(graph_->operators).get();
  }
  std::vector<uint8_t>* DataOf(const TensorT& tensor) {
    if (tensor.buffer == 0 || tensor.buffer >= model_.buffers.size()) return nullptr;
    return &model_.buffers[tensor.buffer]->data;
  }
  std::vector<uint8_t>* SomeData() {
    for (int tries = 0; tries < 4; ++tries) {
      const TensorT* tensor = SomeTensor();
      std::vector<uint8_t>* data = tensor == nullptr ? nullptr : DataOf(*tensor);
      if (data != nullptr && !data->empty()) return data;
    }
    return nullptr;
  }
  int32_t SomeIndex() {
    if (dice_.Chance(15)) return dice_.Number();
    return static_cast<int32_t>(dice_.Below(graph_->tensors.size()));
  }

  // A constant keeps as many bytes as its shape says, mostly: shapes are what is tried, and bytes
  // that do not fit them end at the checks.
  void FitData(TensorT& tensor) {
    std::vector<uint8_t>* data = DataOf(tensor);
    if (data == nullptr || data->empty() || dice_.Chance(20)) return;
    int64_t count = 1;
    for (const int32_t size : tensor.shape) {
      if (size < 0 || size > 4096) return;
      count *= size;
      if (count > 4096) return;
    }
    const std::vector<uint8_t> old = *data;
    data->resize(static_cast<size_t>(count) * ElementBytes(tensor.type));
    for (size_t i = old.size(); i < data->size(); ++i) (*data)[i] = old[i % old.size()];
  }
  static size_t ElementBytes(tflite::TensorType type) {
    switch (type) {
      case tflite::TensorType_FLOAT64:
      case tflite::TensorType_INT64:
      case tflite::TensorType_UINT64:
      case tflite::TensorType_COMPLEX64:
        return 8;
      case tflite::TensorType_COMPLEX128:
        return 16;
      case tflite::TensorType_FLOAT16:
      case tflite::TensorType_BFLOAT16:
      case tflite::TensorType_INT16:
      case tflite::TensorType_UINT16:
        return 2;
      case tflite::TensorType_FLOAT32:
      case tflite::TensorType_INT32:
      case tflite::TensorType_UINT32:
        return 4;
      default:
        return 1;
    }
  }

  void ChangeSize() {
    TensorT* tensor = SomeTensor();
    if (tensor == nullptr || tensor->shape.empty()) return;
    int32_t& size = dice_.OneOf(tensor->shape);
    const uint32_t next = static_cast<uint32_t>(size) + (dice_.Chance(50) ? 1u : ~0u);
    size = dice_.Chance(50) ? static_cast<int32_t>(next) : dice_.Number();
    FitData(*tensor);
  }
  void ChangeRank() {
    TensorT* tensor = SomeTensor();
    if (tensor == nullptr) return;
    std::vector<int32_t>& shape = tensor->shape;
    const size_t at = dice_.Below(shape.size() + 1);
    if (dice_.Chance(50)) {
      shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), dice_.Chance(70) ? 1 : 2);
    } else if (at < shape.size()) {
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      shape.clear();
    }
    FitData(*tensor);
  }
  void ChangeType() {
    TensorT* tensor = SomeTensor();
    if (tensor == nullptr) return;
    tensor->type = static_cast<tflite::TensorType>(dice_.Below(tflite::TensorType_MAX + 2));
    FitData(*tensor);
  }
  void ChangeBuffer() {
    TensorT* tensor = SomeTensor();
    if (tensor == nullptr) return;
    const std::vector<uint8_t>* data = DataOf(*tensor);
    if (data != nullptr && dice_.Chance(50)) {  // its value comes at run time
      tensor->buffer = 0;
      for (size_t t = 0; t < graph_->tensors.size(); ++t) {
        if (graph_->tensors[t].get() == tensor) graph_->inputs.push_back(static_cast<int32_t>(t));
      }
    } else {
      tensor->buffer = static_cast<uint32_t>(dice_.Below(model_.buffers.size() + 1));
    }
  }
  void ChangeData() {
    std::vector<uint8_t>* data = SomeData();
    if (data == nullptr || data->size() > 4096) return;
    const bool keep_size = dice_.Chance(70);
    std::vector<uint8_t> bytes = *data;
    const size_t size = bytes.size();
    bytes.resize(size + (keep_size ? 0 : 16));
    bytes.resize(LLVMFuzzerMutate(bytes.data(), size, bytes.size()));
    if (keep_size) bytes.resize(size);
    *data = std::move(bytes);
  }
  void ChangeNumber() {
    std::vector<uint8_t>* data = SomeData();
    if (data == nullptr || data->size() < 4) return;
    const bool wide = data->size() % 8 == 0 && dice_.Chance(30);
    const int64_t number = dice_.Number();
    const size_t bytes = wide ? 8 : 4, at = dice_.Below(data->size() / bytes) * bytes;
    std::memcpy(data->data() + at, &number, bytes);
  }
  void Quantize() {
    TensorT* tensor = SomeTensor();
    if (tensor == nullptr) return;
    if (tensor->quantization == nullptr) {
      tensor->quantization = std::make_unique<tflite::QuantizationParametersT>();
      tensor->quantization->scale = {0.5f};
      tensor->quantization->zero_point = {0};
    }
    tflite::QuantizationParametersT& q = *tensor->quantization;
    static constexpr float kScales[] = {0,      -1,    1,         0.5f, 1e-45f,
                                        1e-30f, 1e38f, 1.0f / 64, NAN,  INFINITY};
    switch (dice_.Below(6)) {
      case 0:
        tensor->quantization = nullptr;
        break;
      case 1:
        q.scale.assign(std::max<size_t>(q.scale.size(), 1),
                       kScales[dice_.Below(std::size(kScales))]);
        break;
      case 2:
        q.zero_point.assign(std::max<size_t>(q.zero_point.size(), 1), dice_.Number());
        break;
      case 3:
        q.quantized_dimension = dice_.Number();
        break;
      default: {
        const size_t count = dice_.Below(9);
        q.scale.assign(count, 0.25f);
        q.zero_point.assign(dice_.Chance(80) ? count : dice_.Below(9), 0);
        q.quantized_dimension = static_cast<int32_t>(dice_.Below(5));
      }
    }
  }
  void ChangeOperand() {
    OperatorT* op = SomeOperator();
    if (op == nullptr) return;
    std::vector<int32_t>& list = dice_.Chance(70) ? op->inputs : op->outputs;
    if (!list.empty()) dice_.OneOf(list) = SomeIndex();
  }
  void ChangeOperands() {
    OperatorT* op = SomeOperator();
    if (op == nullptr) return;
    std::vector<int32_t>& list = dice_.Chance(70)   ? op->inputs
                                 : dice_.Chance(70) ? op->outputs
                                                    : op->intermediates;
    if (dice_.Chance(50) && !list.empty()) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(dice_.Below(list.size())));
    } else {
      list.push_back(SomeIndex());
    }
  }
  void ChangeCode() {
    OperatorT* op = SomeOperator();
    if (op == nullptr || model_.operator_codes.empty()) return;
    if (dice_.Chance(30)) {
      op->opcode_index = static_cast<uint32_t>(dice_.Below(model_.operator_codes.size() + 1));
      return;
    }
    tflite::OperatorCodeT& code = *dice_.OneOf(model_.operator_codes);
    if (dice_.Chance(40)) {
      code.version = dice_.Number();
    } else {
      const size_t builtin = dice_.Below(tflite::BuiltinOperator_MAX + 2);
      code.builtin_code = static_cast<tflite::BuiltinOperator>(builtin);
      code.deprecated_builtin_code = static_cast<int8_t>(std::min<size_t>(builtin, 127));
    }
  }
  void ChangeCustom() {
    OperatorT* op = SomeOperator();
    if (op == nullptr || op->custom_options.size() > 4096) return;
    std::vector<uint8_t>& bytes = op->custom_options;
    const size_t size = bytes.size();
    if (size == 0 && !dice_.Chance(10)) return;
    bytes.resize(size + 16);
    bytes.resize(LLVMFuzzerMutate(bytes.data(), size, bytes.size()));
  }
  void ChangeEnds() {
    std::vector<int32_t>& list = dice_.Chance(50) ? graph_->inputs : graph_->outputs;
    if (list.empty() || dice_.Chance(50)) {
      list.push_back(SomeIndex());
    } else if (dice_.Chance(50)) {
      list.pop_back();
    } else {
      dice_.OneOf(list) = SomeIndex();
    }
  }
  void ChangeKind() {
    TensorT* tensor = SomeTensor();
    if (tensor == nullptr) return;
    switch (dice_.Below(4)) {
      case 0:
        tensor->is_variable = !tensor->is_variable;
        break;
      case 1:
        tensor->has_rank = !tensor->has_rank;
        break;
      case 2:
        tensor->shape_signature = tensor->shape;
        if (!tensor->shape_signature.empty()) dice_.OneOf(tensor->shape_signature) = dice_.Number();
        break;
      default:
        tensor->name.resize(dice_.Below(3));
    }
  }
  void ChangeSparsity() {
    TensorT* tensor = SomeTensor();
    for (const auto& other : graph_->tensors) {
      if (other->sparsity != nullptr) tensor = other.get();
    }
    if (tensor == nullptr || tensor->sparsity == nullptr) return;
    tflite::SparsityParametersT& s = *tensor->sparsity;
    std::vector<int32_t>& list = dice_.Chance(50) ? s.traversal_order : s.block_map;
    if (dice_.Chance(40) && !list.empty()) {
      dice_.OneOf(list) = dice_.Number();
    } else if (!s.dim_metadata.empty()) {
      tflite::DimensionMetadataT& level = *dice_.OneOf(s.dim_metadata);
      auto& indices = dice_.Chance(50) ? level.array_segments : level.array_indices;
      if (indices.AsInt32Vector() != nullptr && !indices.AsInt32Vector()->values.empty()) {
        dice_.OneOf(indices.AsInt32Vector()->values) = dice_.Number();
      } else {
        level.dense_size = dice_.Number();
      }
    }
  }
  void MoveOperators() {
    auto& operators = graph_->operators;
    if (operators.empty()) return;
    const size_t i = dice_.Below(operators.size());
    switch (dice_.Below(3)) {
      case 0:
        operators.erase(operators.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      case 1:
        if (operators.size() < 64) operators.push_back(std::make_unique<OperatorT>(*operators[i]));
        break;
      default:
        std::swap(operators[i], dice_.OneOf(operators));
    }
  }
  void ChangeSubgraphs() {
    auto& graphs = model_.subgraphs;
    if (graphs.size() < 8 && dice_.Chance(50)) {
      graphs.push_back(std::make_unique<SubGraphT>(*graph_));
    } else if (graphs.size() > 1 && dice_.Chance(50)) {
      graphs.pop_back();
    } else {
      std::swap(dice_.OneOf(graphs), graphs[0]);
    }
    graph_ = graphs[0].get();
  }
  void ChangeSignature() {
    if (model_.signature_defs.empty()) {
      auto& signature =
          model_.signature_defs.emplace_back(std::make_unique<tflite::SignatureDefT>());
      signature->signature_key = "serve";
      signature->subgraph_index = static_cast<uint32_t>(dice_.Below(model_.subgraphs.size() + 1));
      return;
    }
    tflite::SignatureDefT& signature = *dice_.OneOf(model_.signature_defs);
    auto& maps = dice_.Chance(50) ? signature.inputs : signature.outputs;
    if (maps.empty() || dice_.Chance(30)) {
      auto& map = maps.emplace_back(std::make_unique<tflite::TensorMapT>());
      map->name = dice_.Chance(50) ? "x" : "y";
      map->tensor_index = static_cast<uint32_t>(SomeIndex());
    } else {
      dice_.OneOf(maps)->tensor_index = static_cast<uint32_t>(SomeIndex());
    }
  }

  ModelT& model_;
  SubGraphT* graph_ = nullptr;
  Dice dice_;
};

std::vector<uint8_t> Pack(const ModelT& model, bool force_defaults) {
  flatbuffers::FlatBufferBuilder builder;
  builder.ForceDefaults(force_defaults);
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &model));
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

// Overwrites a field of the options of some node where it lies: the schema has too many kinds of
// options for edits of their own.
void OverwriteOption(std::vector<uint8_t>& bytes, Dice& dice) {
  const auto* graphs = tflite::GetModel(bytes.data())->subgraphs();
  if (graphs == nullptr || graphs->size() == 0) return;
  const tflite::SubGraph& graph =
      *graphs->Get(static_cast<flatbuffers::uoffset_t>(dice.Below(graphs->size())));
  if (graph.operators() == nullptr || graph.operators()->size() == 0) return;
  const tflite::Operator& op = *graph.operators()->Get(
      static_cast<flatbuffers::uoffset_t>(dice.Below(graph.operators()->size())));
  const void* options =
      op.builtin_options() != nullptr ? op.builtin_options() : op.builtin_options_2();
  if (options == nullptr) return;
  const auto* table = static_cast<const flatbuffers::Table*>(options);
  const size_t slots = flatbuffers::ReadScalar<uint16_t>(table->GetVTable()) / 2;
  if (slots <= 2) return;
  const auto field = static_cast<flatbuffers::voffset_t>(2 * (2 + dice.Below(slots - 2)));
  const uint8_t* field_at = table->GetAddressOf(field);
  if (field_at == nullptr) return;
  auto at = static_cast<size_t>(field_at - bytes.data());
  // A number that may be the offset of a list is followed as often as it is overwritten.
  if (at + 4 <= bytes.size() && dice.Chance(50)) {
    const size_t list = at + flatbuffers::ReadScalar<uint32_t>(&bytes[at]);
    if (list % 4 == 0 && list < bytes.size() && bytes.size() - list >= 8) {
      const size_t count = flatbuffers::ReadScalar<uint32_t>(&bytes[list]);
      if (count > 0 && count <= 16) at = list + 4 + 4 * dice.Below(2 * count);
    }
  }
  const size_t size = dice.Chance(40) ? 1 : dice.Chance(80) ? 4 : 8;
  if (at + size > bytes.size()) return;
  const int64_t value = dice.Number();
  std::vector<uint8_t> changed = bytes;
  std::memcpy(&changed[at], &value, size);
  if (IsSound(changed)) bytes = std::move(changed);
}

// 0 when it does not fit.
size_t Store(std::span<const uint8_t> file, const Tail& tail, uint8_t* out, size_t max_size) {
  const std::vector<uint8_t> bytes = Join(file, tail);
  if (bytes.size() > max_size) return 0;
  std::copy(bytes.begin(), bytes.end(), out);
  return bytes.size();
}

size_t EditModel(const Input& input, uint8_t* out, size_t max_size, Dice& dice) {
  const std::unique_ptr<ModelT> model = testing::ReadModel(input.file);
  if (model == nullptr) return 0;
  const bool option = dice.Chance(30);
  const size_t edits = option ? dice.Below(2) : 1 + dice.Below(3);
  for (size_t i = 0; i < edits; ++i) {
    Editor(*model, static_cast<unsigned>(dice.Below(1u << 30))).Edit();
  }
  std::vector<uint8_t> bytes = Pack(*model, option);
  if (option) OverwriteOption(bytes, dice);
  return Store(bytes, input.tail, out, max_size);
}

// Takes a node of `b` with its tensors over into `a`; some of its inputs become tensors of `a`.
void TakeNode(ModelT& a, const ModelT& b, Dice& dice) {
  SubGraphT& to = *a.subgraphs[0];
  const SubGraphT& from = *b.subgraphs[0];
  const size_t own_tensors = to.tensors.size();
  OperatorT op = *from.operators[dice.Below(from.operators.size())];
  const auto take = [&](int32_t index) {
    if (index < 0 || static_cast<size_t>(index) >= from.tensors.size()) return index;
    auto tensor = std::make_unique<TensorT>(*from.tensors[static_cast<size_t>(index)]);
    if (tensor->buffer != 0 && tensor->buffer < b.buffers.size()) {
      a.buffers.push_back(std::make_unique<tflite::BufferT>(*b.buffers[tensor->buffer]));
      tensor->buffer = static_cast<uint32_t>(a.buffers.size() - 1);
    }
    to.tensors.push_back(std::move(tensor));
    return static_cast<int32_t>(to.tensors.size() - 1);
  };
  for (int32_t& index : op.inputs) {
    const int32_t given = index;
    if (own_tensors > 0 && dice.Chance(40)) {
      index = static_cast<int32_t>(dice.Below(own_tensors));
    } else {
      index = take(index);
      if (std::count(from.inputs.begin(), from.inputs.end(), given) != 0)
        to.inputs.push_back(index);
    }
  }
  for (int32_t& index : op.outputs) to.outputs.push_back(index = take(index));
  for (int32_t& index : op.intermediates) index = take(index);
  if (op.opcode_index < b.operator_codes.size()) {
    a.operator_codes.push_back(
        std::make_unique<tflite::OperatorCodeT>(*b.operator_codes[op.opcode_index]));
    op.opcode_index = static_cast<uint32_t>(a.operator_codes.size() - 1);
  }
  to.operators.push_back(std::make_unique<OperatorT>(op));
}

}  // namespace

size_t MutateModel(uint8_t* data, size_t size, size_t max_size, unsigned seed, int raw_share) {
  Dice dice(seed);
  if (size > sizeof(Tail) && dice.Chance(12)) {  // of the tail alone
    LLVMFuzzerMutate(data + size - sizeof(Tail), sizeof(Tail), sizeof(Tail));
    return size;
  }
  if (!dice.Chance(raw_share)) {
    const size_t edited = EditModel(Split(data, size), data, max_size, dice);
    if (edited != 0) return edited;
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

size_t CrossModels(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size, uint8_t* out,
                   size_t max_size, unsigned seed) {
  Dice dice(seed);
  const Input to = Split(a, a_size), from = Split(b, b_size);
  const std::unique_ptr<ModelT> model = testing::ReadModel(to.file),
                                other = testing::ReadModel(from.file);
  if (model == nullptr || other == nullptr || model->subgraphs.empty() ||
      other->subgraphs.empty() || other->subgraphs[0]->operators.empty()) {
    return 0;
  }
  TakeNode(*model, *other, dice);
  return Store(Pack(*model, false), dice.Chance(50) ? to.tail : from.tail, out, max_size);
}

}  // namespace tern::fuzz
