// SPDX-License-Identifier: Apache-2.0
// Operations on one operand of 8 bits, and those of INT16 that are computed with integers: every
// element gives the CPU's on GPU engines.
#include <gtest/gtest.h>

#include <vector>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using tflite::BuiltinOperator;
using tflite::TensorType;

struct Scaling {
  float scale;
  int64_t zero;
};

int VersionOf(BuiltinOperator code, TensorType type) {
  switch (code) {
    case tflite::BuiltinOperator_ABS:
      return 5;
    case tflite::BuiltinOperator_RSQRT:
      return 3;
    case tflite::BuiltinOperator_ELU:
    case tflite::BuiltinOperator_HARD_SWISH:
    case tflite::BuiltinOperator_NEG:
    case tflite::BuiltinOperator_RELU_0_TO_1:
    case tflite::BuiltinOperator_RELU_N1_TO_1:
      return 1;
    default:
      return type == tflite::TensorType_INT16 && code == tflite::BuiltinOperator_RELU ? 3 : 2;
  }
}

void Check(BuiltinOperator code, TensorType type, Scaling in, Scaling out) {
  const bool wide = type == tflite::TensorType_INT16;
  const std::vector<int32_t> shape = {1, 16, wide ? 256 : 16, wide ? 16 : 1};
  // Roots have no negative operand.
  const bool root = code == tflite::BuiltinOperator_SQRT || code == tflite::BuiltinOperator_RSQRT;
  std::vector<uint8_t> elements;
  if (wide) {
    std::vector<int16_t> values;
    for (int v = INT16_MIN; v <= INT16_MAX; ++v)
      values.push_back(
          static_cast<int16_t>(root ? std::max<int>(v, static_cast<int>(in.zero)) : v));
    elements = BytesOf(values);
  } else {
    for (int v = 0; v < 256; ++v) {
      const int element = type == tflite::TensorType_INT8 ? v - 128 : v;
      elements.push_back(
          static_cast<uint8_t>(root ? std::max<int>(element, static_cast<int>(in.zero)) : element));
    }
  }
  ModelBuilder b;
  const int x = b.Quantize(b.Input(shape, type), in.scale, in.zero);
  b.SetOpVersion(VersionOf(code, type));
  b.Output(b.Op(code, {x}, {b.Quantize(b.Tensor(shape, type), out.scale, out.zero)}));
  if (code == tflite::BuiltinOperator_LEAKY_RELU) {
    tflite::LeakyReluOptionsT options;
    options.alpha = in.zero % 2 == 0 ? 0.3f : -0.7f;
    b.op().builtin_options.Set(options);
  }
  if (code == tflite::BuiltinOperator_GELU) b.op().builtin_options.Set(tflite::GeluOptionsT());
  CheckSameBytes(StrCat(tflite::EnumNameBuiltinOperator(code), " of ",
                        tflite::EnumNameTensorType(type), ", scales ", in.scale, " ", out.scale),
                 b, elements, true);
}

TEST(ElementResultsGpu, AllBytes) {
  constexpr BuiltinOperator kCodes[] = {
      tflite::BuiltinOperator_ABS,         tflite::BuiltinOperator_ELU,
      tflite::BuiltinOperator_EXP,         tflite::BuiltinOperator_GELU,
      tflite::BuiltinOperator_HARD_SWISH,  tflite::BuiltinOperator_LEAKY_RELU,
      tflite::BuiltinOperator_LOG,         tflite::BuiltinOperator_LOGISTIC,
      tflite::BuiltinOperator_NEG,         tflite::BuiltinOperator_QUANTIZE,
      tflite::BuiltinOperator_RELU,        tflite::BuiltinOperator_RELU6,
      tflite::BuiltinOperator_RELU_0_TO_1, tflite::BuiltinOperator_RELU_N1_TO_1,
      tflite::BuiltinOperator_RSQRT,       tflite::BuiltinOperator_SQRT,
      tflite::BuiltinOperator_TANH};
  for (const BuiltinOperator code : kCodes) {
    Check(code, tflite::TensorType_INT8, {0.04f, -3}, {0.05f, 5});
    Check(code, tflite::TensorType_INT8, {0.031f, 20}, {0.031f, 20});
    const bool is_signed = code == tflite::BuiltinOperator_NEG ||
                           code == tflite::BuiltinOperator_RSQRT ||
                           code == tflite::BuiltinOperator_SQRT;
    if (!is_signed) Check(code, tflite::TensorType_UINT8, {0.05f, 100}, {0.06f, 31});
  }
}

TEST(ElementResultsGpu, AllShorts) {
  for (const BuiltinOperator code :
       {tflite::BuiltinOperator_ABS, tflite::BuiltinOperator_LEAKY_RELU,
        tflite::BuiltinOperator_NEG, tflite::BuiltinOperator_QUANTIZE, tflite::BuiltinOperator_RELU,
        tflite::BuiltinOperator_RELU6, tflite::BuiltinOperator_RELU_0_TO_1,
        tflite::BuiltinOperator_RELU_N1_TO_1, tflite::BuiltinOperator_SQRT}) {
    Check(code, tflite::TensorType_INT16, {3e-4f, 0}, {2.7e-4f, 0});
    Check(code, tflite::TensorType_INT16, {3e-4f, 0}, {1e-3f, 0});
  }
}

}  // namespace
}  // namespace tern::testing
