// SPDX-License-Identifier: Apache-2.0
// Which input takes a picture, and which values black and white become there.
#ifndef TERN_TOOLS_CLI_INPUTS_PICTURE_INPUT_H_
#define TERN_TOOLS_CLI_INPUTS_PICTURE_INPUT_H_

#include <string>
#include <vector>

#include "cli/engine/engine.h"
#include "cli/inputs/picture.h"

namespace tern::cli {

// The first input that can take a picture, -1 when there is none.
int PictureInput(Engine* engine);

struct RangeChoice {
  ValueRange range;
  std::string why;  // "by the model's metadata"
};
// The user's LOW,HIGH, else by the model's metadata, else by what networks with outputs of such
// forms were trained on, else -1..1.
RangeChoice ChooseRange(const std::vector<double>& asked, Engine* engine, int input);

// The part of it that looks at shapes of outputs; `fallback` where they tell nothing.
RangeChoice RangeOfForms(const std::vector<std::vector<int>>& outputs, const RangeChoice& fallback);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_INPUTS_PICTURE_INPUT_H_
