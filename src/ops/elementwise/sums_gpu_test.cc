// SPDX-License-Identifier: Apache-2.0
// ADD_N, FAKE_QUANT and the STABLEHLO pairs on GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/gpu_refusal.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the builtin and option names of the schema

// More operands than a dispatch binds, also after a node and before one.
TEST(SumsGpu, AddN) {
  for (const int count : {2, 3, 4, 6, 9}) {
    for (const bool inside : {false, true}) {
      for (const TensorType type : {TensorType_FLOAT32, TensorType_INT32}) {
        ModelBuilder b;
        std::vector<int> operands;
        std::vector<std::vector<uint8_t>> inputs;
        for (int i = 0; i < count; ++i) {
          operands.push_back(b.Input({2, 3, 5}, type));
          inputs.push_back(WholeNumbers(30, type, -30 * (i + 1), 40));
        }
        if (inside)
          operands[0] = b.Op(BuiltinOperator_ABS, {operands[0]}, {b.Tensor({2, 3, 5}, type)});
        operands.push_back(operands[1]);
        b.SetOpVersion(1);
        int sum =
            b.Op(BuiltinOperator_ADD_N, operands, {b.Tensor({2, 3, 5}, type)}, AddNOptionsT());
        if (inside) sum = b.Op(BuiltinOperator_NEG, {sum}, {b.Tensor({2, 3, 5}, type)});
        b.Output(sum);
        CheckSameBytes(StrCat(count, " operands of type ", type, inside ? ", inside" : ""), b,
                       inputs);
      }
    }
  }
}

TEST(SumsGpu, FakeQuant) {
  FakeQuantOptionsT o;
  o.min = -4.5f;
  o.max = 6.75f;
  o.num_bits = 4;  // numbers 0.75 apart
  ModelBuilder b;
  b.SetOpVersion(1);
  const int half = b.Const<float>({1}, {0.5f});
  const int x =
      b.Op(BuiltinOperator_MUL, {b.Input({3, 18}), half}, {b.Tensor({3, 18})}, MulOptionsT());
  b.Output(b.Op(BuiltinOperator_FAKE_QUANT, {x}, {b.Tensor({3, 18})}, o));
  CheckSameBytes("after a product", b, WholeNumbers(54, TensorType_FLOAT32, -20, 20));
}

TEST(SumsGpu, StablehloPairs) {
  for (const auto code : {BuiltinOperator_STABLEHLO_ADD, BuiltinOperator_STABLEHLO_MAXIMUM,
                          BuiltinOperator_STABLEHLO_MINIMUM, BuiltinOperator_STABLEHLO_MULTIPLY,
                          BuiltinOperator_STABLEHLO_AND}) {
    for (const TensorType type : {TensorType_FLOAT32, TensorType_INT32, TensorType_BOOL}) {
      if (code == BuiltinOperator_STABLEHLO_AND && type != TensorType_BOOL) continue;
      ModelBuilder b;
      const int x = b.Input({2, 3, 7}, type), y = b.Input({2, 3, 7}, type);
      b.SetOpVersion(1);
      b.Output(b.Op(code, {x, y}, {b.Tensor({2, 3, 7}, type)}));
      std::vector<uint8_t> other = WholeNumbers(42, type, -40, 40);
      std::reverse(other.begin(), other.end());
      if (type != TensorType_BOOL) other = WholeNumbers(42, type, -20, 50);
      CheckSameBytes(StrCat(EnumNameBuiltinOperator(code), ", type ", type), b,
                     {WholeNumbers(42, type, -40, 40), other});
    }
  }
}

}  // namespace
}  // namespace tern::testing

namespace tern::gpu {
namespace {

TEST(SumsGpu, Refusals) {
  GraphBuilder other;
  other.Op(kTfLiteBuiltinAddN, "ADD_N", {other.Input({2, 3}), other.Input({1, 3})}, {2, 3}, 0);
  EXPECT_EQ(testing::RefusalOf(other), "ADD_N #0: operand of shape [1, 3], output of shape [2, 3]");
  EXPECT_EQ(RefusalReasonOf(testing::CheckFirst(other)), (RefusalReason{Reason::kShape, 1}));
  GraphBuilder mixed;
  mixed.Op(kTfLiteBuiltinAddN, "ADD_N", {mixed.Input({2, 3}), mixed.Input({2, 3})}, {2, 3}, 0);
  mixed.graph().tensors[1].type = kTfLiteInt32;
  EXPECT_EQ(RefusalReasonOf(testing::CheckFirst(mixed)), (RefusalReason{Reason::kTensorType, 1}));
  GraphBuilder narrow;
  TfLiteFakeQuantParams params{};
  params.num_bits = 8;
  narrow.Op(kTfLiteBuiltinFakeQuant, "FAKE_QUANT", {narrow.Input({2, 3})}, {2, 3}, params);
  EXPECT_EQ(testing::RefusalOf(narrow), "FAKE_QUANT #0: max must be above min (0, 0)");
  EXPECT_EQ(RefusalReasonOf(testing::CheckFirst(narrow)), (RefusalReason{Reason::kOptions}));
}

}  // namespace
}  // namespace tern::gpu
