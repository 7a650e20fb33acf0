// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and DEQUANTIZE of tensors that are computed and have scales along an axis.
#include <gtest/gtest.h>

#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

struct AxisCase {
  std::vector<int32_t> shape;
  int axis;
  tflite::TensorType type;
};

// Some zero points are the ends of the type.
void GiveAxisScales(ModelBuilder& b, int tensor, const AxisCase& c) {
  const bool shorts = c.type == tflite::TensorType_INT16;
  const int64_t low = c.type == tflite::TensorType_UINT8 ? 0 : -128, high = low + 255;
  std::vector<float> scales;
  std::vector<int64_t> zeros;
  for (int i = 0; i < c.shape[c.axis]; ++i) {
    scales.push_back(0.03f * static_cast<float>(i + 1));
    zeros.push_back(shorts ? 0 : i % 3 == 0 ? low : i % 3 == 1 ? high : low + 7 * i);
  }
  b.QuantizePerChannel(tensor, scales, zeros, c.axis);
}

int64_t CountOf(const AxisCase& c) {
  int64_t count = 1;
  for (const int32_t size : c.shape) count *= size;
  return count;
}

const tflite::TensorType kBytes[] = {tflite::TensorType_INT8, tflite::TensorType_UINT8};
const std::vector<std::vector<int32_t>> kAxisShapes = {
    {5}, {4, 7}, {2, 3, 6}, {2, 3, 4, 5}, {2, 3, 2, 3, 5}};

template <class Use>
void ForEachAxis(tflite::TensorType type, const Use& use) {
  for (const std::vector<int32_t>& shape : kAxisShapes) {
    for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
      use(AxisCase{shape, axis, type});
    }
  }
}

TEST(AxisScalesGpu, Dequantize) {
  for (const tflite::TensorType type : kBytes) {
    ForEachAxis(type, [](const AxisCase& c) {
      ModelBuilder b;
      const int x = b.Input(c.shape, c.type);
      GiveAxisScales(b, x, c);
      b.SetOpVersion(5);
      b.Output(b.Op(tflite::BuiltinOperator_DEQUANTIZE, {x}, {b.Tensor(c.shape)}));
      Random random(3);
      std::vector<uint8_t> elements(static_cast<size_t>(CountOf(c)));
      for (uint8_t& v : elements) v = static_cast<uint8_t>(random.Integer(0, 255));
      CheckSameBytes("DEQUANTIZE along an axis", b, elements, true);
    });
  }
}

// Floats beyond the type on both sides; halves of steps, too.
std::vector<uint8_t> FloatsAround(const AxisCase& c) {
  Random random(4);
  std::vector<float> floats = random.Floats(CountOf(c), -20, 20);
  for (size_t i = 0; i < floats.size(); i += 3) {
    floats[i] = 0.015f * static_cast<float>(random.Integer(-20, 20));
  }
  return BytesOf(floats);
}

TEST(AxisScalesGpu, Quantize) {
  for (const tflite::TensorType type :
       {tflite::TensorType_INT8, tflite::TensorType_UINT8, tflite::TensorType_INT16}) {
    ForEachAxis(type, [](const AxisCase& c) {
      ModelBuilder b;
      const int x = b.Input(c.shape);
      const int y = b.Tensor(c.shape, c.type);
      GiveAxisScales(b, y, c);
      b.Output(b.Op(tflite::BuiltinOperator_QUANTIZE, {x}, {y}));
      CheckSameBytes("QUANTIZE along an axis", b, FloatsAround(c), true);
    });
  }
}

TEST(AxisScalesGpu, BetweenOtherNodes) {
  const AxisCase c = {{2, 4, 3, 6}, 1, tflite::TensorType_INT8};
  ModelBuilder b;
  const int x = b.Op(tflite::BuiltinOperator_NEG, {b.Input(c.shape)}, {b.Tensor(c.shape)});
  const int y = b.Tensor(c.shape, c.type);
  GiveAxisScales(b, y, c);
  b.Op(tflite::BuiltinOperator_QUANTIZE, {x}, {y});
  b.SetOpVersion(5);
  const int z = b.Op(tflite::BuiltinOperator_DEQUANTIZE, {y}, {b.Tensor(c.shape)});
  b.SetOpVersion(1);
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {z}, {b.Tensor(c.shape)}));
  b.Output(y);
  CheckWithinSteps("there and back", b.Finish(), {FloatsAround(c)}, 0);
}

}  // namespace
}  // namespace tern::testing
