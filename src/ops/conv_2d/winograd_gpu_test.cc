// SPDX-License-Identifier: Apache-2.0
// Convolutions by Winograd's algorithm: within the tolerance of plain sums where it is taken, and
// which convolutions take it.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "ops/testing/graph_maker.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"

namespace tern::testing {
namespace {

// Whether an invented GPU would compute it so.
bool TakesWinograd(const ModelCase& c, const char* asked = "1", const char* precision = "f32") {
  const auto model = tflite::FlatBufferModel::BuildFromBuffer(
      reinterpret_cast<const char*>(c.bytes.data()), c.bytes.size());
  std::unique_ptr<tflite::Interpreter> interpreter;
  tflite::InterpreterBuilder(*model, tflite::ops::builtin::BuiltinOpResolver())(&interpreter);
  const char* keys[] = {"tern_backend", "tern_plan_only", "tern_list", "tern_winograd",
                        "tern_precision"};
  const char* values[] = {"null:mali", "1", "1", asked, precision};
  const DelegatePtr delegate(tflite_plugin_create_delegate(keys, values, 5, nullptr),
                             tflite_plugin_destroy_delegate);
  interpreter->ModifyGraphWithDelegate(delegate.get());
  const std::string report = TfLiteGpuDelegateV2Report(delegate.get());
  interpreter.reset();
  return report.find(": winograd_input ") != std::string::npos;
}

// On one engine, each call another, or on all of them.
void Check(const ModelCase& c, bool on_all = false) {
  static size_t turn = 0;
  ASSERT_TRUE(TakesWinograd(c)) << c.name;
  std::vector<Engine> engines = DriverEngines();
  for (const Engine& engine : HostEngines()) engines.push_back(engine);
  std::erase_if(engines, [](const Engine& engine) { return engine.half; });
  const std::vector<RefTensor> want = Evaluate(c, false);
  const size_t count = on_all ? engines.size() : std::min<size_t>(engines.size(), 1);
  for (size_t i = 0; i < count; ++i) {
    Engine engine = engines[on_all ? i : turn++ % engines.size()];
    engine.winograd = true;
    CheckModelOn(c, want, engine);
  }
}

ModelCase Conv(const Sizes& in, int channels, const WindowSpec& s,
               Origin bias = Origin::kConstant) {
  GraphMaker m;
  const int x = m.Input(in);
  const int y = m.Conv(x, channels, 1, s, Origin::kConstant, bias);
  return m.Finish(StrCat("conv of ", in[1], "x", in[2], "x", in[3], " to ", channels, " channels, ",
                         s.same ? "same" : "valid"),
                  y);
}

TEST(WinogradGpu, TilesAtAllBorders) {
  for (const bool same : {true, false}) {
    Check(Conv({1, 8, 8, 16}, 16, {.same = same}));
    Check(Conv({1, 9, 11, 17}, 18, {.same = same}));
    Check(Conv({1, 6, 23, 35}, 16, {.same = same}));
  }
  Check(Conv({1, 1, 1, 16}, 16, {}));
  Check(Conv({1, 3, 2, 16}, 33, {}));
}

TEST(WinogradGpu, BiasesAndFusedSteps) {
  Check(Conv({1, 7, 5, 16}, 20, {}, Origin::kAbsent));
  Check(Conv({1, 7, 5, 16}, 20, {}, Origin::kRuntime));
  Check(Conv({1, 7, 5, 16}, 20, {.activation = tflite::ActivationFunctionType_RELU6}));
  GraphMaker m;
  const int x = m.Input({1, 10, 10, 16});
  const int y = m.Conv(x, 16, 1, {.activation = tflite::ActivationFunctionType_RELU});
  const int z = m.Conv(y, 16, 1, {});
  Check(m.Finish("two convolutions and a sum", m.Sum(x, z)),
        /*on_all=*/true);
}

TEST(WinogradGpu, LongSumsStayWithinTheTolerance) {
  Check(Conv({1, 12, 12, 256}, 32, {}));
  Check(Conv({1, 18, 18, 64}, 64, {}), /*on_all=*/true);
}

TEST(WinogradGpu, OtherConvolutionsDoNotTakeIt) {
  const Sizes in = {1, 8, 8, 16};
  EXPECT_FALSE(TakesWinograd(Conv(in, 16, {}), "0"));
  EXPECT_FALSE(TakesWinograd(Conv(in, 16, {}), "1", "f16"));
  EXPECT_FALSE(TakesWinograd(Conv(in, 15, {})));
  EXPECT_FALSE(TakesWinograd(Conv({1, 8, 8, 8}, 16, {})));
  EXPECT_FALSE(TakesWinograd(Conv({2, 8, 8, 16}, 16, {})));
  EXPECT_FALSE(TakesWinograd(Conv(in, 16, {.stride_w = 2})));
  EXPECT_FALSE(TakesWinograd(Conv(in, 16, {.dilation_h = 2})));
  EXPECT_FALSE(TakesWinograd(Conv(in, 16, {.h = 5})));
  // The input's numbers would take 36 * 32 * 32 * 1024 floats.
  EXPECT_FALSE(TakesWinograd(Conv({1, 128, 128, 1024}, 16, {})));
  GraphMaker m;
  const int x = m.Input(in);
  EXPECT_FALSE(TakesWinograd(m.Finish("computed filter", m.Conv(x, 16, 1, {}, Origin::kRuntime))));
}

}  // namespace
}  // namespace tern::testing
