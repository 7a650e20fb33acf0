// SPDX-License-Identifier: Apache-2.0
// What flags say about the inputs of a model: shapes, files, and seeded values for the rest.
#ifndef TERN_TOOLS_CLI_INPUTS_H_
#define TERN_TOOLS_CLI_INPUTS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/engine.h"

namespace tern::cli {

// Texts "I=1x224x224x3", where I is a position or a name of the engine's inputs; before Prepare.
absl::Status ResizeInputs(const std::vector<std::string>& shapes, Engine* engine);
// Texts "I=FILE" with raw elements, then seeded values (Engine::FillInput) for every input that is
// neither named nor true in `given`, which has one entry per input.
absl::Status GiveInputs(const std::vector<std::string>& files, std::vector<bool> given,
                        Engine* engine);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_INPUTS_H_
