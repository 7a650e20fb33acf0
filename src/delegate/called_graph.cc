// SPDX-License-Identifier: Apache-2.0
// The C structs do not hold a graph's inputs and outputs; newer runtimes have functions for that.
#include "delegate/called_graph.h"

#include <algorithm>

#include "base/status.h"
#include "delegate/snapshot.h"
#include "gpu/legalize/loops.h"
#include "gpu/legalize/order.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

extern "C" {

// Of the runtime, where it has them: TensorFlow Lite exports them next to its opaque contexts,
// which are these contexts.
__attribute__((weak)) TfLiteStatus TfLiteOpaqueContextGetInputs(const TfLiteOpaqueContext*,
                                                                const int** inputs, int* count);
__attribute__((weak)) TfLiteStatus TfLiteOpaqueContextGetOutputs(const TfLiteOpaqueContext*,
                                                                 const int** outputs, int* count);

}  // extern "C"

namespace tern::delegate {
namespace {

// Another graph's context, given back at the end.
class Acquired {
 public:
  Acquired(TfLiteContext* from, int index) : from_(from), index_(index) {
    if (from->AcquireSubgraphContext == nullptr || from->ReleaseSubgraphContext == nullptr) return;
    if (from->AcquireSubgraphContext(from, index, &context_) != kTfLiteOk) context_ = nullptr;
  }
  ~Acquired() {
    if (context_ != nullptr) from_->ReleaseSubgraphContext(from_, index_);
  }
  Acquired(const Acquired&) = delete;
  Acquired& operator=(const Acquired&) = delete;

  TfLiteContext* context() const { return context_; }

 private:
  TfLiteContext* const from_;
  const int index_;
  TfLiteContext* context_ = nullptr;
};

struct Edges {
  std::vector<int> inputs, outputs;
};

absl::StatusOr<Edges> EdgesOf(const TfLiteContext* context) {
  if (TfLiteOpaqueContextGetInputs == nullptr || TfLiteOpaqueContextGetOutputs == nullptr) {
    return Unsupported("the runtime does not show the inputs of other graphs");
  }
  const auto* opaque = reinterpret_cast<const TfLiteOpaqueContext*>(context);
  const int *inputs = nullptr, *outputs = nullptr;
  int input_count = 0, output_count = 0;
  if (TfLiteOpaqueContextGetInputs(opaque, &inputs, &input_count) != kTfLiteOk ||
      TfLiteOpaqueContextGetOutputs(opaque, &outputs, &output_count) != kTfLiteOk) {
    return absl::InternalError("Unable to get the inputs of a graph.");
  }
  return Edges{{inputs, inputs + input_count}, {outputs, outputs + output_count}};
}

absl::Status ReadEdges(const TfLiteContext* context, gpu::CalledGraph* graph) {
  TERN_ASSIGN_OR_RETURN(Edges edges, EdgesOf(context));
  graph->inputs = std::move(edges.inputs);
  graph->outputs = std::move(edges.outputs);
  for (const std::vector<int>* ids : {&graph->inputs, &graph->outputs}) {
    for (const int id : *ids) {
      if (id < 0 || static_cast<size_t>(id) >= graph->tensors.size()) {
        return Unsupported("an input or output of the graph is no tensor (", id, ")");
      }
    }
  }
  for (const int id : graph->inputs) {
    if (std::count(graph->inputs.begin(), graph->inputs.end(), id) == 1) continue;
    return Unsupported("tensor '", graph->tensors[id].name, "' is two inputs of the graph");
  }
  return absl::OkStatus();
}

bool IsFused(const gpu::Node& node) {
  switch (node.builtin_code) {
    case kTfLiteBuiltinAdd:
      return node.Get<TfLiteAddParams>().activation != kTfLiteActNone;
    case kTfLiteBuiltinMul:
      return node.Get<TfLiteMulParams>().activation != kTfLiteActNone;
    default:
      return false;
  }
}

// As Node::join.
int JoinOf(TfLiteContext* graph, const Edges& edges) {
  TfLiteIntArray* plan = nullptr;
  if (graph->GetExecutionPlan(graph, &plan) != kTfLiteOk || plan == nullptr) return -1;
  if (edges.inputs.size() != 2 || edges.outputs.size() != 1) return -1;
  if (plan->size == 0) return edges.outputs[0] == edges.inputs[1] ? gpu::kSecondInput : -1;
  if (plan->size != 1) return -1;
  absl::StatusOr<gpu::Node> node = ReadNode(graph, plan->data[0]);
  if (node.ok() && node->builtin_code == kTfLiteBuiltinDelegate) {
    // A delegate has taken the operation, which is still there.
    const TfLiteIntArray* taken = node->Get<TfLiteDelegateParams>().nodes_to_replace;
    if (taken == nullptr || taken->size != 1) return -1;
    node = ReadNode(graph, taken->data[0]);
  }
  if (!node.ok() || node->outputs != edges.outputs || IsFused(*node)) return -1;
  return std::is_permutation(node->inputs.begin(), node->inputs.end(), edges.inputs.begin(),
                             edges.inputs.end())
             ? node->builtin_code
             : -1;
}

}  // namespace

absl::StatusOr<gpu::CalledGraph> ReadCalledGraph(TfLiteContext* context, int index,
                                                 bool quantized) {
  const Acquired acquired(context, index);
  TfLiteContext* const other = acquired.context();
  if (other == nullptr) return Unsupported("the runtime does not show graph ", index);
  TERN_ASSIGN_OR_RETURN(std::vector<gpu::Node> nodes, ReadNodes(other));
  gpu::CalledGraph graph;
  graph.tensors = ReadTensors(*other, nodes, quantized);
  TERN_RETURN_IF_ERROR(ReadEdges(other, &graph));
  gpu::Graph known;
  known.tensors = graph.tensors;
  for (gpu::Node& node : nodes) {
    TERN_RETURN_IF_ERROR(CheckTensors(*other, graph.tensors, node, {}, quantized));
    if (!known.IsConstant(node)) graph.nodes.push_back(std::move(node));
  }
  TERN_RETURN_IF_ERROR(gpu::CheckOrder(graph));
  return graph;
}

std::vector<int> GraphsOf(const gpu::Node& node) {
  if (!gpu::IsLoop(node)) return {};
  const auto& params = node.Get<TfLiteWhileParams>();
  return {params.cond_subgraph_index, params.body_subgraph_index};
}

int JoiningGraphOf(const gpu::TraitsTable& traits, const gpu::Node& node) {
  const gpu::OpTraits* of = traits.Find(node);
  return of == nullptr ? -1 : of->joining_graph(node);
}

void ReadJoin(TfLiteContext* context, const gpu::TraitsTable& traits, gpu::Node* node) {
  const int index = JoiningGraphOf(traits, *node);
  if (index < 0) return;
  const Acquired acquired(context, index);
  if (acquired.context() == nullptr) return;
  const absl::StatusOr<Edges> edges = EdgesOf(acquired.context());
  if (edges.ok()) node->join = JoinOf(acquired.context(), *edges);
}

const TfLiteContext* ContextOf(TfLiteContext* context, int index) {
  return Acquired(context, index).context();
}

}  // namespace tern::delegate
