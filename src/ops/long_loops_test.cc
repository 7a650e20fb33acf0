// SPDX-License-Identifier: Apache-2.0
// Operations whose work-items run very many loop iterations: a driver that would end the loops
// early and silently gets no such work, every other one does all of it.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/str_cat.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using Sizes = std::vector<int32_t>;

// Integers whose largest one stands last.
std::vector<uint8_t> LargestLast(int64_t count, tflite::TensorType type) {
  std::vector<uint8_t> bytes = WholeNumbers(count - 1, type, -1, 1);
  const std::vector<uint8_t> last = WholeNumbers(1, type, 2, 2);
  bytes.insert(bytes.end(), last.begin(), last.end());
  return bytes;
}

// Narrow slices need the most iterations.
std::vector<Engine> NarrowDrivers() {
  std::vector<Engine> engines = DriverEngines();
  std::erase_if(engines, [](const Engine& engine) { return engine.slice_width != 4; });
  return engines;
}

class LongLoops : public ::testing::Test {
 protected:
  void SetUp() override {
    if (NarrowDrivers().empty()) GTEST_SKIP() << "no GPU driver here";
  }
};

// On each driver either right or refused for its iterations, which only Mesa's llvmpipe may do.
void CheckLong(const std::string& name, const ModelBuilder& builder,
               const std::vector<std::vector<uint8_t>>& inputs) {
  const std::vector<uint8_t> model = builder.Finish();
  const RunResult want = RunModel(model, inputs, CpuEngines()[0]);
  ASSERT_EQ(want.error, "") << name;
  for (const Engine& engine : NarrowDrivers()) {
    const RunResult got = RunModel(model, inputs, engine);
    const auto says = [&](const char* text) { return got.error.find(text) != std::string::npos; };
    if (says("too many rounds of loops for one work-item (") && says("llvmpipe")) continue;
    ASSERT_EQ(got.error, "") << name << " on " << engine.name;
    ASSERT_EQ(got.outputs.size(), want.outputs.size());
    for (size_t o = 0; o < want.outputs.size(); ++o) {
      EXPECT_TRUE(got.outputs[o].bytes == want.outputs[o].bytes)
          << name << " on " << engine.name << ", output " << o;
    }
  }
}

TEST_F(LongLoops, RunningSums) {
  ModelBuilder b;
  const int x = b.Input({70000, 3}), axis = b.Const<int32_t>({}, {0});
  b.Output(b.Op(tflite::BuiltinOperator_CUMSUM, {x, axis}, {b.Tensor({70000, 3})},
                tflite::CumsumOptionsT()));
  CheckLong("CUMSUM", b, {WholeNumbers(210000, tflite::TensorType_FLOAT32, -1, 1)});
}

TEST_F(LongLoops, Positions) {
  for (const auto& [sizes, axis] : {std::pair<Sizes, int>{{70000, 3}, 0}, {{1, 300000}, 1}}) {
    ModelBuilder b;
    const int x = b.Input(sizes), along = b.Const<int32_t>({}, {axis});
    tflite::ArgMaxOptionsT o;
    o.output_type = tflite::TensorType_INT32;
    const int y = b.Tensor({sizes[1 - axis]}, tflite::TensorType_INT32);
    b.Output(b.Op(tflite::BuiltinOperator_ARG_MAX, {x, along}, {y}, std::move(o)));
    CheckLong(StrCat("ARG_MAX along ", axis), b,
              {LargestLast(int64_t{sizes[0]} * sizes[1], tflite::TensorType_FLOAT32)});
  }
}

TEST_F(LongLoops, Sums) {
  for (const tflite::TensorType type : {tflite::TensorType_FLOAT32, tflite::TensorType_INT32}) {
    ModelBuilder b;
    const int x = b.Input({1, 300000}, type), axis = b.Const<int32_t>({}, {1});
    b.Output(b.Op(tflite::BuiltinOperator_SUM, {x, axis}, {b.Tensor({1}, type)},
                  tflite::ReducerOptionsT()));
    CheckLong("SUM", b, {WholeNumbers(300000, type, -1, 1)});
  }
}

TEST_F(LongLoops, Products) {
  const std::vector<uint8_t> numbers = WholeNumbers(300000, tflite::TensorType_FLOAT32, -1, 1);
  {
    ModelBuilder b;
    const int x = b.Input({1, 300000});
    const int w = b.Const({1, 300000}, std::vector<float>(300000, 1.0f));
    b.Output(b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w, -1}, {b.Tensor({1, 1})},
                  tflite::FullyConnectedOptionsT()));
    CheckLong("FULLY_CONNECTED", b, {numbers});
  }
  {
    ModelBuilder b;
    const int x = b.Input({1, 1, 1, 300000});
    const int w = b.Const({1, 1, 1, 300000}, std::vector<float>(300000, 1.0f));
    tflite::Conv2DOptionsT o;
    o.stride_w = o.stride_h = 1;
    b.Output(b.Op(tflite::BuiltinOperator_CONV_2D, {x, w, b.Const({1}, std::vector<float>{1})},
                  {b.Tensor({1, 1, 1, 1})}, std::move(o)));
    CheckLong("CONV_2D", b, {numbers});
  }
  ModelBuilder b;
  const int x = b.Input({1, 300000}), y = b.Input({300000, 1});
  b.Output(b.Op(tflite::BuiltinOperator_BATCH_MATMUL, {x, y}, {b.Tensor({1, 1})},
                tflite::BatchMatMulOptionsT()));
  CheckLong("BATCH_MATMUL", b, {numbers, numbers});
}

TEST_F(LongLoops, Windows) {
  constexpr int kSize = 300;
  ModelBuilder b;
  const int x = b.Input({1, kSize, kSize, 1});
  tflite::Pool2DOptionsT o;
  o.padding = tflite::Padding_VALID;
  o.stride_w = o.stride_h = 1;
  o.filter_width = o.filter_height = kSize;
  b.Output(b.Op(tflite::BuiltinOperator_MAX_POOL_2D, {x}, {b.Tensor({1, 1, 1, 1})}, std::move(o)));
  CheckLong("MAX_POOL_2D", b, {LargestLast(kSize * kSize, tflite::TensorType_FLOAT32)});
}

}  // namespace
}  // namespace tern::testing
