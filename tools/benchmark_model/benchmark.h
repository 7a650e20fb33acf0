// SPDX-License-Identifier: Apache-2.0
// Measures one model as the flags say, and prints what it finds.
#ifndef TERN_TOOLS_BENCHMARK_MODEL_BENCHMARK_H_
#define TERN_TOOLS_BENCHMARK_MODEL_BENCHMARK_H_

#include "absl/status/status.h"
#include "flags/flags.h"

namespace tern::tools {

// The whole run of the tool, after its flags (benchmark_model/options.h) are read. An error is the
// one message that is still to be printed.
absl::Status RunBenchmark(Flags flags);

}  // namespace tern::tools

#endif  // TERN_TOOLS_BENCHMARK_MODEL_BENCHMARK_H_
