// SPDX-License-Identifier: Apache-2.0
// Cuts run by themselves and give what their nodes give in the whole model.
#include "cli/model/cut.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "cli/engine/engine.h"
#include "model/testing/model_builder.h"
#include "model/testing/quantize_by_block.h"

namespace tern::cli {
namespace {

using ::testing::ElementsAre;
using testing::ModelBuilder;

std::vector<int> FileShape(const Cutter& cutter, int tensor) {
  const auto* shape = cutter.tensor(tensor).shape();
  return {shape->begin(), shape->end()};
}

Cut TakeAsInFile(const Cutter& cutter, const std::vector<int>& nodes,
                 const std::vector<int>& outputs, Constants constants = Constants::kStored) {
  return cutter.Take(
      nodes, outputs, [&](int t) { return FileShape(cutter, t); }, constants);
}

// Runs a cut on the CPU with the same number in all inputs.
std::vector<float> RunWith(const Cut& cut, float value) {
  auto engine = Engine::OpenBytes(cut.model, {});
  if (!engine.ok() || !(*engine)->Prepare().ok()) return {};
  for (int i = 0; i < (*engine)->input_count(); ++i) {
    Bytes bytes((*engine)->input(i)->bytes);
    for (size_t at = 0; at < bytes.size(); at += sizeof value) {
      std::memcpy(&bytes[at], &value, sizeof value);
    }
    if (!(*engine)->SetInput(i, bytes).ok()) return {};
  }
  if (!(*engine)->Invoke().ok()) return {};
  const TfLiteTensor* output = (*engine)->output(0);
  return {output->data.f, output->data.f + output->bytes / sizeof(float)};
}

// x, halves -> NEG #0; DEQUANTIZE #1 of the halves; ADD #2 of both; NEG #3.
struct Chain {
  ModelBuilder builder;
  int x, halves, minus, floats, sum, result;

  Chain() {
    x = builder.Input({2});
    halves = builder.ConstHalf({2}, {1, 0.5f});
    minus = builder.Op(tflite::BuiltinOperator_NEG, {x}, {builder.Tensor({2})});
    floats = builder.Op(tflite::BuiltinOperator_DEQUANTIZE, {halves}, {builder.Tensor({2})});
    sum = builder.Op(tflite::BuiltinOperator_ADD, {minus, floats}, {builder.Tensor({2})},
                     tflite::AddOptionsT());
    result = builder.Op(tflite::BuiltinOperator_NEG, {sum}, {builder.Tensor({2})});
    builder.Output(result);
  }
};

TEST(CutTest, ANodeComesWithTheConstantsThatAreComputedForIt) {
  const Chain chain;
  const Bytes file = chain.builder.Finish();
  const Cutter cutter(file);
  EXPECT_TRUE(cutter.IsOfConstants(1));
  EXPECT_FALSE(cutter.IsOfConstants(2));
  EXPECT_THAT(cutter.Readers(0), ElementsAre(2));
  const Cut cut = TakeAsInFile(cutter, {2}, {chain.sum});
  EXPECT_THAT(cut.inputs, ElementsAre(chain.minus));
  EXPECT_THAT(RunWith(cut, 3), ElementsAre(4, 3.5f));
}

TEST(CutTest, SeveralNodesHaveNoInputsBetweenThem) {
  const Chain chain;
  const Bytes file = chain.builder.Finish();
  const Cutter cutter(file);
  const Cut cut = TakeAsInFile(cutter, {2, 3}, {chain.result});
  EXPECT_THAT(cut.inputs, ElementsAre(chain.minus));
  EXPECT_THAT(RunWith(cut, 3), ElementsAre(-4, -3.5f));
}

TEST(CutTest, WeightsOfFloatsBecomeFloats) {
  ModelBuilder b;
  const int x = b.Input({1, 2});
  const int w =
      b.QuantizePerChannel(b.Const<int8_t>({2, 2}, {1, 2, 3, 4}), {0.5f, 0.001f}, {0, 0}, 0);
  const int y = b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w, -1}, {b.Tensor({1, 2})},
                     tflite::FullyConnectedOptionsT());
  b.Output(y);
  const Bytes file = b.Finish();
  const Cutter cutter(file);
  ASSERT_TRUE(cutter.IsDynamicRange(0));
  EXPECT_THAT(RunWith(TakeAsInFile(cutter, {0}, {y}, Constants::kFloats), 2),
              ElementsAre(3, ::testing::FloatEq(0.014f)));
  // 0.003 and 0.004 lie between halves.
  const std::vector<float> rounded = RunWith(TakeAsInFile(cutter, {0}, {y}, Constants::kHalves), 2);
  ASSERT_EQ(rounded.size(), 2u);
  EXPECT_NE(rounded[1], 0.014f);
  EXPECT_NEAR(rounded[1], 0.014f, 1e-5);
}

// The scales are no operand of the node.
TEST(CutTest, ScalesByBlockComeWithTheirWeights) {
  ModelBuilder b;
  const int x = b.Input({1, 4});
  const int before = b.Op(tflite::BuiltinOperator_NEG, {x}, {b.Tensor({1, 4})});
  const int w = testing::QuantizeByBlock(
      b, b.ConstBytes({2, 4}, tflite::TensorType_INT4, {0x21, 0x43, 0xF1, 0xE1}), {0.5f, 2, 1, 4},
      2);
  const int y = b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {before, w, -1}, {b.Tensor({1, 2})},
                     tflite::FullyConnectedOptionsT());
  b.Output(y);
  const Bytes file = b.Finish();
  const Cutter cutter(file);
  ASSERT_TRUE(cutter.IsDynamicRange(1));
  for (const Constants constants : {Constants::kStored, Constants::kFloats, Constants::kHalves}) {
    const Cut cut = cutter.Take(
        {1}, {y},
        [](int) {
          return std::vector<int>{1, 4};
        },
        constants);
    // 0.5 * (1 + 2) + 2 * (3 + 4), and 1 - 1 + 4 * (1 - 2).
    EXPECT_THAT(RunWith(cut, 2),
                ElementsAre(::testing::FloatNear(31, 0.1f), ::testing::FloatNear(-8, 0.1f)));
  }
}

}  // namespace
}  // namespace tern::cli
