// SPDX-License-Identifier: Apache-2.0
// Operators that run one of several graphs with the same arguments: IF, STABLEHLO_CASE, and with a
// single one STABLEHLO_COMPOSITE.
#ifndef TERN_OPS_CONTROL_BRANCH_H_
#define TERN_OPS_CONTROL_BRANCH_H_

#include <vector>

#include "ops/control/graph_call.h"

namespace tern {

class Branches {
 public:
  struct Branch {
    int subgraph;
    const char* name;
  };
  // The operator's inputs from `first_argument` on are the arguments, its outputs the results.
  Status Prepare(const OpCall& call, const std::vector<Branch>& branches, int first_argument);
  Status Run(const OpCall& call, size_t branch);

  size_t count() const { return graphs_.size(); }

 private:
  std::vector<GraphCall> graphs_;
  int first_argument_ = 0;
};

}  // namespace tern

#endif  // TERN_OPS_CONTROL_BRANCH_H_
