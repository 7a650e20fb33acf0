// SPDX-License-Identifier: Apache-2.0
// Operations that only move elements, and those that make shapes.
#include "ops/testing/good_models.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the builtin and option names of the schema

using Sizes = std::vector<int32_t>;
const Sizes kShape = {2, 3, 2, 5};

void AddViews(GoodModels& m) {
  int x = m.Input(kShape);
  m.Op(BuiltinOperator_RESHAPE, {x, m.Ints({6, -1})}, ReshapeOptionsT());
  x = m.Input(kShape);
  m.Op(BuiltinOperator_EXPAND_DIMS, {x, m.Ints({1})});
  SqueezeOptionsT squeeze;
  squeeze.squeeze_dims = {1};
  m.Op(BuiltinOperator_SQUEEZE, {m.Input({2, 1, 3})}, squeeze);
  x = m.Input(kShape);
  m.Op(BuiltinOperator_TRANSPOSE, {x, m.Ints({3, 1, 0, 2})});
  x = m.Input(kShape);
  m.Op(BuiltinOperator_REVERSE_V2, {x, m.Ints({1})});
  ReverseSequenceOptionsT reverse;
  reverse.seq_dim = 1;
  x = m.Input(kShape);
  m.Op(BuiltinOperator_REVERSE_SEQUENCE, {x, m.Ints({1, 2})}, reverse);
}

void AddParts(GoodModels& m) {
  constexpr auto kFloat = TensorType_FLOAT32;
  int x = m.Input(kShape);
  m.Op(BuiltinOperator_STRIDED_SLICE,
       {x, m.Ints({0, 0, 0, 1}), m.Ints({2, 2, 2, 5}), m.Ints({1, 1, 1, 2})},
       StridedSliceOptionsT());
  x = m.Input(kShape);
  m.Op(BuiltinOperator_SLICE, {x, m.Ints({0, 1, 0, 1}), m.Ints({2, 1, -1, 3})});
  SplitOptionsT split;
  split.num_splits = 3;
  x = m.Input(kShape);
  m.Op(BuiltinOperator_SPLIT, {m.Ints({}, {1}), x}, {kFloat, kFloat, kFloat}, split);
  SplitVOptionsT split_v;
  split_v.num_splits = 2;
  x = m.Input(kShape);
  m.Op(BuiltinOperator_SPLIT_V, {x, m.Ints({1, 2}), m.Ints({}, {1})}, {kFloat, kFloat}, split_v);
  UnpackOptionsT unpack;
  unpack.num = 3;
  unpack.axis = 1;
  m.Op(BuiltinOperator_UNPACK, {m.Input(kShape)}, {kFloat, kFloat, kFloat}, unpack);
  PackOptionsT pack;
  pack.values_count = 2;
  pack.axis = 1;
  int a = m.Input(kShape), b = m.Input(kShape);
  m.Op(BuiltinOperator_PACK, {a, b}, pack);
  ConcatenationOptionsT join;
  join.axis = 1;
  a = m.Input(kShape);
  b = m.Input({2, 1, 2, 5});
  m.Op(BuiltinOperator_CONCATENATION, {a, b}, join);
  x = m.Input(kShape);
  const int update = m.Input({1, 2, 1, 5});
  m.Op(BuiltinOperator_DYNAMIC_UPDATE_SLICE, {x, update, m.Ints({0, 1, 0, 0})});
}

void AddPads(GoodModels& m) {
  const Sizes amounts = {0, 0, 1, 1, 1, 0, 0, 2};
  int x = m.Input(kShape);
  m.Op(BuiltinOperator_PAD, {x, m.Ints({4, 2}, amounts)});
  x = m.Input(kShape);
  m.Op(BuiltinOperator_PADV2, {x, m.Ints({4, 2}, amounts), m.Number(3)});
  MirrorPadOptionsT mirror;
  mirror.mode = MirrorPadMode_REFLECT;
  x = m.Input(kShape);
  m.Op(BuiltinOperator_MIRROR_PAD, {x, m.Ints({4, 2}, amounts)}, mirror);
  x = m.Input({3, 2});
  m.Op(BuiltinOperator_TILE, {x, m.Ints({2, 3})});
  x = m.Input({3, 1});
  m.SetOpVersion(2);
  m.Op(BuiltinOperator_BROADCAST_TO, {x, m.Ints({2, 3, 4})});
  StablehloPadOptionsT pad;
  pad.edge_padding_low = pad.edge_padding_high = pad.interior_padding = {1, 0};
  x = m.Input({3, 2});
  m.Op(BuiltinOperator_STABLEHLO_PAD, {x, m.Number(3)}, pad);
  x = m.Input({3, 2});
  m.Op(BuiltinOperator_DILATE, {x, m.Ints({2, 1}), m.Number(0)});
}

void AddShapes(GoodModels& m) {
  m.Op(BuiltinOperator_FILL, {m.Ints({2, 3}), m.Number(3)});
  RangeOptionsT range;
  m.Op(BuiltinOperator_RANGE, {m.Ints({}, {1}), m.Ints({}, {9}), m.Ints({}, {2})},
       {TensorType_INT32}, range);
  m.Op(BuiltinOperator_RANK, {m.Input(kShape)}, {TensorType_INT32});
  ShapeOptionsT shape;
  shape.out_type = TensorType_INT32;
  m.Op(BuiltinOperator_SHAPE, {m.Input(kShape)}, {TensorType_INT32}, shape);
  const int a = m.Ints({3, 1}), b = m.Ints({2, 3, 4});
  m.Op(BuiltinOperator_BROADCAST_ARGS, {a, b}, {TensorType_INT32});
  m.Op(BuiltinOperator_MATRIX_DIAG, {m.Input({2, 3})});
  const int x = m.Input({2, 3, 4}), diagonal = m.Input({2, 3});
  m.Op(BuiltinOperator_MATRIX_SET_DIAG, {x, diagonal});
}

// [2, 3] with three elements: rows dense, columns listed.
void AddSparse(GoodModels& m) {
  const int x = m.Const<float>({2, 3}, {5, 6, 7});
  auto sparsity = std::make_unique<SparsityParametersT>();
  sparsity->traversal_order = {0, 1};
  auto rows = std::make_unique<DimensionMetadataT>();
  rows->format = DimensionType_DENSE;
  rows->dense_size = 2;
  auto columns = std::make_unique<DimensionMetadataT>();
  columns->format = DimensionType_SPARSE_CSR;
  Int32VectorT segments, indices;
  segments.values = {0, 1, 3};
  indices.values = {1, 0, 2};
  columns->array_segments.Set(std::move(segments));
  columns->array_indices.Set(std::move(indices));
  sparsity->dim_metadata.push_back(std::move(rows));
  sparsity->dim_metadata.push_back(std::move(columns));
  m.tensor(x).sparsity = std::move(sparsity);
  m.Op(BuiltinOperator_DENSIFY, {x});
}

}  // namespace

void AddMovementModels(GoodModels& m) {
  AddViews(m);
  AddParts(m);
  AddPads(m);
  AddShapes(m);
  AddSparse(m);
}

}  // namespace tern::testing
