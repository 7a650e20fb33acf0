// SPDX-License-Identifier: Apache-2.0
// Softmax and its logarithm over many counts of channels on the GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"

namespace tern::testing {
namespace {

void CheckSoftmax(const Sizes& shape, float beta, double range) {
  GraphMaker m;
  const int x = m.Input(shape);
  const int y = m.Softmax(x, beta);
  CheckModel(m.Finish(StrCat("softmax over ", shape.back(), ", beta ", beta), y, range));
}

TEST(SoftmaxGpu, ChannelCounts) {
  for (int channels = 1; channels <= 300; channels += channels < 36 ? 1 : 23) {
    CheckSoftmax({2, 3, channels}, 1, 4);
  }
}

TEST(SoftmaxGpu, RanksRangesAndBeta) {
  CheckSoftmax({17}, 1, 2);
  CheckSoftmax({1, 1, 1, 5}, 1, 80);
  CheckSoftmax({2, 3, 4, 9}, 0.1f, 80);
  CheckSoftmax({2, 3, 4, 9}, 3, 80);
  CheckSoftmax({2, 2, 3, 4, 6}, 1, 2);
  CheckSoftmax({1, 70, 70, 3}, 1, 2);  // more pixels than items that share one
}

TEST(SoftmaxGpu, Logarithm) {
  for (const Sizes& shape : std::vector<Sizes>{
           {5}, {2, 3, 17}, {2, 5, 4, 33}, {1, 70, 70, 3}, {2, 2, 3, 4, 6}, {7, 130}}) {
    GraphMaker m;
    const int x = m.Input(shape);
    m.builder().SetOpVersion(1);
    const int y = m.builder().Op(tflite::BuiltinOperator_LOG_SOFTMAX, {x},
                                 {m.builder().Tensor(m.ShapeOf(x))});
    m.builder().op().builtin_options.Set(tflite::LogSoftmaxOptionsT());
    m.Output(m.LeakyRelu(y));  // a step after it
    CheckModel(m.Finish(StrCat("logarithm of softmax over ", shape.back()), 4.0));
  }
}

}  // namespace
}  // namespace tern::testing
