// SPDX-License-Identifier: Apache-2.0
// The flags of benchmark_model.
#ifndef TERN_TOOLS_BENCHMARK_MODEL_OPTIONS_H_
#define TERN_TOOLS_BENCHMARK_MODEL_OPTIONS_H_

#include <vector>

#include "flags/flags.h"

namespace tern::tools {

// With those of the delegates, in the order in which they are logged.
std::vector<Flag> BenchmarkFlags();

}  // namespace tern::tools

#endif  // TERN_TOOLS_BENCHMARK_MODEL_OPTIONS_H_
