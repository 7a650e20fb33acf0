// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include "ops/testing/example.h"

namespace tern::testing {
namespace {

// A graph that hands its input on.
int PassGraph(ModelBuilder& b, tflite::TensorType type) {
  const int graph = b.AddSubgraph("pass");
  b.Output(b.Input({}, type));
  b.SelectSubgraph(0);
  return graph;
}

void SetIf(ModelBuilder& b, tflite::TensorType type) {
  tflite::IfOptionsT o;
  o.then_subgraph_index = PassGraph(b, type);
  o.else_subgraph_index = PassGraph(b, type);
  b.op().builtin_options.Set(std::move(o));
}

void SetCase(ModelBuilder& b, tflite::TensorType type) {
  tflite::StablehloCaseOptionsT o;
  o.branch_subgraph_indices = {PassGraph(b, type), PassGraph(b, type)};
  b.op().builtin_options_2.Set(std::move(o));
}

void SetComposite(ModelBuilder& b, tflite::TensorType type) {
  tflite::StableHLOCompositeOptionsT o;
  o.name = "pass";
  o.composite_attributes = {0, 0, 0};
  o.decomposition_subgraph_index = PassGraph(b, type);
  b.op().builtin_options_2.Set(std::move(o));
}

void SetWhile(ModelBuilder& b, tflite::TensorType type) {
  tflite::WhileOptionsT o;
  o.cond_subgraph_index = b.AddSubgraph("condition");
  b.Input({}, type);
  b.Output(b.Const<bool>({1}, {false}));
  o.body_subgraph_index = PassGraph(b, type);
  b.op().builtin_options.Set(std::move(o));
}

void SetCallOnce(ModelBuilder& b, tflite::TensorType) {
  // A graph must have tensors.
  b.Tensor({1});
  tflite::CallOnceOptionsT o;
  o.init_subgraph_index = b.AddSubgraph("once");
  b.Tensor({1});
  b.SelectSubgraph(0);
  b.op().builtin_options.Set(std::move(o));
}

const Examples kControlExamples({{"CALL_ONCE", "->", SetCallOnce},
                                 {"IF", "BOOL=1(1) T(R) -> T", SetIf},
                                 {"STABLEHLO_CASE", "I32=1(1) T(R) -> T", SetCase},
                                 {"STABLEHLO_COMPOSITE", "T(R) -> T", SetComposite},
                                 {"WHILE", "T(R) -> T", SetWhile}});

}  // namespace
}  // namespace tern::testing
