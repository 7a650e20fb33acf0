// SPDX-License-Identifier: Apache-2.0
// The decisions of a delegate as the object that docs/explain.md describes.
#ifndef TERN_TOOLS_CLI_REPORTS_EXPLANATION_H_
#define TERN_TOOLS_CLI_REPORTS_EXPLANATION_H_

#include <string>

#include "cli/reports/report.h"
#include "nlohmann/json.hpp"

namespace tern::cli {

// Of a model file of which at most so many parts may go to the GPU.
nlohmann::ordered_json ExplanationOf(const std::string& model, int max_partitions,
                                     const Report& report);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_REPORTS_EXPLANATION_H_
