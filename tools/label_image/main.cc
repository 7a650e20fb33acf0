// SPDX-License-Identifier: Apache-2.0
// `label_image`: TensorFlow Lite's example of a classifier, by its flags and the lines that it
// prints. Exit status 0, or 1 with a message on stderr.
#include <cstdio>
#include <exception>
#include <string>

#include "flags/delegates.h"
#include "label_image/label_image.h"
#include "label_image/settings.h"

namespace {

int Fail(const std::string& message) {
  std::fprintf(stderr, "ERROR: %s\n", message.c_str());
  return 1;
}

int Main(int argc, char** argv) {
  tern::tools::Flags delegates(tern::tools::DelegateFlags());
  const absl::StatusOr<tern::tools::LabelSettings> settings =
      tern::tools::ParseLabelSettings(argc, argv, &delegates);
  if (!settings.ok()) return Fail(std::string(settings.status().message()));
  if (settings->help) {
    std::fputs(tern::tools::LabelUsage(delegates).c_str(), stdout);
    return 0;
  }
  const absl::Status status = tern::tools::LabelImage(*settings, delegates);
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
