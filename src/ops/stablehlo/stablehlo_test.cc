// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_PAD, DILATE, REDUCE_WINDOW, STABLEHLO_GATHER, STABLEHLO_SCATTER and
// STABLEHLO_REDUCE_WINDOW.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/testing/model_builder.h"
#include "ops/cpu_registry.h"
#include "ops/testing/attempt.h"
#include "ops/testing/engines.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

using ::testing::HasSubstr;

using FloatVector = std::vector<float>;

TEST(StablehloPad, EdgesAndRoomBetween) {
  TfLiteStablehloPadParams params{};
  const auto padded = [&](int64_t low, int64_t high, int64_t between) {
    params.edge_padding_low[0] = low;
    params.edge_padding_high[0] = high;
    params.interior_padding[0] = between;
    OpRunner run(StablehloPadRegistration(OpForm::kReference), &params);
    run.Input<float>({3}, {1, 2, 3});
    run.Input<float>({}, {9});
    run.Output();
    return run.Run() == kTfLiteOk ? run.Values() : FloatVector{-1};
  };
  EXPECT_EQ(padded(0, 0, 0), (FloatVector{1, 2, 3}));
  EXPECT_EQ(padded(1, 2, 1), (FloatVector{9, 1, 9, 2, 9, 3, 9, 9}));
  EXPECT_EQ(padded(-1, 0, 0), (FloatVector{2, 3}));
  EXPECT_EQ(padded(-1, -1, 2), (FloatVector{9, 9, 2, 9, 9}));
  EXPECT_EQ(padded(-2, -3, 0), (FloatVector{}));
  EXPECT_EQ(padded(0, 0, -1), (FloatVector{-1}));
  for (const int64_t huge : {INT64_MAX, INT64_MIN, int64_t{1} << 40}) {
    EXPECT_EQ(padded(huge, 0, 0), (FloatVector{-1}));
    EXPECT_EQ(padded(0, huge, 0), (FloatVector{-1}));
    EXPECT_EQ(padded(0, 0, huge), (FloatVector{-1}));
  }
}

TEST(StablehloPad, OneAxisWithoutElementsEmptiesAll) {
  const auto shape = [](int64_t low, int64_t high, const std::vector<int>& in = {3, 4}) {
    TfLiteStablehloPadParams params{};
    params.edge_padding_low[0] = low;
    params.edge_padding_high[1] = high;
    OpRunner run(StablehloPadRegistration(OpForm::kReference), &params);
    run.Input<float>(in, FloatVector(static_cast<size_t>(in[0] * in[1])));
    run.Input<float>({}, {9});
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
    return run.OutputShape();
  };
  EXPECT_EQ(shape(-3, 1), (Shape{0, 0}));
  EXPECT_EQ(shape(-4, 1), (Shape{0, 0}));
  EXPECT_EQ(shape(2, -5), (Shape{0, 0}));
  EXPECT_EQ(shape(0, 2, {0, 3}), (Shape{0, 0}));
  EXPECT_EQ(shape(1, 2, {0, 3}), (Shape{1, 5}));
  EXPECT_EQ(shape(0, 1, {2, 0}), (Shape{2, 1}));
}

TEST(Dilate, TypesAndBadDilations) {
  for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
    const auto dilated = [&](const std::vector<int32_t>& dilations) {
      OpRunner run(DilateRegistration(OpForm::kReference));
      run.Input<int16_t>({2, 2}, {1, 2, 3, 4});
      run.Input({static_cast<int>(dilations.size())}, dilations, where);
      run.Input<int16_t>({}, {9});
      run.Output(kTfLiteInt16);
      return run.Run() == kTfLiteOk ? run.Values<int16_t>() : std::vector<int16_t>{-1};
    };
    EXPECT_EQ(dilated({1, 3}), (std::vector<int16_t>{1, 9, 9, 2, 3, 9, 9, 4}));
    EXPECT_EQ(dilated({2, 1}), (std::vector<int16_t>{1, 2, 9, 9, 3, 4}));
    const std::vector<int32_t> bad[] = {{1}, {0, 1}, {1, -1}, {INT32_MAX, INT32_MAX}};
    for (const auto& dilations : bad) EXPECT_EQ(dilated(dilations), (std::vector<int16_t>{-1}));
  }
}

TEST(ReduceWindow, FunctionsStridesAndBadWindows) {
  TfLiteReduceWindowParams params{TfLiteReduceWindowFunctionAdd};
  for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
    const auto reduced = [&](int64_t size, int64_t stride, int64_t dilation) {
      OpRunner run(ReduceWindowRegistration(OpForm::kReference), &params);
      run.Input<float>({6}, {1, 2, 3, 4, 5, 6});
      run.Input<float>({}, {10});
      run.Input<int64_t>({1}, {size}, where);
      run.Input<int64_t>({1}, {stride}, where);
      run.Input<int64_t>({1}, {dilation}, where);
      run.Output();
      return run.Run() == kTfLiteOk ? run.Values() : FloatVector{-1};
    };
    EXPECT_EQ(reduced(2, 2, 1), (FloatVector{13, 17, 21}));
    EXPECT_EQ(reduced(3, 1, 2), (FloatVector{19, 22}));
    EXPECT_EQ(reduced(7, 1, 1), (FloatVector{}));
    for (const int64_t bad : {int64_t{0}, int64_t{-1}, INT64_MAX}) {
      EXPECT_EQ(reduced(bad, 1, 1), (FloatVector{-1}));
      EXPECT_EQ(reduced(1, bad, 1), (FloatVector{-1}));
      EXPECT_EQ(reduced(1, 1, bad), (FloatVector{-1}));
    }
    params.reduce_function = TfLiteReduceWindowFunctionMax;
    EXPECT_EQ(reduced(2, 3, 1), (FloatVector{10, 10}));
    params.reduce_function = TfLiteReduceWindowFunctionUnsupported;
    EXPECT_EQ(reduced(2, 3, 1), (FloatVector{-1}));
    params.reduce_function = TfLiteReduceWindowFunctionAdd;
  }
}

// All and any are 0 or 1 in every type, the initial value included.
template <class T>
void CheckAllAndAny(TfLiteType type) {
  const auto reduced = [&](TfLiteReduceWindowFunction function, T initial) {
    TfLiteReduceWindowParams params{function};
    OpRunner run(ReduceWindowRegistration(OpForm::kReference), &params);
    run.InputAs<T>(type, {6}, {2, 4, 0, 1, 0, 0});
    run.InputAs<T>(type, {}, {initial});
    for (const int64_t v : {2, 1, 1}) run.Input<int64_t>({1}, {v});
    run.Output(type);
    EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
    return run.Values<T>();
  };
  EXPECT_EQ(reduced(TfLiteReduceWindowFunctionAll, 5), (std::vector<T>{1, 0, 0, 0, 0}));
  EXPECT_EQ(reduced(TfLiteReduceWindowFunctionAll, 0), (std::vector<T>{0, 0, 0, 0, 0}));
  EXPECT_EQ(reduced(TfLiteReduceWindowFunctionAny, 0), (std::vector<T>{1, 1, 1, 1, 0}));
  EXPECT_EQ(reduced(TfLiteReduceWindowFunctionAny, 5), (std::vector<T>{1, 1, 1, 1, 1}));
}

TEST(ReduceWindow, AllAndAny) {
  CheckAllAndAny<uint8_t>(kTfLiteUInt8);
  CheckAllAndAny<uint8_t>(kTfLiteBool);
  CheckAllAndAny<int16_t>(kTfLiteInt16);
  CheckAllAndAny<int32_t>(kTfLiteInt32);
  CheckAllAndAny<int64_t>(kTfLiteInt64);
  CheckAllAndAny<float>(kTfLiteFloat32);
  CheckAllAndAny<double>(kTfLiteFloat64);
}

// Of three lists only the first comes at run time; a list that is too short is found all the same.
TEST(ReduceWindow, EveryListHasANumberPerAxis) {
  TfLiteReduceWindowParams params{TfLiteReduceWindowFunctionAdd};
  for (int shorter = 2; shorter < 5; ++shorter) {
    OpRunner run(ReduceWindowRegistration(OpForm::kReference), &params);
    run.Input<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    run.Input<float>({}, {0});
    for (int i = 2; i < 5; ++i) {
      const int count = i == shorter ? 1 : 2;
      run.Input({count}, std::vector<int64_t>(static_cast<size_t>(count), 1),
                i == 2 ? kTfLiteArenaRw : kTfLiteMmapRo);
    }
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError) << shorter;
    EXPECT_EQ(run.error(),
              StrCat("REDUCE_WINDOW: input ", shorter, " must have a number per axis ([1], 2)"));
  }
}

// Rows of a matrix: windows of one row, from starts that may lie outside.
TEST(StablehloGather, RowsAndBadDescriptions) {
  const auto gathered = [](TfLiteStablehloGatherParams& params) {
    OpRunner run(StablehloGatherRegistration(OpForm::kReference), &params);
    run.Input<float>({3, 2}, {1, 2, 3, 4, 5, 6});
    run.Input<int32_t>({4, 1}, {1, 7, -1, 0});
    run.Output();
    return run.Run() == kTfLiteOk ? run.Values() : FloatVector{-1};
  };
  const auto rows = [] {
    TfLiteStablehloGatherParams p{};
    p.num_offset_dims = p.num_collapsed_slice_dims = p.num_start_index_map = 1;
    p.offset_dims[0] = 1;
    p.index_vector_dim = 1;
    p.num_slice_sizes = 2;
    p.slice_sizes[0] = 1;
    p.slice_sizes[1] = 2;
    return p;
  };
  TfLiteStablehloGatherParams params = rows();
  EXPECT_EQ(gathered(params), (FloatVector{3, 4, 5, 6, 1, 2, 1, 2}));
  for (int64_t* field :
       {&params.offset_dims[0], &params.collapsed_slice_dims[0], &params.start_index_map[0],
        &params.index_vector_dim, &params.slice_sizes[0], &params.slice_sizes[1]}) {
    for (const int64_t bad : {INT64_MIN, int64_t{-1}, int64_t{4}, INT64_MAX}) {
      const int64_t before = *field;
      *field = bad;
      EXPECT_EQ(gathered(params), (FloatVector{-1})) << bad;
      *field = before;
    }
  }
  for (int* count : {&params.num_offset_dims, &params.num_collapsed_slice_dims,
                     &params.num_start_index_map, &params.num_slice_sizes}) {
    for (const int delta : {-1, 1}) {
      *count += delta;
      EXPECT_EQ(gathered(params), (FloatVector{-1}));
      *count -= delta;
    }
  }
}

// A subgraph of one op on two scalars.
template <class... Options>
void AddBody(ModelBuilder& b, tflite::BuiltinOperator op, Options... options) {
  b.AddSubgraph("body");
  const int x = b.Input({}), y = b.Input({});
  b.Output(b.Op(op, {x, y}, {b.Tensor({})}, std::move(options)...));
}

void AddBody(ModelBuilder& b, tflite::BuiltinOperator op, tflite::TensorType type) {
  b.AddSubgraph("body");
  const int x = b.Input({}, type), y = b.Input({}, type);
  b.Output(b.Op(op, {x, y}, {b.Tensor({}, type)}));
}

std::string RunFloats(const ModelBuilder& b, const FloatVector& x, FloatVector* result) {
  std::vector<uint8_t> bytes(x.size() * sizeof(float));
  std::memcpy(bytes.data(), x.data(), bytes.size());
  const RunResult run = RunModel(b.Finish(), {bytes}, CpuEngines()[0]);
  if (run.error.empty()) *result = run.outputs[0].floats();
  return run.error;
}

TEST(StablehloReduceWindow, PaddingHoldsTheInitialValue) {
  using tflite::BuiltinOperator;
  for (const bool known : {true, false}) {
    ModelBuilder b;
    const int x = b.Input({3}), initial = b.Const({}, FloatVector{10});
    tflite::StablehloReduceWindowOptionsT options;
    options.window_dimensions = {2};
    options.padding = {1, 0};
    options.base_dilations = {2};
    options.body_subgraph_index = 1;
    b.Output(b.Op(tflite::BuiltinOperator_STABLEHLO_REDUCE_WINDOW, {x, initial}, {b.Tensor({5})},
                  options));
    AddBody(b, known ? tflite::BuiltinOperator_STABLEHLO_ADD : tflite::BuiltinOperator_SUB);
    b.SelectSubgraph(0);
    FloatVector got;
    const std::string error = RunFloats(b, {1, 2, 3}, &got);
    EXPECT_EQ(error.empty(), known) << error;
    if (known) {
      EXPECT_EQ(got, (FloatVector{21, 21, 22, 22, 23}));
    }
  }
}

// Bodies that join bits elsewhere ask for all or any here, of floats, too.
TEST(StablehloReduceWindow, LogicalBodies) {
  struct Case {
    tflite::BuiltinOperator body;
    float initial;
    FloatVector want;
  };
  for (const Case& c : {Case{tflite::BuiltinOperator_LOGICAL_AND, 5, {1, 0, 0}},
                        Case{tflite::BuiltinOperator_STABLEHLO_AND, 1, {1, 0, 0}},
                        Case{tflite::BuiltinOperator_LOGICAL_OR, 0, {1, 1, 0}}}) {
    ModelBuilder b;
    const int x = b.Input({4}), initial = b.Const({}, FloatVector{c.initial});
    tflite::StablehloReduceWindowOptionsT options;
    options.window_dimensions = {2};
    options.body_subgraph_index = 1;
    b.Output(b.Op(tflite::BuiltinOperator_STABLEHLO_REDUCE_WINDOW, {x, initial}, {b.Tensor({3})},
                  options));
    AddBody(b, c.body);
    b.SelectSubgraph(0);
    FloatVector got;
    EXPECT_EQ(RunFloats(b, {2, 4, 0, 0}, &got), "");
    EXPECT_EQ(got, c.want) << tflite::EnumNameBuiltinOperator(c.body);
  }
}

template <class T>
void CheckLogicalBodyOf(tflite::TensorType type) {
  ModelBuilder b;
  const int x = b.Input({4}, type), initial = b.Const<T>({}, {0});
  tflite::StablehloReduceWindowOptionsT options;
  options.window_dimensions = {2};
  options.body_subgraph_index = 1;
  b.Output(b.Op(tflite::BuiltinOperator_STABLEHLO_REDUCE_WINDOW, {x, initial},
                {b.Tensor({3}, type)}, options));
  AddBody(b, tflite::BuiltinOperator_LOGICAL_OR, type);
  b.SelectSubgraph(0);
  const std::vector<T> values = {250, 1, 0, 0};
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  for (const Engine& engine : CpuEngines()) {
    const RunResult run = RunModel(b.Finish(), {bytes}, engine);
    ASSERT_EQ(run.error, "");
    std::vector<T> got(3);
    ASSERT_EQ(run.outputs[0].bytes.size(), got.size() * sizeof(T));
    std::memcpy(got.data(), run.outputs[0].bytes.data(), run.outputs[0].bytes.size());
    EXPECT_EQ(got, (std::vector<T>{1, 1, 0}));
  }
}

TEST(StablehloReduceWindow, LogicalBodiesOfBytesAndDoubles) {
  CheckLogicalBodyOf<uint8_t>(tflite::TensorType_UINT8);
  CheckLogicalBodyOf<double>(tflite::TensorType_FLOAT64);
}

// The message of a model whose REDUCE_WINDOW has the body that `add` adds; empty when it runs.
template <class Add>
std::string ErrorWithBody(const Add& add) {
  ModelBuilder b;
  const int x = b.Input({2}), initial = b.Const({}, FloatVector{0});
  tflite::StablehloReduceWindowOptionsT options;
  options.window_dimensions = {2};
  options.body_subgraph_index = 1;
  b.Output(b.Op(tflite::BuiltinOperator_STABLEHLO_REDUCE_WINDOW, {x, initial}, {b.Tensor({1})},
                options));
  add(b);
  b.SelectSubgraph(0);
  const Outcome outcome = Attempt(b.model(), Route::kFile);
  EXPECT_EQ(outcome.ran(), outcome.message.empty());
  return outcome.message;
}

TEST(StablehloReduceWindow, BodiesAreOneOpWithoutActivation) {
  const auto sum = [](tflite::ActivationFunctionType activation) {
    return [activation](ModelBuilder& b) {
      tflite::AddOptionsT options;
      options.fused_activation_function = activation;
      AddBody(b, tflite::BuiltinOperator_ADD, options);
    };
  };
  const auto product = [](ModelBuilder& b) {
    tflite::MulOptionsT options;
    options.fused_activation_function = tflite::ActivationFunctionType_RELU6;
    AddBody(b, tflite::BuiltinOperator_MUL, options);
  };
  const auto none = [](ModelBuilder& b) {
    b.AddSubgraph("body");
    b.Input({});
    b.Output(b.Input({}));
  };
  EXPECT_EQ(ErrorWithBody(sum(tflite::ActivationFunctionType_NONE)), "");
  EXPECT_THAT(ErrorWithBody(sum(tflite::ActivationFunctionType_RELU)),
              HasSubstr("the body's op must have no fused activation (1, 0)"));
  EXPECT_THAT(ErrorWithBody(product),
              HasSubstr("the body's op must have no fused activation (3, 0)"));
  EXPECT_THAT(ErrorWithBody(none), HasSubstr("the body must have one op (0)"));
}

TEST(StablehloScatter, UpdatesOutsideAreLeftOut) {
  for (const int body : {1, 5}) {
    ModelBuilder b;
    const int x = b.Input({3, 2});
    const int indices = b.Const({3, 1}, std::vector<int64_t>{2, -1, 2});
    const int updates = b.Const({3, 2}, FloatVector{10, 20, 30, 40, 50, 60});
    tflite::StablehloScatterOptionsT options;
    options.update_window_dims = {1};
    options.inserted_window_dims = {0};
    options.scatter_dims_to_operand_dims = {0};
    options.index_vector_dim = 1;
    options.update_computation_subgraph_index = body;
    b.Output(b.Op(tflite::BuiltinOperator_STABLEHLO_SCATTER, {x, indices, updates},
                  {b.Tensor({3, 2})}, options));
    AddBody(b, tflite::BuiltinOperator_STABLEHLO_ADD);
    b.SelectSubgraph(0);
    FloatVector got;
    const std::string error = RunFloats(b, {1, 2, 3, 4, 5, 6}, &got);
    EXPECT_EQ(error.empty(), body == 1) << error;
    if (body == 1) {
      EXPECT_EQ(got, (FloatVector{1, 2, 3, 4, 65, 86}));
    }
  }
}

}  // namespace
}  // namespace tern::testing
