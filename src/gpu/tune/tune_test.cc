// SPDX-License-Identifier: Apache-2.0
// Tests tuning with invented measurements.
#include "gpu/tune/tune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "gpu/backends/null/null_device.h"
#include "gpu/plan/tuning_table.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

int DefineOf(const Dispatch& dispatch, const char* name) {
  for (const Define& define : dispatch.defines) {
    if (define.name == name) return define.value;
  }
  return 0;
}

// Four convolutions. The first and the last have their data in rows on one side; those between are
// the same work.
class TuneTest : public ::testing::Test {
 protected:
  TuneTest() {
    TensorId x = b_.Input({1, 16, 16, 8});
    for (const int channels : {8, 8, 8, 4}) {
      const std::vector<float> weights(static_cast<size_t>(9 * 8 * channels), 0.5f);
      TfLiteConvParams conv = {};
      conv.padding = kTfLitePaddingSame;
      conv.stride_width = conv.stride_height = 1;
      conv.dilation_width_factor = conv.dilation_height_factor = 1;
      x = b_.Op(kTfLiteBuiltinConv2d, "CONV_2D", {x, b_.Constant({channels, 3, 3, 8}, weights), -1},
                {1, 16, 16, channels}, conv);
    }
    b_.Output(x);
  }

  // Each measurement takes a millisecond.
  MeasurePlans Measure() {
    return [this](const std::vector<const Compiled*>& plans)
               -> absl::StatusOr<std::vector<std::vector<int64_t>>> {
      now_ += 1'000'000;
      ++measurements_;
      std::vector<std::vector<int64_t>> all;
      for (const Compiled* compiled : plans) {
        std::vector<int64_t>& nanos = all.emplace_back();
        for (const Dispatch& dispatch : compiled->plan.dispatches)
          nanos.push_back(nanos_of_(dispatch));
      }
      if (!failure_.ok() && measurements_ > fails_after_) return failure_;
      return all;
    };
  }

  absl::StatusOr<TuneResult> Run(int64_t budget_nanos = 1'000'000'000) {
    return Tune(b_.graph(), device_, GpuLoweringTable(), {}, Measure(),
                {budget_nanos, [this] { return now_; }});
  }

  GraphBuilder b_;
  DeviceInfo device_ = *NullDeviceInfo("mali");
  int64_t now_ = 5;
  int measurements_ = 0;
  std::function<int64_t(const Dispatch&)> nanos_of_ = [](const Dispatch&) { return 1000; };
  absl::Status failure_;
  int fails_after_ = 0;
};

TEST_F(TuneTest, EqualWorkStaysAsItIs) {
  const auto result = Run();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->nodes, IsEmpty());
  EXPECT_EQ(result->nanos_before, 4000);
  EXPECT_EQ(result->nanos_after, 4000);
  EXPECT_FALSE(result->out_of_time);
  ASSERT_EQ(result->kinds.size(), 3u);
  EXPECT_THAT(result->kinds[0].nodes, ElementsAre(1, 2));
  EXPECT_EQ(result->kinds[0].label, "CONV_2D #1");
  EXPECT_EQ(result->kinds[0].nanos, 2000);
  EXPECT_GT(result->kinds[0].trials.size(), 4u);
}

TEST_F(TuneTest, TakesWhatIsQuickerForEachKind) {
  // Two pixels are best for those between, and four, the device's parameter, for the others.
  nanos_of_ = [](const Dispatch& d) {
    const bool between = d.node == 1 || d.node == 2;
    return DefineOf(d, "PIXELS") == (between ? 2 : 4) ? 500 : 1000;
  };
  const auto result = Run();
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->nodes.size(), 2u);
  EXPECT_EQ(result->nodes.at(1).pixels, 2);
  EXPECT_EQ(result->nodes.at(2).pixels, 2);
  EXPECT_EQ(result->nanos_before, 3000);
  EXPECT_EQ(result->nanos_after, 2000);
  EXPECT_EQ(result->nanos_spent, now_ - 5);
  // The plan that comes out has these parameters.
  CompileOptions options;
  options.tuned = result->nodes;
  const auto compiled = Compile(b_.graph(), device_, GpuLoweringTable(), options);
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  std::vector<int> pixels;
  for (const Dispatch& d : compiled->plan.dispatches) pixels.push_back(DefineOf(d, "PIXELS"));
  EXPECT_THAT(pixels, ElementsAre(4, 2, 2, 4));
}

TEST_F(TuneTest, GroupsAreChosenOnTopOfTiles) {
  nanos_of_ = [](const Dispatch& d) {
    const int items = d.group[0] * d.group[1] * d.group[2];
    return 1000 - (DefineOf(d, "PIXELS") == 2 ? 300 : 0) - (items == 16 ? 300 : 0);
  };
  const auto result = Run();
  ASSERT_TRUE(result.ok()) << result.status();
  for (const int node : {1, 2}) {
    ASSERT_EQ(result->nodes.count(node), 1u);
    EXPECT_EQ(result->nodes.at(node).pixels, 2);
    EXPECT_EQ(result->nodes.at(node).group_items, 16);
  }
}

TEST_F(TuneTest, AFewPercentAreNoReason) {
  nanos_of_ = [](const Dispatch& d) { return DefineOf(d, "PIXELS") == 2 ? 970 : 1000; };
  const auto result = Run();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->nodes, IsEmpty());
}

// A measurement that is long for both, as beside other work, makes no parameter good.
TEST_F(TuneTest, ComparesWithTheLeastOfAllMeasurements) {
  nanos_of_ = [this](const Dispatch& d) {
    if (measurements_ == 1) return 1000;
    return DefineOf(d, "PIXELS") == 4 ? 3000 : 2000;
  };
  const auto result = Run();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->nodes, IsEmpty());
}

TEST_F(TuneTest, NothingIsKeptThatDoesNotPayOnTheWhole) {
  // Quicker alone, but not as soon as all nodes have it.
  nanos_of_ = [this](const Dispatch& d) {
    const bool two = DefineOf(d, "PIXELS") == 2;
    return two ? (measurements_ < 4 ? 500 : 1000) : 1000;
  };
  const auto result = Run();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->nodes, IsEmpty());
  EXPECT_EQ(result->nanos_before, result->nanos_after);
  for (const TunedKind& kind : result->kinds) EXPECT_EQ(kind.parameters.pixels, 4);
}

TEST_F(TuneTest, StopsWhenTheTimeIsSpent) {
  const auto result = Run(3'500'000);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->out_of_time);
  EXPECT_LE(result->nanos_spent, 3'500'000);
  EXPECT_GE(measurements_, 2);
}

TEST_F(TuneTest, ShortNodesAreLeftAlone) {
  nanos_of_ = [](const Dispatch& d) {
    if (d.node == 3) return 5;
    return DefineOf(d, "PIXELS") == 2 ? 500 : 1000;
  };
  const auto result = Run();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->kinds.size(), 2u);
  EXPECT_EQ(result->nodes.count(3), 0u);
  EXPECT_EQ(result->nodes.size(), 3u);
}

TEST_F(TuneTest, WhatTheDeviceDoesNotRunIsNoChoice) {
  failure_ = absl::InternalError("the driver says no");
  fails_after_ = 1;
  const auto result = Run();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->nodes, IsEmpty());
}

TEST_F(TuneTest, AGraphThatDoesNotRunIsAnError) {
  failure_ = absl::InternalError("the driver says no");
  const auto result = Run();
  EXPECT_THAT(std::string(Message(result.status())), HasSubstr("the driver says no"));
}

TEST_F(TuneTest, AMeasurementOfAnotherFormIsAnError) {
  const MeasurePlans none = [](const std::vector<const Compiled*>&) {
    return std::vector<std::vector<int64_t>>{{1}};
  };
  const auto result = Tune(b_.graph(), device_, GpuLoweringTable(), {}, none,
                           {1'000'000'000, [this] { return now_++; }});
  EXPECT_THAT(std::string(Message(result.status())), HasSubstr("not every launch was measured"));
}

TEST(TuningTable, TheRasterizerOfMesaTakesTwoSlices) {
  DeviceInfo device = *NullDeviceInfo("gles-min");
  EXPECT_EQ(TuningFor(device, 0).common.slices, 1);
  for (const char* api : {"gles", "vulkan"}) {
    device.api = api;
    device.name = "llvmpipe (LLVM 15.0.6, 256 bits)";
    EXPECT_EQ(TuningFor(device, 0).common.slices, 2);
    EXPECT_EQ(TuningFor(device, 0).common.line_slices, 2);
    EXPECT_EQ(TuningFor(device, 0).common.pixels, 4);
  }
}

// Each is a plan that every invented device takes.
TEST(Variations, GivePlansWithinTheLimits) {
  for (const char* name :
       {"gles-min", "adreno", "mali", "videocore", "amd", "nvidia", "cpu16", "videocore-vulkan"}) {
    const DeviceInfo device = *NullDeviceInfo(name);
    const Tuning tuning = TuningFor(device, 0);
    GraphBuilder b;
    const TensorId x = b.Input({1, 7, 30, 40});
    const std::vector<float> weights(9 * 40, 0.5f);
    TfLiteDepthwiseConvParams params = {};
    params.padding = kTfLitePaddingSame;
    params.stride_width = params.stride_height = 1;
    params.depth_multiplier = 1;
    params.dilation_width_factor = params.dilation_height_factor = 1;
    const TensorId y = b.Op(kTfLiteBuiltinDepthwiseConv2d, "DEPTHWISE_CONV_2D",
                            {x, b.Constant({1, 3, 3, 40}, weights), -1}, {1, 7, 30, 40}, params);
    TfLiteReducerParams mean = {};
    b.Output(b.Op(kTfLiteBuiltinMean, "MEAN", {y, b.Ints({2}, {1, 2})}, {1, 40}, mean));
    const std::vector<Variation> variations = Variations(device, tuning);
    EXPECT_GT(variations.size(), 5u) << name;
    for (const Variation& variation : variations) {
      CompileOptions options;
      const NodeTuning parameters = With(tuning.common, variation);
      options.tuned = {{0, parameters}, {1, parameters}};
      const auto compiled = Compile(b.graph(), device, GpuLoweringTable(), options);
      EXPECT_TRUE(compiled.ok()) << name << ", " << Difference(tuning.common, parameters) << ": "
                                 << compiled.status();
    }
  }
}

TEST(Variations, AreNamedByWhatTheyChange) {
  NodeTuning from;
  EXPECT_EQ(Difference(from, from), "");
  EXPECT_EQ(Difference(from, With(from, {{&NodeTuning::pixels, 2}, {&NodeTuning::slices, 3}})),
            "pixels 2, slices 3");
  EXPECT_EQ(Difference(from, With(from, {{&NodeTuning::group_items, 128}})), "group items 128");
}

}  // namespace
}  // namespace tern::gpu
