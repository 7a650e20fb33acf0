// SPDX-License-Identifier: Apache-2.0
// What only a run tells about a model: the memory of its tensors and the time of its nodes.
#ifndef TERN_TOOLS_CLI_INSPECT_RUN_H_
#define TERN_TOOLS_CLI_INSPECT_RUN_H_

#include <string>

#include "cli/engine_options.h"
#include "nlohmann/json.hpp"

namespace tern::cli {

// Prepares the primary subgraph on the CPU, with one thread unless the options ask for more, and,
// where `runs` is positive, runs it so often after a first run that is not counted, on random
// inputs. The object `run` of docs/inspect.md; why it could not be done stands in its `error`.
nlohmann::ordered_json DescribeRun(const std::string& file, const EngineOptions& asked, int runs);

// The same on a GPU engine, as the objects `gpu` and `explain` of the description.
void DescribeGpuRun(const std::string& file, const EngineOptions& asked, int runs,
                    nlohmann::ordered_json* description);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_INSPECT_RUN_H_
