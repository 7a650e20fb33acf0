// SPDX-License-Identifier: Apache-2.0
// The tables of the metadata by the numbers of their fields.
#include "cli/model/model_metadata.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "cli/model/table_reader.h"

namespace tern::cli {
namespace {

using Table = TableReader::Table;

constexpr size_t kMaxListElements = 1000;  // of a list: more is damage

namespace model_field {
constexpr int kName = 0, kDescription = 1, kVersion = 2, kSubgraphs = 3, kAuthor = 4, kLicense = 5,
              kFiles = 6;
}  // namespace model_field
namespace subgraph_field {
constexpr int kInputs = 2, kOutputs = 3, kFiles = 4;
}  // namespace subgraph_field
namespace tensor_field {
constexpr int kName = 0, kDescription = 1, kContent = 3, kProcessUnits = 4, kFiles = 6;
}  // namespace tensor_field
namespace file_field {
constexpr int kName = 0, kDescription = 1, kType = 2, kLocale = 3;
}  // namespace file_field
namespace content_field {
constexpr int kType = 0, kProperties = 1;
constexpr uint8_t kPicture = 2, kBoxes = 3, kSound = 4;
}  // namespace content_field
namespace unit_field {
constexpr int kType = 0, kOptions = 1;
constexpr uint8_t kNormalization = 1;
constexpr int kMean = 0, kStd = 1;
}  // namespace unit_field

constexpr const char* kFileTypes[] = {
    "file",       "description", "labels of an axis", "labels of values", "calibration of scores",
    "vocabulary", "search index"};
constexpr int kAxisLabels = 2, kValueLabels = 3;

std::vector<PackedFile> FilesOf(const TableReader& reader, Table table, int field) {
  std::vector<PackedFile> files;
  const size_t count = std::min(reader.Size(table, field), kMaxListElements);
  for (size_t i = 0; i < count; ++i) {
    const Table file = reader.Element(table, field, i);
    const std::string name = reader.Text(file, file_field::kName);
    if (name.empty()) continue;
    files.push_back({name, reader.Text(file, file_field::kDescription),
                     reader.Number<uint8_t>(file, file_field::kType, 0),
                     reader.Text(file, file_field::kLocale)});
  }
  return files;
}

std::optional<Normalization> NormalizationOf(const TableReader& reader, Table tensor) {
  const size_t count = std::min(reader.Size(tensor, tensor_field::kProcessUnits), kMaxListElements);
  for (size_t i = 0; i < count; ++i) {
    const Table unit = reader.Element(tensor, tensor_field::kProcessUnits, i);
    if (reader.Number<uint8_t>(unit, unit_field::kType, 0) != unit_field::kNormalization) continue;
    const Table options = reader.Inner(unit, unit_field::kOptions);
    const std::optional<float> mean = reader.Float(options, unit_field::kMean, 0);
    const std::optional<float> std = reader.Float(options, unit_field::kStd, 0);
    if (!mean || !std || !(*std > 0)) return std::nullopt;
    return Normalization{*mean, *std};
  }
  return std::nullopt;
}

void ReadContent(const TableReader& reader, Table content, TensorNotes* notes) {
  const Table properties = reader.Inner(content, content_field::kProperties);
  switch (reader.Number<uint8_t>(content, content_field::kType, 0)) {
    case content_field::kPicture: {
      const int colours = reader.Number<uint8_t>(properties, 0, 0);
      notes->content = absl::StrCat("picture", colours == 1   ? ", RGB"
                                               : colours == 2 ? ", grey"
                                                              : "");
      return;
    }
    case content_field::kBoxes:
      notes->content = "boxes";
      return;
    case content_field::kSound: {
      const auto rate = reader.Number<uint32_t>(properties, 0, 0);
      const auto channels = reader.Number<uint32_t>(properties, 1, 0);
      notes->sample_rate = static_cast<int>(std::min<uint32_t>(rate, 10000000));
      notes->content = absl::StrCat("sound, ", rate, " Hz, ", channels,
                                    channels == 1 ? " channel" : " channels");
      return;
    }
    default:
      return;
  }
}

std::vector<TensorNotes> TensorsOf(const TableReader& reader, Table subgraph, int field) {
  std::vector<TensorNotes> all;
  const size_t count = std::min(reader.Size(subgraph, field), kMaxListElements);
  for (size_t i = 0; i < count; ++i) {
    const Table tensor = reader.Element(subgraph, field, i);
    TensorNotes notes;
    notes.name = reader.Text(tensor, tensor_field::kName);
    notes.description = reader.Text(tensor, tensor_field::kDescription);
    ReadContent(reader, reader.Inner(tensor, tensor_field::kContent), &notes);
    notes.normalization = NormalizationOf(reader, tensor);
    notes.files = FilesOf(reader, tensor, tensor_field::kFiles);
    all.push_back(std::move(notes));
  }
  return all;
}

}  // namespace

std::string PackedFile::TypeName() const {
  const bool known = type >= 0 && type < static_cast<int>(std::size(kFileTypes));
  return kFileTypes[known ? type : 0];
}

bool PackedFile::has_labels() const { return type == kAxisLabels || type == kValueLabels; }

const PackedFile* TensorNotes::LabelFile() const {
  const PackedFile* found = nullptr;
  for (const PackedFile& file : files) {
    if (!file.has_labels()) continue;
    if (file.locale.empty()) return &file;
    if (found == nullptr) found = &file;
  }
  return found;
}

std::optional<ModelNotes> ReadModelNotes(std::span<const uint8_t> metadata) {
  const TableReader reader(metadata);
  const Table model = reader.Root();
  if (!model) return std::nullopt;
  ModelNotes notes;
  notes.name = reader.Text(model, model_field::kName);
  notes.description = reader.Text(model, model_field::kDescription);
  notes.version = reader.Text(model, model_field::kVersion);
  notes.author = reader.Text(model, model_field::kAuthor);
  notes.license = reader.Text(model, model_field::kLicense);
  notes.files = FilesOf(reader, model, model_field::kFiles);
  const Table subgraph = reader.Element(model, model_field::kSubgraphs, 0);
  const std::vector<PackedFile> more = FilesOf(reader, subgraph, subgraph_field::kFiles);
  notes.files.insert(notes.files.end(), more.begin(), more.end());
  notes.inputs = TensorsOf(reader, subgraph, subgraph_field::kInputs);
  notes.outputs = TensorsOf(reader, subgraph, subgraph_field::kOutputs);
  return notes;
}

std::optional<ModelNotes> ReadModelNotes(const std::string& metadata) {
  return ReadModelNotes(
      std::span<const uint8_t>(reinterpret_cast<const uint8_t*>(metadata.data()), metadata.size()));
}

}  // namespace tern::cli
