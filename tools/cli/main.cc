// SPDX-License-Identifier: Apache-2.0
// The command line `tern`: one verb per file. Exit status 0, or with one message on stderr 1, and 2
// where the words of the command line are wrong.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "cli/flags.h"
#include "tensorflow/lite/logger.h"

namespace {

int Fail(const std::string& message) {
  std::fprintf(stderr, "tern: %s\n", message.c_str());
  return 1;
}

// The exit status, unless what was printed went nowhere.
int Printed(int status) {
  errno = 0;
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!lost) return status;
  return Fail(std::string("cannot write to the standard output") +
              (errno == 0 ? "" : std::string(": ") + std::strerror(errno)));
}

#ifdef TERN_WITH_HOST
constexpr bool kHasHost = true;
#else
constexpr bool kHasHost = false;
#endif

int Main(int argc, char** argv) {
  const absl::StatusOr<tern::cli::Action> action = tern::cli::ParseFlags(argc, argv, kHasHost);
  if (!action.ok()) {
    std::fprintf(stderr, "%s\n", std::string(action.status().message()).c_str());
    return 2;
  }
  if (!*action) return Printed(0);
  // A failure is reported once, by its message; the runtime's own log lines would repeat it.
  tflite::LoggerOptions::SetMinimumLogSeverity(tflite::TFLITE_LOG_SILENT);
  const absl::StatusOr<int> status = (*action)();
  if (!status.ok()) return Fail(std::string(status.status().message()));
  return Printed(*status);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Main(argc, argv);
  } catch (const std::exception& e) {
    return Fail(e.what());
  }
}
