// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions of awkward sizes on the GPU engines.
#include <gtest/gtest.h>

#include <utility>

#include "ops/testing/graph_maker.h"

namespace tern::testing {
namespace {

ModelCase Depthwise(const Sizes& in, int multiplier, const WindowSpec& s,
                    Origin filter = Origin::kConstant, Origin bias = Origin::kConstant) {
  GraphMaker m;
  const int x = m.Input(in);
  const int y = m.Depthwise(x, multiplier, s, filter, bias);
  return m.Finish(
      StrCat("depthwise of ", in[0], "x", in[1], "x", in[2], "x", in[3], " times ", multiplier,
             ", ", s.h, "x", s.w, " filter, stride ", s.stride_h, "x", s.stride_w, ", dilation ",
             s.dilation_h, "x", s.dilation_w, s.same ? ", same" : ", valid"),
      y);
}

TEST(DepthwiseConv2dGpu, ChannelsAndMultipliers) {
  for (const int channels : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33}) {
    CheckModel(Depthwise({1, 4, 5, channels}, 1, {}));
    CheckModel(Depthwise({1, 4, 5, channels}, channels % 3 == 0 ? 8 : 1 + channels % 3, {}));
    CheckModel(Depthwise({2, 3, 4, channels}, 1, {.stride_h = 2, .stride_w = 2}));
  }
}

TEST(DepthwiseConv2dGpu, Windows) {
  for (int h = 1; h <= 7; ++h) {
    for (const int w : {3, 4, 8}) {
      CheckModel(Depthwise({1, 9, 11, 3}, 1, {.h = h, .w = w, .same = h % 2 == 0}));
    }
  }
  for (const bool same : {true, false}) {
    for (const int stride : {1, 2, 3, 5}) {
      for (const int dilation : {1, 2, 4}) {
        CheckModel(Depthwise({1, 10, 21, 5}, 1,
                             {.h = 2,
                              .w = 3,
                              .stride_h = 6 - stride,
                              .stride_w = stride,
                              .dilation_h = dilation,
                              .dilation_w = dilation,
                              .same = same}));
        CheckModel(Depthwise({2, 9, 12, 2}, 2,
                             {.h = 3,
                              .w = 2,
                              .stride_h = stride,
                              .stride_w = stride,
                              .dilation_h = dilation,
                              .dilation_w = dilation,
                              .same = same}));
      }
    }
  }
  // The pixels of a work-item lie apart, or would lie too far apart.
  for (const int dilation : {2, 3, 5, 12}) {
    for (const int width : {4, 33}) {
      CheckModel(
          Depthwise({2, 3, width, 5}, 1, {.h = 1, .w = 3, .dilation_w = dilation, .same = true}));
    }
  }
  for (const int batch : {1, 3, 7}) {
    CheckModel(Depthwise({batch, 1, 1, 6}, 1, {}));
    CheckModel(
        Depthwise({batch, 5, 1, 6}, 1, {.activation = tflite::ActivationFunctionType_RELU6}));
  }
}

// The last work-item of a row begins early where the row has as many pixels as it makes.
TEST(DepthwiseConv2dGpu, RowsOfFewPixels) {
  for (const int width : {4, 5, 7}) {
    for (const int filter : {2, 3, 5}) {
      for (const int stride : {1, 2}) {
        const WindowSpec s = {.h = filter, .w = filter, .stride_h = stride, .stride_w = stride};
        CheckModel(Depthwise({2, 6, width * stride, 5}, 1, s));
        WindowSpec valid = s;
        valid.same = false;
        CheckModel(Depthwise({2, 6, (width - 1) * stride + filter, 5}, 1, valid));
      }
    }
  }
}

// On a CPU they are one program.
TEST(DepthwiseConv2dGpu, StridesOfOneGraph) {
  for (const int width : {3, 5}) {
    for (const int columns : {1, 7, 18}) {
      GraphMaker m;
      int y = m.Input({1, 9, columns, 5});
      for (const auto& [stride, dilation] : {std::pair{1, 1}, {2, 1}, {1, 2}, {3, 1}}) {
        y = m.Depthwise(y, 1,
                        {.h = 3,
                         .w = width,
                         .stride_h = stride,
                         .stride_w = stride,
                         .dilation_h = dilation,
                         .dilation_w = dilation,
                         .same = true},
                        Origin::kConstant, Origin::kConstant);
      }
      CheckModel(m.Finish(StrCat("strides in a graph, ", columns, " wide, filters ", width), y));
    }
  }
}

TEST(DepthwiseConv2dGpu, ReadsTheZerosOfPad) {
  for (const bool same : {true, false}) {
    for (const int width : {2, 3, 9}) {  // the last one is beyond what registers hold
      for (const int multiplier : {1, 2}) {
        GraphMaker m;
        const int padded = m.Pad(m.Input({2, 4, 5, 3}), {0, 0, 1, 2, 3, width, 0, 0});
        const WindowSpec s = {.h = 2, .w = width, .stride_h = 2, .dilation_h = 2, .same = same};
        CheckModel(m.Finish(StrCat("pad before 2x", width, same ? ", same" : ", valid"),
                            m.Depthwise(padded, multiplier, s)));
      }
    }
  }
}

TEST(DepthwiseConv2dGpu, ComputedFilterAndBias) {
  for (const int channels : {3, 17}) {
    for (const Origin bias : {Origin::kConstant, Origin::kRuntime, Origin::kAbsent}) {
      for (const int multiplier : {1, 2}) {
        CheckModel(Depthwise({1, 4, 5, channels}, multiplier, {}, Origin::kRuntime, bias));
      }
      CheckModel(Depthwise({2, 4, 5, channels}, 1, {.h = 2}, Origin::kConstant, bias));
    }
  }
}

}  // namespace
}  // namespace tern::testing
