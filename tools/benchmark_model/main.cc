// SPDX-License-Identifier: Apache-2.0
// `benchmark_model`: TensorFlow Lite's benchmark tool, by its flags and the lines that it prints.
// Exit status 0, or 1 with a message on stderr.
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "benchmark_model/benchmark.h"
#include "benchmark_model/options.h"
#include "tensorflow/lite/tools/logging.h"

namespace {

int Fail(const std::string& message) {
  TFLITE_LOG(ERROR) << message;
  TFLITE_LOG(ERROR) << "Benchmarking failed.";
  return 1;
}

int Main(int argc, char** argv) {
  tern::tools::Flags flags(tern::tools::BenchmarkFlags());
  std::vector<std::string> arguments(argv + 1, argv + argc);
  absl::Status status = flags.Parse(&arguments);
  if (flags.Bool("help") || (!arguments.empty() && arguments.front() == "--help")) {
    std::fputs(flags.Usage(argv[0]).c_str(), stdout);
    return 0;
  }
  TFLITE_LOG(INFO) << "STARTING!";
  if (status.ok() && !arguments.empty()) {
    TFLITE_LOG(WARN) << "Unconsumed cmdline flags: " << absl::StrJoin(arguments, " ");
  }
  if (status.ok()) status = tern::tools::RunBenchmark(std::move(flags));
  return status.ok() ? 0 : Fail(std::string(status.message()));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Main(argc, argv);
  } catch (const std::exception& e) {
    return Fail(e.what());
  }
}
