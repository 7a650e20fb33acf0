// SPDX-License-Identifier: Apache-2.0
//
// The parts of a subgraph. They lie at one address for life, also when the Subgraph moves.
#ifndef TERN_RUNTIME_SUBGRAPH_PARTS_H_
#define TERN_RUNTIME_SUBGRAPH_PARTS_H_

#include "runtime/composite_inliner.h"
#include "runtime/delegation.h"
#include "runtime/graph_state.h"
#include "runtime/outside_memory.h"
#include "runtime/preparer.h"
#include "runtime/runner.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tern {

struct SubgraphParts {
  static SubgraphParts& Of(const tflite::Subgraph& subgraph) { return *subgraph.parts_; }
  static SubgraphParts& Of(const TfLiteContext* context) {
    return Of(*static_cast<const tflite::Subgraph*>(context->impl_));
  }

  TfLiteStatus Allocate();
  // Frees the nodes and the tensors.
  void Clear();

  GraphState graph;
  OutsideMemory outside{graph};
  Preparer preparer{graph, outside};
  Runner runner{graph, outside, preparer};
  CompositeInliner inliner{graph};
  Delegation delegation{graph, preparer, inliner};
};

}  // namespace tern

#endif  // TERN_RUNTIME_SUBGRAPH_PARTS_H_
