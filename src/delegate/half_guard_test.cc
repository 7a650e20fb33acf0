// SPDX-License-Identifier: Apache-2.0
// Activations in halves: when they are kept so, and what a guard does where halves do not hold
// them.
#include "gpu/partition/half_guard.h"

#include <cmath>
#include <limits>

#include "delegate/testing/delegate_test.h"

namespace tern::delegate {
namespace {

using nlohmann::json;
using tern::testing::ModelBuilder;
using ::testing::ElementsAre;

constexpr int kChannels = 5;

std::vector<std::string> Backends() {
  std::vector<std::string> names = testing::BackendsAtHand();
  for (const char* name : {"gles", "vulkan"}) {
    if (gpu::OpenDevice(name).ok()) names.push_back(name);
  }
  return names;
}

// x * factor[0] * factor[1] * ..., each a product with a diagonal matrix, which fuses with nothing.
std::vector<uint8_t> Products(const std::vector<float>& factors) {
  ModelBuilder b;
  int x = b.Input({3, kChannels});
  for (const float factor : factors) {
    std::vector<float> weights(kChannels * kChannels);
    for (int i = 0; i < kChannels; ++i) weights[i * (kChannels + 1)] = factor;
    const int w = b.Const<float>({kChannels, kChannels}, weights);
    x = b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w, -1}, {b.Tensor({3, kChannels})},
             tflite::FullyConnectedOptionsT());
  }
  b.Output(x);
  return b.Finish();
}

struct Guarded {
  explicit Guarded(const std::vector<uint8_t>& bytes, testing::Pairs options)
      : delegate(testing::PluginDelegate(options)), session(bytes) {
    if (delegate == nullptr || session->AllocateTensors() != kTfLiteOk) return;
    applied = session->ModifyGraphWithDelegate(delegate.get()) == kTfLiteOk;
  }
  std::vector<std::string> Promoted() const {
    std::vector<std::string> labels;
    const json report = ReportOf(delegate);
    for (const json& node : report["promoted"]) labels.push_back(node["label"]);
    return labels;
  }
  Delegate delegate;
  Session session;
  bool applied = false;
};

// 2.75 * 300 * 300 is far above the largest half.
TEST(HalfGuard, PutsTheNodeToBlameInFloats) {
  const std::vector<uint8_t> bytes = Products({300, 300, 1e-3f, 0.5f});
  const std::vector<float> expected = CpuResult(bytes);
  for (const std::string& backend : Backends()) {
    SCOPED_TRACE(backend);
    Guarded without(bytes, {{"tern_backend", backend}, {"tern_precision", "f16"}});
    ASSERT_TRUE(without.applied);
    bool wrong = false;
    for (const float v : without.session.Run()) wrong = wrong || !std::isfinite(v);
    EXPECT_TRUE(wrong);

    Guarded with(bytes,
                 {{"tern_backend", backend}, {"tern_precision", "f16"}, {"tern_guard", "1"}});
    ASSERT_TRUE(with.applied);
    EXPECT_THAT(with.Promoted(), IsEmpty());
    EXPECT_THAT(with.session.Run(), CloseTo(expected, 0.2f));  // of up to 124
    EXPECT_THAT(with.Promoted(), ElementsAre("FULLY_CONNECTED #1"));
    // It stays there.
    EXPECT_THAT(with.session.Run(), CloseTo(expected, 0.2f));
    EXPECT_THAT(with.Promoted(), SizeIs(1));
  }
}

// Weights, too, may be more than a half holds.
TEST(HalfGuard, WeightsBeyondHalves) {
  const std::vector<uint8_t> bytes = Products({0.5f, 1e5f, 1e-5f});
  const std::vector<float> expected = CpuResult(bytes);
  for (const std::string& backend : Backends()) {
    SCOPED_TRACE(backend);
    Guarded with(bytes,
                 {{"tern_backend", backend}, {"tern_precision", "f16"}, {"tern_guard", "1"}});
    ASSERT_TRUE(with.applied);
    EXPECT_THAT(with.session.Run(), CloseTo(expected, 2e-3f));
    EXPECT_THAT(with.Promoted(), ElementsAre("FULLY_CONNECTED #1"));
  }
}

// Values that overflow floats, too, are the model's own result.
TEST(HalfGuard, InfinitiesOfTheModelStay) {
  const std::vector<uint8_t> bytes = Products({1e20f, 1e20f, 1, 1});
  const std::vector<float> expected = CpuResult(bytes);
  ASSERT_TRUE(std::isinf(expected[0]) || std::isnan(expected[0]));
  Guarded with(bytes, {{"tern_backend", "host"}, {"tern_precision", "f16"}, {"tern_guard", "1"}});
  ASSERT_TRUE(with.applied);
  const std::vector<float> result = with.session.Run();
  ASSERT_EQ(result.size(), expected.size());
  for (size_t i = 0; i < result.size(); ++i) {
    EXPECT_EQ(std::isnan(result[i]), std::isnan(expected[i])) << i;
    EXPECT_EQ(std::isinf(result[i]), std::isinf(expected[i])) << i;
  }
  EXPECT_THAT(with.Promoted(), SizeIs(3));  // what #3 makes is the output, in floats anyway
}

TEST(HalfGuard, NothingIsWatchedInFloats) {
  Guarded with(Products({2, 3}),
               {{"tern_backend", "host"}, {"tern_guard", "1"}, {"tern_list", "1"}});
  ASSERT_TRUE(with.applied);
  const json report = ReportOf(with.delegate);
  EXPECT_THAT(report["plans"].dump(), ::testing::Not(HasSubstr("guard")));
  DelegateOptions options = DefaultOptions();
  ASSERT_TRUE(SetOption("tern_guard", "1", &options).ok());
  EXPECT_THAT(RequestsWithoutEffect(options), ElementsAre(HasSubstr("tern_guard")));
  ASSERT_TRUE(SetOption("tern_activations", "f16", &options).ok());
  EXPECT_THAT(RequestsWithoutEffect(options), IsEmpty());
}

// y = x * a * b * c; DEQUANTIZE makes weights of `halves` of them.
std::vector<uint8_t> HalfWeights(int halves) {
  ModelBuilder b;
  int x = b.Input({1, 4, 4, 16});
  tflite::Conv2DOptionsT options;
  options.stride_w = options.stride_h = 1;
  for (int i = 0; i < 3; ++i) {
    int w = 0;
    if (i < halves) {
      const int half = b.ConstHalf({16, 1, 1, 16}, std::vector<float>(256, 0.125f));
      w = b.Op(tflite::BuiltinOperator_DEQUANTIZE, {half}, {b.Tensor({16, 1, 1, 16})});
    } else {
      w = b.Const<float>({16, 1, 1, 16}, std::vector<float>(256, 0.125f));
    }
    x = b.Op(tflite::BuiltinOperator_CONV_2D, {x, w, -1}, {b.Tensor({1, 4, 4, 16})}, options);
  }
  b.Output(x);
  return b.Finish();
}

TEST(Activations, AreFloatsWhereMostWeightsAreHalvesInTheModel) {
  const auto activations = [](const std::vector<uint8_t>& bytes, testing::Pairs options) {
    options.push_back({"tern_backend", "host"});
    Guarded run(bytes, options);
    const json report = ReportOf(run.delegate);
    EXPECT_TRUE(run.applied);
    if (!run.applied) return std::pair(run.session.errors.messages.back(), 0);
    EXPECT_EQ(report["storage"].size(), 1U);
    EXPECT_EQ(report["storage"][0]["weights"], report["precision"]);
    return std::pair(report["storage"][0]["activations"].get<std::string>(),
                     report["arena_bytes"].get<int>());
  };
  const testing::Pairs f16 = {{"tern_precision", "f16"}};
  const auto halves = activations(HalfWeights(1), f16);
  EXPECT_EQ(halves.first, "f16");
  const auto floats = activations(HalfWeights(3), f16);
  EXPECT_EQ(floats.first, "f32");
  EXPECT_EQ(floats.second, 2 * halves.second);
  // The choice can be made for it.
  EXPECT_EQ(activations(HalfWeights(3), {f16[0], {"tern_activations", "f16"}}), halves);
  EXPECT_EQ(activations(HalfWeights(1), {f16[0], {"tern_activations", "f32"}}), floats);
  EXPECT_EQ(activations(HalfWeights(3), {{"inference_priority1", "3"},
                                         {"inference_priority2", "2"},
                                         {"inference_priority3", "1"}}),
            halves);  // minimum memory first
  EXPECT_EQ(activations(HalfWeights(3), {{"inference_priority1", "2"},
                                         {"inference_priority2", "3"},
                                         {"inference_priority3", "1"}}),
            floats);  // minimum latency first
}

}  // namespace
}  // namespace tern::delegate
