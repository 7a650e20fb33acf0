// SPDX-License-Identifier: Apache-2.0
// Sums of products in halves: which nodes have them, how far they are from sums of floats, and what
// tells of them.
#include <algorithm>
#include <cmath>
#include <functional>

#include "delegate/testing/delegate_test.h"
#include "gpu/desc/precision.h"

namespace tern::delegate {
namespace {

using nlohmann::json;
using tern::testing::ModelBuilder;
using ::testing::ElementsAre;

// A result: the node's output, from what the RELU before it left in halves.
using AddNode = std::function<int(ModelBuilder& b, int x, bool magnitudes)>;

// Multiples of 2^-10 below 1, which halves hold; their products are longer.
std::vector<float> Weights(size_t count, bool magnitudes) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(static_cast<int>(i * 337 % 1999) - 999) / 1024;
    if (magnitudes) values[i] = std::fabs(values[i]);
  }
  return values;
}

int Filter(ModelBuilder& b, const std::vector<int>& shape, bool magnitudes) {
  return b.Const<float>(shape, Weights(Elements(shape), magnitudes));
}

// x -> RELU -> node -> y. With `magnitudes` the weights are positive, as what RELU leaves is: the
// result is the sum of the magnitudes of all products.
std::vector<uint8_t> ModelOf(const std::vector<int>& shape, const AddNode& add, bool magnitudes) {
  ModelBuilder b;
  const int x = b.Input(shape);
  const int r = b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor(shape)});
  b.Output(add(b, r, magnitudes));
  return b.Finish();
}

int Conv(ModelBuilder& b, int x, int in, int out, int size, int pixels, bool magnitudes) {
  tflite::Conv2DOptionsT options;
  options.stride_w = options.stride_h = 1;
  options.padding = tflite::Padding_SAME;
  const int w = Filter(b, {out, size, size, in}, magnitudes);
  return b.Op(tflite::BuiltinOperator_CONV_2D, {x, w, -1}, {b.Tensor({1, pixels, pixels, out})},
              options);
}

int Depthwise(ModelBuilder& b, int x, int channels, int size, int pixels, bool magnitudes) {
  tflite::DepthwiseConv2DOptionsT options;
  options.stride_w = options.stride_h = options.depth_multiplier = 1;
  options.padding = tflite::Padding_SAME;
  const int w = Filter(b, {1, size, size, channels}, magnitudes);
  return b.Op(tflite::BuiltinOperator_DEPTHWISE_CONV_2D, {x, w, -1},
              {b.Tensor({1, pixels, pixels, channels})}, options);
}

int Transposed(ModelBuilder& b, int x, bool magnitudes) {
  tflite::TransposeConvOptionsT options;
  options.stride_w = options.stride_h = 2;
  options.padding = tflite::Padding_VALID;
  const int shape = b.Const<int32_t>({4}, {1, 10, 10, 6});
  const int w = Filter(b, {6, 2, 2, 70}, magnitudes);
  return b.Op(tflite::BuiltinOperator_TRANSPOSE_CONV, {shape, w, x}, {b.Tensor({1, 10, 10, 6})},
              options);
}

int Product(ModelBuilder& b, int x, int rows, int in, bool magnitudes) {
  const int w = Filter(b, {10, in}, magnitudes);
  return b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w, -1}, {b.Tensor({rows, 10})},
              tflite::FullyConnectedOptionsT());
}

struct Case {
  const char* name;
  std::vector<int> shape;
  AddNode add;
  bool halves = true;  // the node has sums of halves
};

std::vector<Case> Cases() {
  return {
      {"1x1",
       {1, 5, 5, 72},
       [](ModelBuilder& b, int x, bool m) { return Conv(b, x, 72, 12, 1, 5, m); }},
      {"3x3",
       {1, 5, 5, 70},
       [](ModelBuilder& b, int x, bool m) { return Conv(b, x, 70, 9, 3, 5, m); }},
      {"depthwise 3x3",
       {1, 6, 6, 10},
       [](ModelBuilder& b, int x, bool m) { return Depthwise(b, x, 10, 3, 6, m); }},
      // 49 products are more than one sum of halves has.
      {"depthwise 7x7",
       {1, 8, 8, 8},
       [](ModelBuilder& b, int x, bool m) { return Depthwise(b, x, 8, 7, 8, m); },
       false},
      {"transposed", {1, 5, 5, 70}, Transposed},
      {"rows", {64, 72}, [](ModelBuilder& b, int x, bool m) { return Product(b, x, 64, 72, m); }},
      {"a row", {1, 200}, [](ModelBuilder& b, int x, bool m) { return Product(b, x, 1, 200, m); }},
  };
}

struct HalvesRun {
  explicit HalvesRun(const std::vector<uint8_t>& bytes, testing::Pairs options) {
    options.push_back({"tern_precision", "f16"});
    options.push_back({"tern_slice_width", "4"});
    const Delegate delegate = testing::PluginDelegate(options);
    Session session(bytes);
    if (delegate == nullptr || session->AllocateTensors() != kTfLiteOk) return;
    if (session->ModifyGraphWithDelegate(delegate.get()) != kTfLiteOk) return;
    result = session.Run();
    report = ReportOf(delegate);
  }
  std::vector<float> result;
  json report;
};

// The largest error as a part of the sum of the magnitudes of the products.
double LargestError(const std::vector<float>& result, const std::vector<float>& expected,
                    const std::vector<float>& magnitudes) {
  double most = result.size() == expected.size() ? 0 : 1e9;
  for (size_t i = 0; i < result.size(); ++i) {
    const double error = std::fabs(static_cast<double>(result[i]) - expected[i]);
    if (error != 0) most = std::max(most, error / magnitudes[i]);
  }
  return most;
}

// A product and the sums that it goes through, kMaxHalfSum at the most, are rounded to 11 bits.
TEST(HalfSums, AreAsNearAsTheirLengthAllows) {
  constexpr double kUnit = 1.0 / (1 << 11);
  const double bound = std::pow(1 + kUnit, gpu::kMaxHalfSum + 1) - 1;
  std::vector<std::string> backends = BackendsAtHand();
  for (const char* name : {"gles", "vulkan", "metal"}) {
    if (gpu::OpenDevice(name).ok()) backends.emplace_back(name);
  }
  for (const Case& c : Cases()) {
    const std::vector<uint8_t> bytes = ModelOf(c.shape, c.add, false);
    const std::vector<float> expected = CpuResult(bytes);
    const std::vector<float> magnitudes = CpuResult(ModelOf(c.shape, c.add, true));
    for (const std::string& backend : backends) {
      SCOPED_TRACE(StrCat(c.name, ", ", backend));
      const HalvesRun floats(bytes, {{"tern_backend", backend}});
      EXPECT_LT(LargestError(floats.result, expected, magnitudes), 1e-6);
      const HalvesRun halves(bytes, {{"tern_backend", backend}, {"tern_sums", "f16"}});
      EXPECT_LT(LargestError(halves.result, expected, magnitudes), bound);
      // The text of the host backend is Metal's, whose halves are halves.
      if (backend == "host") {
        EXPECT_EQ(halves.result != floats.result, c.halves);
      }
    }
  }
}

TEST(HalfSums, AreInTheReport) {
  const Case c = Cases()[0];
  const std::vector<uint8_t> bytes = ModelOf(c.shape, c.add, false);
  const auto sums = [&](testing::Pairs options) {
    options.push_back({"tern_backend", "host"});
    const HalvesRun run(bytes, std::move(options));
    return run.report["storage"][0]["sums"].get<std::string>();
  };
  EXPECT_EQ(sums({}), "f32");
  EXPECT_EQ(sums({{"tern_sums", "f16"}}), "f16");
  EXPECT_EQ(sums({{"tern_sums", "f16"}, {"tern_activations", "f32"}}), "f32");
}

TEST(HalfSums, ADeviceWithoutHalvesSaysSo) {
  const Case c = Cases()[0];
  const std::vector<uint8_t> bytes = ModelOf(c.shape, c.add, false);
  for (const auto& [device, has] : {std::pair("adreno", true), std::pair("nvidia", false)}) {
    const Delegate delegate = PluginDelegate({{"tern_backend", StrCat("null:", device)},
                                              {"tern_precision", "f16"},
                                              {"tern_sums", "f16"}});
    Session session(bytes);
    ::testing::internal::CaptureStderr();
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    const std::string log = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(log.find("has no sums of halves") == std::string::npos, has) << log;
  }
}

TEST(HalfSums, NeedHalvesInMemory) {
  DelegateOptions options = DefaultOptions();
  ASSERT_TRUE(SetOption("tern_sums", "f16", &options).ok());
  EXPECT_THAT(RequestsWithoutEffect(options), ElementsAre(HasSubstr("tern_sums")));
  ASSERT_TRUE(SetOption("tern_precision", "f16", &options).ok());
  EXPECT_THAT(RequestsWithoutEffect(options), IsEmpty());
}

}  // namespace
}  // namespace tern::delegate
