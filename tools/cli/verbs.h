// SPDX-License-Identifier: Apache-2.0
// The verbs of the command line. Each registers its flags and, when chosen, leaves its work in
// *action.
#ifndef TERN_TOOLS_CLI_VERBS_H_
#define TERN_TOOLS_CLI_VERBS_H_

#include <functional>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "cli/engine.h"

namespace tern::cli {

// The exit status, or an error whose message is printed once on stderr (exit status 1).
using Action = std::function<absl::StatusOr<int>()>;

void AddRunVerb(CLI::App* app, Action* action);
void AddVerifyVerb(CLI::App* app, Action* action);
void AddBenchVerb(CLI::App* app, Action* action);
void AddInspectVerb(CLI::App* app, Action* action);
void AddPlanVerb(CLI::App* app, Action* action);
void AddKernelsVerb(CLI::App* app, Action* action);

// --engine, --precision, --threads and --slice-width, shared by the verbs that run models.
void AddEngineFlags(CLI::App* verb, EngineOptions* options);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_VERBS_H_
