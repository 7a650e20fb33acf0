// SPDX-License-Identifier: Apache-2.0
// Graphs that do not fit a device: what is beyond its limits runs on the CPU, all else on the GPU,
// and results are the CPU's.
#include <algorithm>
#include <map>
#include <string>

#include "delegate/testing/delegate_test.h"
#include "gpu/testing/faulty_device.h"

namespace tern::delegate {
namespace {

using gpu::FaultyDevice;
using nlohmann::json;
using tern::testing::ModelBuilder;
using testing::Pairs;

// x [rows, 4] -> RELU -> ABS -> TILE to [rows, 4 * times] -> SUM to [rows, 1] -> NEG -> y: what is
// between #2 and #3 is as long as `times` says, all else is small.
std::vector<uint8_t> BulgeModel(int rows, int times) {
  ModelBuilder b;
  const int x = b.Input({rows, 4}, tflite::TensorType_FLOAT32, "x");
  const int r = b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor({})});
  const int a = b.Op(tflite::BuiltinOperator_ABS, {r}, {b.Tensor({})});
  const int large =
      b.Op(tflite::BuiltinOperator_TILE, {a, b.Const<int32_t>({2}, {1, times})},
           {b.Tensor({}, tflite::TensorType_FLOAT32, "large")}, tflite::TileOptionsT());
  tflite::ReducerOptionsT keep;
  keep.keep_dims = true;
  const int s =
      b.Op(tflite::BuiltinOperator_SUM, {large, b.Const<int32_t>({1}, {1})}, {b.Tensor({})}, keep);
  b.Output(b.Op(tflite::BuiltinOperator_NEG, {s}, {b.Tensor({})}, tflite::NegOptionsT()));
  return b.Finish();
}

// x -> `count` times FULLY_CONNECTED from 64 to 64 -> y: 16 KiB of weights each.
std::vector<uint8_t> ManyWeightsModel(int count) {
  ModelBuilder b;
  int x = b.Input({2, 64});
  for (int i = 0; i < count; ++i) {
    std::vector<float> weights(64 * 64);
    for (size_t k = 0; k < weights.size(); ++k) {
      weights[k] = 0.02f * static_cast<float>(static_cast<int>((k * 7 + i) % 13) - 6);
    }
    x = b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, b.Const<float>({64, 64}, weights), -1},
             {b.Tensor({2, 64})}, tflite::FullyConnectedOptionsT());
  }
  b.Output(x);
  return b.Finish();
}

// Many tensors of 4 KiB that live at the same time.
std::vector<uint8_t> WideModel(int count) {
  ModelBuilder b;
  const int x = b.Input({16, 64});
  std::vector<int> parts;
  for (int i = 0; i < count; ++i) {
    const int one = b.Op(tflite::BuiltinOperator_ADD, {x, b.Const<float>({1}, {0.5f * i})},
                         {b.Tensor({16, 64})}, tflite::AddOptionsT());
    parts.push_back(b.Op(tflite::BuiltinOperator_TRANSPOSE, {one, b.Const<int32_t>({2}, {1, 0})},
                         {b.Tensor({64, 16})}, tflite::TransposeOptionsT()));
  }
  b.Output(
      b.Op(tflite::BuiltinOperator_ADD_N, parts, {b.Tensor({64, 16})}, tflite::AddNOptionsT()));
  return b.Finish();
}

std::map<std::string, std::string> CodesByOp(const json& report) {
  std::map<std::string, std::string> codes;
  for (const json& d : report["decisions"]) codes[d["op"]] = d["code"];
  return codes;
}

bool OnGpu(const std::string& code) {
  return code == "on-gpu" || code == "fused" || code == "view";
}

class LimitsTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto opened = gpu::OpenDevice(GetParam());
    if (!opened.ok()) GTEST_SKIP() << "no " << GetParam() << " device here";
    device_ = std::make_shared<FaultyDevice>(opened->device);
  }
  Delegate Make(int64_t max_bytes, const std::function<void(DelegateOptions&)>& change = {}) {
    device_->own_info().max_buffer_bytes = max_bytes;
    DelegateOptions options = DefaultOptions();
    options.documented.max_delegated_partitions = 8;
    options.list = true;
    if (change) change(options);
    return DelegateOver(options, Opened(device_));
  }
  json Apply(const Delegate& delegate, Session& session) {
    EXPECT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    return ReportOf(delegate);
  }

  std::shared_ptr<FaultyDevice> device_;
};

TEST_P(LimitsTest, ATensorBeyondTheLimitTakesItsNodesAlone) {
  const std::vector<uint8_t> model = BulgeModel(16, 400);  // 102400 bytes
  const Delegate delegate = Make(64 << 10);
  Session session(model);
  const json report = Apply(delegate, session);
  EXPECT_EQ(report["partitions"], 2) << report;
  EXPECT_EQ(report["delegated"], 3);
  for (const json& d : report["decisions"]) {
    const bool touches = d["op"] == "TILE" || d["op"] == "SUM";
    EXPECT_EQ(d["code"] == "device-limit", touches) << d;
    if (!touches) continue;
    EXPECT_EQ(d["tensor"]["name"], "large");
    EXPECT_EQ(d["limit"], 64 << 10);
    EXPECT_GE(d["value"], 102400);
    EXPECT_THAT(d["reason"].get<std::string>(), HasSubstr("tensor 'large' takes "));
  }
  for (const json& r : report["refused"]) EXPECT_FALSE(r.contains("failed")) << r;
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(model))) << session.errors.text;
}

TEST_P(LimitsTest, WithOnePartTheBestOfThoseThatFitIsTaken) {
  const std::vector<uint8_t> model = BulgeModel(16, 400);
  const Delegate delegate =
      Make(64 << 10, [](DelegateOptions& o) { o.documented.max_delegated_partitions = 1; });
  Session session(model);
  const json report = Apply(delegate, session);
  EXPECT_EQ(report["partitions"], 1) << report;
  EXPECT_GE(report["delegated"], 1);
  const auto codes = CodesByOp(report);
  EXPECT_EQ(codes.at("TILE"), "device-limit");
  EXPECT_EQ(codes.at("SUM"), "device-limit");
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(model))) << session.errors.text;
}

// The sums of weights and of tensors are no limits: they lie in as many buffers as it takes.
TEST_P(LimitsTest, WeightsLieInSeveralBuffers) {
  const std::vector<uint8_t> model = ManyWeightsModel(9);
  const Delegate delegate = Make(40 << 10);
  Session session(model);
  const json report = Apply(delegate, session);
  EXPECT_EQ(report["delegated"], 9) << report["refused"];
  EXPECT_THAT(report["plans"][0].get<std::string>(), HasSubstr(" of buffer 3"));
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(model), 1e-3f)) << session.errors.text;
}

TEST_P(LimitsTest, TensorsLieInSeveralBuffers) {
  const std::vector<uint8_t> model = WideModel(12);
  const Delegate delegate = Make(16 << 10, [](DelegateOptions& o) { o.compile.fuse = false; });
  Session session(model);
  const json report = Apply(delegate, session);
  EXPECT_EQ(report["delegated"], 25) << report["refused"];
  EXPECT_THAT(report["plans"][0].get<std::string>(), HasSubstr("arena 16384 + 16384 + 16384 + "));
  EXPECT_GE(report["arena_bytes"], 12 * 4096);
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(model))) << session.errors.text;
}

// Constants that lie in a buffer already are not copied again, whichever of several that is.
TEST_P(LimitsTest, BuffersOfWeightsAreTakenOverAfterAResize) {
  const std::vector<uint8_t> model = ManyWeightsModel(9);
  const Delegate delegate = Make(40 << 10);
  Session session(model);
  Apply(delegate, session);
  const int64_t uploaded = device_->uploaded_bytes();
  EXPECT_GT(uploaded, 9 * (16 << 10) - 1);
  ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], {3, 64}), kTfLiteOk);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
  EXPECT_EQ(device_->uploaded_bytes(), uploaded);
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(model, {3, 64}), 1e-3f)) << session.errors.text;
}

TEST_P(LimitsTest, AfterAResizeNodesRunOnTheCpuUntilTheyFitAgain) {
  const std::vector<uint8_t> model = BulgeModel(4, 400);
  const Delegate delegate = Make(64 << 10);
  Session session(model);
  EXPECT_EQ(Apply(delegate, session)["delegated"], 5);
  for (const int rows : {16, 8, 32, 4}) {
    SCOPED_TRACE(rows);
    ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], {rows, 4}), kTfLiteOk);
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
    const bool fits = rows * 400 * 4 * 4 <= 64 << 10;
    const json report = ReportOf(delegate);
    EXPECT_EQ(report["delegated"], fits ? 5 : 3);
    EXPECT_EQ(CodesByOp(report).at("TILE"), fits ? "on-gpu" : "device-limit");
    EXPECT_THAT(session.Run(), CloseTo(CpuResult(model, {rows, 4}))) << session.errors.text;
  }
}

// One weight matrix is beyond the limit, the others are not.
TEST_P(LimitsTest, WeightsBeyondTheLimitTakeTheirNodeAlone) {
  ModelBuilder b;
  const int x = b.Input({2, 16});
  const auto connected = [&b](int from, int units, int of) {
    return b.Op(tflite::BuiltinOperator_FULLY_CONNECTED,
                {of, b.Const<float>({units, from}, std::vector<float>(units * from, 0.01f)), -1},
                {b.Tensor({2, units})}, tflite::FullyConnectedOptionsT());
  };
  const int wide = connected(16, 512, x);        // 32 KiB
  const int narrow = connected(512, 256, wide);  // 512 KiB
  b.Output(connected(256, 16, narrow));          // 16 KiB
  const std::vector<uint8_t> model = b.Finish();
  const Delegate delegate = Make(64 << 10);
  Session session(model);
  const json report = Apply(delegate, session);
  ASSERT_THAT(report["decisions"], SizeIs(3)) << report;
  EXPECT_TRUE(OnGpu(report["decisions"][0]["code"])) << report["decisions"][0];
  EXPECT_EQ(report["decisions"][1]["code"], "device-limit");
  EXPECT_EQ(report["decisions"][1]["tensor"]["shape"], json::array({256, 512}));
  EXPECT_TRUE(OnGpu(report["decisions"][2]["code"])) << report["decisions"][2];
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(model), 1e-3f)) << session.errors.text;
}

// A run must not fail because a node has to go to floats.
TEST_P(LimitsTest, WithAGuardNodesFitInFloatsToo) {
  const std::vector<uint8_t> model = BulgeModel(16, 400);  // 51200 bytes as halves
  for (const bool guard : {false, true}) {
    const Delegate delegate = Make(64 << 10, [guard](DelegateOptions& o) {
      o.precision = gpu::Precision::kF16;
      o.compile.guard = guard;
    });
    Session session(model);
    const json report = Apply(delegate, session);
    EXPECT_EQ(report["delegated"], guard ? 3 : 5) << report["refused"];
    EXPECT_EQ(CodesByOp(report).at("TILE"), guard ? "device-limit" : "on-gpu");
    // Sums of halves of quarters: exact but for their last rounding.
    EXPECT_THAT(session.Run(), CloseTo(CpuResult(model), 4)) << session.errors.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, LimitsTest,
                         ::testing::Values("metal", "opencl", "gles", "vulkan"),
                         [](const auto& info) { return info.param; });

// The plan tells its requests without a driver.
TEST(Limits, AnInventedDeviceIsPlannedForInParts) {
  const Delegate delegate = PluginDelegate({{"tern_backend", "null:gles-min"},
                                            {"tern_plan_only", "1"},
                                            {"tern_list", "1"},
                                            {"max_delegated_partitions", "8"}});
  Session session(BulgeModel(1024, 9000));  // 147 MB
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  const json report = ReportOf(delegate);
  EXPECT_EQ(report["partitions"], 2) << report["decisions"];
  EXPECT_THAT(report["plans"], SizeIs(2));
  EXPECT_THAT(report["kernels"], ::testing::Not(IsEmpty()));
  EXPECT_EQ(report["decisions"][2]["value"], 1024 * 9000 * 4 * 4);
  EXPECT_EQ(report["decisions"][2]["limit"], 128 << 20);
}

}  // namespace
}  // namespace tern::delegate
