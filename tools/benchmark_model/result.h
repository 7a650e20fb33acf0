// SPDX-License-Identifier: Apache-2.0
// The result of a measurement, as a file for other programs.
#ifndef TERN_TOOLS_BENCHMARK_MODEL_RESULT_H_
#define TERN_TOOLS_BENCHMARK_MODEL_RESULT_H_

#include <cstdint>
#include <string>

#include "tensorflow/lite/profiling/stat.h"

namespace tern::tools {

struct BenchmarkResult {
  std::string name;  // of the flag benchmark_name
  int64_t init_us = 0;
  tflite::profiling::Stat warmup_us;
  tflite::profiling::Stat us;
  // Growth of the process until the model was ready, and until the end.
  int64_t init_kb = 0;
  int64_t overall_kb = 0;
  float peak_mb = 0;  // 0: not watched
  double model_mb = 0;
  size_t input_bytes = 0;  // of one run
};

// Returns TensorFlow Lite's message BenchmarkResult (benchmark_result.proto). It leaves out values
// that were not measured. Times are in milliseconds, throughput is that of the inputs, in MiB per
// second.
std::string ResultMessage(const BenchmarkResult& result);

}  // namespace tern::tools

#endif  // TERN_TOOLS_BENCHMARK_MODEL_RESULT_H_
