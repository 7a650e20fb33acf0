// SPDX-License-Identifier: Apache-2.0
// INT64 of all sizes and integer powers on the GPU engines, to the last bit.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using tflite::BuiltinOperator;
using Bytes = std::vector<uint8_t>;

// Where halves carry, change their sign or are equal.
const std::vector<int64_t> kNumbers = {0,
                                       1,
                                       -1,
                                       7,
                                       -6,
                                       0x7FFFFFFF,
                                       0x80000000LL,
                                       0xFFFFFFFFLL,
                                       -0x80000000LL,
                                       -0xFFFFFFFFLL,
                                       0x100000000LL,
                                       0x123456789ABCDEFLL,
                                       -0x123456789ABCDEFLL,
                                       std::numeric_limits<int64_t>::max(),
                                       std::numeric_limits<int64_t>::min() + 1,
                                       std::numeric_limits<int64_t>::min()};

template <class Options>
void CheckAll(BuiltinOperator op, tflite::TensorType out, Options options) {
  const auto n = static_cast<int32_t>(kNumbers.size());
  ModelBuilder m;
  const int x = m.Input({n, 1}, tflite::TensorType_INT64);
  const int y = m.Input({n}, tflite::TensorType_INT64);
  m.Output(m.Op(op, {x, y}, {m.Tensor({n, n}, out)}, std::move(options)));
  for (int turn = 0; turn < 3; ++turn) {
    CheckSameBytes(tflite::EnumNameBuiltinOperator(op), m, {BytesOf(kNumbers), BytesOf(kNumbers)});
  }
}

TEST(Int64Gpu, EveryPairOfNumbers) {
  constexpr tflite::TensorType kLong = tflite::TensorType_INT64, kBool = tflite::TensorType_BOOL;
  CheckAll(tflite::BuiltinOperator_ADD, kLong, tflite::AddOptionsT());
  CheckAll(tflite::BuiltinOperator_SUB, kLong, tflite::SubOptionsT());
  CheckAll(tflite::BuiltinOperator_MUL, kLong, tflite::MulOptionsT());
  CheckAll(tflite::BuiltinOperator_MAXIMUM, kLong, tflite::MaximumMinimumOptionsT());
  CheckAll(tflite::BuiltinOperator_MINIMUM, kLong, tflite::MaximumMinimumOptionsT());
  CheckAll(tflite::BuiltinOperator_LESS, kBool, tflite::LessOptionsT());
  CheckAll(tflite::BuiltinOperator_LESS_EQUAL, kBool, tflite::LessEqualOptionsT());
  CheckAll(tflite::BuiltinOperator_GREATER, kBool, tflite::GreaterOptionsT());
  CheckAll(tflite::BuiltinOperator_GREATER_EQUAL, kBool, tflite::GreaterEqualOptionsT());
  CheckAll(tflite::BuiltinOperator_EQUAL, kBool, tflite::EqualOptionsT());
  CheckAll(tflite::BuiltinOperator_NOT_EQUAL, kBool, tflite::NotEqualOptionsT());
}

TEST(Int64Gpu, RestsOfEveryPair) {
  std::vector<int64_t> divisors(kNumbers.begin() + 1, kNumbers.end());
  divisors.insert(divisors.end(), {10, -10, 0x10000, 0xFFFF0000LL, -0x7FFFFFFFFFFF0001LL});
  const auto n = static_cast<int32_t>(kNumbers.size()), k = static_cast<int32_t>(divisors.size());
  for (const bool constant : {false, true, false}) {
    ModelBuilder m;
    const int x = m.Input({n, 1}, tflite::TensorType_INT64);
    const int y =
        constant ? m.Const<int64_t>({k}, divisors) : m.Input({k}, tflite::TensorType_INT64);
    m.Output(m.Op(tflite::BuiltinOperator_FLOOR_MOD, {x, y},
                  {m.Tensor({n, k}, tflite::TensorType_INT64)}, tflite::FloorModOptionsT()));
    std::vector<Bytes> inputs = {BytesOf(kNumbers)};
    if (!constant) inputs.push_back(BytesOf(divisors));
    CheckSameBytes("FLOOR_MOD", m, inputs);
  }
}

TEST(Int64Gpu, AConstantDivisorOfZeroIsRefused) {
  ModelBuilder m;
  const int x = m.Input({2}, tflite::TensorType_INT64);
  m.Output(m.Op(tflite::BuiltinOperator_FLOOR_MOD, {x, m.Const<int64_t>({2}, {3, 0})},
                {m.Tensor({2}, tflite::TensorType_INT64)}, tflite::FloorModOptionsT()));
  for (const Engine& engine : DriverEngines()) {
    const RunResult got = RunModel(m.Finish(), {BytesOf(std::vector<int64_t>{7, 8})}, engine);
    EXPECT_NE(got.error.find("not delegated"), std::string::npos) << got.error;
    EXPECT_NE(got.error.find("division by zero"), std::string::npos) << got.error;
  }
}

TEST(Int64Gpu, Activations) {
  for (const auto activation :
       {tflite::ActivationFunctionType_RELU, tflite::ActivationFunctionType_RELU6,
        tflite::ActivationFunctionType_RELU_N1_TO_1}) {
    tflite::SubOptionsT o;
    o.fused_activation_function = activation;
    CheckAll(tflite::BuiltinOperator_SUB, tflite::TensorType_INT64, o);
  }
}

// The BOOL goes on in the same dispatch; what makes it was made on the GPU, too.
TEST(Int64Gpu, BetweenOtherNodes) {
  const auto n = static_cast<int32_t>(kNumbers.size());
  ModelBuilder m;
  const int x = m.Input({n, 1}, tflite::TensorType_INT64);
  const int minus =
      m.Op(tflite::BuiltinOperator_NEG, {x}, {m.Tensor({n, 1}, tflite::TensorType_INT64)});
  const int y = m.Const<int64_t>({1, n}, kNumbers);
  const int less =
      m.Op(tflite::BuiltinOperator_LESS, {minus, y}, {m.Tensor({n, n}, tflite::TensorType_BOOL)});
  m.Output(minus);
  m.Output(m.Op(tflite::BuiltinOperator_CAST, {less}, {m.Tensor({n, n})}));
  for (int turn = 0; turn < 6; ++turn) CheckSameBytes("NEG and LESS", m, BytesOf(kNumbers));
}

// Ranks above 4 do not broadcast as boxes.
TEST(Int64Gpu, ManyAxes) {
  ModelBuilder m;
  const int x = m.Input({2, 1, 2, 1, 4}, tflite::TensorType_INT64);
  const int y = m.Input({3, 1, 2, 1}, tflite::TensorType_INT64);
  m.Output(m.Op(tflite::BuiltinOperator_MUL, {x, y},
                {m.Tensor({2, 3, 2, 2, 4}, tflite::TensorType_INT64)}, tflite::MulOptionsT()));
  const std::vector<int64_t> few(kNumbers.end() - 6, kNumbers.end());
  for (int turn = 0; turn < 3; ++turn) {
    CheckSameBytes("MUL of rank 5", m, {BytesOf(kNumbers), BytesOf(few)});
  }
}

TEST(PowersGpu, IntegersStopAtTheLeast) {
  const std::vector<int32_t> bases = {
      0,  1,   -1,    2,      -2,    3,          -3,          7,
      10, -10, 46340, -46341, 65536, 2147483647, -2147483647, std::numeric_limits<int32_t>::min()};
  const std::vector<int32_t> exponents = {0,  1,  2,  3,  5,  9,    19,
                                          20, 30, 31, 32, 33, 1000, 2147483647};
  const auto n = static_cast<int32_t>(bases.size()), k = static_cast<int32_t>(exponents.size());
  ModelBuilder m;
  const int x = m.Input({n, 1}, tflite::TensorType_INT32);
  const int y = m.Input({k}, tflite::TensorType_INT32);
  m.Output(m.Op(tflite::BuiltinOperator_POW, {x, y}, {m.Tensor({n, k}, tflite::TensorType_INT32)},
                tflite::PowOptionsT()));
  for (int turn = 0; turn < 6; ++turn) {
    CheckSameBytes("POW", m, {BytesOf(bases), BytesOf(exponents)});
  }
}

// FLOAT16 is rounded wherever it is stored: inside, at the edge, and at an edge that is read again.
TEST(HalvesGpu, RoundedWhereTheyAreStored) {
  for (const bool is_output : {false, true}) {
    ModelBuilder m;
    const int x = m.Input({3, 7});
    const int sum = m.Op(tflite::BuiltinOperator_ADD, {x, m.Const<float>({}, {1.0f})},
                         {m.Tensor({3, 7})}, tflite::AddOptionsT());
    const int half =
        m.Op(tflite::BuiltinOperator_CAST, {sum}, {m.Tensor({3, 7}, tflite::TensorType_FLOAT16)});
    if (is_output) m.Output(half);
    m.Output(m.Op(is_output ? tflite::BuiltinOperator_CAST : tflite::BuiltinOperator_DEQUANTIZE,
                  {half}, {m.Tensor({3, 7})}));
    std::vector<float> values;
    // Exact in floats, and in halves before the sum.
    for (int i = 0; i < 21; ++i) values.push_back(static_cast<float>(i - 10) / 8192);
    for (int turn = 0; turn < 6; ++turn) {
      CheckSameBytes("CAST to FLOAT16 and back", m, BytesOf(values));
    }
  }
}

}  // namespace
}  // namespace tern::testing
