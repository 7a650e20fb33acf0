// SPDX-License-Identifier: Apache-2.0
// The metadata entry that puts operators of a model in an order which no tensor shows.
#ifndef TERN_TENSORFLOW_LITE_EXPERIMENTAL_REMAT_METADATA_UTIL_H_
#define TERN_TENSORFLOW_LITE_EXPERIMENTAL_REMAT_METADATA_UTIL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tensorflow/lite/graph_info.h"

namespace tflite {

// By subgraph, pairs of operator indices: the first runs before the second.
using ModelControlDependencies = std::vector<ControlEdges>;

// The entry's name in a model, and the version of its payload.
inline constexpr char kModelControlDependenciesMetadataKey[] = "model_control_dependencies";
inline constexpr uint32_t kModelControlDependenciesMetadataVersion = 1;

// The entry that says that constants are kept as tensors of StableHLO.
inline constexpr char kModelUseStablehloTensorKey[] = "keep_stablehlo_constant";

std::string SerializeModelControlDependencies(const ModelControlDependencies& in);

// False, with `out` empty, for bytes that are no such payload as a whole.
bool ParseModelControlDependencies(const char* data, size_t size, ModelControlDependencies* out);

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_EXPERIMENTAL_REMAT_METADATA_UTIL_H_
