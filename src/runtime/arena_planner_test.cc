// SPDX-License-Identifier: Apache-2.0
//
// Memory plans: tensors that live at the same time never share bytes, others do.
#include "runtime/arena_planner.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "runtime/testing/bare_graph.h"
#include "runtime/testing/fake_ops.h"

namespace tern {
namespace {

using testing::BareGraph;
using testing::BareNode;
using testing::Graph;

struct Span {
  const char* begin;
  const char* end;
};

Span SpanOf(const TfLiteTensor* tensor) {
  return {tensor->data.raw, tensor->data.raw + tensor->bytes};
}

bool Overlap(const Span& a, const Span& b) { return a.begin < b.end && b.begin < a.end; }

TEST(ArenaPlanner, ChainReusesMemory) {
  Graph graph;
  graph.Chain(20);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {1024}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  tflite::Subgraph::SubgraphAllocInfo info;
  graph.subgraph().GetMemoryAllocInfo(&info);
  // The input, and two that take turns.
  EXPECT_EQ(info.arena_size, 3u * 4096u);
}

TEST(ArenaPlanner, TensorsAreAligned) {
  Graph graph;
  graph.Chain(5);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {7}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  for (int i = 0; i <= 5; ++i) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(graph.interpreter.tensor(i)->data.raw) % 64, 0u);
  }
}

TEST(ArenaPlanner, MemoryAfterTheLastTensorIsReadable) {
  Arena arena(nullptr);
  ASSERT_TRUE(arena.Reserve(100));
  std::fill(arena.base(), arena.base() + arena.capacity() + kArenaSlack, 1);
  EXPECT_GE(kArenaSlack, 16u);
}

TEST(ArenaPlanner, ArenaKeepsContentWhenItGrows) {
  Arena arena(nullptr);
  ASSERT_TRUE(arena.Reserve(4));
  std::memcpy(arena.base(), "abc", 4);
  ASSERT_TRUE(arena.Reserve(1 << 20));
  EXPECT_STREQ(arena.base(), "abc");
  EXPECT_FALSE(arena.Reserve(SIZE_MAX));
  EXPECT_STREQ(arena.base(), "abc");
}

// Random graphs: no two live tensors may overlap at any node.
TEST(ArenaPlanner, RandomGraphsNeverOverlap) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    Graph graph;
    const int node_count = 1 + static_cast<int>(random() % 30);
    graph.Tensor({static_cast<int>(1 + random() % 300)});
    std::vector<std::vector<int>> inputs;
    for (int i = 0; i < node_count; ++i) {
      graph.Tensor({1});
      std::vector<int> in;
      for (size_t n = 0; n <= random() % 3; ++n) in.push_back(static_cast<int>(random() % (i + 1)));
      inputs.push_back(in);
      graph.Node(in, {i + 1});
    }
    graph.interpreter.SetInputs({0});
    const int extra_output = 1 + static_cast<int>(random() % node_count);
    graph.interpreter.SetOutputs({extra_output, node_count});
    ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
    std::vector<int> last(node_count + 1, 0);
    for (int i = 0; i < node_count; ++i) {
      last[i + 1] = std::max(last[i + 1], i);
      for (int in : inputs[i]) last[in] = i;
    }
    last[0] = last[extra_output] = last[node_count] = node_count;
    for (int a = 0; a <= node_count; ++a) {
      for (int b = a + 1; b <= node_count; ++b) {
        const int a_first = std::max(0, a - 1);
        const int b_first = b - 1;
        const bool together = a_first <= last[b] && b_first <= last[a];
        if (!together) continue;
        EXPECT_FALSE(
            Overlap(SpanOf(graph.interpreter.tensor(a)), SpanOf(graph.interpreter.tensor(b))))
            << "round " << round << " tensors " << a << ", " << b;
      }
    }
  }
}

struct Life {
  int first;
  int last;
  size_t bytes;
};

// A graph that is nothing but lifetimes: node i makes the tensors that begin at i, and reads those
// that end there.
std::unique_ptr<BareGraph> GraphOf(const std::vector<Life>& lives, int node_count) {
  std::vector<BareNode> nodes(static_cast<size_t>(node_count));
  for (size_t t = 0; t < lives.size(); ++t) {
    nodes[lives[t].first].outputs.push_back(static_cast<int>(t));
    nodes[lives[t].last].inputs.push_back(static_cast<int>(t));
  }
  auto graph = std::make_unique<BareGraph>(lives.size(), nodes);
  for (size_t t = 0; t < lives.size(); ++t) {
    graph->tensor(t)->allocation_type = kTfLiteArenaRw;
    graph->tensor(t)->bytes = lives[t].bytes;
  }
  return graph;
}

// Bytes of the plan and their lower bound, after a check that no two live tensors share bytes.
std::pair<size_t, size_t> Plan(const std::vector<Life>& lives, int nodes) {
  ArenaPlanner planner(GraphOf(lives, nodes), nullptr);
  planner.PlanLifetimes(/*keep_all=*/false);
  EXPECT_EQ(planner.Place(nodes - 1), kTfLiteOk);
  for (size_t a = 0; a < lives.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      if (lives[a].first > lives[b].last || lives[b].first > lives[a].last) continue;
      const size_t at_a = planner.Offset(static_cast<int>(a));
      const size_t at_b = planner.Offset(static_cast<int>(b));
      EXPECT_TRUE(at_a + lives[a].bytes <= at_b || at_b + lives[b].bytes <= at_a) << a << ", " << b;
    }
  }
  return {planner.shared_bytes(), planner.LowerBound()};
}

// The largest first needs 8 units here, the longest-lived first no less than that.
TEST(ArenaPlanner, SearchesWhereNoFixedOrderReachesTheLowerBound) {
  const std::vector<Life> lives = {{2, 3, 256}, {4, 6, 128}, {0, 0, 320}, {1, 4, 128}, {5, 5, 256}};
  const auto [bytes, bound] = Plan(lives, 7);
  EXPECT_EQ(bound, 6u * 64u);
  EXPECT_EQ(bytes, bound);
}

TEST(ArenaPlanner, RandomLifetimesStayNearTheLowerBound) {
  std::mt19937 random(11);
  int near = 0;
  for (int round = 0; round < 200; ++round) {
    const int nodes = 5 + static_cast<int>(random() % 35);
    std::vector<Life> lives;
    for (int i = 0; i < nodes; ++i) {
      const int first = static_cast<int>(random() % nodes);
      const int steps = 1 + static_cast<int>(random() % (i % 5 == 0 ? 8 : 2));
      lives.push_back({first, std::min(nodes - 1, first + steps), 64 * (1 + random() % 30)});
    }
    const auto [bytes, bound] = Plan(lives, nodes);
    EXPECT_GE(bytes, bound);
    near += bytes * 100 <= bound * 105 ? 1 : 0;
  }
  EXPECT_GE(near, 190);
}

// A graph in which node i makes tensor i + 1 out of tensors before it, some in place.
struct InPlaceGraph {
  std::vector<BareNode> nodes;
  std::vector<size_t> bytes;
  std::vector<int> outputs;

  std::unique_ptr<BareGraph> Make() const {
    auto graph = std::make_unique<BareGraph>(bytes.size(), nodes, std::vector<int>{0}, outputs);
    for (size_t t = 0; t < bytes.size(); ++t) {
      graph->tensor(t)->allocation_type = kTfLiteArenaRw;
      graph->tensor(t)->bytes = bytes[t];
    }
    return graph;
  }
};

// Runs a plan with the tensors' numbers for content: each is there whenever a node reads it.
// Returns how many nodes worked in place.
int RunInPlace(const InPlaceGraph& graph) {
  ArenaPlanner planner(graph.Make(), nullptr);
  planner.PlanLifetimes(/*keep_all=*/false);
  // In two steps, as a graph with a tensor of open shape does it.
  EXPECT_EQ(planner.Place(static_cast<int>(graph.nodes.size()) / 2), kTfLiteOk);
  EXPECT_EQ(planner.Place(static_cast<int>(graph.nodes.size()) - 1), kTfLiteOk);
  std::vector<int> memory(planner.shared_bytes(), -1);
  const auto write = [&](int t) {
    std::fill_n(memory.begin() + static_cast<ptrdiff_t>(planner.Offset(t)), graph.bytes[t], t);
  };
  const auto check = [&](int t) {
    const auto begin = memory.begin() + static_cast<ptrdiff_t>(planner.Offset(t));
    EXPECT_EQ(std::count(begin, begin + static_cast<ptrdiff_t>(graph.bytes[t]), t),
              static_cast<ptrdiff_t>(graph.bytes[t]))
        << t;
  };
  int in_place = 0;
  write(0);
  for (const BareNode& node : graph.nodes) {
    for (const int t : node.inputs) check(t);
    write(node.outputs[0]);
    in_place += planner.Offset(node.inputs[0]) == planner.Offset(node.outputs[0]);
  }
  for (const int t : graph.outputs) check(t);
  return in_place;
}

TEST(ArenaPlanner, OutputsTakeOverInputsThatNothingElseReads) {
  const BareNode first{{0}, {1}}, second{{1}, {2}, false, true}, third{{2}, {3}, false, true};
  const std::vector<size_t> alike(4, 64);
  EXPECT_EQ(RunInPlace({{first, second, third}, alike, {3}}), 2);
  // Not what the graph gets or gives, nor what is read twice or has another size.
  EXPECT_EQ(RunInPlace({{{{0}, {1}, false, true}}, {64, 64}, {1}}), 0);
  EXPECT_EQ(RunInPlace({{first, second, third}, alike, {2, 3}}), 1);
  EXPECT_EQ(RunInPlace({{first, second, {{1, 2}, {3}}}, alike, {3}}), 0);
  EXPECT_EQ(RunInPlace({{first, {{1, 1}, {2}, false, true}, {{2}, {3}}}, alike, {3}}), 0);
  EXPECT_EQ(RunInPlace({{first, second, third}, {64, 64, 128, 128}, {3}}), 1);
}

TEST(ArenaPlanner, RandomGraphsInPlace) {
  std::mt19937 random(5);
  int in_place = 0;
  for (int round = 0; round < 200; ++round) {
    const int count = 1 + static_cast<int>(random() % 20);
    InPlaceGraph graph{{}, {64}, {count, 1 + static_cast<int>(random() % count)}};
    for (int i = 0; i < count; ++i) {
      BareNode node{{i - static_cast<int>(random() % std::min(i + 1, 3))}, {i + 1}};
      if (random() % 3 == 0) node.inputs.push_back(static_cast<int>(random() % (i + 1)));
      node.in_place = random() % 2 == 0;
      graph.nodes.push_back(node);
      graph.bytes.push_back(64 * (1 + random() % 2));
    }
    in_place += RunInPlace(graph);
  }
  EXPECT_GT(in_place, 100);
}

TEST(ArenaPlanner, TemporariesLiveOnlyWithTheirNode) {
  Graph graph;
  TfLiteRegistration op = testing::AddOp("with_temporary");
  op.prepare = [](TfLiteContext* context, TfLiteNode* node) {
    if (node->temporaries->size == 0) {
      TfLiteIntArrayFree(node->temporaries);
      node->temporaries = TfLiteIntArrayCreate(1);
      context->AddTensors(context, 1, &node->temporaries->data[0]);
    }
    TfLiteTensor* scratch = &context->tensors[node->temporaries->data[0]];
    scratch->type = kTfLiteFloat32;
    scratch->allocation_type = kTfLiteArenaRw;
    TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
    dims->data[0] = 1000;
    if (context->ResizeTensor(context, scratch, dims) != kTfLiteOk) return kTfLiteError;
    return testing::ShapeLikeFirstInput(context, node);
  };
  op.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    TfLiteTensor* scratch = &context->tensors[node->temporaries->data[0]];
    std::fill(scratch->data.f, scratch->data.f + 1000, -1.0f);
    return testing::SumInputs(context, node);
  };
  for (int i = 0; i < 4; ++i) graph.Tensor();
  graph.Node({0}, {1}, op);
  graph.Node({1}, {2}, op);
  graph.Node({2}, {3}, op);
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({3});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  tflite::Subgraph::SubgraphAllocInfo info;
  graph.subgraph().GetMemoryAllocInfo(&info);
  EXPECT_LT(info.arena_size, 2u * 4000u);
  graph.Fill(0, 3);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(graph.Values(3), std::vector<float>(4, 3.0f));
}

}  // namespace
}  // namespace tern
