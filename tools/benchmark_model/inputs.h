// SPDX-License-Identifier: Apache-2.0
// Fills the inputs of the model with random elements, or with those of files.
#ifndef TERN_TOOLS_BENCHMARK_MODEL_INPUTS_H_
#define TERN_TOOLS_BENCHMARK_MODEL_INPUTS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/inputs/tensor_bytes.h"
#include "flags/flags.h"
#include "tensorflow/lite/c/common.h"

namespace tern::tools {

// The settings of one input, from the flags.
struct InputLayer {
  std::string name;
  std::vector<int> shape;
  std::optional<std::pair<int, int>> range;  // both ends are possible
  std::string file;                          // empty: random elements
};

// From --input_layer, --input_layer_shape, --input_layer_value_range and --input_layer_value_files;
// empty when none is given. An error names the item that is wrong.
absl::StatusOr<std::vector<InputLayer>> ParseInputLayers(const Flags& flags);

// The content of one input: strings for a tensor of strings, else its elements.
struct InputData {
  cli::Bytes bytes;
  std::vector<std::string> strings;
};

// Content for an allocated tensor; `layer` may be null. An error says why there is none: a file
// that cannot be read or has another size, a type without random elements.
absl::StatusOr<InputData> MakeInputData(const TfLiteTensor& tensor, const InputLayer* layer,
                                        uint64_t seed);
// Copies it. The tensor must have the size that the content was made for.
absl::Status WriteInputData(const InputData& data, TfLiteTensor* tensor);

}  // namespace tern::tools

#endif  // TERN_TOOLS_BENCHMARK_MODEL_INPUTS_H_
