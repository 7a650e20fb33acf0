// SPDX-License-Identifier: Apache-2.0
// Elementwise nodes become steps of their producer's write.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/str_cat.h"
#include "gpu/desc/words.h"
#include "gpu/fuse/fuse.h"

namespace tern::gpu {
namespace {

// Steps pass numbers to their program, most of them two at most, and GLES 3.1 promises room for
// 512, OpenCL for 1024 bytes of all arguments. So many steps cost far more than the memory traffic
// that another saves.
constexpr size_t kMaxSteps = 32;
constexpr size_t kMaxNumbers = 128;

size_t NumbersOf(const Epilogue& epilogue) {
  size_t count = 0;
  for (const EpilogueOp& step : epilogue) count += 2 + step.ints.size();
  return count;
}

// Two steps as one, where the second has the value before the first as its operand: x times its own
// LOGISTIC. Nothing where the second needs numbers, whose words the first may have.
std::optional<EpilogueOp> OverOneValue(const EpilogueOp& first, const EpilogueOp& second) {
  const auto is_plain = [](const EpilogueOp& step) {
    return step.from == Number::kReal && step.to == Number::kReal && !step.lookup &&
           !step.optional && !step.zeros_behind && step.choice == 0;
  };
  if (!is_plain(first) || !is_plain(second) || first.operand || !second.ints.empty())
    return std::nullopt;
  const Words words = Identifiers(second.expression);
  for (const char* number : {"a", "b", "c"}) {
    if (words.count(number) != 0) return std::nullopt;
  }
  const std::string made = StrCat("(", first.expression, ")");
  const std::string other = "other";  // the first's text has v, too
  EpilogueOp both = first;
  both.expression = WithWord(second.expression, second.swapped ? "v" : "w", other);
  both.expression = WithWord(both.expression, second.swapped ? "w" : "v", made);
  both.expression = WithWord(both.expression, other, "v");
  return both;
}

// Producer and readers of each tensor by the places of nodes, which stay as they are while nodes
// are dropped.
class Places {
 public:
  explicit Places(Graph& graph)
      : graph_(graph), producers_(graph.tensors.size(), -1), readers_(graph.tensors.size()) {
    for (int n = 0; n < static_cast<int>(graph.nodes.size()); ++n) Add(n);
  }

  int ProducerOf(TensorId id) const { return id < 0 ? -1 : producers_[id]; }
  bool OnlyReads(TensorId id, int n) const { return readers_[LowHalf(id)] == std::set<int>{n}; }

  void Replace(int n, Node node) {
    Remove(n);
    graph_.nodes[n] = std::move(node);
    Add(n);
  }
  void Drop(int n) {
    Remove(n);
    dropped_.insert(n);
  }

  // Leaves the graph without dropped nodes; places are others then.
  void Close() {
    std::vector<Node> kept;
    for (int n = 0; n < static_cast<int>(graph_.nodes.size()); ++n)
      if (dropped_.count(n) == 0) kept.push_back(std::move(graph_.nodes[n]));
    graph_.nodes = std::move(kept);
  }

 private:
  // Any node may read both halves of INT64 operands.
  TensorId LowHalf(TensorId id) const {
    return graph_.tensors[id].low >= 0 ? graph_.tensors[id].low : id;
  }
  void Add(int n) {
    ForEachRead(n, [&](std::set<int>& readers) { readers.insert(n); });
    for (const TensorId id : graph_.nodes[n].outputs)
      if (id >= 0) producers_[id] = n;
  }
  void Remove(int n) {
    ForEachRead(n, [&](std::set<int>& readers) { readers.erase(n); });
    for (const TensorId id : graph_.nodes[n].outputs)
      if (id >= 0) producers_[id] = -1;
  }
  template <class Use>
  void ForEachRead(int n, const Use& use) {
    const Node& node = graph_.nodes[n];
    for (const TensorId id : node.inputs)
      if (id >= 0) use(readers_[LowHalf(id)]);
    for (const EpilogueOp& step : node.epilogue)
      if (step.operand) use(readers_[LowHalf(*step.operand)]);
  }

  Graph& graph_;
  std::vector<int> producers_;
  std::vector<std::set<int>> readers_;
  std::set<int> dropped_;
};

class Fuser {
 public:
  Fuser(Graph& graph, const PassContext& context)
      : graph_(graph), context_(context), places_(graph) {}

  void Run() {
    for (int n = 0; n < static_cast<int>(graph_.nodes.size()); ++n) TryFuse(n);
    places_.Close();
  }

 private:
  // Fuses node n into the producer of an input, rather not into a needless padding.
  void TryFuse(int n) {
    const Node& node = graph_.nodes[n];
    const OpTraits* traits = context_.table.Find(node);
    if (traits == nullptr || traits->elementwise == nullptr || node.outputs.size() != 1) return;
    const absl::StatusOr<Epilogue> steps = traits->elementwise(graph_, node);
    if (!steps.ok() || steps->empty()) return;
    for (const bool into_paddings : {false, true}) {
      for (size_t i = 0; i < node.inputs.size() && i < 2; ++i) {
        if ((ChannelPaddingOf(node.inputs[i], n) >= 0) != into_paddings) continue;
        Epilogue epilogue = *steps;
        if (i == 1 && !Swap(epilogue, node)) continue;
        const std::vector<TensorId> padded = ReadUnpadded(epilogue, n);
        const TensorId made = node.outputs[0];
        if (!Merge(n, node.inputs[i], epilogue)) continue;
        for (const TensorId id : padded) DropPadding(id, made);
        // A tensor that both read has one reader now.
        TryFuse(places_.ProducerOf(made));
        return;
      }
    }
  }

  // The node that makes the tensor from one with fewer channels by zeros behind these, where node n
  // alone reads it; -1 where there is none.
  int ChannelPaddingOf(TensorId id, int n) const {
    const int p = id < 0 ? -1 : places_.ProducerOf(id);
    if (p < 0) return -1;
    const Node& node = graph_.nodes[p];
    const OpTraits* traits = context_.table.Find(node);
    if (traits == nullptr || traits->padding == nullptr || !node.epilogue.empty() ||
        !node.padding.empty() || node.results >= 0 || node.requantization) {
      return -1;
    }
    std::vector<Padding> padding = traits->padding(graph_, node);
    const GraphTensor &in = graph_.tensors[node.inputs[0]], &out = graph_.tensors[id];
    if (padding.empty() || padding.size() != in.dims.size() || in.dims.size() > 4) return -1;
    const int behind = std::exchange(padding.back().after, 0);
    const bool elsewhere = std::any_of(padding.begin(), padding.end(), [](const Padding& axis) {
      return axis.before != 0 || axis.after != 0;
    });
    if (elsewhere || behind <= 0 || in.is_constant() || in.type != out.type ||
        in.quantized != out.quantized || in.number() != Number::kReal ||
        in.type == kTfLiteFloat16) {
      return -1;
    }
    std::vector<int> dims = in.dims;
    dims.back() += behind;
    if (dims != out.dims || in.box().elements() == 0 || graph_.IsOutput(id)) return -1;
    return places_.OnlyReads(id, n) ? p : -1;
  }

  // Lets operands be read where their padding reads them. The tensors that this makes needless.
  std::vector<TensorId> ReadUnpadded(Epilogue& epilogue, int n) const {
    std::vector<TensorId> padded;
    for (EpilogueOp& step : epilogue) {
      if (!step.operand || step.lookup) continue;
      const int p = ChannelPaddingOf(*step.operand, n);
      if (p < 0) continue;
      if (std::find(padded.begin(), padded.end(), *step.operand) == padded.end())
        padded.push_back(*step.operand);
      step.operand = graph_.nodes[p].inputs[0];
      step.zeros_behind = true;
    }
    return padded;
  }

  // Of `padded`, in favour of what makes the tensor `made`.
  void DropPadding(TensorId padded, TensorId made) {
    const int p = places_.ProducerOf(padded);
    graph_.nodes[places_.ProducerOf(made)].fused.push_back(Label(graph_.nodes[p]));
    places_.Drop(p);
  }

  // Rewrites the steps of a binary node so that they start from its second input.
  static bool Swap(Epilogue& epilogue, const Node& node) {
    if (epilogue.front().operand != node.inputs[1]) return false;
    for (size_t s = 1; s < epilogue.size(); ++s) {
      if (epilogue[s].operand.has_value()) return false;
    }
    epilogue.front().operand = node.inputs[0];
    epilogue.front().swapped = !epilogue.front().swapped;
    return true;
  }

  bool Merge(int n, TensorId input, const Epilogue& steps) {
    const Node& node = graph_.nodes[n];
    const int p = places_.ProducerOf(input);
    if (p < 0 || graph_.IsOutput(input) || graph_.tensors[input].is_constant()) return false;
    const Node& producer = graph_.nodes[p];
    const OpTraits* traits = context_.table.Find(producer);
    if (traits == nullptr || producer.outputs.size() != 1 || producer.outputs[0] != input)
      return false;
    if (!traits->takes_epilogue || context_.apart.count({producer.index, node.index}) != 0)
      return false;
    if (!places_.OnlyReads(input, n)) return false;
    if (std::count(node.inputs.begin(), node.inputs.end(), input) != 1) return false;
    if (graph_.tensors[input].dims != graph_.tensors[node.outputs[0]].dims) return false;
    if (graph_.tensors[input].number() != steps.front().from) return false;
    // A step takes numbers, not words of them, and FLOAT16 is rounded where it is stored.
    const TfLiteType type = graph_.tensors[input].type;
    if (type == kTfLiteInt64 || type == kTfLiteFloat16) return false;
    const Epilogue all = Joined(steps, node.epilogue, input);
    for (const EpilogueOp& step : all) {
      if (step.operand && !ReadyBefore(*step.operand, p)) return false;
      // Ranks above 4 fold into boxes that may not broadcast; the node then spreads its operand.
      if (step.operand && !step.lookup &&
          !step.FitsTo(graph_.tensors[*step.operand].box(), graph_.tensors[input].box())) {
        return false;
      }
    }
    if (producer.epilogue.size() + all.size() > kMaxSteps) return false;
    if (NumbersOf(producer.epilogue) + NumbersOf(all) > kMaxNumbers) return false;
    Node fused = producer;
    fused.epilogue.insert(fused.epilogue.end(), all.begin(), all.end());
    fused.fused.push_back(Label(node));
    fused.fused.insert(fused.fused.end(), node.fused.begin(), node.fused.end());
    fused.outputs[0] = node.outputs[0];
    fused.merged = node.index;
    places_.Drop(n);
    places_.Replace(p, std::move(fused));
    return true;
  }

  // The steps of a node of `input` and those behind it.
  static Epilogue Joined(Epilogue steps, const Epilogue& behind, TensorId input) {
    auto next = behind.begin();
    if (steps.size() == 1 && next != behind.end() && next->operand == input) {
      if (std::optional<EpilogueOp> both = OverOneValue(steps[0], *next)) {
        steps[0] = *std::move(both);
        ++next;
      }
    }
    steps.insert(steps.end(), next, behind.end());
    return steps;
  }

  // The tensor holds its value when node p runs.
  bool ReadyBefore(TensorId id, int p) const {
    if (graph_.tensors[id].is_constant() || graph_.IsInput(id)) return true;
    const int producer = places_.ProducerOf(id);
    return producer >= 0 && producer < p;
  }

  Graph& graph_;
  const PassContext& context_;
  Places places_;
};

}  // namespace

absl::Status FuseElementwise(Graph& graph, const PassContext& context) {
  Fuser(graph, context).Run();
  return absl::OkStatus();
}

}  // namespace tern::gpu
