// SPDX-License-Identifier: Apache-2.0
// Arithmetic on two quantized operands on the GPU: the CPU's elements, for all pairs of 8 bits.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using tflite::BuiltinOperator;
using tflite::TensorType;

struct PairScaling {
  float scale;
  int64_t zero;
};

struct PairCase {
  BuiltinOperator code;
  TensorType type;
  PairScaling a, b, out;
  tflite::ActivationFunctionType activation = tflite::ActivationFunctionType_NONE;
};

void SetOptions(ModelBuilder& b, BuiltinOperator code, tflite::ActivationFunctionType activation) {
  const auto set = [&](auto options) {
    options.fused_activation_function = activation;
    b.op().builtin_options.Set(std::move(options));
  };
  if (code == tflite::BuiltinOperator_ADD) set(tflite::AddOptionsT());
  if (code == tflite::BuiltinOperator_SUB) set(tflite::SubOptionsT());
  if (code == tflite::BuiltinOperator_MUL) set(tflite::MulOptionsT());
  if (code == tflite::BuiltinOperator_DIV) set(tflite::DivOptionsT());
}

int Version(const PairCase& c) {
  if (c.code == tflite::BuiltinOperator_FLOOR_DIV) return 3;
  return c.code == tflite::BuiltinOperator_MUL && c.type == tflite::TensorType_INT16 ? 5 : 2;
}

// The operands are inputs, or the second one is a constant.
void CheckPairs(const PairCase& c, const std::vector<uint8_t>& first,
                const std::vector<uint8_t>& second, bool constant) {
  const int32_t bytes = c.type == tflite::TensorType_INT16 ? 2 : 1;
  const auto count = static_cast<int32_t>(first.size()) / bytes;
  const std::vector<int32_t> shape = {2, 8, count / 256, 16};
  ModelBuilder b;
  const int x = b.Quantize(b.Input(shape, c.type), c.a.scale, c.a.zero);
  const int y = b.Quantize(constant ? b.ConstBytes(shape, c.type, second) : b.Input(shape, c.type),
                           c.b.scale, c.b.zero);
  b.SetOpVersion(Version(c));
  b.Output(b.Op(c.code, {x, y}, {b.Quantize(b.Tensor(shape, c.type), c.out.scale, c.out.zero)}));
  SetOptions(b, c.code, c.activation);
  std::vector<std::vector<uint8_t>> inputs = {first};
  if (!constant) inputs.push_back(second);
  CheckSameBytes(
      StrCat(tflite::EnumNameBuiltinOperator(c.code), " of ", tflite::EnumNameTensorType(c.type),
             ", scales ", c.a.scale, " ", c.b.scale, " ", c.out.scale),
      b, inputs, true);
}

// Divisors are no zeros.
void CheckAllPairs(const PairCase& c, bool constant = false) {
  const bool divides = c.code == tflite::BuiltinOperator_DIV ||
                       c.code == tflite::BuiltinOperator_FLOOR_DIV ||
                       c.code == tflite::BuiltinOperator_FLOOR_MOD;
  const int64_t zero = c.code == tflite::BuiltinOperator_DIV ? c.b.zero : 0;
  std::vector<uint8_t> first, second;
  for (int i = 0; i < 65536; ++i) {
    const auto divisor = static_cast<uint8_t>(i / 256);
    first.push_back(static_cast<uint8_t>(i));
    second.push_back(divides && divisor == static_cast<uint8_t>(zero)
                         ? static_cast<uint8_t>(zero + 1)
                         : divisor);
  }
  CheckPairs(c, first, second, constant);
}

constexpr BuiltinOperator kOperations[] = {tflite::BuiltinOperator_ADD, tflite::BuiltinOperator_SUB,
                                           tflite::BuiltinOperator_MUL,
                                           tflite::BuiltinOperator_DIV};

TEST(PairElementsGpu, AllPairsOfBytes) {
  for (const BuiltinOperator code : kOperations) {
    for (const TensorType type : {tflite::TensorType_INT8, tflite::TensorType_UINT8}) {
      const int64_t middle = type == tflite::TensorType_INT8 ? 0 : 128;
      CheckAllPairs({code, type, {0.037f, middle - 5}, {0.021f, middle + 7}, {0.061f, middle + 3}});
      CheckAllPairs({code, type, {0.01f, middle}, {0.04f, middle - 100}, {0.05f, middle + 90}});
      CheckAllPairs({code, type, {0.5f, middle - 1}, {0.5f, middle + 1}, {0.5f, middle}});
    }
  }
}

TEST(PairElementsGpu, ScalesFarApartAndConstants) {
  for (const BuiltinOperator code : kOperations) {
    const TensorType type = tflite::TensorType_INT8;
    CheckAllPairs({code, type, {3e-5f, 11}, {2.5f, -3}, {1.9f, 4}});
    CheckAllPairs({code, type, {0.03f, -128}, {0.02f, 127}, {37.0f, -20}}, true);
    CheckAllPairs(
        {code, type, {0.03f, 1}, {0.02f, 2}, {0.03f, 3}, tflite::ActivationFunctionType_RELU6});
  }
  CheckAllPairs({tflite::BuiltinOperator_MUL, tflite::TensorType_INT8, {1, 1}, {1, 2}, {0.02f, 3}});
  CheckAllPairs({tflite::BuiltinOperator_SUB, tflite::TensorType_INT8, {1, 1}, {2, 2}, {0.02f, 3}});
}

TEST(PairElementsGpu, SquaredDifferencesAndFlooredQuotients) {
  const TensorType type = tflite::TensorType_INT8;
  CheckAllPairs(
      {tflite::BuiltinOperator_SQUARED_DIFFERENCE, type, {0.03f, 4}, {0.02f, -9}, {0.07f, -120}});
  CheckAllPairs(
      {tflite::BuiltinOperator_SQUARED_DIFFERENCE, type, {0.1f, 0}, {0.1f, 0}, {0.9f, 0}});
  for (const auto code : {tflite::BuiltinOperator_FLOOR_DIV, tflite::BuiltinOperator_FLOOR_MOD})
    CheckAllPairs({code, type, {0.03f, 4}, {0.02f, -9}, {0.07f, 12}});
}

TEST(PairElementsGpu, Shorts) {
  Random random(7);
  std::vector<int16_t> first, second;
  constexpr int16_t kLow = std::numeric_limits<int16_t>::min();
  constexpr int16_t kHigh = std::numeric_limits<int16_t>::max();
  for (int i = 0; i < 4096; ++i) {
    const int64_t reach = int64_t{1} << (i % 16);
    const auto element = [&] {
      if (i % 7 == 0) return random.Integer(0, 1) == 0 ? kLow : kHigh;
      return static_cast<int16_t>(random.Integer(-reach, reach - 1));
    };
    first.push_back(element());
    second.push_back(element());
    if (second.back() == 0) second.back() = 1;
  }
  for (const BuiltinOperator code : kOperations) {
    const TensorType type = tflite::TensorType_INT16;
    const auto check = [&](float a, float b, float out) {
      CheckPairs({code, type, {a, 0}, {b, 0}, {out, 0}}, BytesOf(first), BytesOf(second), false);
    };
    check(3e-4f, 2e-4f, 5e-4f);
    check(1.0f / 4096, 1.0f / 2048, 1.0f / 2048);
    check(1.0f / 32768, 0.9f / 32768, 1.7f / 32768);
  }
}

// Further steps run on elements of the sum, which have another scale than what comes out.
TEST(PairElementsGpu, StepsBehindASum) {
  const TensorType type = tflite::TensorType_INT8;
  ModelBuilder b;
  const std::vector<int32_t> shape = {1, 5, 3, 7};
  const auto tensor = [&](float scale, int64_t zero) {
    return b.Quantize(b.Tensor(shape, type), scale, zero);
  };
  const int x = b.Quantize(b.Input(shape, type), 0.03f, 4);
  const int y = b.Quantize(b.Input(shape, type), 0.05f, -4);
  const int sum =
      b.Op(tflite::BuiltinOperator_ADD, {x, y}, {tensor(0.06f, 2)}, tflite::AddOptionsT());
  const int curve = b.Op(tflite::BuiltinOperator_TANH, {sum}, {tensor(1.0f / 128, 0)});
  const int product =
      b.Op(tflite::BuiltinOperator_MUL, {curve, y}, {tensor(0.04f, 9)}, tflite::MulOptionsT());
  b.Output(b.Op(tflite::BuiltinOperator_QUANTIZE, {product}, {tensor(0.017f, -30)}));
  Random random(3);
  std::vector<std::vector<uint8_t>> inputs(2);
  for (auto& input : inputs) {
    for (int i = 0; i < 105; ++i) input.push_back(static_cast<uint8_t>(random.Integer(0, 255)));
  }
  CheckSameBytes("ADD, TANH, MUL, QUANTIZE", b, inputs, true);
}

}  // namespace
}  // namespace tern::testing
