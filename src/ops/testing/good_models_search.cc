// SPDX-License-Identifier: Apache-2.0
// Lookups by index, segments, extremes, windows of StableHLO, boxes.
#include "flatbuffers/flexbuffers.h"
#include "ops/testing/good_models.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the builtin and option names of the schema

constexpr auto kFloat = TensorType_FLOAT32;
constexpr auto kInt = TensorType_INT32;

void AddLookups(GoodModels& m) {
  GatherOptionsT gather;
  gather.axis = 1;
  int x = m.Input({2, 3, 4});
  m.Op(BuiltinOperator_GATHER, {x, m.Ints({2, 0, 2})}, gather);
  x = m.Input({2, 3, 4});
  m.Op(BuiltinOperator_GATHER_ND, {x, m.Ints({2, 2}, {0, 2, 1, 1})}, GatherNdOptionsT());
  m.Op(BuiltinOperator_SCATTER_ND, {m.Ints({2, 1}, {2, 0}), m.Const({2, 4}), m.Ints({3, 4})},
       ScatterNdOptionsT());
  OneHotOptionsT one_hot;
  one_hot.axis = -1;
  x = m.Input({2, 3}, kInt);
  m.Op(BuiltinOperator_ONE_HOT, {x, m.Ints({}, {4}), m.Number(1), m.Number(0)}, one_hot);
  m.Op(BuiltinOperator_EMBEDDING_LOOKUP, {m.Ints({1, 0}), m.Const({3, 4})});
  m.Call("by block");
  m.Op(BuiltinOperator_EMBEDDING_LOOKUP, {m.Ints({1, 0}), m.Blocks(3, 16, 8)});
  m.Op(BuiltinOperator_HASHTABLE_LOOKUP, {m.Ints({1, 7}), m.Ints({1, 4, 7}), m.Const({3, 2})},
       {kFloat, TensorType_UINT8});
  m.Op(BuiltinOperator_SPARSE_TO_DENSE,
       {m.Ints({2, 2}, {0, 1, 2, 0}), m.Ints({3, 2}), m.Const({2}), m.Number(0)},
       SparseToDenseOptionsT());
}

void AddSegments(GoodModels& m) {
  int x = m.Input({4, 2});
  m.Op(BuiltinOperator_SEGMENT_SUM, {x, m.Ints({0, 0, 1, 2})});
  for (const auto code :
       {BuiltinOperator_UNSORTED_SEGMENT_MAX, BuiltinOperator_UNSORTED_SEGMENT_MIN,
        BuiltinOperator_UNSORTED_SEGMENT_PROD, BuiltinOperator_UNSORTED_SEGMENT_SUM}) {
    x = m.Input({4, 2});
    m.Op(code, {x, m.Ints({2, 0, 1, 0}), m.Ints({}, {3})});
  }
}

void AddExtremes(GoodModels& m) {
  ArgMaxOptionsT max;
  ArgMinOptionsT min;
  max.output_type = min.output_type = kInt;
  int x = m.Input({2, 3, 4});
  m.Op(BuiltinOperator_ARG_MAX, {x, m.Ints({1})}, {kInt}, max);
  x = m.Input({2, 3, 4});
  m.Op(BuiltinOperator_ARG_MIN, {x, m.Ints({1})}, {kInt}, min);
  x = m.Input({2, 3, 4});
  m.Op(BuiltinOperator_TOPK_V2, {x, m.Ints({}, {2})}, {kFloat, kInt});
  UniqueOptionsT unique;
  unique.idx_out_type = kInt;
  m.Op(BuiltinOperator_UNIQUE, {m.Input({6})}, {kFloat, kInt}, unique);
  m.Op(BuiltinOperator_WHERE, {m.Input({2, 3}, TensorType_BOOL)}, {TensorType_INT64});
  x = m.Input({1, 4, 8});
  m.Op(BuiltinOperator_RFFT2D, {x, m.Ints({4, 8})}, {TensorType_COMPLEX64});
}

void AddWindows(GoodModels& m) {
  ReduceWindowOptionsT window;
  window.reduce_function = ReduceWindowFunction_ADD;
  int x = m.Input({6, 2});
  m.Op(BuiltinOperator_REDUCE_WINDOW,
       {x, m.Number(0), m.Const<int64_t>({2}, {2, 1}), m.Const<int64_t>({2}, {1, 1}),
        m.Const<int64_t>({2}, {1, 1})},
       window);
  const auto add_body = [&] {
    ModelBuilder& b = m;
    b.AddSubgraph("body");
    const int p = b.Input({}), q = b.Input({});
    b.Output(b.Op(BuiltinOperator_STABLEHLO_ADD, {p, q}, {b.Tensor({})}));
    b.SelectSubgraph(0);
  };
  x = m.Input({6, 2});
  int initial = m.Number(0);
  StablehloReduceWindowOptionsT reduce;
  reduce.window_dimensions = {2, 1};
  reduce.window_strides = reduce.base_dilations = reduce.window_dilations = {1, 1};
  reduce.padding = {0, 1, 0, 0};
  reduce.body_subgraph_index = 1;
  add_body();
  m.Op(BuiltinOperator_STABLEHLO_REDUCE_WINDOW, {x, initial}, reduce);
  StablehloGatherOptionsT gather;
  gather.offset_dims = {1};
  gather.collapsed_slice_dims = gather.start_index_map = {0};
  gather.index_vector_dim = 1;
  gather.slice_sizes = {1, 2};
  x = m.Input({3, 2});
  m.Op(BuiltinOperator_STABLEHLO_GATHER, {x, m.Ints({4, 1}, {1, 2, 0, 0})}, gather);
  StablehloScatterOptionsT scatter;
  scatter.update_window_dims = {1};
  scatter.inserted_window_dims = scatter.scatter_dims_to_operand_dims = {0};
  scatter.index_vector_dim = 1;
  scatter.update_computation_subgraph_index = 1;
  x = m.Input({3, 2});
  initial = m.Ints({3, 1}, {2, 1, 2});
  const int updates = m.Const({3, 2});
  add_body();
  m.Op(BuiltinOperator_STABLEHLO_SCATTER, {x, initial, updates}, scatter);
}

void AddBoxes(GoodModels& m) {
  for (const bool v5 : {false, true}) {
    const int boxes = m.Const({4, 4}), scores = m.Input({4});
    std::vector<int32_t> inputs = {boxes, scores, m.Ints({}, {3}), m.Number(0.5f), m.Number(0)};
    if (v5) inputs.push_back(m.Number(0));
    if (v5) {
      m.Op(BuiltinOperator_NON_MAX_SUPPRESSION_V5, inputs, {kInt, kFloat, kInt});
    } else {
      m.Op(BuiltinOperator_NON_MAX_SUPPRESSION_V4, inputs, {kInt, kInt});
    }
  }
  const int boxes = m.Input({1, 6, 4}), scores = m.Input({1, 6, 3});
  flexbuffers::Builder b;
  b.Map([&] {
    b.Int("max_detections", 3);
    b.Int("max_classes_per_detection", 1);
    b.Int("detections_per_class", 100);
    b.Bool("use_regular_nms", false);
    b.Float("nms_score_threshold", 0);
    b.Float("nms_iou_threshold", 0.5f);
    b.Int("num_classes", 2);
    for (const char* scale : {"y_scale", "x_scale", "h_scale", "w_scale"}) b.Float(scale, 10);
  });
  b.Finish();
  m.Custom("TFLite_Detection_PostProcess", {boxes, scores, m.Const({6, 4})},
           {kFloat, kFloat, kFloat, kFloat}, b.GetBuffer());
}

}  // namespace

void AddSearchModels(GoodModels& m) {
  AddLookups(m);
  AddSegments(m);
  AddExtremes(m);
  AddWindows(m);
  AddBoxes(m);
}

}  // namespace tern::testing
