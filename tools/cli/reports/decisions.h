// SPDX-License-Identifier: Apache-2.0
// Decisions about nodes where no delegate makes them.
#ifndef TERN_TOOLS_CLI_REPORTS_DECISIONS_H_
#define TERN_TOOLS_CLI_REPORTS_DECISIONS_H_

#include <string>
#include <vector>

#include "cli/engine/stand_ins.h"
#include "cli/reports/report.h"

namespace tflite {
class Interpreter;
}  // namespace tflite

namespace tern::cli {

// A runtime shows a delegate no graph with shapes that are known only when it runs: all nodes of
// the primary subgraph stay on the CPU, for the reason that is given. A JSON list of the form of
// the delegate's decisions (docs/explain.md).
std::string NotAppliedDecisions(const tflite::Interpreter& interpreter, const std::string& reason);

// Gives nodes with stand-ins their own reasons, and the report what the model needs.
void TellOfStandIns(const std::vector<StandIn>& stand_ins, const tflite::Interpreter& interpreter,
                    Report* report);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_REPORTS_DECISIONS_H_
