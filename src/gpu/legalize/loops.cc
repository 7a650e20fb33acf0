// SPDX-License-Identifier: Apache-2.0
// Trip counts, and iterations written one after the other.
#include "gpu/legalize/loops.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "base/status.h"
#include "gpu/desc/reason.h"
#include "gpu/legalize/states.h"
#include "gpu/lower/constants.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

struct Loop {
  const CalledGraph* body = nullptr;  // of Graph::called
  int64_t rounds = 0;
};

// A constant of one integer.
absl::StatusOr<int64_t> Integer(const GraphTensor& tensor, const char* what) {
  const bool is_integer = tensor.type == kTfLiteInt32 || tensor.type == kTfLiteInt64;
  if (!tensor.is_constant() || !is_integer || tensor.box().elements() != 1) {
    return Unsupported(what, " is not a constant of one integer");
  }
  TERN_ASSIGN_OR_RETURN(const std::vector<int64_t> values, ConstantInts(tensor));
  return values[0];
}

// The loop's counter by its number among the values, and where it ends.
struct Condition {
  int counter = -1;
  int64_t limit = 0;
};

absl::StatusOr<Condition> ReadCondition(const CalledGraph& graph) {
  constexpr const char* kOther = "the condition is not one LESS of a value and a constant";
  if (graph.nodes.size() != 1 || graph.nodes[0].builtin_code != kTfLiteBuiltinLess) {
    return Unsupported(kOther);
  }
  const Node& less = graph.nodes[0];
  if (less.inputs.size() != 2 || less.inputs[0] < 0 || less.inputs[1] < 0 ||
      graph.outputs != less.outputs) {
    return Unsupported(kOther);
  }
  Condition condition;
  condition.counter = graph.InputNumber(less.inputs[0]);
  if (condition.counter < 0) return Unsupported(kOther);
  TERN_ASSIGN_OR_RETURN(condition.limit,
                        Integer(graph.tensors[less.inputs[1]], "the limit of the counter"));
  return condition;
}

// Reads the constant that each iteration adds to the counter.
absl::StatusOr<int64_t> ReadStep(const CalledGraph& body, int counter) {
  for (const Node& node : body.nodes) {
    if (node.outputs != std::vector<int>{body.outputs[counter]}) continue;
    if (node.builtin_code != kTfLiteBuiltinAdd || node.inputs.size() != 2 ||
        node.Get<TfLiteAddParams>().activation != kTfLiteActNone) {
      break;
    }
    for (const int first : {0, 1}) {
      const int other = node.inputs[1 - first];
      if (node.inputs[first] != body.inputs[counter] || other < 0) continue;
      return Integer(body.tensors[other], "the step of the counter");
    }
  }
  return Unsupported("the body does not add a constant to the counter");
}

absl::StatusOr<int64_t> TripCount(int64_t start, int64_t limit, int64_t step, TfLiteType type) {
  if (start >= limit) return 0;
  if (step <= 0) return Unsupported("the counter does not grow (by ", step, ")");
  const auto apart = [](int64_t from, int64_t to) {
    return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
  };
  const uint64_t rounds = (apart(start, limit) - 1) / static_cast<uint64_t>(step) + 1;
  if (rounds > static_cast<uint64_t>(kMaxIterations)) {
    return Annotate(Unsupported("too many rounds (", rounds, ", limit ", kMaxIterations, ")"),
                    {Reason::kLoop, -1, Bound{static_cast<int64_t>(rounds), kMaxIterations}});
  }
  const int64_t largest = type == kTfLiteInt32 ? std::numeric_limits<int32_t>::max()
                                               : std::numeric_limits<int64_t>::max();
  if (static_cast<uint64_t>(step) > apart(start, largest) / rounds) {
    return Unsupported("the counter leaves the range of its type");
  }
  return static_cast<int64_t>(rounds);
}

// Values keep their types and shapes through the body.
absl::Status CheckValues(const Graph& graph, const Node& node, const CalledGraph& body) {
  const size_t count = node.inputs.size();
  if (node.outputs.size() != count || body.inputs.size() != count || body.outputs.size() != count) {
    return Unsupported("the body has other numbers of inputs and outputs");
  }
  for (size_t i = 0; i < count; ++i) {
    const GraphTensor& value = graph.tensors[node.inputs[i]];
    for (const GraphTensor* other : {&graph.tensors[node.outputs[i]], &body.tensors[body.inputs[i]],
                                     &body.tensors[body.outputs[i]]}) {
      const bool same = other->type == value.type && other->quantized == value.quantized;
      if (same && other->dims == value.dims) continue;
      return Unsupported("value ", i, " changes its type or its shape");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Loop> ReadLoop(const Graph& graph, const Node& node) {
  const auto called = [&](int index) -> const absl::StatusOr<CalledGraph>& {
    static const absl::StatusOr<CalledGraph> missing = Unsupported("the loop's graph is not there");
    if (graph.called == nullptr) return missing;
    const auto found = graph.called->find(index);
    return found == graph.called->end() ? missing : found->second;
  };
  const auto& params = node.Get<TfLiteWhileParams>();
  const absl::StatusOr<CalledGraph>& condition_graph = called(params.cond_subgraph_index);
  TERN_RETURN_IF_ERROR(condition_graph.status());
  TERN_ASSIGN_OR_RETURN(const Condition condition, ReadCondition(*condition_graph));
  const absl::StatusOr<CalledGraph>& body = called(params.body_subgraph_index);
  TERN_RETURN_IF_ERROR(body.status());
  Loop loop;
  loop.body = &*body;
  for (const int id : node.inputs) {
    if (id < 0) return Unsupported("a value is missing");
  }
  if (condition_graph->inputs.size() != node.inputs.size()) {
    return Unsupported("the condition has other numbers of inputs");
  }
  TERN_RETURN_IF_ERROR(CheckValues(graph, node, *body));
  const GraphTensor& first = graph.tensors[node.inputs[condition.counter]];
  TERN_ASSIGN_OR_RETURN(const int64_t start, Integer(first, "the start of the counter"));
  TERN_ASSIGN_OR_RETURN(const int64_t step, ReadStep(*body, condition.counter));
  TERN_ASSIGN_OR_RETURN(loop.rounds, TripCount(start, condition.limit, step, first.type));
  const int64_t nodes = loop.rounds * static_cast<int64_t>(body->nodes.size());
  if (nodes > kMaxLoopNodes) {
    return Annotate(
        Unsupported("too many nodes in all rounds (", nodes, ", limit ", kMaxLoopNodes, ")"),
        {Reason::kLoop, -1, Bound{nodes, kMaxLoopNodes}});
  }
  return loop;
}

TensorId Append(const GraphTensor& tensor, Graph& graph) {
  graph.tensors.push_back(tensor);
  return static_cast<TensorId>(graph.tensors.size()) - 1;
}

// Where the values of the body's tensors lie in the graph that the iterations are appended to.
class Rounds {
 public:
  Rounds(const CalledGraph& body, const Node& node, Graph& graph)
      : body_(body), node_(node), graph_(graph), places_(body.tensors.size(), -1) {
    for (size_t i = 0; i < places_.size(); ++i) {
      if (body.tensors[i].is_constant()) places_[i] = Append(body.tensors[i], graph_);
    }
    for (size_t i = 0; i < node.inputs.size(); ++i) places_[body.inputs[i]] = node.inputs[i];
  }

  void AppendOne() {
    for (const Node& from : body_.nodes) {
      Node node = from;
      node.index = node_.index;
      for (int& id : node.inputs) {
        if (id >= 0) id = places_[id];
      }
      for (int& id : node.outputs) {
        places_[id] = Append(body_.tensors[id], graph_);
        id = places_[id];
      }
      graph_.nodes.push_back(std::move(node));
    }
  }

  // One after the other, as the runtime copies them: of two inputs that a body hands on in
  // exchanged places, the first overwrites the second.
  void HandOver() {
    for (size_t i = 0; i < body_.inputs.size(); ++i) {
      places_[body_.inputs[i]] = places_[body_.outputs[i]];
    }
  }

  int PlaceOf(int tensor) const { return places_[tensor]; }

 private:
  const CalledGraph& body_;
  const Node& node_;
  Graph& graph_;
  std::vector<int> places_;
};

void AppendIterations(const CalledGraph& body, int64_t count, const Node& node, Graph& graph) {
  std::vector<int> results = node.inputs;
  Rounds rounds(body, node, graph);
  for (int64_t round = 0; round < count; ++round) {
    rounds.AppendOne();
    rounds.HandOver();
  }
  for (size_t i = 0; i < results.size(); ++i) results[i] = rounds.PlaceOf(body.inputs[i]);
  for (size_t i = 0; i < results.size(); ++i) {
    Node copy;
    copy.index = node.index;
    copy.internal = InternalOp::kCopy;
    copy.op = "RESHAPE";
    copy.inputs = {results[i]};
    copy.outputs = {node.outputs[i]};
    graph.nodes.push_back(std::move(copy));
  }
}

// Removes unread nodes that unrolling has left, mostly loop counters.
void RemoveUnread(const std::set<int>& loops, Graph& graph) {
  std::vector<bool> read(graph.tensors.size());
  for (const int id : graph.outputs) read[id] = true;
  std::vector<Node> kept;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const bool needed =
        loops.count(node->index) == 0 || std::any_of(node->outputs.begin(), node->outputs.end(),
                                                     [&](int id) { return id >= 0 && read[id]; });
    if (!needed) continue;
    for (const int id : node->inputs) {
      if (id >= 0) read[id] = true;
    }
    kept.push_back(std::move(*node));
  }
  graph.nodes.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

absl::Status WithoutTensor(const absl::Status& status) {
  const std::optional<RefusalReason> inner = RefusalReasonOf(status);
  return Annotate(absl::Status(status.code(), status.message()),
                  {Reason::kLoop, -1, inner ? inner->bound : std::nullopt});
}

}  // namespace

bool IsLoop(const Node& node) { return node.builtin_code == kTfLiteBuiltinWhile; }

absl::Status CheckLoop(const Graph& graph, const TraitsTable& traits, const Node& node) {
  const absl::StatusOr<Loop> loop = ReadLoop(graph, node);
  if (!loop.ok()) return WithoutTensor(loop.status());
  for (const Node& inner : loop->body->nodes) {
    if (StatesOf(traits, inner).empty()) continue;
    return WithoutTensor(Unsupported("in its body: ", Label(inner), ": it has states"));
  }
  return absl::OkStatus();
}

absl::Status OfLoop(const absl::Status& status) {
  return WithoutTensor(WithPrefix(status, "in its body"));
}

absl::Status UnrollLoops(Graph& graph) {
  std::set<int> loops;
  for (Node& node : std::exchange(graph.nodes, {})) {
    if (!IsLoop(node)) {
      graph.nodes.push_back(std::move(node));
      continue;
    }
    TERN_ASSIGN_OR_RETURN(const Loop loop, ReadLoop(graph, node));
    AppendIterations(*loop.body, loop.rounds, node, graph);
    loops.insert(node.index);
  }
  if (!loops.empty()) RemoveUnread(loops, graph);
  return absl::OkStatus();
}

}  // namespace tern::gpu
