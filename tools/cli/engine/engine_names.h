// SPDX-License-Identifier: Apache-2.0
// The names by which a person calls what runs a model.
#ifndef TERN_TOOLS_CLI_ENGINE_ENGINE_NAMES_H_
#define TERN_TOOLS_CLI_ENGINE_ENGINE_NAMES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/engine/engine_options.h"

namespace tern::cli {

// Which names a verb knows, in this program.
struct KnownEngines {
  bool cpu = true;
  bool host = false;     // the backends of the build tree are linked
  bool threads = false;  // "cpu:2" is the CPU with two threads

  std::vector<std::string> Names() const;
  // Makes letters small. Empty for a name that is known, else what was expected.
  std::string Check(std::string* name) const;
};

// Devices that are not there: plans are made for them (docs/gpu_plan.md).
const std::vector<std::string>& InventedDevices();

// The engine that plans for a device: a plain name is an invented device, a backend's name asks the
// real driver.
std::string EngineOfDevice(const std::string& device);

// Sets "gpu" to the first engine of the delegate's order that can be opened here, and "auto" to
// that or else, where `cpu_too`, to the CPU; options->why says so. Other names stay.
absl::Status ResolveEngine(bool cpu_too, EngineOptions* options);

// The end of a message about an engine that is not found.
inline constexpr char kSeeDevices[] = "; `tern devices` shows what is here, and what to install";

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ENGINE_ENGINE_NAMES_H_
