// SPDX-License-Identifier: Apache-2.0
// Transposed convolutions of awkward sizes on the GPU engines.
#include <gtest/gtest.h>

#include <array>

#include "ops/testing/gpu_refusal.h"
#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

ModelCase Transposed(const Sizes& in, int channels, const WindowSpec& s,
                     Origin filter = Origin::kConstant, Origin bias = Origin::kAbsent,
                     int rest = 0) {
  GraphMaker m;
  const int x = m.Input(in);
  const int y = m.TransposeConv(x, channels, s, filter, bias, rest);
  return m.Finish(
      StrCat("transposed convolution of ", in[0], "x", in[1], "x", in[2], "x", in[3], " to ",
             channels, " channels, ", s.h, "x", s.w, " filter, stride ", s.stride_h, "x",
             s.stride_w, s.same ? ", same" : ", valid", ", rest ", rest),
      y);
}

TEST(TransposeConvGpu, Channels) {
  constexpr int kOut[] = {1, 3, 4, 7, 16, 33};
  int next = 0;
  for (const int in : {1, 2, 3, 4, 5, 8, 9, 16, 17, 33}) {
    CheckModel(Transposed({1, 2, 3, in}, kOut[next++ % 6], {.stride_h = 2, .stride_w = 2}));
  }
}

TEST(TransposeConvGpu, Windows) {
  for (const bool same : {true, false}) {
    for (const int size : {1, 2, 3, 4, 5, 7}) {
      for (const int stride : {1, 2, 3, 5}) {
        const WindowSpec s{
            .h = size, .w = 6 - size % 6, .stride_h = stride, .stride_w = 6 - stride, .same = same};
        CheckModel(Transposed({1, 3, 4, 3}, 5, s));
        CheckModel(Transposed({2, 4, 3, 5}, 4, s, Origin::kConstant, Origin::kConstant, 1));
        CheckModel(Transposed({1, 1, 1, 2}, 3, s, Origin::kConstant, Origin::kAbsent, 2));
      }
    }
  }
}

TEST(TransposeConvGpu, ComputedFilterAndBias) {
  for (const int in : {3, 17}) {
    for (const Origin bias : {Origin::kConstant, Origin::kRuntime, Origin::kAbsent}) {
      CheckModel(
          Transposed({1, 3, 4, in}, 6, {.stride_h = 2, .stride_w = 2}, Origin::kRuntime, bias));
    }
  }
}

// The CPU makes integers of the activations first (docs/numbers.md).
TEST(TransposeConvGpu, WeightsOfBytesGiveTheExactProduct) {
  ModelBuilder b;
  const int shape = b.Const<int32_t>({4}, {1, 1, 2, 1});
  const int filter = b.Quantize(b.Const<int8_t>({1, 1, 1, 1}, {56}), 1, 0);
  const int x = b.Input({1, 1, 2, 1});
  tflite::TransposeConvOptionsT o;
  o.padding = tflite::Padding_VALID;
  o.stride_w = o.stride_h = 1;
  b.SetOpVersion(3);
  b.Output(b.Op(tflite::BuiltinOperator_TRANSPOSE_CONV, {shape, filter, x},
                {b.Tensor({1, 1, 2, 1})}, o));
  for (const Engine& engine : DriverEngines()) {
    if (engine.half) continue;
    const RunResult result = RunModel(b.Finish(), {BytesOf<float>({1.12f, 3})}, engine);
    ASSERT_EQ(result.error, "") << engine.name;
    EXPECT_FLOAT_EQ(result.outputs[0].floats()[0], 62.72f) << engine.name;
    EXPECT_FLOAT_EQ(result.outputs[0].floats()[1], 168) << engine.name;
  }
}

TEST(TransposeConvGpu, BatchesThatDifferAreRefused) {
  for (const int batch : {1, 2}) {
    gpu::GraphBuilder b;
    TfLiteTransposeConvParams params{};
    params.padding = kTfLitePaddingSame;
    params.stride_width = params.stride_height = 2;
    b.Op(kTfLiteBuiltinTransposeConv, "TRANSPOSE_CONV",
         {b.Ints({4}, {batch, 4, 6, 3}), b.Constant({3, 1, 1, 2}, std::vector<float>(6)),
          b.Input({1, 2, 3, 2})},
         {batch, 4, 6, 3}, params);
    EXPECT_EQ(RefusalOf(b), batch == 1 ? ""
                                       : "TRANSPOSE_CONV #0: input and output must have one batch "
                                         "size (1, 2)");
  }
}

TEST(TransposeConvGpu, OutputsOfTheCustomOpFollowFromInputs) {
  gpu::GraphBuilder b;
  b.Op(kTfLiteBuiltinCustom, "Convolution2DTransposeBias",
       {b.Input({1, 2, 3, 2}), b.Constant({3, 1, 1, 2}, std::vector<float>(6)),
        b.Constant({3}, std::vector<float>(3))},
       {1, 4, 7, 3}, std::array<int32_t, 3>{kTfLitePaddingSame, 2, 2});
  EXPECT_EQ(RefusalOf(b),
            "Convolution2DTransposeBias #0: options must be padding and strides (0 bytes)");
  b.graph().nodes[0].params_size = 12;
  EXPECT_EQ(RefusalOf(b),
            "Convolution2DTransposeBias #0: the output's shape is [1, 4, 7, 3], expected "
            "[1, 4, 6, 3]");
}

}  // namespace
}  // namespace tern::testing
