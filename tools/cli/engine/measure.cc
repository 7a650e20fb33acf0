// SPDX-License-Identifier: Apache-2.0
#include "cli/engine/measure.h"

namespace tern::cli {

absl::StatusOr<StartedModel> StartModel(const std::string& model, const EngineOptions& options) {
  StartedModel started;
  const Stopwatch init;
  absl::StatusOr<std::unique_ptr<Engine>> engine = Engine::Open(model, options);
  if (!engine.ok()) return engine.status();
  absl::Status status = (*engine)->Prepare();
  started.init_ms = init.Ms();
  for (int i = 0; i < (*engine)->input_count() && status.ok(); ++i) {
    status = (*engine)->FillInput(i);
  }
  if (!status.ok()) return status;
  started.engine = *std::move(engine);
  return started;
}

absl::StatusOr<std::vector<LaunchTime>> TimeLaunches(const std::string& model,
                                                     EngineOptions options, int runs) {
  options.trace = options.list = true;
  absl::StatusOr<StartedModel> started = StartModel(model, options);
  if (!started.ok()) return started.status();
  absl::Status status;
  for (int run = 0; run <= runs && status.ok(); ++run) status = started->engine->Invoke();
  if (!status.ok()) return status;
  return MedianLaunches(started->engine->MakeReport().delegate, runs + 1);
}

}  // namespace tern::cli
