// SPDX-License-Identifier: Apache-2.0
// Follows the flags about the inputs of a model: shapes, files, and seeded values for the rest.
#ifndef TERN_TOOLS_CLI_INPUTS_INPUTS_H_
#define TERN_TOOLS_CLI_INPUTS_INPUTS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/engine/engine.h"
#include "cli/inputs/crop.h"
#include "cli/inputs/picture.h"

namespace tern::cli {

// Texts "I=1x224x224x3", where I is a position or a name of the engine's inputs; before Prepare.
absl::Status ResizeInputs(const std::vector<std::string>& shapes, Engine* engine);

// The files that a user names.
struct InputFiles {
  std::string image;                // for the first input that takes a picture; empty: none
  std::vector<std::string> inputs;  // texts "I=FILE": a picture, .npy, .wav, else raw elements
  std::vector<double> range;        // LOW,HIGH of pictures; empty: the model's
  Crop crop = {};                   // of the image
};

// The inputs that the model was shown.
struct Shown {
  bool anything = false;         // an input that the user gave
  std::optional<Picture> photo;  // the first picture among them
  // Of the input that got it, or that would take one; else 0.
  int input_width = 0, input_height = 0;
  std::vector<std::string> notes;  // how files became elements, in words
};

// Files, then seeded values (Engine::FillInput) for every other input.
absl::StatusOr<Shown> GiveInputs(const InputFiles& files, Engine* engine);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_INPUTS_INPUTS_H_
