// SPDX-License-Identifier: Apache-2.0
// The notes of a model's authors as the object `notes` of docs/inspect.md.
#ifndef TERN_TOOLS_CLI_MODEL_NOTES_JSON_H_
#define TERN_TOOLS_CLI_MODEL_NOTES_JSON_H_

#include <vector>

#include "cli/model/model_metadata.h"
#include "cli/model/zip_files.h"
#include "nlohmann/json.hpp"

namespace tern::cli {

// `packed`: the files behind the model.
nlohmann::ordered_json NotesJson(const ModelNotes& notes, const std::vector<ZipFile>& packed);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_MODEL_NOTES_JSON_H_
