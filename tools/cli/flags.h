// SPDX-License-Identifier: Apache-2.0
// From the words of a command line to the work of one verb.
#ifndef TERN_TOOLS_CLI_FLAGS_H_
#define TERN_TOOLS_CLI_FLAGS_H_

#include <functional>

#include "absl/status/statusor.h"

namespace tern::cli {

// The work of the chosen verb (cli/verbs.h). It is empty where a text was asked for (--help,
// --version), which is printed here. An error is a whole message about the words.
using Action = std::function<absl::StatusOr<int>()>;
// `has_host`: the backend of the build tree is linked.
absl::StatusOr<Action> ParseFlags(int argc, char** argv, bool has_host);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_FLAGS_H_
