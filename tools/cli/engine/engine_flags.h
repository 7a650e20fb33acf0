// SPDX-License-Identifier: Apache-2.0
// The options about engines, over all verbs: one table.
#ifndef TERN_TOOLS_CLI_ENGINE_ENGINE_FLAGS_H_
#define TERN_TOOLS_CLI_ENGINE_ENGINE_FLAGS_H_

#include <span>
#include <string>
#include <variant>

#include "cli/engine/engine_options.h"
#include "cli/flag_values.h"

namespace tern::cli {

// Verbs as bits, for sets of them.
enum Verb : unsigned {
  kNoEngine = 0,  // verbs that run nothing
  kRun = 1,
  kVerify = 2,
  kDiff = 4,
  kBench = 8,
  kTune = 16,
  kExplain = 32,
  kPlan = 64,
  kKernels = 128,
  kAdvise = 256,
  kInspect = 512,
};

struct EngineFlag {
  using None = std::monostate;  // the engine's own name, which has rules of its own
  using Field = std::variant<None, std::string EngineOptions::*, int EngineOptions::*,
                             double EngineOptions::*, bool EngineOptions::*>;

  const char* name;
  unsigned verbs;     // that take it
  FlagValues values;  // of fields that are no bool
  Field field;
  const char* about;
  bool gpu = true;      // has no effect on the CPU
  bool sets_to = true;  // of bools
};

std::span<const EngineFlag> EngineFlags();

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ENGINE_ENGINE_FLAGS_H_
