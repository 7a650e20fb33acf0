// SPDX-License-Identifier: Apache-2.0
// INT16 elements are compared as they are stored, whatever they stand for, beside a constant, too.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/engines.h"

namespace tern::testing {
namespace {

// LESS of x, with scale 1/16384, and a constant, either of which is first.
std::vector<uint8_t> LessModel(float constant_scale, bool constant_first) {
  ModelBuilder b;
  const int x = b.Quantize(b.Input({4}, tflite::TensorType_INT16), 0x1p-14f, 0);
  const int c = b.Quantize(b.Const<int16_t>({4}, {5, 100, -3, 7}), constant_scale, 0);
  b.SetOpVersion(2);
  std::vector<int32_t> operands = {x, c};
  if (constant_first) operands = {c, x};
  b.Output(b.Op(tflite::BuiltinOperator_LESS, operands, {b.Tensor({4}, tflite::TensorType_BOOL)},
                tflite::LessOptionsT()));
  return b.Finish();
}

RunResult RunLess(float constant_scale, bool constant_first, const Engine& engine) {
  const int16_t elements[] = {4, 100, 3, 8};
  std::vector<uint8_t> input(sizeof elements);
  std::memcpy(input.data(), elements, sizeof elements);
  return RunModel(LessModel(constant_scale, constant_first), {input}, engine);
}

TEST(CompareGpu, Int16BesideConstants) {
  for (const bool first : {false, true}) {
    const RunResult want = RunLess(0x1p-14f, first, CpuEngines()[0]);
    ASSERT_EQ(want.error, "");
    EXPECT_EQ(RunLess(0x1p-10f, first, CpuEngines()[0]).outputs[0].bytes, want.outputs[0].bytes);
    for (const Engine& engine : HostEngines()) {
      if (engine.half) continue;
      SCOPED_TRACE(engine.name);
      for (const float scale : {0x1p-14f, 0x1p-10f}) {
        const RunResult got = RunLess(scale, first, engine);
        ASSERT_EQ(got.error, "");
        EXPECT_EQ(got.outputs[0].bytes, want.outputs[0].bytes);
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing
