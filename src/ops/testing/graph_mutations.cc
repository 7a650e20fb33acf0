// SPDX-License-Identifier: Apache-2.0
// Damages to the parts of a model and to the lists that join them.
#include <memory>
#include <string>

#include "base/str_cat.h"
#include "ops/testing/mutation_list.h"

namespace tern::testing {
namespace {

using tflite::ModelT;

void AddEmptyParts(MutationList& list) {
  const Site at = list.site;
  for (const uint32_t version : {0u, 2u, 4u, 0xffffffffu}) {
    list.AddNamed(StrCat("version_", version), StrCat("schema version ", version),
                  [=](ModelT& m) { m.version = version; });
  }
  list.AddNamed("no_subgraphs", "no subgraphs", [](ModelT& m) { m.subgraphs.clear(); });
  list.AddNamed("no_buffers", "no buffers", [](ModelT& m) { m.buffers.clear(); });
  list.AddNamed("no_operator_codes", "no operator codes",
                [](ModelT& m) { m.operator_codes.clear(); });
  list.AddNamed("no_tensors", "no tensors", [=](ModelT& m) { at.GraphOf(m).tensors.clear(); });
  list.AddNamed("no_operators", "no operators",
                [=](ModelT& m) { at.GraphOf(m).operators.clear(); });
  list.AddNamed("no_inputs", "the graph names no inputs",
                [=](ModelT& m) { at.GraphOf(m).inputs.clear(); });
  list.AddNamed("no_outputs", "the graph names no outputs",
                [=](ModelT& m) { at.GraphOf(m).outputs.clear(); });
}

void AddCodes(MutationList& list) {
  const Site at = list.site;
  const auto codes = static_cast<uint32_t>(list.model().operator_codes.size());
  list.AddNamed("opcode_index", StrCat("an operator of code ", codes + 6, " of ", codes),
                [=](ModelT& m) { at.OperatorOf(m).opcode_index = codes + 6; });
  const size_t code = list.op().opcode_index;
  if (code >= codes) return;
  list.AddNamed("unknown_builtin", "a builtin operator that no schema has", [=](ModelT& m) {
    m.operator_codes[code]->builtin_code = static_cast<tflite::BuiltinOperator>(9999);
  });
  list.AddNamed("unknown_custom", "a custom operator that nobody has registered", [=](ModelT& m) {
    m.operator_codes[code]->builtin_code = tflite::BuiltinOperator_CUSTOM;
    m.operator_codes[code]->custom_code = "Nobody";
  });
  list.AddNamed("custom_without_name", "a custom operator without a name", [=](ModelT& m) {
    m.operator_codes[code]->builtin_code = tflite::BuiltinOperator_CUSTOM;
    m.operator_codes[code]->custom_code.clear();
  });
}

void AddOrders(MutationList& list) {
  const Site at = list.site;
  if (list.graph().operators.size() < 64) {
    list.AddNamed("operator_twice", "two operators write one tensor", [=](ModelT& m) {
      at.GraphOf(m).operators.push_back(std::make_unique<tflite::OperatorT>(at.OperatorOf(m)));
    });
  }
  if (list.op().inputs.empty() || list.op().outputs.empty()) return;
  list.AddNamed("own_output", "an operator reads what it writes",
                [=](ModelT& m) { at.OperatorOf(m).inputs[0] = at.OperatorOf(m).outputs[0]; });
  list.AddNamed("before_written", "an operator reads what a later one writes", [=](ModelT& m) {
    tflite::SubGraphT& graph = at.GraphOf(m);
    auto later = std::make_unique<tflite::OperatorT>(at.OperatorOf(m));
    graph.tensors.push_back(std::make_unique<tflite::TensorT>(*graph.tensors[0]));
    later->outputs = {static_cast<int32_t>(graph.tensors.size()) - 1};
    at.OperatorOf(m).inputs[0] = later->outputs[0];
    graph.operators.push_back(std::move(later));
  });
}

void AddExternalData(MutationList& list) {
  if (list.model().buffers.size() < 2) return;
  list.AddNamed("external_data", "a buffer that lies behind the end of the file", [](ModelT& m) {
    m.buffers[1]->data.clear();
    m.buffers[1]->offset = 1u << 20;
    m.buffers[1]->size = 12;
  });
}

tflite::SignatureDefT& NewSignature(ModelT& m) {
  m.signature_defs.push_back(std::make_unique<tflite::SignatureDefT>());
  m.signature_defs.back()->signature_key = "serve";
  return *m.signature_defs.back();
}

void AddSignatures(MutationList& list) {
  const size_t graphs = list.model().subgraphs.size();
  list.AddNamed(
      "signature_subgraph", StrCat("a signature of subgraph ", graphs + 4, " of ", graphs),
      [=](ModelT& m) { NewSignature(m).subgraph_index = static_cast<uint32_t>(graphs + 4); });
  list.AddNamed("signature_tensor", "a signature whose input is tensor 99", [](ModelT& m) {
    auto& maps = NewSignature(m).inputs;
    maps.push_back(std::make_unique<tflite::TensorMapT>());
    maps.back()->name = "x";
    maps.back()->tensor_index = 99;
  });
  list.AddNamed("metadata_buffer", "metadata in buffer 99", [](ModelT& m) {
    m.metadata.push_back(std::make_unique<tflite::MetadataT>());
    m.metadata.back()->name = "min_runtime_version";
    m.metadata.back()->buffer = 99;
  });
}

void AddTensors(MutationList& list) {
  Site at = list.site;
  list.AddNamed("shape_signature", "a shape signature of another rank", [=](ModelT& m) {
    at.TensorOf(m).shape_signature.assign(at.TensorOf(m).shape.size() + 2, -1);
  });
  if (!list.drawn() && at.tensor + 1 < list.graph().tensors.size()) ++at.tensor;
  list.AddNamed("sparsity", "a sparse constant without levels", [=](ModelT& m) {
    at.TensorOf(m).sparsity = std::make_unique<tflite::SparsityParametersT>();
  });
  list.AddNamed("string_constant", "a string constant whose offsets leave it",
                [=](ModelT& m) { at.TensorOf(m).type = tflite::TensorType_STRING; });
  list.AddNamed("rank", "a tensor that has no rank",
                [=](ModelT& m) { at.TensorOf(m).has_rank = !at.TensorOf(m).has_rank; });
  list.AddNamed("name", "a tensor without a name", [=](ModelT& m) { at.TensorOf(m).name.clear(); });
}

void AddMoves(MutationList& list) {
  const Site at = list.site;
  list.AddNamed("intermediate", "an operator with the intermediate tensor 99",
                [=](ModelT& m) { at.OperatorOf(m).intermediates.push_back(99); });
  if (list.model().subgraphs.size() < 8) {
    list.AddNamed("subgraph_twice", "the graph is there twice", [=](ModelT& m) {
      m.subgraphs.push_back(std::make_unique<tflite::SubGraphT>(at.GraphOf(m)));
    });
  }
}

}  // namespace

void AddGraphParts(MutationList& list) {
  if (!list.has_op() || !list.has_tensor()) return;
  if (!list.drawn() || list.Chance(10)) AddEmptyParts(list);  // nothing comes after their check
  AddCodes(list);
  AddOrders(list);
  AddExternalData(list);
  AddSignatures(list);
  AddTensors(list);
  AddMoves(list);
}

std::vector<Mutation> GraphMutationsOf(const ModelT& model) {
  MutationList list(model);
  if (!model.subgraphs.empty()) AddGraphParts(list);
  return list.Take();
}

}  // namespace tern::testing
