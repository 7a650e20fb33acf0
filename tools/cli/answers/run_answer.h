// SPDX-License-Identifier: Apache-2.0
// The part of `tern run` after the run: what the outputs are and say, on the terminal and in files.
#ifndef TERN_TOOLS_CLI_ANSWERS_RUN_ANSWER_H_
#define TERN_TOOLS_CLI_ANSWERS_RUN_ANSWER_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/answers/labels.h"
#include "cli/engine/engine.h"
#include "cli/inputs/inputs.h"
#include "cli/verbs.h"

namespace tern::cli {

// The names of classes, read before the run: an error must not follow it.
absl::StatusOr<Labels> ReadLabels(const RunOptions& options);

// A line for each output; where the user gave an input, what the outputs say; and the files in the
// folder of --output-dir.
absl::Status ShowAnswer(const RunOptions& options, const Shown& shown, const Labels& labels,
                        Engine* engine);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ANSWERS_RUN_ANSWER_H_
