// SPDX-License-Identifier: Apache-2.0
// Pooling of awkward sizes on the GPU engines.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "ops/testing/gpu_refusal.h"
#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

int AddPool(GraphMaker& m, int x, tflite::BuiltinOperator code, const WindowSpec& s) {
  const Sizes in = m.ShapeOf(x);
  tflite::Pool2DOptionsT o;
  o.padding = s.padding();
  o.stride_h = s.stride_h;
  o.stride_w = s.stride_w;
  o.filter_height = s.h;
  o.filter_width = s.w;
  o.fused_activation_function = s.activation;
  return m.Node(code, {x}, {in[0], s.OutHeight(in[1]), s.OutWidth(in[2]), in[3]}, std::move(o));
}

void CheckPools(const Sizes& in, const WindowSpec& s) {
  for (const auto code :
       {tflite::BuiltinOperator_AVERAGE_POOL_2D, tflite::BuiltinOperator_L2_POOL_2D,
        tflite::BuiltinOperator_MAX_POOL_2D}) {
    GraphMaker m;
    const int x = m.Input(in);
    const int y = AddPool(m, x, code, s);
    CheckModel(m.Finish(StrCat(tflite::EnumNameBuiltinOperator(code), " over ", s.h, "x", s.w,
                               " of ", in[0], "x", in[1], "x", in[2], "x", in[3], ", stride ",
                               s.stride_h, "x", s.stride_w, s.same ? ", same" : ", valid"),
                        y));
  }
}

TEST(PoolingGpu, Channels) {
  for (const int channels : {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33}) {
    CheckPools({2, 5, 4, channels}, {.stride_h = 2, .stride_w = 2});
  }
}

// Work-items share the sums.
TEST(PoolingGpu, AveragesOfWholeImages) {
  for (const int channels : {1, 5, 33}) {
    CheckPools({1, 17, 13, channels}, {.h = 17, .w = 13, .same = false});
    CheckPools(
        {3, 32, 32, channels},
        {.h = 32, .w = 32, .same = false, .activation = tflite::ActivationFunctionType_RELU});
  }
  CheckPools({1, 17, 13, 5}, {.h = 17, .w = 13});
  CheckPools({2, 9, 33, 6}, {.h = 7, .w = 9, .stride_h = 3, .stride_w = 5, .same = true});
  for (const auto type : {tflite::TensorType_INT8, tflite::TensorType_UINT8}) {
    const int zero = type == tflite::TensorType_INT8 ? -3 : 130;
    ModelBuilder b;
    const int x = b.Quantize(b.Input({2, 19, 23, 7}, type), 0.1f, zero);
    const int y = b.Quantize(b.Tensor({2, 1, 1, 7}, type), 0.1f, zero);
    tflite::Pool2DOptionsT options;
    options.stride_h = options.stride_w = 1;
    options.filter_height = 19;
    options.filter_width = 23;
    options.padding = tflite::Padding_VALID;
    b.Output(b.Op(tflite::BuiltinOperator_AVERAGE_POOL_2D, {x}, {y}, options));
    std::vector<uint8_t> bytes(2 * 19 * 23 * 7);
    Random random(7);
    for (uint8_t& v : bytes) v = static_cast<uint8_t>(random.Integer(0, 255));
    CheckSameBytes("AVERAGE_POOL_2D of a whole image", b, bytes, true);
  }
}

TEST(PoolingGpu, Windows) {
  for (const bool same : {true, false}) {
    for (const int size : {1, 2, 4, 7}) {
      for (const int stride : {1, 2, 3, 8}) {
        CheckPools({1, 9, 8, 6}, {.h = size,
                                  .w = 8 - size,
                                  .stride_h = stride,
                                  .stride_w = 9 - stride,
                                  .same = same,
                                  .activation = tflite::ActivationFunctionType_RELU_N1_TO_1});
      }
    }
  }
  CheckPools({3, 1, 1, 5}, {.h = 5, .w = 6});
  CheckPools({7, 3, 1, 5}, {.h = 3, .w = 1, .same = false});
}

TEST(PoolingGpu, InfinitiesAreKept) {
  const float inf = std::numeric_limits<float>::infinity();
  ModelBuilder b;
  const int x = b.Input({1, 2, 1, 2});
  tflite::Pool2DOptionsT o;
  o.padding = tflite::Padding_VALID;
  o.stride_w = o.stride_h = o.filter_width = 1;
  o.filter_height = 2;
  b.Output(b.Op(tflite::BuiltinOperator_MAX_POOL_2D, {x}, {b.Tensor({1, 1, 1, 2})}, std::move(o)));
  const float numbers[] = {inf, -inf, 1, -inf};
  std::vector<uint8_t> bytes(sizeof(numbers));
  std::memcpy(bytes.data(), numbers, sizeof(numbers));
  CheckSameBytes("maximum of infinities", b, bytes);
}

// One lies a little below 127.5 steps: the CPU clamps to 127.
TEST(PoolingGpu, LimitsBetweenElements) {
  for (const auto type : {tflite::TensorType_INT8, tflite::TensorType_UINT8}) {
    const int64_t zero = type == tflite::TensorType_INT8 ? 31 : 127;
    const auto elements = [&](ModelBuilder& b, int tensor) {
      return b.Quantize(tensor, 0.007843137718737125f, zero);
    };
    ModelBuilder b;
    tflite::Pool2DOptionsT o;
    o.padding = tflite::Padding_VALID;
    o.stride_w = o.stride_h = o.filter_width = o.filter_height = 1;
    o.fused_activation_function = tflite::ActivationFunctionType_RELU_N1_TO_1;
    b.SetOpVersion(2);
    const int x = elements(b, b.Input({1, 8, 8, 4}, type));
    const int pooled = b.Op(tflite::BuiltinOperator_MAX_POOL_2D, {x},
                            {elements(b, b.Tensor({1, 8, 8, 4}, type))}, std::move(o));
    b.Output(pooled);
    std::vector<uint8_t> bytes(256);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
    CheckSameBytes(StrCat("maximum of type ", type), b, bytes, true);
  }
}

// Else windows of an item or channel that the input lacks would be read.
TEST(PoolingGpu, OutputsOfOtherShapesAreRefused) {
  const auto refusal = [](const std::vector<int>& out) {
    gpu::GraphBuilder b;
    TfLitePoolParams params{};
    params.padding = kTfLitePaddingSame;
    params.stride_width = params.stride_height = params.filter_width = params.filter_height = 2;
    b.Op(kTfLiteBuiltinMaxPool2d, "MAX_POOL_2D", {b.Input({1, 4, 4, 3})}, out, params);
    return RefusalOf(b);
  };
  EXPECT_EQ(refusal({1, 2, 2, 3}), "");
  EXPECT_EQ(refusal({2, 2, 2, 3}),
            "MAX_POOL_2D #0: the output's shape is [2, 2, 2, 3], expected [1, 2, 2, 3]");
  EXPECT_EQ(refusal({1, 2, 2, 9}),
            "MAX_POOL_2D #0: the output's shape is [1, 2, 2, 9], expected [1, 2, 2, 3]");
  EXPECT_EQ(refusal({2, 3}), "MAX_POOL_2D #0: input and output must have rank 4 (4, 2)");
}

// Averages are those of stored values, whatever their scale.
TEST(PoolingGpu, AveragesOfElements) {
  const auto check = [](tflite::TensorType type, int size, tflite::ActivationFunctionType act) {
    Random random(static_cast<uint64_t>(size));
    ModelBuilder b;
    const std::vector<int32_t> shape = {2, 9, 8, 5};
    const bool wide = type == tflite::TensorType_INT16;
    const int x = b.Quantize(b.Input(shape, type), 0.07f, wide ? 0 : 90);
    tflite::Pool2DOptionsT o;
    o.padding = tflite::Padding_SAME;
    o.stride_w = 2;
    o.stride_h = 1;
    o.filter_width = size;
    o.filter_height = 9 - size;
    o.fused_activation_function = act;
    b.SetOpVersion(3);
    b.Output(b.Op(tflite::BuiltinOperator_AVERAGE_POOL_2D, {x},
                  {b.Quantize(b.Tensor({2, 9, 4, 5}, type), 0.05f, wide ? 0 : 60)}, o));
    std::vector<uint8_t> elements(2 * 9 * 8 * 5 * (wide ? 2 : 1));
    for (uint8_t& v : elements) v = static_cast<uint8_t>(random.Integer(0, 255));
    CheckSameBytes(StrCat("average of ", tflite::EnumNameTensorType(type), " over ", size), b,
                   elements, true);
  };
  for (const auto type :
       {tflite::TensorType_INT8, tflite::TensorType_UINT8, tflite::TensorType_INT16}) {
    for (const int size : {1, 2, 4, 7}) check(type, size, tflite::ActivationFunctionType_NONE);
    check(type, 3, tflite::ActivationFunctionType_RELU6);
  }
}

}  // namespace
}  // namespace tern::testing
