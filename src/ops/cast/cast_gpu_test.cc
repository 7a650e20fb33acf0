// SPDX-License-Identifier: Apache-2.0
// CAST from and to elements of 8 and 16 bits on GPU engines: the CPU's bytes, whatever numbers the
// elements stand for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using Type = tflite::TensorType;
using Bytes = std::vector<uint8_t>;

constexpr int kCount = 2 * 3 * 11;
const std::vector<int32_t> kShape = {2, 3, 11};

template <class T>
Bytes Whole() {
  Random random(sizeof(T));
  std::vector<T> values(kCount);
  for (T& v : values) {
    v = static_cast<T>(
        random.Integer(std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max()));
  }
  values[0] = std::numeric_limits<T>::lowest();
  values[1] = std::numeric_limits<T>::max();
  return BytesOf(values);
}

// Of all lengths, and between two floats.
Bytes Longs() {
  Random random(10);
  std::vector<int64_t> values = {std::numeric_limits<int64_t>::min(),
                                 std::numeric_limits<int64_t>::max(),
                                 0,
                                 1,
                                 -1,
                                 int64_t{1} << 32,
                                 (int64_t{1} << 24) + 1,
                                 (int64_t{3} << 23) + 1,
                                 (int64_t{1} << 53) + (int64_t{1} << 29),
                                 -(int64_t{1} << 53) - (int64_t{3} << 29) - 1,
                                 (int64_t{1} << 62) + (int64_t{1} << 38) + 1,
                                 4294967295,
                                 -4294967296,
                                 2147483648,
                                 0x7fffffbfffffffff,
                                 0x7fffffc000000000};
  while (values.size() < kCount) {
    const auto length = static_cast<int>(values.size() % 63) + 1;
    const int64_t low = random.Integer(0, INT32_MAX), high = random.Integer(INT32_MIN, INT32_MAX);
    values.push_back((high * (int64_t{1} << 32) + low * 2) >> (63 - length));
  }
  return BytesOf(values);
}

Bytes Floats() {
  Random random(9);
  std::vector<float> values;
  for (int i = 0; i < kCount; ++i) {
    values.push_back(static_cast<float>(random.Integer(-70000, 70000)) / (i % 2 == 0 ? 1 : 300));
  }
  const float infinity = std::numeric_limits<float>::infinity();
  const float special[] = {infinity, -infinity, std::nanf(""), 127.5f, -128.5f, 255.9f, -0.9f};
  std::copy(std::begin(special), std::end(special), values.begin());
  return BytesOf(values);
}

Bytes ElementsOf(Type type) {
  switch (type) {
    case tflite::TensorType_INT8:
      return Whole<int8_t>();
    case tflite::TensorType_UINT8:
      return Whole<uint8_t>();
    case tflite::TensorType_INT16:
      return Whole<int16_t>();
    case tflite::TensorType_INT32:
      return Whole<int32_t>();
    case tflite::TensorType_UINT32:
      return Whole<uint32_t>();
    case tflite::TensorType_INT64:
      return Longs();
    case tflite::TensorType_FLOAT32:
      return Floats();
    default:
      return WholeNumbers(kCount, type, 0, 1);
  }
}

bool IsNarrow(Type type) {
  return type == tflite::TensorType_INT8 || type == tflite::TensorType_UINT8 ||
         type == tflite::TensorType_INT16;
}

TEST(CastGpu, WholeNumbersOf32And64Bits) {
  const Type longs[] = {tflite::TensorType_UINT32, tflite::TensorType_INT64};
  const Type others[] = {tflite::TensorType_INT8,   tflite::TensorType_UINT8,
                         tflite::TensorType_INT16,  tflite::TensorType_INT32,
                         tflite::TensorType_BOOL,   tflite::TensorType_FLOAT32,
                         tflite::TensorType_UINT32, tflite::TensorType_INT64};
  for (const Type from : others) {
    for (const Type to : others) {
      if (std::count(std::begin(longs), std::end(longs), from) == 0 &&
          std::count(std::begin(longs), std::end(longs), to) == 0) {
        continue;
      }
      if (from == tflite::TensorType_INT64 && to == from) continue;
      ModelBuilder b;
      const int x = b.Input(kShape, from), y = b.Tensor(kShape, to);
      if (IsNarrow(from)) b.Quantize(x, 0.37f, from == tflite::TensorType_INT16 ? 0 : 3);
      if (IsNarrow(to)) b.Quantize(y, 0.11f, to == tflite::TensorType_INT16 ? 0 : 7);
      b.Output(b.Op(tflite::BuiltinOperator_CAST, {x}, {y}, tflite::CastOptionsT()));
      const std::string name =
          StrCat(tflite::EnumNameTensorType(from), " to ", tflite::EnumNameTensorType(to));
      CheckSameBytes(name, b, ElementsOf(from), true);
    }
  }
}

TEST(CastGpu, ElementsOf8And16Bits) {
  const Type types[] = {tflite::TensorType_INT8,  tflite::TensorType_UINT8,
                        tflite::TensorType_INT16, tflite::TensorType_INT32,
                        tflite::TensorType_BOOL,  tflite::TensorType_FLOAT32};
  for (const Type from : types) {
    for (const Type to : types) {
      if (!IsNarrow(from) && !IsNarrow(to)) continue;
      for (const bool quantized : {false, true}) {
        ModelBuilder b;
        const int x = b.Input(kShape, from), y = b.Tensor(kShape, to);
        if (quantized && IsNarrow(from)) b.Quantize(x, 0.37f, from == types[2] ? 0 : 3);
        if (quantized && IsNarrow(to)) b.Quantize(y, 0.11f, to == types[2] ? 0 : 7);
        b.Output(b.Op(tflite::BuiltinOperator_CAST, {x}, {y}, tflite::CastOptionsT()));
        const std::string name =
            StrCat(tflite::EnumNameTensorType(from), " to ", tflite::EnumNameTensorType(to),
                   quantized ? ", quantized" : "");
        CheckSameBytes(name, b, ElementsOf(from), true);
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing
