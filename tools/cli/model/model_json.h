// SPDX-License-Identifier: Apache-2.0
// A model file as one JSON object, whose keys docs/inspect.md describes.
#ifndef TERN_TOOLS_CLI_MODEL_MODEL_JSON_H_
#define TERN_TOOLS_CLI_MODEL_MODEL_JSON_H_

#include <string>

#include "nlohmann/json.hpp"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::cli {

// Of a verified model. Indices are those of the file, even where they point to nothing.
nlohmann::ordered_json DescribeModel(const tflite::Model& model, const std::string& file,
                                     size_t bytes);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_MODEL_MODEL_JSON_H_
