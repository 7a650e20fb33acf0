// SPDX-License-Identifier: Apache-2.0
// Input elements from formulas: the same seed gives the same bytes on every machine.
#ifndef TERN_TOOLS_CLI_INPUTS_FILL_H_
#define TERN_TOOLS_CLI_INPUTS_FILL_H_

#include <cstdint>
#include <filesystem>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/inputs/tensor_bytes.h"
#include "nlohmann/json_fwd.hpp"

namespace tern::cli {

// Output number `index` (from 1) of the splitmix64 generator started at `seed`.
uint64_t SplitMix64(uint64_t seed, uint64_t index);
// The top 53 bits of that output as a number in [0, 1).
double UnitRandom(uint64_t seed, uint64_t index);

// The elements that a case's `fill` object describes, row-major. Files are relative to `base`.
// Errors: unknown kind, a value list or file of the wrong length.
absl::StatusOr<Bytes> FillTensor(const nlohmann::json& fill, const std::vector<int>& shape,
                                 TfLiteType type, const std::filesystem::path& base);

// Returns the elements of an input for which the user gives nothing: floats in [-1, 1), 8- and
// 16-bit integers over their whole range, wider integers 0 or 1 (they are mostly indices), bools by
// coin.
absl::StatusOr<Bytes> FillDefault(const std::vector<int>& shape, TfLiteType type, uint64_t seed);

// Whether a file can be opened; an error has the system's reason.
absl::Status CheckReadable(const std::filesystem::path& path);
// A whole file.
absl::StatusOr<Bytes> ReadFile(const std::filesystem::path& path);
absl::Status WriteFile(const std::filesystem::path& path, const void* data, size_t bytes);
// With the folders that it lies in; Ok if it is there.
absl::Status MakeFolder(const std::filesystem::path& path);
// Whether these two would do it, with their errors, before long work; nothing is written.
absl::Status CheckWritable(const std::filesystem::path& path);
absl::Status CheckFolder(const std::filesystem::path& path);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_INPUTS_FILL_H_
