// SPDX-License-Identifier: Apache-2.0
// How a picture's values become input values, where the model's own metadata tells.
#ifndef TERN_TOOLS_CLI_NORMALIZATION_H_
#define TERN_TOOLS_CLI_NORMALIZATION_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tern::cli {

struct Normalization {
  float mean = 0;
  float std = 1;  // input value = (v - mean) / std for a channel value v in 0..255
};

// Reads the normalization of input `input` from the bytes of a model's TFLITE_METADATA buffer.
// Nothing when there is none, or when the bytes are not sound.
std::optional<Normalization> ReadNormalization(std::span<const uint8_t> metadata, int input);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_NORMALIZATION_H_
