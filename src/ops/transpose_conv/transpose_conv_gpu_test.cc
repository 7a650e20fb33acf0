// SPDX-License-Identifier: Apache-2.0
// Transposed convolutions of awkward sizes on the GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"

namespace tern::testing {
namespace {

ModelCase Transposed(const Sizes& in, int channels, const WindowSpec& s,
                     Where filter = Where::kConstant, Where bias = Where::kAbsent, int rest = 0) {
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
        CheckModel(Transposed({2, 4, 3, 5}, 4, s, Where::kConstant, Where::kConstant, 1));
        CheckModel(Transposed({1, 1, 1, 2}, 3, s, Where::kConstant, Where::kAbsent, 2));
      }
    }
  }
}

TEST(TransposeConvGpu, ComputedFilterAndBias) {
  for (const int in : {3, 17}) {
    for (const Where bias : {Where::kConstant, Where::kRuntime, Where::kAbsent}) {
      CheckModel(
          Transposed({1, 3, 4, in}, 6, {.stride_h = 2, .stride_w = 2}, Where::kRuntime, bias));
    }
  }
}

}  // namespace
}  // namespace tern::testing
