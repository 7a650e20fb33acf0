// SPDX-License-Identifier: Apache-2.0
// Every INT16 element through the operations that have a table: the CPU's bytes on GPU engines.
#include <gtest/gtest.h>

#include <vector>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

constexpr int kElements = 65536;

std::vector<uint8_t> AllElements() {
  std::vector<int16_t> values;
  for (int v = INT16_MIN; v <= INT16_MAX; ++v) values.push_back(static_cast<int16_t>(v));
  return BytesOf(values);
}

struct Curve {
  tflite::BuiltinOperator code;
  float from;
  int from_zero;
  float to;
  int to_zero;
  int version = 1;
};

void CheckLookup(const Curve& c) {
  ModelBuilder b;
  const std::vector<int32_t> shape = {1, 16, 241, 17};
  std::vector<uint8_t> elements = AllElements();
  elements.resize(16 * 241 * 17 * sizeof(int16_t), 0);
  const int x = b.Quantize(b.Input(shape, tflite::TensorType_INT16), c.from, c.from_zero);
  const int y = b.Quantize(b.Tensor(shape, tflite::TensorType_INT16), c.to, c.to_zero);
  b.SetOpVersion(c.version);
  b.Op(c.code, {x}, {y});
  if (c.code == tflite::BuiltinOperator_GELU) {
    tflite::GeluOptionsT options;
    options.approximate = c.to_zero != 0;
    b.op().builtin_options.Set(options);
  }
  b.Output(y);
  CheckSameBytes(tflite::EnumNameBuiltinOperator(c.code), b, elements, true);
}

static_assert(16 * 241 * 17 >= kElements);

TEST(Int16LookupGpu, AllElements) {
  CheckLookup({tflite::BuiltinOperator_EXP, 2e-4f, 0, 0.02f, 0, 2});
  CheckLookup({tflite::BuiltinOperator_EXP, 1e-4f, -300, 1e-3f, -32000, 2});
  CheckLookup({tflite::BuiltinOperator_LOG, 2e-4f, -32768, 1e-3f, 100, 2});
  CheckLookup({tflite::BuiltinOperator_ELU, 1e-4f, 0, 1e-4f, 0});
  CheckLookup({tflite::BuiltinOperator_GELU, 3e-4f, 0, 3e-4f, 0, 2});
  CheckLookup({tflite::BuiltinOperator_GELU, 3e-4f, 7, 3e-4f, -7, 2});
  CheckLookup({tflite::BuiltinOperator_RSQRT, 1e-3f, -32768, 1e-3f, 0, 3});
}

TEST(Int16LookupGpu, AllElementsOfSigmoids) {
  for (const auto code : {tflite::BuiltinOperator_LOGISTIC, tflite::BuiltinOperator_TANH}) {
    for (const float scale : {1.0f / 4096, 3e-4f, 1e-3f, 1e-5f, 2e-8f}) {
      CheckLookup({code, scale, 0, 1.0f / 32768, 0, 3});
    }
  }
}

// The node behind has another scale, by a factor that rounds nothing.
TEST(Int16LookupGpu, AnotherScaleBehindACurve) {
  const auto type = tflite::TensorType_INT16;
  for (const auto code : {tflite::BuiltinOperator_LOGISTIC, tflite::BuiltinOperator_ELU}) {
    ModelBuilder b;
    const int x = b.Quantize(b.Input({2, 3, 5}, type), 1e-4f, 0);
    const int y = b.Quantize(b.Tensor({2, 3, 5}, type), 1.0f / 32768, 0);
    b.SetOpVersion(code == tflite::BuiltinOperator_LOGISTIC ? 3 : 1);
    b.Op(code, {x}, {y});
    b.SetOpVersion(2);
    b.Output(b.Op(tflite::BuiltinOperator_QUANTIZE, {y},
                  {b.Quantize(b.Tensor({2, 3, 5}, type), 1.0f / 65536, 0)}));
    std::vector<uint8_t> elements = AllElements();
    elements.erase(elements.begin(), elements.begin() + 65536);
    elements.resize(2 * 3 * 5 * sizeof(int16_t));
    CheckSameBytes(tflite::EnumNameBuiltinOperator(code), b, elements, true);
  }
}

TEST(Int16LookupGpu, StepsBehindACurve) {
  ModelBuilder b;
  const auto tensor = [&] {
    return b.Quantize(b.Tensor({2, 3, 5}, tflite::TensorType_INT16), 1e-4f, 0);
  };
  const int x = b.Quantize(b.Input({2, 3, 5}, tflite::TensorType_INT16), 1e-4f, 0);
  const int y = b.Op(tflite::BuiltinOperator_ELU, {x}, {tensor()});
  const int z = b.Op(tflite::BuiltinOperator_RELU, {y}, {tensor()});
  b.Output(b.Op(tflite::BuiltinOperator_ELU, {z}, {tensor()}));
  std::vector<uint8_t> elements = AllElements();
  elements.resize(2 * 3 * 5 * sizeof(int16_t));
  CheckSameBytes("ELU, RELU, ELU", b, elements, true);
}

}  // namespace
}  // namespace tern::testing
