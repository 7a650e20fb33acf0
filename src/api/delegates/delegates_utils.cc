// SPDX-License-Identifier: Apache-2.0
// The one delegate helper that needs this runtime's graph.
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/delegates/utils.h"

namespace tflite {
namespace delegates {

TfLiteStatus MarkSubgraphAsDelegationSkippable(const TfLiteContext* context, int subgraph_index) {
  return static_cast<Subgraph*>(context->impl_)->MarkSubgraphAsDelegationSkippable(subgraph_index);
}

}  // namespace delegates
}  // namespace tflite
