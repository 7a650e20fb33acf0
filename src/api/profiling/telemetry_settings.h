// SPDX-License-Identifier: Apache-2.0
// Telemetry: tells profilers what an interpreter is made of.
#ifndef TERN_API_PROFILING_TELEMETRY_SETTINGS_H_
#define TERN_API_PROFILING_TELEMETRY_SETTINGS_H_

#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

// How `model`, from which `interpreter` was built, was converted, and how its tensors are
// quantized. Nothing happens without profilers.
void ReportTelemetrySettings(tflite::Interpreter& interpreter, const tflite::Model& model);

}  // namespace tern

#endif  // TERN_API_PROFILING_TELEMETRY_SETTINGS_H_
