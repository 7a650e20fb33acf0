// SPDX-License-Identifier: Apache-2.0
#include "fuzz/model_mutator.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fuzz/input.h"
#include "model/testing/model_builder.h"
#include "ops/testing/mutation_list.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace tern::fuzz {
namespace {

using testing::Mutation;
using testing::MutationList;
using testing::Random;
using testing::Site;
using tflite::ModelT;
using tflite::OperatorT;
using tflite::SubGraphT;
using tflite::TensorT;

size_t Below(Random& random, size_t count) { return count == 0 ? 0 : random.Bits() % count; }
bool Chance(Random& random, size_t percent) { return Below(random, 100) < percent; }

// Damages that only chance finds worth a try.
void AddOther(MutationList& list) {
  const Site at = list.site;
  const auto& codes = list.model().operator_codes;
  const size_t graphs = list.model().subgraphs.size();
  const auto code = static_cast<uint32_t>(list.Below(codes.size()));
  list.Add("an operator of another code", [=](ModelT& m) { at.OperatorOf(m).opcode_index = code; });
  if (list.op().opcode_index < codes.size()) {
    const size_t builtin = list.Below(tflite::BuiltinOperator_MAX + 2);
    list.Add("another builtin operator", [=](ModelT& m) {
      tflite::OperatorCodeT& changed = *m.operator_codes[at.OperatorOf(m).opcode_index];
      changed.builtin_code = static_cast<tflite::BuiltinOperator>(builtin);
      changed.deprecated_builtin_code = static_cast<int8_t>(std::min<size_t>(builtin, 127));
    });
  }
  const size_t other = list.Below(list.graph().operators.size());
  list.Add("an operator less", [=](ModelT& m) {
    auto& operators = at.GraphOf(m).operators;
    operators.erase(operators.begin() + static_cast<std::ptrdiff_t>(other));
  });
  list.Add("operators in each other's place", [=](ModelT& m) {
    std::swap(at.GraphOf(m).operators[at.op], at.GraphOf(m).operators[other]);
  });
  if (graphs > 1) {
    list.Add("a subgraph less", [](ModelT& m) { m.subgraphs.pop_back(); });
    list.Add("subgraphs in each other's place",
             [](ModelT& m) { std::swap(m.subgraphs.front(), m.subgraphs.back()); });
  }
}

void AddSignatures(MutationList& list) {
  const auto tensor = static_cast<uint32_t>(list.Below(list.graph().tensors.size()));
  const auto graph = static_cast<uint32_t>(list.site.graph);
  list.Add("a tensor of a signature", [=](ModelT& m) {
    if (m.signature_defs.empty()) {
      m.signature_defs.push_back(std::make_unique<tflite::SignatureDefT>());
      m.signature_defs.back()->signature_key = "serve";
      m.signature_defs.back()->subgraph_index = graph;
    }
    tflite::SignatureDefT& signature = *m.signature_defs.back();
    auto& maps = tensor % 2 == 0 ? signature.inputs : signature.outputs;
    maps.push_back(std::make_unique<tflite::TensorMapT>());
    maps.back()->name = "x";
    maps.back()->tensor_index = tensor;
  });
  if (!list.model().signature_defs.empty()) {
    list.Add("signatures of a tensor", [=](ModelT& m) {
      for (const auto& signature : m.signature_defs) {
        for (const auto& map : signature->inputs) map->tensor_index = tensor;
        for (const auto& map : signature->outputs) map->tensor_index = tensor;
      }
    });
  }
  if (list.tensor().shape.empty()) return;
  const size_t d = list.Below(list.tensor().shape.size());
  for (const int32_t size : list.WithNumbers<int32_t>({-1})) {
    list.Add("a shape signature", [=, at = list.site](ModelT& m) {
      at.TensorOf(m).shape_signature = at.TensorOf(m).shape;
      at.TensorOf(m).shape_signature[d] = size;
    });
  }
}

void AddSparsity(MutationList& list) {
  if (list.tensor().sparsity == nullptr) return;
  const tflite::SparsityParametersT& s = *list.tensor().sparsity;
  const size_t level = list.Below(s.dim_metadata.size()), i = list.Below(16);
  const auto edit = [&, at = list.site](const char* what, const auto& change) {
    list.Add(what, [=](ModelT& m) { change(*at.TensorOf(m).sparsity); });
  };
  // Element i of a list, modulo its length.
  const auto set = [i](std::vector<int32_t>& numbers, int32_t number) {
    if (!numbers.empty()) numbers[i % numbers.size()] = number;
  };
  for (const int32_t n : list.WithNumbers<int32_t>({-1, 0, testing::kMax})) {
    edit("the order", [=](auto& p) { set(p.traversal_order, n); });
    edit("the block map", [=](auto& p) { set(p.block_map, n); });
    if (s.dim_metadata.empty()) continue;
    edit("the level size", [=](auto& p) { p.dim_metadata[level]->dense_size = n; });
    edit("the segment", [=](auto& p) {
      auto* segments = p.dim_metadata[level]->array_segments.AsInt32Vector();
      if (segments != nullptr) set(segments->values, n);
    });
    edit("the index", [=](auto& p) {
      auto* indices = p.dim_metadata[level]->array_indices.AsInt32Vector();
      if (indices != nullptr) set(indices->values, n);
    });
  }
}

using MutationKind = void (*)(MutationList&);

// Each as often as it is worth a try.
const std::vector<MutationKind>& Kinds() {
  static const auto& kinds = *[] {
    auto* all = new std::vector<MutationKind>;
    const auto add = [&](MutationKind kind, size_t times) { all->insert(all->end(), times, kind); };
    add(testing::AddShapes, 3);
    add(testing::AddTypes, 1);
    add(testing::AddQuantization, 1);
    add(testing::AddBlocks, 1);
    add(testing::AddBuffers, 1);
    add(testing::AddNumbers, 3);
    add(testing::AddOperands, 3);
    add(testing::AddOptions, 5);
    add(testing::AddCustomOptions, 1);
    add(testing::AddGraphParts, 1);
    add(AddOther, 1);
    add(AddSignatures, 1);
    add(AddSparsity, 1);
    return all;
  }();
  return kinds;
}

// One damage of any graph, operation and tensor. None where the model has nothing to damage.
std::optional<Mutation> DrawMutation(const ModelT& model, Random& random) {
  for (int tries = 0; tries < 8 && !model.subgraphs.empty(); ++tries) {
    MutationList list(model, &random);
    list.site.graph = list.Below(model.subgraphs.size());
    list.site.op = list.Below(list.graph().operators.size());
    list.site.tensor = list.Below(list.graph().tensors.size());
    const MutationKind kind = Kinds()[list.Below(Kinds().size())];
    if (list.has_op() && list.has_tensor()) kind(list);
    std::vector<Mutation> mutations = list.Take();
    if (!mutations.empty()) return std::move(mutations[list.Below(mutations.size())]);
  }
  return std::nullopt;
}

// Bytes of a constant or of the options of a custom operation, which the fuzzer knows better how to
// change.
void ChangeBytes(ModelT& model, Random& random) {
  std::vector<std::vector<uint8_t>*> all;
  for (const auto& buffer : model.buffers) all.push_back(&buffer->data);
  for (const auto& graph : model.subgraphs) {
    for (const auto& op : graph->operators) all.push_back(&op->custom_options);
  }
  std::erase_if(all, [](const auto* bytes) { return bytes->empty() || bytes->size() > 4096; });
  if (all.empty()) return;
  std::vector<uint8_t>& bytes = *all[Below(random, all.size())];
  const size_t size = bytes.size();
  const bool keep_size = Chance(random, 70);
  bytes.resize(size + (keep_size ? 0 : 16));
  bytes.resize(LLVMFuzzerMutate(bytes.data(), size, bytes.size()));
  if (keep_size) bytes.resize(size);
}

// 0 when it does not fit.
size_t Store(std::span<const uint8_t> file, const Tail& tail, uint8_t* out, size_t max_size) {
  const std::vector<uint8_t> bytes = Join(file, tail);
  if (bytes.size() > max_size) return 0;
  std::copy(bytes.begin(), bytes.end(), out);
  return bytes.size();
}

size_t EditModel(const Input& input, uint8_t* out, size_t max_size, Random& random) {
  const std::unique_ptr<ModelT> model = testing::ReadModel(input.file);
  if (model == nullptr) return 0;
  for (size_t edits = 1 + Below(random, 2); edits > 0; --edits) {
    const auto mutation = DrawMutation(*model, random);
    if (!mutation || Chance(random, 15)) {
      ChangeBytes(*model, random);
    } else {
      mutation->apply(*model);
    }
  }
  return Store(testing::BytesOf(*model), input.tail, out, max_size);
}

// Takes a node of `b` with its tensors over into `a`; some of its inputs become tensors of `a`.
void TakeNode(ModelT& a, const ModelT& b, Random& random) {
  SubGraphT& to = *a.subgraphs[0];
  const SubGraphT& from = *b.subgraphs[0];
  const size_t own_tensors = to.tensors.size();
  OperatorT op = *from.operators[Below(random, from.operators.size())];
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
    if (own_tensors > 0 && Chance(random, 40)) {
      index = static_cast<int32_t>(Below(random, own_tensors));
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
  Random random(seed);
  if (size > sizeof(Tail) && Chance(random, 12)) {  // of the tail alone
    LLVMFuzzerMutate(data + size - sizeof(Tail), sizeof(Tail), sizeof(Tail));
    return size;
  }
  if (!Chance(random, raw_share)) {
    const size_t edited = EditModel(Split(data, size), data, max_size, random);
    if (edited != 0) return edited;
  }
  return LLVMFuzzerMutate(data, size, max_size);
}

size_t CrossModels(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size, uint8_t* out,
                   size_t max_size, unsigned seed) {
  Random random(seed);
  const Input to = Split(a, a_size), from = Split(b, b_size);
  const std::unique_ptr<ModelT> model = testing::ReadModel(to.file),
                                other = testing::ReadModel(from.file);
  if (model == nullptr || other == nullptr || model->subgraphs.empty() ||
      other->subgraphs.empty() || other->subgraphs[0]->operators.empty()) {
    return 0;
  }
  TakeNode(*model, *other, random);
  return Store(testing::BytesOf(*model), Chance(random, 50) ? to.tail : from.tail, out, max_size);
}

}  // namespace tern::fuzz
