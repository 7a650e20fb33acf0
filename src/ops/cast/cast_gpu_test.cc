// SPDX-License-Identifier: Apache-2.0
// CAST from and to elements of 8 and 16 bits, UINT32 and INT64 on GPU engines: the CPU's bytes,
// whatever numbers the elements stand for.
#include <gtest/gtest.h>

#include <cmath>
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

// Around the limits of types, and where a float lies just between two: with bits far below that
// decide, and in the word above.
constexpr int64_t kAround[] = {0,
                               1,
                               127,
                               255,
                               32767,
                               65504,
                               65519,
                               65520,
                               0x1000001,
                               0x1000003,
                               0x1FFFFFF,
                               0x7FFFFFBF,
                               0x7FFFFFC0,
                               0x7FFFFFFF,
                               0x80000000,
                               0x80000080,
                               0x80000180,
                               0xFFFFFF7F,
                               0xFFFFFF80,
                               0xFFFFFFFF,
                               0x100000000,
                               0x1000000FFFFFFFF,
                               0x100000100000000,
                               0x100000100000001,
                               0x100000300000000,
                               0x4000004000000000,
                               0x4000004000000001,
                               0x400000BFFFFFFFFF,
                               0x400000C000000000,
                               0x7FFFFFBFFFFFFFFF,
                               0x7FFFFFC000000000,
                               std::numeric_limits<int64_t>::max()};

Bytes Longs() {
  std::vector<int64_t> values = {std::numeric_limits<int64_t>::min()};
  for (const int64_t v : kAround) values.insert(values.end(), {v, -v});
  values.resize(kCount, -3);
  return BytesOf(values);
}

Bytes UnsignedWords() {
  std::vector<uint32_t> values;
  for (const int64_t v : kAround) {
    values.insert(values.end(), {static_cast<uint32_t>(v), static_cast<uint32_t>(-v)});
  }
  values.resize(kCount, 3);
  return BytesOf(values);
}

Bytes WideFloats() {
  std::vector<float> values;
  for (const int64_t v : kAround) {
    values.insert(values.end(), {static_cast<float>(v), -static_cast<float>(v)});
  }
  values.insert(values.end(), {std::numeric_limits<float>::infinity(), std::nanf("")});
  return BytesOf(values);
}

Bytes WideElementsOf(Type type) {
  if (type == tflite::TensorType_INT64) return Longs();
  if (type == tflite::TensorType_UINT32) return UnsignedWords();
  return type == tflite::TensorType_FLOAT32 ? WideFloats() : ElementsOf(type);
}

TEST(CastGpu, WideIntegers) {
  const Type wide[] = {tflite::TensorType_INT64, tflite::TensorType_UINT32};
  const Type types[] = {
      tflite::TensorType_INT8,    tflite::TensorType_UINT8,   tflite::TensorType_INT16,
      tflite::TensorType_INT32,   tflite::TensorType_UINT32,  tflite::TensorType_INT64,
      tflite::TensorType_FLOAT32, tflite::TensorType_FLOAT16, tflite::TensorType_BOOL};
  const auto check = [](Type from, Type to, bool quantized) {
    ModelBuilder b;
    const int x = b.Input(kShape, from), y = b.Tensor(kShape, to);
    if (quantized && IsNarrow(from)) b.Quantize(x, 0.37f, from == tflite::TensorType_INT16 ? 0 : 3);
    if (quantized && IsNarrow(to)) b.Quantize(y, 0.11f, to == tflite::TensorType_INT16 ? 0 : 7);
    b.Output(b.Op(tflite::BuiltinOperator_CAST, {x}, {y}, tflite::CastOptionsT()));
    CheckSameBytes(StrCat(tflite::EnumNameTensorType(from), " to ", tflite::EnumNameTensorType(to),
                          quantized ? ", quantized" : ""),
                   b, WideElementsOf(from), true);
  };
  for (const Type a : wide) {
    for (const Type b : types) {
      if (a == b) continue;
      for (const bool quantized : {false, true}) {
        if (quantized && !IsNarrow(b)) continue;
        check(a, b, quantized);
        check(b, a, quantized);
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing
