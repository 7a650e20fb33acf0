// SPDX-License-Identifier: Apache-2.0
// QUANTIZE from and to elements of 32 bits on the GPU engines, to the last bit as on the CPU.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
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

// The ends of a range and what lies between them.
template <class T>
std::vector<uint8_t> Elements(int64_t low, int64_t high) {
  Random random(static_cast<uint64_t>(high - low));
  std::vector<T> values(kQuantizedCount);
  for (T& v : values) v = static_cast<T>(random.Integer(low, high));
  values[0] = static_cast<T>(low);
  values[1] = static_cast<T>(high);
  for (size_t i = 0; i < 32; ++i) values[i + 2] = static_cast<T>(static_cast<int>(i) - 16);
  return BytesOf(values);
}

void Check(const End& from, const End& to, const std::vector<uint8_t>& elements) {
  CheckSameBytes(StrCat("QUANTIZE from ", from.scale, " to ", to.scale), Model(from, to), elements,
                 true);
}

// Factors below 1 and above it, also such whose products wrap, halves, and one that is nothing.
TEST(QuantizeGpu, ToElementsOf32Bits) {
  const std::vector<uint8_t> elements = Elements<int16_t>(-32768, 32767);
  for (const float scale : {1.5e-5f, 1.9e-3f, 0.5f, 1.0f, 2.0f, 3e4f, 2.5e5f, 1e-12f}) {
    for (const float wide : {3e-5f, 1.0f}) {
      for (const int zero : {0, 1'000'000'007, -2'000'000'000}) {
        Check({tflite::TensorType_INT16, scale, 0}, {tflite::TensorType_INT32, wide, zero},
              elements);
      }
    }
  }
  Check({tflite::TensorType_INT16, 1.0f, -300}, {tflite::TensorType_INT32, 0.3f, 5}, elements);
}

TEST(QuantizeGpu, FromElementsOf32Bits) {
  constexpr int64_t kLeast = std::numeric_limits<int32_t>::min(),
                    kMost = std::numeric_limits<int32_t>::max();
  for (const int64_t reach : {int64_t{30'000'000}, kMost}) {
    const std::vector<uint8_t> elements =
        Elements<int32_t>(reach == kMost ? kLeast : -reach, reach);
    for (const float wide : {1e-6f, 1e-8f, 0.5f, 64.0f}) {
      for (const int zero : {0, -77}) {
        const End from = {tflite::TensorType_INT32, wide, zero};
        Check(from, {tflite::TensorType_INT16, 5e-4f, 0}, elements);
        Check(from, {tflite::TensorType_INT16, 1e3f, 0}, elements);
        Check(from, {tflite::TensorType_INT8, 0.2f, 3}, elements);
      }
    }
  }
}

// Every factor that is a power of two, and those beside it.
TEST(QuantizeGpu, FactorsOf32Bits) {
  const std::vector<uint8_t> elements = Elements<int32_t>(-2'000'000'000, 2'000'000'000);
  for (int exponent = -34; exponent <= 20; ++exponent) {
    for (const float part : {1.0f, 1.5f, 1.9999999f}) {
      if (part != 1 && exponent % 5 != 0) continue;
      Check({tflite::TensorType_INT32, std::ldexp(part, exponent), 1},
            {tflite::TensorType_INT16, 1.0f, 0}, elements);
    }
  }
}

TEST(QuantizeGpu, ElementsOf32BitsNeedAScale) {
  for (const bool to_ints : {false, true}) {
    gpu::GraphBuilder b;
    const int x = b.Input({1, 4});
    const int y = b.Op(kTfLiteBuiltinQuantize, "QUANTIZE", {x}, {1, 4}, 0);
    b.graph().tensors[to_ints ? x : y].quantized = gpu::QuantizedType{kTfLiteInt16, 0.5f, 0};
    b.graph().tensors[to_ints ? y : x].type = kTfLiteInt32;
    EXPECT_EQ(RefusalOf(b),
              StrCat("QUANTIZE #0: '", to_ints ? "t1" : "t0", "' has no single scale"));
    b.graph().tensors[to_ints ? x : y].quantized.reset();
    EXPECT_EQ(RefusalOf(b), to_ints ? "QUANTIZE #0: elements of type INT32 of FLOAT32"
                                    : "QUANTIZE #0: elements of type FLOAT32 of INT32");
  }
}

// Rounding thresholds are those of internal operations.
TEST(QuantizeGpu, AModelGivesNoRoundingThresholds) {
  gpu::GraphBuilder b;
  const int x = b.Input({1, 4}), points = b.Input({1});
  b.Op(kTfLiteBuiltinQuantize, "QUANTIZE", {x, points}, {1, 4}, 0);
  gpu::GraphTensor& out = b.graph().tensors[b.graph().nodes[0].outputs[0]];
  out.quantized = gpu::QuantizedType{kTfLiteInt8, 0.5f, 0};
  EXPECT_EQ(RefusalOf(b), "QUANTIZE #0: wrong number of operands (2)");
}

// Pixels less 127.5 over 127.5 by a scale of 1 / 127.5 are all half way: the last bit of the
// quotient decides. So are neighbours of the half by a few units, also of the smallest one.
TEST(QuantizeGpu, QuotientsHalfWay) {
  struct Case {
    tflite::TensorType type;
    int zero_point, min, max;
  };
  for (const Case& c : {Case{tflite::TensorType_INT8, -1, -140, 140},
                        Case{tflite::TensorType_UINT8, 127, -140, 140},
                        Case{tflite::TensorType_INT16, 0, -33000, 33000}}) {
    for (const float scale :
         {1 / 127.5f, 1 / 128.0f, 0.1f, 0.3f, 7.7e-5f, 1.1754944e-37f, 2.3e5f, 1e30f}) {
      std::vector<float> numbers;
      const int step = std::max(1, (c.max - c.min) / 300);
      for (int k = c.min; k <= c.max; k += step) {
        float v = (static_cast<float>(k) + 0.5f) * scale;
        numbers.push_back((static_cast<float>(k) + 0.5f) / 127.5f);
        for (int i = 0; i < 3; ++i) v = std::nextafter(v, -std::numeric_limits<float>::infinity());
        for (int i = 0; i < 7; ++i) {
          numbers.push_back(v);
          v = std::nextafter(v, std::numeric_limits<float>::infinity());
        }
      }
      const auto count = static_cast<int32_t>(numbers.size());
      ModelBuilder b;
      const int y = b.Quantize(b.Tensor({1, count}, c.type), scale, c.zero_point);
      b.Output(b.Op(tflite::BuiltinOperator_QUANTIZE, {b.Input({1, count})}, {y}));
      CheckSameBytes(StrCat("QUANTIZE by ", scale), b, BytesOf(numbers), true);
    }
  }
}

}  // namespace
}  // namespace tern::testing
