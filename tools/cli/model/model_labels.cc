// SPDX-License-Identifier: Apache-2.0
#include "cli/model/model_labels.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "cli/model/zip_files.h"

namespace tern::cli {
namespace {

absl::StatusOr<Labels> ReadPackedLabels(std::span<const uint8_t> file,
                                        const std::vector<ZipFile>& packed,
                                        const std::string& name) {
  const auto found = std::find_if(packed.begin(), packed.end(),
                                  [&name](const ZipFile& one) { return one.name == name; });
  if (found == packed.end()) {
    return absl::NotFoundError(
        absl::StrCat("'", name, "', which the metadata names, is not in the model"));
  }
  const absl::StatusOr<std::string> text = ReadZip(file, *found);
  if (!text.ok()) return text.status();
  return Labels::Parse(*text, absl::StrCat(name, " in the model"));
}

}  // namespace

ModelLabels ReadModelLabels(std::span<const uint8_t> file, const ModelNotes& notes) {
  const std::vector<ZipFile> packed = ListZip(file);
  ModelLabels all;
  for (size_t i = 0; i < notes.outputs.size(); ++i) {
    const PackedFile* wanted = notes.outputs[i].LabelFile();
    if (wanted == nullptr) continue;
    absl::StatusOr<Labels> labels = ReadPackedLabels(file, packed, wanted->name);
    if (labels.ok()) {
      all.by_output[static_cast<int>(i)] = *std::move(labels);
    } else {
      all.wrong.emplace_back(labels.status().message());
    }
  }
  return all;
}

}  // namespace tern::cli
