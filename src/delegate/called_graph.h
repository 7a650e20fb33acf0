// SPDX-License-Identifier: Apache-2.0
// A graph that a node of another one runs, as the runtime shows it.
#ifndef TERN_DELEGATE_CALLED_GRAPH_H_
#define TERN_DELEGATE_CALLED_GRAPH_H_

#include <vector>

#include "absl/status/statusor.h"
#include "gpu/graph/graph.h"
#include "gpu/graph/op_traits.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

// Graph `index` of the context's interpreter, its tensors as ReadTensors reads them. Its constants
// stay the runtime's. Unimplemented where the runtime does not show graphs, where a tensor cannot
// live on the GPU, or where one is written twice or read before it is written.
absl::StatusOr<gpu::CalledGraph> ReadCalledGraph(TfLiteContext* context, int index, bool quantized);

// The numbers of the graphs that a loop runs; none of other nodes.
std::vector<int> GraphsOf(const gpu::Node& node);

// OpTraits::joining_graph of the node's operation.
int JoiningGraphOf(const gpu::TraitsTable& traits, const gpu::Node& node);

// Sets Node::join of a node whose operation has a joining graph. A graph of another form, or one
// that the runtime does not show, leaves it as it is.
void ReadJoin(TfLiteContext* context, const gpu::TraitsTable& traits, gpu::Node* node);

// The context of graph `index`, to be compared, never read; null where the runtime does not show
// it.
const TfLiteContext* ContextOf(TfLiteContext* context, int index);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_CALLED_GRAPH_H_
