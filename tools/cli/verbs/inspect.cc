// SPDX-License-Identifier: Apache-2.0
// `tern inspect`: a model file as a readable table, as JSON or as a page.
#include <cstdio>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cli/answers/values.h"
#include "cli/model/model_facts.h"
#include "cli/model/model_file.h"
#include "cli/model/model_json.h"
#include "cli/model/model_metadata.h"
#include "cli/model/notes_json.h"
#include "cli/model/op_text.h"
#include "cli/model/zip_files.h"
#include "cli/page/inspect_page.h"
#include "cli/reports/inspect_run.h"
#include "cli/verbs.h"
#include "model/metadata.h"
#include "nlohmann/json.hpp"
#include "tensorflow/lite/model.h"

namespace tern::cli {
namespace {

std::string QuantizationText(const tflite::Tensor& tensor) {
  const tflite::QuantizationParameters* q = tensor.quantization();
  if (q == nullptr) return "";
  if (const auto* blocks = q->details_as_BlockwiseQuantization()) {
    return absl::StrCat(" blocks of ", blocks->block_size(), " (scales ", blocks->scales(), ")");
  }
  if (q->scale() == nullptr || q->scale()->size() == 0) return "";
  if (q->scale()->size() > 1) {
    return absl::StrCat(" per channel (", q->scale()->size(), ", axis ", q->quantized_dimension(),
                        ")");
  }
  const int64_t zero =
      q->zero_point() == nullptr || q->zero_point()->size() == 0 ? 0 : q->zero_point()->Get(0);
  return absl::StrCat(" scale ", q->scale()->Get(0), " zero ", zero);
}

// "12 [1x112x112x32 float32]", with "const" for a tensor that the file holds.
std::string TensorText(const tflite::Model& model, const tflite::SubGraph& graph, int index) {
  if (index < 0) return "none";
  if (graph.tensors() == nullptr || static_cast<size_t>(index) >= graph.tensors()->size()) {
    return absl::StrCat(index, "?");
  }
  const tflite::Tensor* tensor = graph.tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
  const bool scalar = tensor->shape() == nullptr || tensor->shape()->size() == 0;
  return absl::StrCat(index, " [", scalar ? "scalar" : absl::StrJoin(*tensor->shape(), "x"), " ",
                      ElementTypeName(*tensor), QuantizationText(*tensor),
                      tensor->is_variable() ? " variable" : "",
                      BufferBytes(model, tensor->buffer()) > 0 ? " const" : "", "]");
}

void PrintEnds(const tflite::Model& model, const tflite::SubGraph& graph, const char* word,
               const flatbuffers::Vector<int32_t>* indices) {
  if (indices == nullptr) return;
  for (int index : *indices) {
    std::string name;
    if (graph.tensors() != nullptr && index >= 0 &&
        static_cast<size_t>(index) < graph.tensors()->size()) {
      name = Text(graph.tensors()->Get(static_cast<flatbuffers::uoffset_t>(index))->name());
    }
    std::printf("  %-7s %s  %s\n", word, TensorText(model, graph, index).c_str(), name.c_str());
  }
}

std::string List(const tflite::Model& model, const tflite::SubGraph& graph,
                 const flatbuffers::Vector<int32_t>* indices) {
  std::vector<std::string> texts;
  if (indices != nullptr) {
    for (int index : *indices) texts.push_back(TensorText(model, graph, index));
  }
  return absl::StrJoin(texts, ", ");
}

void PrintSubgraph(const tflite::Model& model, const tflite::SubGraph& graph, size_t number,
                   std::map<std::string, int>* ops) {
  std::printf("\nsubgraph %zu '%s': %u tensors, %u nodes\n", number, Text(graph.name()).c_str(),
              graph.tensors() == nullptr ? 0 : graph.tensors()->size(),
              graph.operators() == nullptr ? 0 : graph.operators()->size());
  PrintEnds(model, graph, "input", graph.inputs());
  PrintEnds(model, graph, "output", graph.outputs());
  if (graph.operators() == nullptr) return;
  int node = 0;
  for (const tflite::Operator* op : *graph.operators()) {
    const std::string name = OpCodeAt(model, op->opcode_index()).NameAndVersion();
    ++(*ops)[name];
    std::printf("  #%-4d %-28s %s -> %s\n", node++, name.c_str(),
                List(model, graph, op->inputs()).c_str(),
                List(model, graph, op->outputs()).c_str());
    const std::string options = OptionsText(*op);
    if (!options.empty()) std::printf("        %s\n", options.c_str());
  }
}

void PrintSignatures(const tflite::Model& model) {
  if (model.signature_defs() == nullptr) return;
  const auto names = [](const auto* maps) {
    std::vector<std::string> texts;
    if (maps != nullptr) {
      for (const tflite::TensorMap* map : *maps) {
        texts.push_back(absl::StrCat(Text(map->name()), "=", map->tensor_index()));
      }
    }
    return absl::StrJoin(texts, ", ");
  };
  for (const tflite::SignatureDef* s : *model.signature_defs()) {
    std::printf("signature '%s' of subgraph %u: %s -> %s\n", Text(s->signature_key()).c_str(),
                s->subgraph_index(), names(s->inputs()).c_str(), names(s->outputs()).c_str());
  }
}

void PrintMetadata(const tflite::Model& model) {
  if (model.metadata() == nullptr || model.buffers() == nullptr) return;
  for (const tflite::Metadata* m : *model.metadata()) {
    std::printf("metadata '%s': %zu bytes\n", Text(m->name()).c_str(),
                BufferBytes(model, m->buffer()));
  }
}

void PrintNote(const char* indent, const std::string& what, const std::string& text) {
  constexpr size_t kMost = 400;
  if (text.empty()) return;
  std::printf("%s%s: %s\n", indent, what.c_str(), OneLine(text, kMost).c_str());
}

void PrintFiles(const char* indent, const std::vector<PackedFile>& files,
                const std::vector<ZipFile>& packed) {
  for (const PackedFile& file : files) {
    std::string size = "not in the model";
    for (const ZipFile& one : packed) {
      if (one.name == file.name) size = absl::StrCat(one.bytes, " bytes");
    }
    PrintNote(indent, "file", absl::StrCat(file.name, ", ", file.TypeName(), ", ", size));
  }
}

// The notes of the authors, and the files that they packed into the model.
void PrintNotes(const tflite::Model& model, std::span<const uint8_t> file) {
  const std::optional<ModelNotes> notes =
      ReadModelNotes(std::string(FindMetadata(model, "TFLITE_METADATA")));
  if (!notes) return;
  const std::vector<ZipFile> packed = ListZip(file);
  PrintNote("  ", "name", notes->name);
  PrintNote("  ", "description", notes->description);
  PrintNote("  ", "version", notes->version);
  PrintNote("  ", "author", notes->author);
  PrintNote("  ", "licence", notes->license);
  PrintFiles("  ", notes->files, packed);
  for (const auto& [word, tensors] :
       {std::pair("input", &notes->inputs), std::pair("output", &notes->outputs)}) {
    int number = 0;
    for (const TensorNotes& tensor : *tensors) {
      PrintNote("  ", absl::StrCat(word, " ", number++),
                tensor.name.empty() ? "unnamed" : tensor.name);
      PrintNote("    ", "description", tensor.description);
      PrintNote("    ", "content", tensor.content);
      if (const auto& n = tensor.normalization) {
        PrintNote("    ", "normalization", absl::StrCat("(v - ", n->mean, ") / ", n->std));
      }
      PrintFiles("    ", tensor.files, packed);
    }
  }
}

// The notes for other programs; null where the model has none.
nlohmann::ordered_json NotesOf(const tflite::Model& model, std::span<const uint8_t> file) {
  const std::optional<ModelNotes> notes =
      ReadModelNotes(std::string(FindMetadata(model, "TFLITE_METADATA")));
  return notes ? NotesJson(*notes, ListZip(file)) : nlohmann::ordered_json();
}

void PrintTable(const tflite::Model& model, const std::string& file,
                std::span<const uint8_t> bytes) {
  std::printf("%s: schema version %u, %zu bytes\n", file.c_str(), model.version(), bytes.size());
  if (!Text(model.description()).empty()) {
    std::printf("description: %s\n", Text(model.description()).c_str());
  }
  const uint32_t buffers = model.buffers() == nullptr ? 0 : model.buffers()->size();
  size_t constants = 0;
  for (uint32_t i = 0; i < buffers; ++i) constants += BufferBytes(model, i);
  std::printf("%u buffers with %zu bytes\n", buffers, constants);
  PrintMetadata(model);
  PrintNotes(model, bytes);
  PrintSignatures(model);
  std::map<std::string, int> ops;
  size_t number = 0;
  if (model.subgraphs() != nullptr) {
    for (const tflite::SubGraph* graph : *model.subgraphs()) {
      PrintSubgraph(model, *graph, number++, &ops);
    }
  }
  std::printf("\n");
  for (const auto& [name, count] : ops) std::printf("%6d  %s\n", count, name.c_str());
}

}  // namespace

absl::StatusOr<int> Inspect(const InspectOptions& options) {
  const auto loaded = LoadModel(options.model);
  if (!loaded.ok()) return loaded.status();
  const tflite::Model& model = *(*loaded)->GetModel();
  const size_t bytes = (*loaded)->allocation()->bytes();
  const std::span<const uint8_t> file(static_cast<const uint8_t*>((*loaded)->allocation()->base()),
                                      bytes);
  if (options.json.empty() && options.html.empty()) {
    if (!options.engine.on_cpu()) {
      std::fprintf(stderr, "tern: warning: no effect without --html or --json: --engine\n");
    }
    PrintTable(model, options.model, file);
    return 0;
  }
  constexpr int kPageRuns = 10;
  const int runs = options.runs >= 0 ? options.runs : options.html.empty() ? 0 : kPageRuns;
  nlohmann::ordered_json description = DescribeModel(model, options.model, bytes);
  description["notes"] = NotesOf(model, file);
  description["run"] = DescribeRun(options.model, options.engine, runs);
  if (!options.engine.on_cpu()) DescribeGpuRun(options.model, options.engine, runs, &description);
  // Names in a file may be any bytes.
  const std::string text = description.dump(-1, ' ', /*ensure_ascii=*/true,
                                            nlohmann::ordered_json::error_handler_t::replace);
  absl::Status status;
  if (!options.json.empty()) status.Update(WriteText(text + "\n", options.json));
  if (!options.html.empty()) status.Update(WriteText(InspectPage(text), options.html));
  if (!status.ok()) return status;
  return 0;
}

}  // namespace tern::cli
