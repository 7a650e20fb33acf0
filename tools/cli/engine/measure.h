// SPDX-License-Identifier: Apache-2.0
// A model that is built, given numbers and timed.
#ifndef TERN_TOOLS_CLI_ENGINE_MEASURE_H_
#define TERN_TOOLS_CLI_ENGINE_MEASURE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/engine/engine.h"
#include "cli/engine/timing.h"
#include "cli/reports/launch_times.h"

namespace tern::cli {

struct StartedModel {
  std::unique_ptr<Engine> engine;
  double init_ms = 0;  // from the file to allocated tensors
};

// The inputs have their default content.
absl::StatusOr<StartedModel> StartModel(const std::string& model, const EngineOptions& options);

// The launches of a GPU engine: the model once more, as launches are timed only by an engine that
// traces. Empty where the driver tells no times.
absl::StatusOr<std::vector<LaunchTime>> TimeLaunches(const std::string& model,
                                                     EngineOptions options, int runs);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ENGINE_MEASURE_H_
