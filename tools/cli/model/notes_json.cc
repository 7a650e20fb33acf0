// SPDX-License-Identifier: Apache-2.0
#include "cli/model/notes_json.h"

namespace tern::cli {
namespace {

using Notes = nlohmann::ordered_json;

Notes FilesJson(const std::vector<PackedFile>& files, const std::vector<ZipFile>& packed) {
  Notes list = Notes::array();
  for (const PackedFile& file : files) {
    Notes bytes;  // null: not in the model
    for (const ZipFile& one : packed) {
      if (one.name == file.name) bytes = one.bytes;
    }
    list.push_back({{"name", file.name},
                    {"type", file.TypeName()},
                    {"locale", file.locale},
                    {"description", file.description},
                    {"bytes", bytes}});
  }
  return list;
}

Notes TensorsJson(const std::vector<TensorNotes>& tensors, const std::vector<ZipFile>& packed) {
  Notes list = Notes::array();
  for (const TensorNotes& tensor : tensors) {
    Notes normalization;
    if (const auto& n = tensor.normalization) normalization = {{"mean", n->mean}, {"std", n->std}};
    list.push_back({{"name", tensor.name},
                    {"description", tensor.description},
                    {"content", tensor.content},
                    {"normalization", normalization},
                    {"files", FilesJson(tensor.files, packed)}});
  }
  return list;
}

}  // namespace

nlohmann::ordered_json NotesJson(const ModelNotes& notes, const std::vector<ZipFile>& packed) {
  return {{"name", notes.name},
          {"description", notes.description},
          {"version", notes.version},
          {"author", notes.author},
          {"license", notes.license},
          {"files", FilesJson(notes.files, packed)},
          {"inputs", TensorsJson(notes.inputs, packed)},
          {"outputs", TensorsJson(notes.outputs, packed)}};
}

}  // namespace tern::cli
