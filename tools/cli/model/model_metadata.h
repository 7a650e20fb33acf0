// SPDX-License-Identifier: Apache-2.0
// The notes of the authors of a model: TFLITE_METADATA, as tools of TensorFlow Lite write it.
#ifndef TERN_TOOLS_CLI_MODEL_MODEL_METADATA_H_
#define TERN_TOOLS_CLI_MODEL_MODEL_METADATA_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tern::cli {

// Of a picture's values on their way into the model.
struct Normalization {
  float mean = 0;
  float std = 1;  // input value = (v - mean) / std for a channel value v in 0..255
};

// A file that is packed into the model.
struct PackedFile {
  std::string name, description;
  int type = 0;
  std::string locale;  // empty, or the language of the names in it

  std::string TypeName() const;  // "labels of an axis"
  bool has_labels() const;
};

struct TensorNotes {
  std::string name, description;
  std::string content;  // "picture RGB", "sound, 16000 Hz, 1 channel"; empty: features
  std::optional<Normalization> normalization;
  int sample_rate = 0;  // of sound; 0: unknown
  std::vector<PackedFile> files;

  // The one whose names are in no language or, where all are in one, the first; null without any.
  const PackedFile* LabelFile() const;
};

struct ModelNotes {
  std::string name, description, version, author, license;
  std::vector<PackedFile> files;
  std::vector<TensorNotes> inputs, outputs;  // of the first subgraph
};

// Nothing where the bytes hold no metadata of that kind; what is not sound in them is left out.
std::optional<ModelNotes> ReadModelNotes(std::span<const uint8_t> metadata);
std::optional<ModelNotes> ReadModelNotes(const std::string& metadata);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_MODEL_MODEL_METADATA_H_
