// SPDX-License-Identifier: Apache-2.0
// Constants as numbers.
#include "gpu/lower/constants.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

namespace tern::gpu {
namespace {

struct FreeArrays {
  void operator()(TfLiteAffineQuantization* q) const {
    TfLiteFloatArrayFree(q->scale);
    TfLiteIntArrayFree(q->zero_point);
    delete q;
  }
};
using Quantization = std::unique_ptr<TfLiteAffineQuantization, FreeArrays>;

Quantization PerTensor(float scale, int zero_point) {
  Quantization q(new TfLiteAffineQuantization());
  q->scale = TfLiteFloatArrayCreate(1);
  q->scale->data[0] = scale;
  q->zero_point = TfLiteIntArrayCreate(1);
  q->zero_point->data[0] = zero_point;
  return q;
}

// Products of floats and 8-bit weights take the bytes as signed numbers without a zero point. What
// DEQUANTIZE made of a constant has the numbers that it made.
TEST(Constants, WeightsAfterDequantizeAreItsNumbers) {
  const uint8_t bytes[] = {0, 130, 255};
  const Quantization q = PerTensor(0.5f, 130);
  GraphTensor weights;
  weights.dims = {3};
  weights.type = kTfLiteUInt8;
  weights.data = bytes;
  weights.quantization = q.get();
  EXPECT_EQ(ConstantFloats::OfWeights(weights)->Read(), (std::vector<float>{0, -63, -0.5f}));
  weights.type = kTfLiteFloat32;
  weights.stored = kTfLiteUInt8;
  EXPECT_EQ(ConstantFloats::OfWeights(weights)->Read(), (std::vector<float>{-65, 0, 62.5f}));
  EXPECT_EQ(ConstantFloats::Of(weights)->Read(), (std::vector<float>{-65, 0, 62.5f}));
}

}  // namespace
}  // namespace tern::gpu
