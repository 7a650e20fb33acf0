// SPDX-License-Identifier: Apache-2.0
// Names of classes that a model carries: its metadata names a file for an output, and the file is
// in a zip archive behind the model.
#ifndef TERN_TOOLS_CLI_MODEL_MODEL_LABELS_H_
#define TERN_TOOLS_CLI_MODEL_MODEL_LABELS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cli/answers/labels.h"
#include "cli/model/model_metadata.h"

namespace tern::cli {

struct ModelLabels {
  std::map<int, Labels> by_output;  // by the position of an output
  std::vector<std::string> wrong;   // why others cannot be read, a line each
};

// `file` is the whole file of the model.
ModelLabels ReadModelLabels(std::span<const uint8_t> file, const ModelNotes& notes);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_MODEL_MODEL_LABELS_H_
