// SPDX-License-Identifier: Apache-2.0
// The command line `tern`: one verb per file. Exit status 0, or 1 with one message on stderr.
#include <cstdio>
#include <exception>
#include <string>

#include "cli/verbs.h"
#include "tensorflow/lite/logger.h"

namespace {

int Fail(const std::string& message) {
  std::fprintf(stderr, "tern: %s\n", message.c_str());
  return 1;
}

int Main(int argc, char** argv) {
  CLI::App app{"Runs, checks, times and shows .tflite models on the CPU and the GPU engines."};
  app.name("tern");
  app.require_subcommand(1);
  tern::cli::Action action;
  tern::cli::AddRunVerb(&app, &action);
  tern::cli::AddVerifyVerb(&app, &action);
  tern::cli::AddBenchVerb(&app, &action);
  tern::cli::AddInspectVerb(&app, &action);
  tern::cli::AddPlanVerb(&app, &action);
  tern::cli::AddKernelsVerb(&app, &action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help
    return Fail(e.what());
  }
  // A failure is told once, by its message; the runtime's own log lines would repeat it.
  tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
  const absl::StatusOr<int> status = action();
  if (!status.ok()) return Fail(std::string(status.status().message()));
  return *status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Main(argc, argv);
  } catch (const std::exception& e) {
    return Fail(e.what());
  }
}
