// SPDX-License-Identifier: Apache-2.0
// For each reason a model in which a node gets it.
#ifndef TERN_DELEGATE_TESTING_REASON_MODELS_H_
#define TERN_DELEGATE_TESTING_REASON_MODELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/desc/reason.h"

namespace tern::delegate::testing {

// The faults that the device can have.
enum class Trouble { kNone, kOneBuffer, kNoPrograms, kNoMemory, kLost };

struct ReasonModel {
  Reason reason;
  std::string about;  // the model in words, for docs/reasons.md
  std::vector<uint8_t> bytes;
  int node = 0;       // which node has the reason
  bool shown = true;  // whether the runtime shows the graph to the delegate
  Trouble trouble = Trouble::kNone;
  std::string deny = {};           // nodes that the delegate may not take
  std::string least_gain_us = {};  // what parts must save
  std::vector<int> slower = {};    // nodes that were measured
};

std::vector<ReasonModel> ReasonModels();

}  // namespace tern::delegate::testing

#endif  // TERN_DELEGATE_TESTING_REASON_MODELS_H_
