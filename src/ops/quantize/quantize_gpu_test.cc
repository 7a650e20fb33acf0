// SPDX-License-Identifier: Apache-2.0
// QUANTIZE from and to elements of 32 bits on the GPU engines, within a step of the CPU.
#include <gtest/gtest.h>

#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/gpu_refusal.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

const std::vector<int32_t> kQuantizedShape = {2, 3, 5, 7};
constexpr int kQuantizedCount = 2 * 3 * 5 * 7;

struct End {
  tflite::TensorType type;
  float scale;
  int zero_point;
};

ModelBuilder Model(const End& from, const End& to) {
  ModelBuilder b;
  const int x = b.Quantize(b.Input(kQuantizedShape, from.type), from.scale, from.zero_point);
  const int y = b.Quantize(b.Tensor(kQuantizedShape, to.type), to.scale, to.zero_point);
  b.Output(b.Op(tflite::BuiltinOperator_QUANTIZE, {x}, {y}));
  return b;
}

template <class T>
std::vector<uint8_t> Elements(int64_t low, int64_t high) {
  Random random(static_cast<uint64_t>(high - low));
  std::vector<T> values(kQuantizedCount);
  for (T& v : values) v = static_cast<T>(random.Integer(low, high));
  return BytesOf(values);
}

void Check(const End& from, const End& to, const std::vector<uint8_t>& elements) {
  CheckWithinSteps("QUANTIZE", Model(from, to).Finish(), {elements}, 1);
}

TEST(QuantizeGpu, ToElementsOf32Bits) {
  const End wide = {tflite::TensorType_INT32, 3e-5f, 0};
  Check({tflite::TensorType_INT16, 1.5e-5f, 0}, wide, Elements<int16_t>(-32768, 32767));
  Check({tflite::TensorType_INT16, 1.9e-3f, 0}, wide, Elements<int16_t>(-32768, 32767));
}

TEST(QuantizeGpu, FromElementsOf32Bits) {
  const End wide = {tflite::TensorType_INT32, 1e-6f, 0};
  Check(wide, {tflite::TensorType_INT16, 5e-4f, 0}, Elements<int32_t>(-20'000'000, 20'000'000));
  Check(wide, {tflite::TensorType_INT8, 0.2f, 3}, Elements<int32_t>(-30'000'000, 30'000'000));
}

// What floats do not hold is computed in whole numbers, as on the CPU.
TEST(QuantizeGpu, ToLargeElementsOf32Bits) {
  using tflite::TensorType_INT32;
  const End int16 = {tflite::TensorType_INT16, 1.0f, 0};
  const auto same = [](const End& from, const End& to, const std::vector<uint8_t>& elements) {
    ModelBuilder b = Model(from, to);
    CheckSameBytes(StrCat("QUANTIZE from ", from.scale, " to ", to.scale), b, elements, true);
  };
  const std::vector<uint8_t> all = Elements<int16_t>(-32768, 32767);
  same(int16, {TensorType_INT32, 1e-3f, 0}, all);
  same(int16, {TensorType_INT32, 1e-3f, 12345}, all);
  same(int16, {TensorType_INT32, 0x1p-8f, -7}, all);
  same(int16, {TensorType_INT32, 0x1p-14f, 0}, all);
  same({tflite::TensorType_INT16, 1.9e-3f, 0}, {TensorType_INT32, 7.7e-8f, 0}, all);
}

TEST(QuantizeGpu, RefusesWhatIntsDoNotHold) {
  const std::vector<uint8_t> model =
      Model({tflite::TensorType_INT16, 1.0f, 0}, {tflite::TensorType_INT32, 1e-6f, 0}).Finish();
  for (const Engine& engine : EnginesFor(true)) {
    const RunResult got = RunModel(model, {Elements<int16_t>(-5, 5)}, engine);
    EXPECT_NE(got.error.find("INT32 elements up to"), std::string::npos) << got.error;
  }
}

// The points that a pass puts there lie in memory; those of a model need not.
TEST(QuantizeGpu, AModelGivesNoRoundingPoints) {
  gpu::GraphBuilder b;
  const int x = b.Input({1, 4}), points = b.Input({1});
  b.Op(kTfLiteBuiltinQuantize, "QUANTIZE", {x, points}, {1, 4}, gpu::QuantizeParams{});
  gpu::GraphTensor& out = b.graph().tensors[b.graph().nodes[0].outputs[0]];
  out.quantized = gpu::Quantized{kTfLiteInt8, 0.5f, 0};
  EXPECT_EQ(RefusalOf(b), "QUANTIZE #0: wrong number of operands (2)");
}

}  // namespace
}  // namespace tern::testing
