// SPDX-License-Identifier: Apache-2.0
// Tests which nodes fusion and aliasing take, and which they must leave alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gpu/compile.h"
#include "gpu/fuse/fuse.h"
#include "gpu/plan/tuning_table.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

struct NoParams {};

TensorId Relu(GraphBuilder& b, TensorId in) {
  return b.Op(kTfLiteBuiltinRelu, "RELU", {in}, b.graph().tensors[in].dims, NoParams{});
}

TensorId Add(GraphBuilder& b, TensorId x, TensorId y, std::vector<int> out) {
  return b.Op(kTfLiteBuiltinAdd, "ADD", {x, y}, std::move(out), TfLiteAddParams{});
}

TensorId Pool(GraphBuilder& b, TensorId in) {
  TfLitePoolParams params{};
  params.padding = kTfLitePaddingSame;
  params.stride_width = params.stride_height = params.filter_width = params.filter_height = 1;
  return b.Op(kTfLiteBuiltinMaxPool2d, "MAX_POOL_2D", {in}, b.graph().tensors[in].dims, params);
}

TensorId Reshape(GraphBuilder& b, TensorId in, std::vector<int> out) {
  return b.Op(kTfLiteBuiltinReshape, "RESHAPE", {in}, std::move(out), TfLiteReshapeParams{});
}

TensorId Conv(GraphBuilder& b, TensorId filter, TensorId bias) {
  TfLiteConvParams params{};
  params.padding = kTfLitePaddingSame;
  params.stride_width = params.stride_height = 1;
  params.dilation_width_factor = params.dilation_height_factor = 1;
  return b.Op(kTfLiteBuiltinConv2d, "CONV_2D", {b.Input({1, 4, 4, 8}), filter, bias}, {1, 4, 4, 8},
              params);
}

TensorId Pad(GraphBuilder& b, TensorId in, std::vector<int32_t> paddings) {
  std::vector<int> out = b.graph().tensors[in].dims;
  for (size_t i = 0; i < out.size(); ++i) out[i] += paddings[2 * i] + paddings[2 * i + 1];
  const TensorId operand = b.Ints({static_cast<int>(out.size()), 2}, std::move(paddings));
  return b.Op(kTfLiteBuiltinPad, "PAD", {in, operand}, std::move(out), NoParams{});
}

TensorId PadV2(GraphBuilder& b, TensorId in, float value) {
  std::vector<int> out = b.graph().tensors[in].dims;
  for (const int axis : {1, 2}) out[axis] += 2;
  const TensorId operand = b.Ints({4, 2}, {0, 0, 1, 1, 1, 1, 0, 0});
  return b.Op(kTfLiteBuiltinPadv2, "PADV2", {in, operand, b.Constant({1}, {value})}, std::move(out),
              NoParams{});
}

TensorId Constant(GraphBuilder& b, std::vector<int> dims) {
  const size_t elements = BoxOf(dims).elements();
  return b.Constant(std::move(dims), std::vector<float>(elements, 1.0f));
}

// 3x3, VALID, of 8 channels.
TensorId Conv3x3(GraphBuilder& b, TensorId in, TensorId filter) {
  TfLiteConvParams params{};
  params.padding = kTfLitePaddingValid;
  params.stride_width = params.stride_height = 1;
  params.dilation_width_factor = params.dilation_height_factor = 1;
  const std::vector<int>& dims = b.graph().tensors[in].dims;
  const std::vector<int> out = {dims[0], dims[1] - 2, dims[2] - 2, 8};
  return b.Op(kTfLiteBuiltinConv2d, "CONV_2D", {in, filter, -1}, out, params);
}

TensorId Conv3x3(GraphBuilder& b, TensorId in) { return Conv3x3(b, in, Constant(b, {8, 3, 3, 8})); }

class FuseTest : public testing::Test {
 protected:
  // Fuses again without the merges that do not fit, as a compilation does.
  void Fuse() {
    tuning_ = TuningFor(device_, 4);
    const Graph given = b_.graph();
    PassContext context{device_, tuning_, GpuLoweringTable()};
    for (;;) {
      b_.graph() = given;
      ASSERT_TRUE(FuseElementwise(b_.graph(), context).ok());
      LowerNotes notes;
      const auto lowered = LowerGraph(b_.graph(), context.table, device_, tuning_, {}, &notes);
      if (notes.too_much.empty()) return;
      context.apart.merge(notes.too_much);
    }
  }
  void FuseBorders() {
    tuning_ = TuningFor(device_, 4);
    ASSERT_TRUE(FusePadding(b_.graph(), {device_, tuning_, GpuLoweringTable()}).ok());
  }
  // An image with zeros around it.
  TensorId Bordered() { return Pad(b_, b_.Input({1, 6, 6, 8}), {0, 0, 1, 1, 1, 1, 0, 0}); }
  void Alias() {
    tuning_ = TuningFor(device_, 4);
    ASSERT_TRUE(AliasReshapes(b_.graph(), {device_, tuning_, GpuLoweringTable()}).ok());
  }

  TensorId Concatenation(std::vector<TensorId> in, std::vector<int> out, int axis) {
    return b_.Op(kTfLiteBuiltinConcatenation, "CONCATENATION", std::move(in), std::move(out),
                 TfLiteConcatenationParams{axis, kTfLiteActNone});
  }
  // All rewrites.
  void FuseAll() {
    tuning_ = TuningFor(device_, 4);
    ASSERT_TRUE(gpu::Fuse(b_.graph(), {device_, tuning_, GpuLoweringTable()}, /*merge=*/true).ok());
  }

  DeviceInfo device_;
  Tuning tuning_;
  GraphBuilder b_;
};

// SWISH as converters write it: a tensor times its own LOGISTIC.
TEST_F(FuseTest, AFunctionTimesItsOperandGoesIntoTheProducer) {
  for (const bool first : {false, true}) {
    b_ = GraphBuilder();
    const TensorId x = Pool(b_, b_.Input({1, 4, 4, 8}));
    const TensorId f = b_.Op(kTfLiteBuiltinLogistic, "LOGISTIC", {x}, {1, 4, 4, 8}, NoParams{});
    TfLiteMulParams params{};
    params.activation = kTfLiteActRelu;
    const TensorId out =
        b_.Op(kTfLiteBuiltinMul, "MUL", {first ? x : f, first ? f : x}, {1, 4, 4, 8}, params);
    b_.Output(out);
    Fuse();
    ASSERT_EQ(b_.graph().nodes.size(), 1u);
    const Node& pool = b_.graph().nodes[0];
    ASSERT_EQ(pool.epilogue.size(), 2u);
    EXPECT_FALSE(pool.epilogue[0].operand);
    EXPECT_NE(pool.epilogue[0].expression.find("exp"), std::string::npos);
    EXPECT_EQ(pool.outputs, std::vector<TensorId>{out});
  }
}

TEST_F(FuseTest, AFunctionOfWhatOthersReadStaysApart) {
  const TensorId x = Pool(b_, b_.Input({1, 4, 4, 8}));
  b_.Output(Add(b_, Relu(b_, x), x, {1, 4, 4, 8}));
  b_.Output(Pool(b_, x));
  Fuse();
  EXPECT_EQ(b_.graph().nodes.size(), 3u);
}

TEST_F(FuseTest, UnaryGoesIntoItsProducer) {
  const TensorId in = b_.Input({1, 4, 4, 8});
  const TensorId out = Relu(b_, Pool(b_, in));
  b_.Output(out);
  Fuse();
  ASSERT_EQ(b_.graph().nodes.size(), 1u);
  EXPECT_EQ(b_.graph().nodes[0].op, "MAX_POOL_2D");
  EXPECT_EQ(b_.graph().nodes[0].outputs[0], out);
  EXPECT_EQ(b_.graph().nodes[0].epilogue.size(), 1u);
  EXPECT_EQ(b_.graph().nodes[0].fused, std::vector<std::string>{"RELU #1"});
}

TEST_F(FuseTest, LongEpiloguesAreCut) {
  TensorId value = Pool(b_, b_.Input({1, 4, 4, 8}));
  for (int i = 0; i < 100; ++i) value = Relu(b_, value);
  b_.Output(value);
  Fuse();
  ASSERT_EQ(b_.graph().nodes.size(), 4u);  // each with 32 steps after it, the last with the rest
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(b_.graph().nodes[i].epilogue.size(), 32u);
  EXPECT_EQ(b_.graph().nodes[3].epilogue.size(), 1u);
}

TEST_F(FuseTest, ResidualAddReadsItsOtherOperand) {
  const TensorId in = b_.Input({1, 4, 4, 8});
  const TensorId branch = Pool(b_, in);
  b_.Output(Add(b_, in, branch, {1, 4, 4, 8}));
  Fuse();
  ASSERT_EQ(b_.graph().nodes.size(), 1u);
  const Epilogue& epilogue = b_.graph().nodes[0].epilogue;
  ASSERT_EQ(epilogue.size(), 1u);
  EXPECT_EQ(epilogue[0].operand, in);
  EXPECT_TRUE(epilogue[0].swapped);  // the pool's value is the second operand of the ADD
}

TEST_F(FuseTest, TensorReadTwiceStays) {
  const TensorId in = b_.Input({1, 4, 4, 8});
  const TensorId pool = Pool(b_, in);
  b_.Output(Relu(b_, pool));
  b_.Output(Pool(b_, pool));
  Fuse();
  EXPECT_EQ(b_.graph().nodes.size(), 3u);
}

TEST_F(FuseTest, GraphOutputStays) {
  const TensorId in = b_.Input({1, 4, 4, 8});
  const TensorId pool = Pool(b_, in);
  b_.Output(pool);
  b_.Output(Relu(b_, pool));
  Fuse();
  EXPECT_EQ(b_.graph().nodes.size(), 2u);
}

TEST_F(FuseTest, AddOfATensorWithItselfStays) {
  const TensorId pool = Pool(b_, b_.Input({1, 4, 4, 8}));
  b_.Output(Add(b_, pool, pool, {1, 4, 4, 8}));
  Fuse();
  EXPECT_EQ(b_.graph().nodes.size(), 2u);
}

TEST_F(FuseTest, ValueThatBroadcastsStays) {
  const TensorId wide = b_.Input({1, 4, 4, 8});
  const TensorId narrow = Pool(b_, b_.Input({1, 1, 1, 8}));
  b_.Output(Add(b_, narrow, wide, {1, 4, 4, 8}));
  Fuse();
  EXPECT_EQ(b_.graph().nodes.size(), 2u);
}

TEST_F(FuseTest, OperandMadeLaterIsNotRead) {
  const TensorId a = Pool(b_, b_.Input({1, 4, 4, 8}));
  const TensorId late = Pool(b_, b_.Input({1, 4, 4, 8}));
  b_.Output(Add(b_, a, late, {1, 4, 4, 8}));
  Fuse();
  // Into the later producer, never into the earlier one.
  ASSERT_EQ(b_.graph().nodes.size(), 2u);
  EXPECT_TRUE(b_.graph().nodes[0].epilogue.empty());
  ASSERT_EQ(b_.graph().nodes[1].epilogue.size(), 1u);
  EXPECT_EQ(b_.graph().nodes[1].epilogue[0].operand, a);
}

TEST_F(FuseTest, BindingBudgetHolds) {
  device_.max_buffers = 4;  // a pool binds 2, so two operands fit and the third does not
  TensorId value = Pool(b_, b_.Input({1, 4, 4, 8}));
  for (int i = 0; i < 3; ++i) value = Add(b_, value, b_.Input({1, 4, 4, 8}), {1, 4, 4, 8});
  b_.Output(value);
  Fuse();
  ASSERT_EQ(b_.graph().nodes.size(), 2u);
  EXPECT_EQ(b_.graph().nodes[0].epilogue.size(), 2u);
}

TEST_F(FuseTest, ComputedBiasTakesABuffer) {
  device_.max_buffers = 4;  // source, destination, constants, bias: no room for another operand
  const TensorId filter = b_.Constant({8, 1, 1, 8}, std::vector<float>(64, 1.0f));
  const TensorId conv = Conv(b_, filter, b_.Input({8}));
  b_.Output(Add(b_, Relu(b_, conv), b_.Input({1, 4, 4, 8}), {1, 4, 4, 8}));
  Fuse();
  ASSERT_EQ(b_.graph().nodes.size(), 2u);
  EXPECT_EQ(b_.graph().nodes[0].epilogue.size(), 1u);  // the RELU has no operand
}

TEST_F(FuseTest, ComputedFilterSharesItsBufferWithTheBias) {
  device_.max_buffers = 4;  // source, destination, filter and bias
  const TensorId conv = Conv(b_, b_.Input({8, 1, 1, 8}), b_.Input({8}));
  b_.Output(Add(b_, conv, b_.Input({1, 4, 4, 8}), {1, 4, 4, 8}));
  Fuse();
  EXPECT_EQ(b_.graph().nodes.size(), 1u);
}

// Of the two dispatches that add four tensors the one that writes the sum has room for an operand,
// and for no other.
TEST_F(FuseTest, TheBudgetIsThatOfEachDispatch) {
  device_.max_buffers = 4;
  const std::vector<int> dims = {1, 4, 4, 8};
  std::vector<TensorId> inputs;
  for (int i = 0; i < 4; ++i) inputs.push_back(b_.Input(dims));
  TensorId value = b_.Op(kTfLiteBuiltinAddN, "ADD_N", inputs, dims, NoParams{});
  for (int i = 0; i < 2; ++i) value = Add(b_, value, b_.Input(dims), dims);
  b_.Output(value);
  Fuse();
  ASSERT_EQ(b_.graph().nodes.size(), 2u);
  EXPECT_EQ(b_.graph().nodes[0].epilogue.size(), 1u);
}

TEST_F(FuseTest, RankFiveOperandThatNoBoxCanBroadcastStays) {
  const TensorId a =
      b_.Op(kTfLiteBuiltinPad, "PAD", {b_.Input({2, 3, 2, 2, 2})}, {2, 3, 2, 2, 2}, NoParams{});
  b_.Output(Add(b_, a, b_.Input({2, 1, 2, 2, 2}), {2, 3, 2, 2, 2}));
  Fuse();
  EXPECT_EQ(b_.graph().nodes.size(), 2u);
}

TEST_F(FuseTest, ReshapesGoIntoTheConcatenation) {
  for (const bool twice : {false, true}) {
    b_ = GraphBuilder();
    tuning_ = TuningFor(device_, 4);
    const TensorId image = Pool(b_, b_.Input({1, 4, 4, 6}));
    const TensorId row = Reshape(b_, image, {1, 32, 3}), other = b_.Input({1, 5, 3});
    b_.Output(b_.Op(kTfLiteBuiltinConcatenation, "CONCATENATION", {other, row}, {1, 37, 3},
                    TfLiteConcatenationParams{1, kTfLiteActNone}));
    if (twice) b_.Output(Relu(b_, row));
    ASSERT_TRUE(FuseReshapes(b_.graph(), {device_, tuning_, GpuLoweringTable()}).ok());
    ASSERT_EQ(b_.graph().nodes.size(), twice ? 4u : 2u);
    const Node& joined = b_.graph().nodes[twice ? 2 : 1];
    EXPECT_EQ(joined.inputs[1], twice ? row : image);
    EXPECT_EQ(joined.ViewOf(0), nullptr);
    if (twice) continue;
    ASSERT_NE(joined.ViewOf(1), nullptr);
    EXPECT_EQ(*joined.ViewOf(1), (std::vector<int>{1, 32, 3}));
    EXPECT_EQ(joined.fused, std::vector<std::string>{"RESHAPE #1"});
  }
}

// The sum goes to the pool, although the padding comes between, and reads what is padded itself.
TEST_F(FuseTest, OperandsAreReadWithoutTheirChannelsOfZeros) {
  for (const bool swapped : {false, true}) {
    b_ = GraphBuilder();
    const TensorId few = Pool(b_, b_.Input({1, 4, 4, 5}));
    const TensorId many = Pool(b_, b_.Input({1, 4, 4, 8}));
    const TensorId padded = Pad(b_, few, {0, 0, 0, 0, 0, 0, 0, 3});
    b_.Output(swapped ? Add(b_, padded, many, {1, 4, 4, 8}) : Add(b_, many, padded, {1, 4, 4, 8}));
    Fuse();
    ASSERT_EQ(b_.graph().nodes.size(), 2u);
    const Node& sum = b_.graph().nodes[1];
    ASSERT_EQ(sum.epilogue.size(), 1u);
    EXPECT_EQ(sum.epilogue[0].operand, few);
    EXPECT_TRUE(sum.epilogue[0].zeros_behind);
    EXPECT_EQ(sum.fused, (std::vector<std::string>{"ADD #3", "PAD #2"}));
  }
}

TEST_F(FuseTest, OtherPaddingsOfOperandsStay) {
  const auto nodes = [&](std::vector<int> few, std::vector<int32_t> paddings, bool twice) {
    b_ = GraphBuilder();
    const TensorId padded = Pad(b_, Pool(b_, b_.Input(std::move(few))), std::move(paddings));
    b_.Output(Add(b_, Pool(b_, b_.Input({1, 4, 4, 8})), padded, {1, 4, 4, 8}));
    if (twice) b_.Output(Pool(b_, padded));
    Fuse();
    return b_.graph().nodes.size();
  };
  EXPECT_EQ(nodes({1, 4, 4, 5}, {0, 0, 0, 0, 0, 0, 0, 3}, false), 2u);
  EXPECT_EQ(nodes({1, 4, 4, 5}, {0, 0, 0, 0, 0, 0, 1, 2}, false), 3u) << "zeros in front";
  EXPECT_EQ(nodes({1, 4, 3, 8}, {0, 0, 0, 0, 0, 1, 0, 0}, false), 3u) << "zeros beside";
  EXPECT_EQ(nodes({1, 4, 4, 5}, {0, 0, 0, 0, 0, 0, 0, 3}, true), 4u) << "another reader";
}

TEST_F(FuseTest, PaddingGoesIntoTheConvolution) {
  const TensorId in = b_.Input({1, 6, 6, 8});
  b_.Output(Conv3x3(b_, Pad(b_, in, {0, 0, 1, 2, 3, 4, 0, 0})));
  FuseBorders();
  ASSERT_EQ(b_.graph().nodes.size(), 1u);
  const Node& conv = b_.graph().nodes[0];
  EXPECT_EQ(conv.inputs[0], in);
  EXPECT_EQ(conv.PaddingOf(1).before, 1);
  EXPECT_EQ(conv.PaddingOf(1).after, 2);
  EXPECT_EQ(conv.PaddingOf(2).before, 3);
  EXPECT_EQ(conv.PaddingOf(2).after, 4);
  EXPECT_EQ(conv.fused, std::vector<std::string>{"PAD #0"});
}

TEST_F(FuseTest, PaddingsAddUp) {
  const TensorId in = b_.Input({1, 6, 6, 8});
  const TensorId once = Pad(b_, in, {0, 0, 1, 0, 0, 2, 0, 0});
  b_.Output(Conv3x3(b_, Pad(b_, once, {0, 0, 4, 0, 0, 8, 0, 0})));
  FuseBorders();
  ASSERT_EQ(b_.graph().nodes.size(), 1u);
  EXPECT_EQ(b_.graph().nodes[0].inputs[0], in);
  EXPECT_EQ(b_.graph().nodes[0].PaddingOf(1).before, 5);
  EXPECT_EQ(b_.graph().nodes[0].PaddingOf(2).after, 10);
}

TEST_F(FuseTest, PaddingGoesIntoItsReadersOrIntoNone) {
  for (const bool all : {true, false}) {
    b_ = GraphBuilder();
    const TensorId padded = Bordered();
    b_.Output(Conv3x3(b_, padded));
    b_.Output(all ? Conv3x3(b_, padded) : Pool(b_, padded));
    FuseBorders();
    EXPECT_EQ(b_.graph().nodes.size(), all ? 2u : 3u);
  }
}

TEST_F(FuseTest, PaddingThatIsAnOutputStays) {
  const TensorId padded = Bordered();
  b_.Output(padded);
  b_.Output(Conv3x3(b_, padded));
  FuseBorders();
  EXPECT_EQ(b_.graph().nodes.size(), 2u);
}

TEST_F(FuseTest, PaddingOfBatchOrChannelsStays) {
  b_.Output(Conv3x3(b_, Pad(b_, b_.Input({1, 6, 6, 8}), {0, 1, 1, 1, 1, 1, 0, 0})));
  b_.Output(Conv3x3(b_, Pad(b_, b_.Input({1, 6, 6, 7}), {0, 0, 1, 1, 1, 1, 1, 0})));
  FuseBorders();
  EXPECT_EQ(b_.graph().nodes.size(), 4u);
}

TEST_F(FuseTest, OnlyZerosAreFused) {
  b_.Output(Conv3x3(b_, PadV2(b_, b_.Input({1, 6, 6, 8}), 0.0f)));
  b_.Output(Conv3x3(b_, PadV2(b_, b_.Input({1, 6, 6, 8}), 0.5f)));
  FuseBorders();
  ASSERT_EQ(b_.graph().nodes.size(), 3u);
  EXPECT_EQ(b_.graph().nodes[0].op, "CONV_2D");
  EXPECT_EQ(b_.graph().nodes[1].op, "PADV2");
}

TEST_F(FuseTest, PaddingBeforeAComputedFilterStays) {
  const TensorId padded = Bordered();
  b_.Output(Conv3x3(b_, padded, b_.Input({8, 3, 3, 8})));
  FuseBorders();
  EXPECT_EQ(b_.graph().nodes.size(), 2u);
}

TEST_F(FuseTest, PaddingOfNothingStays) {
  b_.Output(Conv3x3(b_, Pad(b_, b_.Input({1, 0, 6, 8}), {0, 0, 3, 3, 1, 1, 0, 0})));
  FuseBorders();
  EXPECT_EQ(b_.graph().nodes.size(), 2u);
}

TEST_F(FuseTest, ReshapeOfAnInputIsAView) {
  const TensorId in = b_.Input({2, 3, 4});
  const TensorId flat = Reshape(b_, in, {24});
  b_.Output(Relu(b_, flat));
  Alias();
  EXPECT_EQ(b_.graph().nodes.size(), 1u);
  EXPECT_EQ(b_.graph().Root(flat), in);
  EXPECT_EQ(b_.graph().views, std::vector<std::string>{"RESHAPE #0"});
}

TEST_F(FuseTest, ReshapeInsideNeedsTheSameSlices) {
  const TensorId in = b_.Input({1, 4, 4, 8});
  const TensorId same = Reshape(b_, Pool(b_, in), {1, 2, 8, 8});
  const TensorId other = Reshape(b_, Pool(b_, same), {1, 4, 8, 4});
  b_.Output(Pool(b_, other));
  Alias();
  ASSERT_EQ(b_.graph().nodes.size(), 4u);  // the second reshape stays
  EXPECT_EQ(b_.graph().nodes[2].op, "RESHAPE");
}

TEST_F(FuseTest, ReshapeToAnOutputWritesTheOutput) {
  const TensorId pool = Pool(b_, b_.Input({1, 1, 1, 10}));
  const TensorId out = Reshape(b_, pool, {1, 10});
  b_.Output(out);
  Alias();
  EXPECT_EQ(b_.graph().nodes.size(), 1u);
  EXPECT_EQ(b_.graph().Root(pool), out);
}

TEST_F(FuseTest, SecondReshapeToAnOutputCopies) {
  const TensorId pool = Pool(b_, b_.Input({1, 1, 1, 10}));
  b_.Output(Reshape(b_, pool, {1, 10}));
  b_.Output(Reshape(b_, pool, {10}));
  Alias();
  EXPECT_EQ(b_.graph().nodes.size(), 2u);
}

TEST_F(FuseTest, ReshapeFromInputToOutputCopies) {
  b_.Output(Reshape(b_, b_.Input({2, 5}), {10}));
  Alias();
  EXPECT_EQ(b_.graph().nodes.size(), 1u);
}

// As the heads of detectors end.
TEST_F(FuseTest, OperandsAreWrittenInsideAnOutput) {
  const TensorId first = Pool(b_, b_.Input({1, 8, 8, 6})),
                 second = Pool(b_, b_.Input({1, 4, 4, 6}));
  const TensorId out = Concatenation(
      {Reshape(b_, first, {1, 128, 3}), Reshape(b_, second, {1, 32, 3})}, {1, 160, 3}, 1);
  b_.Output(out);
  FuseAll();
  EXPECT_EQ(b_.graph().nodes.size(), 2u);
  EXPECT_EQ(b_.graph().tensors[first].inside, out);
  EXPECT_EQ(b_.graph().tensors[second].inside, out);
  EXPECT_EQ(b_.graph().tensors[second].inside_at, 384);
  EXPECT_TRUE(b_.graph().LiesInRows(first));
  EXPECT_EQ(b_.graph().views, std::vector<std::string>{"CONCATENATION #4"});
}

TEST_F(FuseTest, OperandsAreWrittenInsideOthersByChannels) {
  const TensorId a = Pool(b_, b_.Input({1, 8, 8, 8})), b = Pool(b_, b_.Input({1, 8, 8, 4}));
  const TensorId c = Pool(b_, b_.Input({1, 8, 8, 5}));
  const TensorId inner = Concatenation({a, b}, {1, 8, 8, 12}, 3);
  const TensorId all = Concatenation({inner, c}, {1, 8, 8, 17}, -1);
  b_.Output(Pool(b_, all));
  const auto compiled = Compile(b_.graph(), device_, GpuLoweringTable(), {.slice_width = 4}, {});
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  std::map<std::string, PlanTensor> tensors;
  for (const PlanTensor& tensor : compiled->plan.tensors) tensors[tensor.name] = tensor;
  const auto tensor = [&](TensorId id) { return tensors[b_.graph().tensors[id].name]; };
  EXPECT_EQ(tensor(a).offset, 0);
  EXPECT_EQ(tensor(b).offset, 2 * 64 * 16);
  EXPECT_EQ(tensor(c).offset, 3 * 64 * 16);
  EXPECT_EQ(compiled->plan.arena_bytes(), 5 * 64 * 16);

  FuseAll();
  ASSERT_EQ(b_.graph().nodes.size(), 4u);
  EXPECT_EQ(b_.graph().Whole(b), all);
  EXPECT_FALSE(b_.graph().LiesInRows(b));
}

TEST_F(FuseTest, OperandsThatHaveNoRangeAreCopied) {
  const auto copied = [&](const std::vector<TensorId>& in, std::vector<int> out, int axis) {
    b_.Output(Pool(b_, Concatenation(in, std::move(out), axis)));
    FuseAll();
    std::vector<bool> copies;
    for (const Node& node : b_.graph().nodes) {
      for (size_t i = 0; node.op == "CONCATENATION" && i < node.inputs.size(); ++i)
        copies.push_back(!node.IsInPlace(i));
    }
    b_ = GraphBuilder();
    return copies;
  };
  const auto pooled = [&](std::vector<int> dims) { return Pool(b_, b_.Input(std::move(dims))); };
  using Copies = std::vector<bool>;
  // The memory of an input is the user's.
  EXPECT_EQ(copied({b_.Input({1, 8, 8, 8}), pooled({1, 8, 8, 8})}, {1, 8, 8, 16}, 3),
            (Copies{true, false}));
  // A slice has channels of both.
  EXPECT_EQ(copied({pooled({1, 8, 8, 6}), pooled({1, 8, 8, 8})}, {1, 8, 8, 14}, 3),
            (Copies{true, true}));
  // Slices of images, and those of rows, lie between each other.
  EXPECT_EQ(copied({pooled({2, 8, 8, 8}), pooled({2, 8, 8, 8})}, {2, 8, 8, 16}, 3),
            (Copies{true, true}));
  EXPECT_EQ(copied({pooled({1, 8, 8, 8}), pooled({1, 8, 8, 8})}, {1, 16, 8, 8}, 1),
            (Copies{true, true}));
  // One tensor has one place.
  const TensorId twice = pooled({1, 8, 8, 8});
  EXPECT_EQ(copied({twice, twice}, {1, 8, 8, 16}, 3), (Copies{true, true}));
  // The device binds no memory there.
  EXPECT_EQ(copied({pooled({1, 1, 3, 4}), pooled({1, 1, 3, 4})}, {1, 1, 3, 8}, 3),
            (Copies{false, true}));
}

TEST_F(FuseTest, OperandsOfAnOutputThatOthersReadAreCopied) {
  const TensorId first = Pool(b_, b_.Input({1, 64, 3})), second = Pool(b_, b_.Input({1, 64, 3}));
  b_.Output(Concatenation({first, second}, {1, 128, 3}, 1)).Output(Pool(b_, first));
  FuseAll();
  const auto join = std::find_if(b_.graph().nodes.begin(), b_.graph().nodes.end(),
                                 [](const Node& node) { return node.op == "CONCATENATION"; });
  ASSERT_NE(join, b_.graph().nodes.end());
  EXPECT_EQ(join->in_place, (std::vector<bool>{false, true}));
}

}  // namespace
}  // namespace tern::gpu
