// SPDX-License-Identifier: Apache-2.0
// The runtime's graph as a gpu::Graph, read once while a delegate is applied: every later step asks
// the snapshot. Nothing here knows an operation.
#ifndef TERN_DELEGATE_SNAPSHOT_H_
#define TERN_DELEGATE_SNAPSHOT_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/graph/graph.h"
#include "gpu/graph/op_traits.h"
#include "gpu/graph/uses.h"
#include "gpu/partition/cut.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

// The nodes that a delegate kernel replaces, as the runtime cut them. Copied, because the runtime's
// own lists live only until the next preview.
gpu::Partition PartitionOf(const TfLiteDelegateParams& params);

class Snapshot {
 public:
  // With `quantized` tensors of 8 and 16 bits with one scale are FLOAT32 tensors that know what
  // they are at the API, and constants beside them are FLOAT32, too. Error: the runtime does not
  // show its nodes.
  static absl::StatusOr<Snapshot> Read(TfLiteContext* context, const gpu::TraitsTable& traits,
                                       bool quantized);

  // For tensors as the model has them, and to ask the runtime for previews.
  TfLiteContext* context() const { return context_; }
  bool quantized() const { return quantized_; }
  // All tensors, whose ids are those of the runtime, and all nodes in execution order; without
  // inputs and outputs. Constant data stays the runtime's and is valid while the delegate is being
  // applied.
  const gpu::Graph& graph() const { return graph_; }
  const std::vector<gpu::GraphTensor>& tensors() const { return graph_.tensors; }
  const std::vector<gpu::Node>& nodes() const { return graph_.nodes; }
  const gpu::Uses& uses() const { return uses_; }
  // By its number in the model; null: there is no such node.
  const gpu::Node* Find(int index) const;

 private:
  Snapshot(TfLiteContext* context, bool quantized, gpu::Graph graph);

  TfLiteContext* context_;
  bool quantized_;
  gpu::Graph graph_;
  gpu::Uses uses_;
  std::map<int, size_t> positions_;
};

// One node with its parameters by pointer.
absl::StatusOr<gpu::Node> ReadNode(TfLiteContext* context, int index);

// All nodes of a graph of the runtime, in execution order.
absl::StatusOr<std::vector<gpu::Node>> ReadNodes(TfLiteContext* context);

// Returns all tensors of the context, as Snapshot has them. The result of DEQUANTIZE of a constant
// is a constant, too, with the stored type of its input.
std::vector<gpu::GraphTensor> ReadTensors(const TfLiteContext& context,
                                          const std::vector<gpu::Node>& nodes, bool quantized);

// Whether the tensors of a node can live on the GPU at all: static float tensors and constants
// whose bytes fit their shape; of variables it may read `variables`. With `quantized` what is known
// may have 8 or 16 bits. The text says which tensor does not.
absl::Status CheckTensors(const TfLiteContext& context,
                          const std::vector<gpu::GraphTensor>& tensors, const gpu::Node& node,
                          const std::vector<int>& variables, bool quantized);

// "CONV_2D", or the name of a custom operation.
std::string OpName(const TfLiteRegistration& registration);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_SNAPSHOT_H_
