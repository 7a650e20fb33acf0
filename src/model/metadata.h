// SPDX-License-Identifier: Apache-2.0
// Named payloads that ride in a model.
#ifndef TERN_MODEL_METADATA_H_
#define TERN_MODEL_METADATA_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

inline constexpr char kBufferLocationKey[] = "buffer_location";
inline constexpr char kMinRuntimeVersionKey[] = "min_runtime_version";
inline constexpr char kControlDependenciesKey[] = "model_control_dependencies";
inline constexpr char kReducedPrecisionKey[] = "reduced_precision_support";

// All entries with a name and a payload; broken entries are skipped.
std::map<std::string, std::string> ReadAllMetadata(const tflite::Model& model);

// The payload of one entry, empty when absent.
std::string_view FindMetadata(const tflite::Model& model, std::string_view name);

// The text of `min_runtime_version` up to its first NUL; empty when absent or without a NUL.
std::string MinRuntimeVersion(const tflite::Model& model);

// Per subgraph, the pairs (from, to) of op indices: `from` must run before `to`.
using ControlEdge = std::pair<int32_t, int32_t>;
using ControlEdges = std::vector<ControlEdge>;
using ModelControlDependencies = std::vector<ControlEdges>;

StatusOr<ModelControlDependencies> ParseControlDependencies(std::string_view blob);
std::string SerializeControlDependencies(const ModelControlDependencies& dependencies);

}  // namespace tern

#endif  // TERN_MODEL_METADATA_H_
