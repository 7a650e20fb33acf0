// SPDX-License-Identifier: Apache-2.0
// The content of the objects of telemetry_setting.h, for those who fill them. C++17.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_INTERNAL_H_
#define TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_INTERNAL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting.h"

struct TfLiteTelemetryConversionMetadata {
  std::vector<int32_t> model_optimization_modes;
};

struct TfLiteTelemetrySubgraphInfo {
  std::vector<TfLiteQuantization> quantizations;  // parameters are the tensors' own
};

struct TfLiteTelemetryInterpreterSettings {
  std::unique_ptr<TfLiteTelemetryConversionMetadata> conversion_metadata;
  std::vector<TfLiteTelemetrySubgraphInfo> subgraph_infos;
};

struct TfLiteTelemetryGpuDelegateSettings {
  enum Backend : int {
    UNKNOWN = 0,
    OPENCL = 1,
    OPENGL = 2,
  };
  size_t num_nodes_delegated = 0;
  Backend backend = UNKNOWN;
};

#endif  // TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_INTERNAL_H_
