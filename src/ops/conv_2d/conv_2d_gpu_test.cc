// SPDX-License-Identifier: Apache-2.0
// Convolutions of awkward sizes on the GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

constexpr int kOddChannels[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33};

ModelCase Conv(const Sizes& in, int channels, int groups, const WindowSpec& s,
               Origin filter = Origin::kConstant, Origin bias = Origin::kConstant) {
  GraphMaker m;
  const int x = m.Input(in);
  const int y = m.Conv(x, channels, groups, s, filter, bias);
  return m.Finish(
      StrCat("conv of ", in[0], "x", in[1], "x", in[2], "x", in[3], " to ", channels, " channels, ",
             groups, " groups, ", s.h, "x", s.w, " filter, stride ", s.stride_h, "x", s.stride_w,
             ", dilation ", s.dilation_h, "x", s.dilation_w, s.same ? ", same" : ", valid"),
      y);
}

TEST(Conv2dGpu, ChannelCounts) {
  constexpr int kOut[] = {1, 4, 7, 16, 33};
  int next = 0;
  for (const int in : kOddChannels) {
    CheckModel(Conv({1, 2, 3, in}, kOut[next++ % 5], 1, {.h = 1, .w = 1}));
    CheckModel(Conv({2, 3, 2, in}, kOut[next++ % 5], 1, {.h = 2, .w = 3}));
  }
  for (const int out : kOddChannels) CheckModel(Conv({1, 3, 3, 5}, out, 1, {}));
}

TEST(Conv2dGpu, Filters) {
  for (int h = 1; h <= 7; ++h) {
    for (int w = 1; w <= 7; w += 2) {
      CheckModel(Conv({1, 7, 9, 5}, 6, 1, {.h = h, .w = w}));
      CheckModel(Conv({1, 7, 9, 5}, 6, 1, {.h = w, .w = h, .same = false}));
    }
  }
  // Larger than the image.
  CheckModel(Conv({1, 2, 3, 3}, 4, 1, {.h = 7, .w = 7}));
}

TEST(Conv2dGpu, StridesAndDilations) {
  for (const bool same : {true, false}) {
    for (const int stride : {1, 2, 3, 5}) {
      for (const int dilation : {1, 2, 3}) {
        CheckModel(Conv({1, 11, 10, 3}, 5, 1,
                        {.h = 2,
                         .w = 3,
                         .stride_h = stride,
                         .stride_w = 6 - stride,
                         .dilation_h = dilation,
                         .dilation_w = 4 - dilation,
                         .same = same}));
        CheckModel(Conv({2, 9, 8, 8}, 4, 1,
                        {.h = 1,
                         .w = 1,
                         .stride_h = stride,
                         .stride_w = stride,
                         .dilation_h = dilation,
                         .dilation_w = dilation,
                         .same = same}));
      }
    }
  }
}

TEST(Conv2dGpu, BatchesAndThinImages) {
  for (const int batch : {1, 2, 3, 7}) {
    CheckModel(Conv({batch, 1, 1, 9}, 10, 1, {.h = 1, .w = 1}));
    CheckModel(Conv({batch, 6, 1, 4}, 5, 1, {}));
    CheckModel(Conv({batch, 1, 15, 4}, 33, 1, {}));
    CheckModel(Conv({batch, 3, 5, 17}, 18, 1, {.h = 1, .w = 1}));
  }
}

TEST(Conv2dGpu, Groups) {
  struct Grouping {
    int groups, in, out;  // channels per group
  };
  for (const Grouping g : {Grouping{2, 1, 1},
                           {2, 3, 5},
                           {3, 2, 1},
                           {3, 5, 7},
                           {4, 4, 4},
                           {5, 3, 2},
                           {2, 16, 16},
                           {7, 1, 3},
                           {3, 17, 5},
                           {2, 6, 33},
                           {16, 2, 1},
                           {33, 1, 1}}) {
    CheckModel(Conv({2, 3, 4, g.groups * g.in}, g.groups * g.out, g.groups, {.h = 2, .w = 3}));
    CheckModel(Conv({1, 3, 2, g.groups * g.in}, g.groups * g.out, g.groups, {.h = 1, .w = 1}));
  }
}

TEST(Conv2dGpu, ComputedFilterAndBias) {
  for (const int in : {3, 4, 17}) {
    for (const int out : {5, 33}) {
      for (const Origin bias : {Origin::kConstant, Origin::kRuntime, Origin::kAbsent}) {
        CheckModel(Conv({1, 4, 3, in}, out, 1, {.h = 2, .w = 3}, Origin::kRuntime, bias));
      }
      CheckModel(
          Conv({2, 3, 3, in}, out, 1, {.h = 1, .w = 1}, Origin::kConstant, Origin::kRuntime));
      CheckModel(Conv({1, 3, 3, in}, out, 1, {.h = 1, .w = 1}, Origin::kRuntime, Origin::kAbsent));
    }
  }
}

// Products of floats with 8-bit weights: those are signed, whatever their type and zero point say.
TEST(Conv2dGpu, UnsignedBytesAreSignedWeights) {
  for (const Engine& engine : DriverEngines()) {
    std::vector<std::vector<uint8_t>> results;
    for (const auto type : {tflite::TensorType_INT8, tflite::TensorType_UINT8}) {
      ModelBuilder b;
      const int x = b.Input({1, 3, 4, 2});
      std::vector<uint8_t> bytes;
      for (int i = 0; i < 5 * 2 * 2; ++i) bytes.push_back(static_cast<uint8_t>(37 * i));
      const int filter = b.ConstBytes({5, 1, 2, 2}, type, bytes);
      b.Quantize(filter, 0.5f, type == tflite::TensorType_UINT8 ? 128 : 0);
      const int bias = b.Const<float>({5}, {0, 0, 0, 0, 0});
      tflite::Conv2DOptionsT o;
      o.padding = tflite::Padding_VALID;
      o.stride_w = o.stride_h = 1;
      b.SetOpVersion(2);
      b.Output(
          b.Op(tflite::BuiltinOperator_CONV_2D, {x, filter, bias}, {b.Tensor({1, 3, 3, 5})}, o));
      const RunResult result =
          RunModel(b.Finish(), {WholeNumbers(24, tflite::TensorType_FLOAT32, -4, 4)}, engine);
      ASSERT_EQ(result.error, "") << engine.name;
      results.push_back(result.outputs[0].bytes);
    }
    EXPECT_EQ(results[0], results[1]) << engine.name;
    EXPECT_NE(results[0], std::vector<uint8_t>(results[0].size())) << engine.name;
  }
}

// Zeros that PAD puts around the image are read by the convolution itself.
TEST(Conv2dGpu, ReadsTheZerosOfPad) {
  for (const bool same : {true, false}) {
    for (const int size : {1, 2, 3}) {
      for (const int stride : {1, 2}) {
        GraphMaker m;
        const int inner = m.Logistic(m.Input({2, 4, 5, 3}));
        const int padded = m.Pad(inner, {0, 0, size - 1, 2, 3, size, 0, 0});
        const WindowSpec s = {.h = size,
                              .w = 4 - size,
                              .stride_h = stride,
                              .stride_w = 3 - stride,
                              .dilation_h = 3 - stride,
                              .same = same};
        m.Output(m.Conv(padded, 6, size == 3 ? 3 : 1, s));
        CheckModel(m.Finish(StrCat("pad before ", size, "x", 4 - size, same ? ", same" : ", valid"),
                            m.Conv(padded, 5, 1, s)));
      }
    }
  }
}

TEST(Conv2dGpu, ReadsZerosBeyondItsImage) {
  GraphMaker m;
  const int twice =
      m.Pad(m.Pad(m.Input({1, 2, 2, 5}), {0, 0, 3, 0, 0, 4, 0, 0}), {0, 0, 0, 5, 6, 0, 0, 0});
  // Windows that touch nothing but zeros give the bias.
  m.Output(m.Conv(twice, 4, 1, {.h = 2, .w = 2, .stride_h = 4, .stride_w = 4, .same = false}));
  CheckModel(m.Finish("pad after pad", m.Conv(twice, 7, 1, {.h = 1, .w = 1})));
}

// An operation that is fused after a 1x1 convolution sees its image as one row.
TEST(Conv2dGpu, OperandsBehindAFlattenedConvolution) {
  for (const Sizes& operand : {Sizes{1, 1, 1, 6},
                               {6},
                               {1},
                               {1, 4, 3, 6},
                               {1, 4, 3, 1},
                               {1, 4, 1, 6},
                               {1, 1, 3, 1},
                               {2, 1, 1, 6},
                               {2, 4, 3, 6}}) {
    for (const Origin where : {Origin::kConstant, Origin::kRuntime}) {
      GraphMaker m;
      const int conv = m.Conv(m.Input({2, 4, 3, 5}), 6, 1, {.h = 1, .w = 1});
      const int other = m.Operand(operand, where);
      CheckModel(m.Finish("operand after a 1x1 convolution", m.Relu(m.Sum(other, conv))));
    }
  }
}

}  // namespace
}  // namespace tern::testing
