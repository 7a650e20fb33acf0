// SPDX-License-Identifier: Apache-2.0
// Example models of this folder's operations. ops_test runs them to write docs/ops.md.
#include <cstdint>
#include <utility>
#include <vector>

#include "ops/testing/example.h"

namespace tern::testing {
namespace {

// A body that adds.
int AddBody(ModelBuilder& b, tflite::TensorType type) {
  const int body = b.AddSubgraph("body");
  const int x = b.Input({}, type), y = b.Input({}, type);
  b.SetOpVersion(1);
  const auto code = type == tflite::TensorType_BOOL ? tflite::BuiltinOperator_STABLEHLO_AND
                                                    : tflite::BuiltinOperator_STABLEHLO_ADD;
  b.Output(b.Op(code, {x, y}, {b.Tensor({}, type)}));
  b.SelectSubgraph(0);
  return body;
}

// As many as the first operand has dimensions.
std::vector<int64_t> Each(ModelBuilder& b, int64_t value) {
  return std::vector<int64_t>(b.tensor(b.op().inputs[0]).shape.size(), value);
}

void SetGather(ModelBuilder& b, tflite::TensorType) {
  tflite::StablehloGatherOptionsT o;
  o.slice_sizes = Each(b, 1);
  for (size_t i = 0; i < o.slice_sizes.size(); ++i)
    o.offset_dims.push_back(static_cast<int64_t>(i) + 1);
  o.start_index_map = {0};
  o.index_vector_dim = 1;
  b.op().builtin_options_2.Set(std::move(o));
}

void SetScatter(ModelBuilder& b, tflite::TensorType type) {
  tflite::StablehloScatterOptionsT o;
  for (size_t i = 1; i < b.tensor(b.op().inputs[0]).shape.size(); ++i)
    o.update_window_dims.push_back(static_cast<int64_t>(i));
  o.inserted_window_dims = {0};
  o.scatter_dims_to_operand_dims = {0};
  o.index_vector_dim = 1;
  o.update_computation_subgraph_index = AddBody(b, type);
  b.op().builtin_options_2.Set(std::move(o));
}

void SetReduceWindow(ModelBuilder& b, tflite::TensorType type) {
  tflite::StablehloReduceWindowOptionsT o;
  o.window_dimensions = o.window_strides = o.base_dilations = o.window_dilations = Each(b, 1);
  o.padding.assign(2 * o.window_dimensions.size(), 0);
  o.body_subgraph_index = AddBody(b, type);
  b.op().builtin_options_2.Set(std::move(o));
}

void SetPad(ModelBuilder& b, tflite::TensorType) {
  tflite::StablehloPadOptionsT o;
  o.edge_padding_low = o.edge_padding_high = o.interior_padding = Each(b, 1);
  b.op().builtin_options_2.Set(std::move(o));
}

tflite::ReduceWindowOptionsT Function(tflite::ReduceWindowFunction function) {
  tflite::ReduceWindowOptionsT o;
  o.reduce_function = function;
  return o;
}

const Examples kStablehloExamples({
    {"DILATE", "T(R) I32=1(r) T=1() -> T"},
    {"REDUCE_WINDOW", "T(R) T=1() I64=1(r) I64=1(r) I64=1(r) -> T",
     With(Function(tflite::ReduceWindowFunction_ADD))},
    {"REDUCE_WINDOW", "T(R) T=1() I64=1(r) I64=1(r) I64=1(r) -> T",
     With(Function(tflite::ReduceWindowFunction_ALL))},
    {"STABLEHLO_GATHER", "T(R) I32=0(2,1) -> T", SetGather},
    {"STABLEHLO_PAD", "T(R) T=1() -> T", SetPad},
    {"STABLEHLO_REDUCE_WINDOW", "T(R) T=1() -> T", SetReduceWindow},
    {"STABLEHLO_SCATTER", "T(R) I32=0(1,1) T(1,t) -> T", SetScatter},
});

}  // namespace
}  // namespace tern::testing
