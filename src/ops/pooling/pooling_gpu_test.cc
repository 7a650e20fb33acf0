// SPDX-License-Identifier: Apache-2.0
// Pooling of awkward sizes on the GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"

namespace tern::testing {
namespace {

void CheckPools(const Sizes& in, const WindowSpec& s) {
  for (const bool average : {true, false}) {
    GraphMaker m;
    const int x = m.Input(in);
    const int y = m.Pool(x, average, s);
    CheckModel(m.Finish(StrCat(average ? "average" : "maximum", " over ", s.h, "x", s.w, " of ",
                               in[0], "x", in[1], "x", in[2], "x", in[3], ", stride ", s.stride_h,
                               "x", s.stride_w, s.same ? ", same" : ", valid"),
                        y));
  }
}

TEST(PoolingGpu, Channels) {
  for (const int channels : {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33}) {
    CheckPools({2, 5, 4, channels}, {.stride_h = 2, .stride_w = 2});
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

}  // namespace
}  // namespace tern::testing
