// SPDX-License-Identifier: Apache-2.0
// SVDF on GPU engines against the CPU, over several runs, with steps after it.
#include <gtest/gtest.h>

#include "ops/testing/three_runs.h"

namespace tern::testing {
namespace {

struct SvdfCase {
  int batch, inputs, filters, memory, rank;
  tflite::ActivationFunctionType activation = tflite::ActivationFunctionType_NONE;
  bool bias = true;
};

TEST(SvdfGpu, RanksAndMemories) {
  const std::vector<Engine>& engines = DriverEngines();
  if (engines.empty()) GTEST_SKIP() << "no GPU driver here";
  const SvdfCase cases[] = {{1, 3, 4, 5, 1},
                            {3, 17, 36, 3, 2, tflite::ActivationFunctionType_RELU6},
                            {2, 5, 7, 1, 1, tflite::ActivationFunctionType_TANH, false},
                            {2, 6, 9, 2, 9}};
  size_t next = 0;
  for (const SvdfCase& c : cases) {
    SCOPED_TRACE(StrCat(c.filters, " filters of rank ", c.rank));
    ModelBuilder b;
    const int units = c.filters / c.rank;
    const int x = b.Input({c.batch, c.inputs});
    const int feature =
        b.Const({c.filters, c.inputs}, Random(81).Floats(c.filters * c.inputs, -1, 1));
    const int time = b.Const({c.filters, c.memory}, Random(82).Floats(c.filters * c.memory, -1, 1));
    const int bias = c.bias ? b.Const({units}, Random(83).Floats(units, -1, 1)) : -1;
    tflite::SVDFOptionsT o;
    o.rank = c.rank;
    o.fused_activation_function = c.activation;
    b.SetOpVersion(1);
    const int y = b.Op(tflite::BuiltinOperator_SVDF,
                       {x, feature, time, bias, b.Variable({c.batch, c.filters * c.memory})},
                       {b.Tensor({c.batch, units})}, o);
    b.Output(b.Op(tflite::BuiltinOperator_NEG, {y}, {b.Tensor({c.batch, units})}));
    const std::vector<uint8_t> bytes = b.Finish();
    const std::vector<float> want = RunThrice(bytes, CpuEngines()[0]);
    ASSERT_FALSE(want.empty());
    const int terms = c.inputs * c.memory * c.rank;
    CheckThriceOn(engines[next++ % engines.size()], bytes, want, 4 * terms);
  }
}

}  // namespace
}  // namespace tern::testing
