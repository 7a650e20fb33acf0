// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION of 8 bits on the GPU engines: the CPU's elements.
#include <gtest/gtest.h>

#include <vector>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

void CheckBytes(tflite::TensorType type, int rows, int channels) {
  const bool is_signed = type == tflite::TensorType_INT8;
  ModelBuilder b;
  const std::vector<int32_t> shape = {rows, channels};
  const int x = b.Quantize(b.Input(shape, type), 0.07f, is_signed ? -9 : 120);
  const int y = b.Quantize(b.Tensor(shape, type), 1.0f / 128, is_signed ? 0 : 128);
  b.SetOpVersion(2);
  b.Output(b.Op(tflite::BuiltinOperator_L2_NORMALIZATION, {x}, {y}, tflite::L2NormOptionsT()));
  Random random(static_cast<uint64_t>(rows) * 1000 + static_cast<uint64_t>(channels));
  const int64_t middle = is_signed ? -9 : 120;
  std::vector<uint8_t> values;
  for (int row = 0; row < rows; ++row) {
    const int64_t reach = row == 0 ? 0 : random.Integer(0, 119);
    for (int c = 0; c < channels; ++c)
      values.push_back(static_cast<uint8_t>(random.Integer(middle - reach, middle + reach)));
  }
  CheckSameBytes(StrCat(tflite::EnumNameTensorType(type), " rows of ", channels), b, values, true);
}

TEST(L2NormalizationGpu, BytesAreTheCpusElements) {
  for (const auto type : {tflite::TensorType_INT8, tflite::TensorType_UINT8}) {
    for (const int channels : {1, 2, 3, 7, 12, 33, 128, 1001}) CheckBytes(type, 24, channels);
    CheckBytes(type, 5000, 5);  // more pixels than items that share one
  }
}

}  // namespace
}  // namespace tern::testing
