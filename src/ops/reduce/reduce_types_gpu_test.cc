// SPDX-License-Identifier: Apache-2.0
// Reductions of INT32, INT64 and BOOL on the GPU engines.
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using Sizes = std::vector<int32_t>;

void Check(tflite::BuiltinOperator code, tflite::TensorType type, const Sizes& in,
           const Sizes& axes, bool keep, int64_t reach) {
  ModelBuilder b;
  const int x = b.Input(in, type);
  const int list = b.Const<int32_t>({static_cast<int32_t>(axes.size())}, axes);
  Sizes out;
  int64_t count = 1;
  for (int32_t d = 0; d < static_cast<int32_t>(in.size()); ++d) {
    const bool reduced = std::find(axes.begin(), axes.end(), d) != axes.end();
    if (keep || !reduced) out.push_back(reduced ? 1 : in[d]);
    count *= in[d];
  }
  const int y = b.Tensor(out, type);
  tflite::ReducerOptionsT o;
  o.keep_dims = keep;
  b.Op(code, {x, list}, {y}, std::move(o));
  b.Output(y);
  CheckSameBytes(
      StrCat(tflite::EnumNameBuiltinOperator(code), " of rank ", in.size()), b,
      WholeNumbers(count, type, std::min(-reach, 2 * reach), std::max(-reach, 2 * reach)));
}

TEST(ReduceTypesGpu, IntegersAndBools) {
  for (const bool keep : {false, true}) {
    for (const auto& [in, axes] : std::vector<std::pair<Sizes, Sizes>>{{{17}, {0}},
                                                                       {{3, 9}, {1}},
                                                                       {{3, 9}, {0}},
                                                                       {{2, 3, 5}, {0, 2}},
                                                                       {{3, 4, 2, 7}, {1, 2}},
                                                                       {{3, 4, 2, 7}, {1, 3}},
                                                                       {{2, 2, 3, 2, 5}, {1, 4}}}) {
      for (const tflite::BuiltinOperator code :
           {tflite::BuiltinOperator_SUM, tflite::BuiltinOperator_MEAN,
            tflite::BuiltinOperator_REDUCE_MAX, tflite::BuiltinOperator_REDUCE_MIN,
            tflite::BuiltinOperator_REDUCE_PROD}) {
        Check(code, tflite::TensorType_INT32, in, axes, keep, 1);
        Check(code, tflite::TensorType_INT64, in, axes, keep, int64_t{3} << 40);
      }
      // The sum passes 32 bits, the mean does not.
      for (const int64_t reach : {1000, (1 << 30) - 1, -(1 << 30)}) {
        Check(tflite::BuiltinOperator_MEAN, tflite::TensorType_INT32, in, axes, keep, reach);
      }
      Check(tflite::BuiltinOperator_REDUCE_ANY, tflite::TensorType_BOOL, in, axes, keep, 1);
      Check(tflite::BuiltinOperator_REDUCE_ALL, tflite::TensorType_BOOL, in, axes, keep, 1);
    }
  }
}

// Sums and means in the CPU's fixed point.
void CheckElementSums(tflite::BuiltinOperator code, tflite::TensorType type,
                      const std::vector<int32_t>& shape, const std::vector<int32_t>& axes,
                      float out_scale) {
  Random random(shape.size() + axes.size());
  ModelBuilder b;
  const bool wide = type == tflite::TensorType_INT16;
  const int x = b.Quantize(b.Input(shape, type), 0.031f, wide ? 0 : 17);
  const int list = b.Const<int32_t>({static_cast<int32_t>(axes.size())}, axes);
  std::vector<int32_t> out = shape;
  size_t count = wide ? 2 : 1;
  for (const int32_t size : shape) count *= static_cast<size_t>(size);
  for (const int32_t axis : axes) out[static_cast<size_t>(axis)] = 1;
  const int y = b.Quantize(b.Tensor(out, type), out_scale, wide ? 0 : 5);
  tflite::ReducerOptionsT options;
  options.keep_dims = true;
  b.SetOpVersion(2);
  b.Output(b.Op(code, {x, list}, {y}, options));
  std::vector<uint8_t> elements(count);
  for (uint8_t& v : elements) v = static_cast<uint8_t>(random.Integer(0, 255));
  CheckSameBytes(StrCat(tflite::EnumNameBuiltinOperator(code), " of ",
                        tflite::EnumNameTensorType(type), ", scale ", out_scale),
                 b, elements, true);
}

TEST(ReduceGpu, ElementsOfSums) {
  for (const auto type :
       {tflite::TensorType_INT8, tflite::TensorType_UINT8, tflite::TensorType_INT16}) {
    for (const auto code : {tflite::BuiltinOperator_MEAN, tflite::BuiltinOperator_SUM}) {
      for (const float scale : {0.029f, 0.4f, 3.1f}) {
        CheckElementSums(code, type, {2, 7, 7, 19}, {1, 2}, scale);
        CheckElementSums(code, type, {3, 5, 4, 37}, {3}, scale);
        CheckElementSums(code, type, {3, 5, 4, 6}, {0, 2}, scale);
      }
    }
    // More than floats sum exactly.
    const bool wide = type == tflite::TensorType_INT16;
    const int32_t size = wide ? 40 : 300, row = wide ? 20000 : 70000;
    CheckElementSums(tflite::BuiltinOperator_MEAN, type, {1, size, size, 3}, {1, 2}, 0.03f);
    CheckElementSums(tflite::BuiltinOperator_SUM, type, {1, 3, 2, row}, {3}, 99.0f);
  }
}

}  // namespace
}  // namespace tern::testing
