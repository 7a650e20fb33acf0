// SPDX-License-Identifier: Apache-2.0
// The flags that choose an engine.
#include "cli/verbs.h"

namespace tern::cli {

void AddEngineFlags(CLI::App* verb, EngineOptions* options) {
  verb->add_option("--engine", options->engine, "cpu, opencl, gles or host")
      ->check([](const std::string& name) {
        const bool known = name == "cpu" || name == "opencl" || name == "gles" ||
                           name == "gles:min" || name == "host" || name.rfind("null:", 0) == 0;
        return known ? std::string() : "unknown engine '" + name + "' (cpu, opencl, gles, host)";
      });
  verb->add_option("--precision", options->precision, "f32 or f16, on GPU engines")
      ->check(CLI::IsMember({"f32", "f16"}));
  verb->add_option("--threads", options->threads, "CPU threads, -1: the runtime's choice")
      ->check(CLI::Range(-1, 1024));
  verb->add_option("--slice-width", options->slice_width, "Channels per slice: 4, 8 or 16")
      ->check(CLI::IsMember({4, 8, 16}));
}

}  // namespace tern::cli
