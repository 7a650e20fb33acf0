// SPDX-License-Identifier: Apache-2.0
// Settings of model, interpreter and delegates for a telemetry profiler. C11 and C++17. Getters
// give NULL or 0 for a NULL object; their results live as long as the object.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_H_
#define TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteTelemetrySettings {
  uint32_t source;   // a tflite::telemetry::TelemetrySource, which says what data is
  const void* data;  // TfLiteTelemetryInterpreterSettings, or what a delegate reports
} TfLiteTelemetrySettings;

// ---- How the model was converted.
typedef struct TfLiteTelemetryConversionMetadata TfLiteTelemetryConversionMetadata;
TFL_CAPI_EXPORT const int32_t* TfLiteTelemetryConversionMetadataGetModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata);
TFL_CAPI_EXPORT size_t TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata);

// ---- The interpreter. Its metadata is NULL for a model that does not say how it was converted.
typedef struct TfLiteTelemetryInterpreterSettings TfLiteTelemetryInterpreterSettings;
typedef struct TfLiteTelemetrySubgraphInfo TfLiteTelemetrySubgraphInfo;
TFL_CAPI_EXPORT const TfLiteTelemetryConversionMetadata*
TfLiteTelemetryInterpreterSettingsGetConversionMetadata(
    const TfLiteTelemetryInterpreterSettings* settings);
TFL_CAPI_EXPORT size_t TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(
    const TfLiteTelemetryInterpreterSettings* settings);
// The first of an array.
TFL_CAPI_EXPORT const TfLiteTelemetrySubgraphInfo*
TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(
    const TfLiteTelemetryInterpreterSettings* settings);

// ---- A subgraph: the quantization of each tensor.
TFL_CAPI_EXPORT size_t
TfLiteTelemetrySubgraphInfoGetNumQuantizations(TfLiteTelemetrySubgraphInfo* subgraph_info);
TFL_CAPI_EXPORT const TfLiteQuantization* TfLiteTelemetrySubgraphInfoGetQuantizations(
    TfLiteTelemetrySubgraphInfo* subgraph_info);

// ---- The GPU delegate.
typedef struct TfLiteTelemetryGpuDelegateSettings TfLiteTelemetryGpuDelegateSettings;
TFL_CAPI_EXPORT size_t TfLiteTelemetryGpuDelegateSettingsGetNumNodesDelegated(
    const TfLiteTelemetryGpuDelegateSettings* settings);
TFL_CAPI_EXPORT int TfLiteTelemetryGpuDelegateSettingsGetBackend(
    const TfLiteTelemetryGpuDelegateSettings* settings);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_H_
