// SPDX-License-Identifier: Apache-2.0
// The C API: what a telemetry profiler asks about the settings.
#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting_internal.h"

const int32_t* TfLiteTelemetryConversionMetadataGetModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata) {
  return metadata == nullptr ? nullptr : metadata->model_optimization_modes.data();
}

size_t TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata) {
  return metadata == nullptr ? 0 : metadata->model_optimization_modes.size();
}

const TfLiteTelemetryConversionMetadata* TfLiteTelemetryInterpreterSettingsGetConversionMetadata(
    const TfLiteTelemetryInterpreterSettings* settings) {
  return settings == nullptr ? nullptr : settings->conversion_metadata.get();
}

size_t TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(
    const TfLiteTelemetryInterpreterSettings* settings) {
  return settings == nullptr ? 0 : settings->subgraph_infos.size();
}

const TfLiteTelemetrySubgraphInfo* TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(
    const TfLiteTelemetryInterpreterSettings* settings) {
  return settings == nullptr ? nullptr : settings->subgraph_infos.data();
}

size_t TfLiteTelemetrySubgraphInfoGetNumQuantizations(TfLiteTelemetrySubgraphInfo* subgraph_info) {
  return subgraph_info == nullptr ? 0 : subgraph_info->quantizations.size();
}

const TfLiteQuantization* TfLiteTelemetrySubgraphInfoGetQuantizations(
    TfLiteTelemetrySubgraphInfo* subgraph_info) {
  return subgraph_info == nullptr ? nullptr : subgraph_info->quantizations.data();
}

size_t TfLiteTelemetryGpuDelegateSettingsGetNumNodesDelegated(
    const TfLiteTelemetryGpuDelegateSettings* settings) {
  return settings == nullptr ? 0 : settings->num_nodes_delegated;
}

int TfLiteTelemetryGpuDelegateSettingsGetBackend(
    const TfLiteTelemetryGpuDelegateSettings* settings) {
  return settings == nullptr ? 0 : settings->backend;
}
