// SPDX-License-Identifier: Apache-2.0
// Arrays in files of NumPy (.npy).
#ifndef TERN_TOOLS_CLI_INPUTS_NPY_H_
#define TERN_TOOLS_CLI_INPUTS_NPY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/inputs/tensor_bytes.h"

namespace tern::cli {

struct NpyArray {
  TfLiteType type = kTfLiteNoType;
  std::vector<int> shape;
  Bytes elements;  // row-major, little-endian
};
// `name` stands in messages.
absl::StatusOr<NpyArray> ParseNpy(const Bytes& file, const std::string& name);

// The elements for an input. Numbers become floats of any width, and integers that hold them; real
// numbers for a quantized input are quantized. Errors: another shape (ones aside), numbers that do
// not fit.
absl::StatusOr<Bytes> NpyElements(const NpyArray& array, const TfLiteTensor& input,
                                  const std::string& name);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_INPUTS_NPY_H_
