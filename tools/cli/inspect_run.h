// SPDX-License-Identifier: Apache-2.0
// What only a run tells about a model: the memory of its tensors and the time of its nodes.
#ifndef TERN_TOOLS_CLI_INSPECT_RUN_H_
#define TERN_TOOLS_CLI_INSPECT_RUN_H_

#include <string>

#include "nlohmann/json.hpp"

namespace tern::cli {

// Prepares the primary subgraph on one thread of the CPU and, where `runs` is positive, runs it so
// often after a first run that is not counted, on random inputs. The object `run` of
// docs/inspect.md; why it could not be done stands in its `error`.
nlohmann::ordered_json DescribeRun(const std::string& file, int runs);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_INSPECT_RUN_H_
