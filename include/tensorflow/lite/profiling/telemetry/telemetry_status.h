// SPDX-License-Identifier: Apache-2.0
// A status together with the part of the library that it is from.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_TELEMETRY_STATUS_H_
#define TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_TELEMETRY_STATUS_H_

#include <cstdint>

#include "tensorflow/lite/core/c/c_api_types.h"

namespace tflite::telemetry {

enum class TelemetrySource : uint32_t {
  TFLITE_INTERPRETER = 0,
  TFLITE_CUSTOM_DELEGATE = 1,
  TFLITE_GPU = 2,
  TFLITE_NNAPI = 3,
  TFLITE_HEXAGON = 4,
  TFLITE_XNNPACK = 5,
  TFLITE_COREML = 6,
};

struct TelemetryStatusCode {
  TelemetrySource source = TelemetrySource::TFLITE_INTERPRETER;
  uint32_t status_code = 0;  // of the source: a TfLiteStatus for the interpreter

  TelemetryStatusCode() = default;
  TelemetryStatusCode(TelemetrySource source, uint32_t status_code)
      : source(source), status_code(status_code) {}
  explicit TelemetryStatusCode(TfLiteStatus status) : status_code(static_cast<uint32_t>(status)) {}
  explicit TelemetryStatusCode(uint64_t code)
      : source(static_cast<TelemetrySource>(code >> 32)),
        status_code(static_cast<uint32_t>(code)) {}

  // The form in which events carry it: the source in the upper 32 bits.
  uint64_t code() const { return static_cast<uint64_t>(source) << 32 | status_code; }

  bool operator==(const TelemetryStatusCode& other) const { return code() == other.code(); }
};

}  // namespace tflite::telemetry

#endif  // TERN_TENSORFLOW_LITE_PROFILING_TELEMETRY_TELEMETRY_STATUS_H_
