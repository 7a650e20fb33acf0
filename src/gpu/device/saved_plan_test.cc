// SPDX-License-Identifier: Apache-2.0
// Prepared plans through bytes: what comes back, what a saved one is no longer good for, and bytes
// that nobody saved.
#include "gpu/device/saved_plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

#include "base/status.h"
#include "gpu/backends/null/null_device.h"
#include "gpu/compile.h"
#include "gpu/languages/metal_language.h"
#include "gpu/plan/plan_bytes.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

struct NetOptions {
  int channels = 8;
  float weight = 0.5f;
  CompileOptions compile = {};
  std::string device = "mali";
};

// A convolution and what follows it.
Plan MakePlan(const NetOptions& options = {}) {
  GraphBuilder b;
  const int c = options.channels;
  const std::vector<int> dims = {1, 6, 6, c};
  const TensorId x = b.Input(dims);
  const TensorId filter =
      b.Constant({c, 3, 3, c}, std::vector<float>(static_cast<size_t>(9 * c * c), options.weight));
  const TensorId bias = b.Constant({c}, std::vector<float>(static_cast<size_t>(c), 1.0f));
  TfLiteConvParams conv = {};
  conv.padding = kTfLitePaddingSame;
  conv.stride_width = conv.stride_height = 1;
  conv.dilation_width_factor = conv.dilation_height_factor = 1;
  conv.activation = kTfLiteActRelu6;
  const TensorId y = b.Op(kTfLiteBuiltinConv2d, "CONV_2D", {x, filter, bias}, dims, conv);
  b.Output(b.Op(kTfLiteBuiltinSoftmax, "SOFTMAX", {y}, dims, TfLiteSoftmaxParams{1.0f}));
  auto compiled =
      Compile(b.graph(), *NullDeviceInfo(options.device), GpuLoweringTable(), options.compile);
  EXPECT_TRUE(compiled.ok()) << compiled.status();
  return compiled.ok() ? compiled->plan : Plan();
}

const DeviceInfo kMali = *NullDeviceInfo("mali");

// With bytes in place of what a driver would give.
PreparedPlan MakePrepared(const Plan& plan) {
  auto prepared = PreparePlan(plan, kMali, MetalLanguage());
  EXPECT_TRUE(prepared.ok()) << prepared.status();
  // The first two were built at once.
  for (size_t i = 0; i < prepared->programs.size(); ++i) {
    PreparedProgram& program = prepared->programs[i];
    const std::string& text = program.source.text;
    program.binary = {7, static_cast<uint32_t>(i),
                      i == 1 ? prepared->programs[0].binary.bytes
                             : std::make_shared<std::vector<uint8_t>>(text.begin(), text.end())};
    program.source.text.clear();
  }
  return *std::move(prepared);
}

bool operator==(const PreparedLaunch& a, const PreparedLaunch& b) {
  return a.dispatch == b.dispatch && a.program == b.program && a.buffers == b.buffers &&
         a.uniform_words == b.uniform_words;
}

void ExpectSame(const Signature& a, const Signature& b) {
  EXPECT_EQ(a.slice_width, b.slice_width);
  EXPECT_EQ(a.fma, b.fma);
  EXPECT_EQ(a.group, b.group);
  EXPECT_EQ(a.uses_half, b.uses_half);
  ASSERT_EQ(a.buffers.size(), b.buffers.size());
  for (size_t i = 0; i < a.buffers.size(); ++i) {
    EXPECT_EQ(a.buffers[i].name, b.buffers[i].name);
    EXPECT_EQ(a.buffers[i].element, b.buffers[i].element);
    EXPECT_EQ(a.buffers[i].written, b.buffers[i].written);
    EXPECT_EQ(a.buffers[i].single, b.buffers[i].single);
    EXPECT_EQ(a.buffers[i].texels, b.buffers[i].texels);
  }
  ASSERT_EQ(a.uniforms.size(), b.uniforms.size());
  for (size_t i = 0; i < a.uniforms.size(); ++i) {
    EXPECT_EQ(a.uniforms[i].name, b.uniforms[i].name);
    EXPECT_EQ(a.uniforms[i].is_float, b.uniforms[i].is_float);
  }
  ASSERT_EQ(a.locals.size(), b.locals.size());
  for (size_t i = 0; i < a.locals.size(); ++i) {
    EXPECT_EQ(a.locals[i].name, b.locals[i].name);
    EXPECT_EQ(a.locals[i].length, b.locals[i].length);
    EXPECT_EQ(a.locals[i].slices, b.locals[i].slices);
  }
}

TEST(SavedPlan, ComesBackAsItWas) {
  const Plan plan = MakePlan();
  const PreparedPlan prepared = MakePrepared(plan);
  ASSERT_GE(prepared.programs.size(), 2u);
  const SavedPlanKey key(plan, kMali);
  const auto back = LoadPlan(SavePlan(key, prepared), key, plan);
  ASSERT_TRUE(back.ok()) << back.status();
  ASSERT_EQ(back->programs.size(), prepared.programs.size());
  for (size_t i = 0; i < prepared.programs.size(); ++i) {
    const PreparedProgram &a = back->programs[i], &b = prepared.programs[i];
    EXPECT_EQ(a.text, b.text);
    EXPECT_TRUE(a.source.text.empty());
    EXPECT_EQ(a.source.has_barrier, b.source.has_barrier);
    ExpectSame(a.source.signature, b.source.signature);
    EXPECT_EQ(a.binary.format, b.binary.format);
    EXPECT_EQ(a.binary.part, b.binary.part);
    EXPECT_EQ(*a.binary.bytes, *b.binary.bytes);
  }
  EXPECT_EQ(back->programs[0].binary.bytes, back->programs[1].binary.bytes);
  ASSERT_EQ(back->launches.size(), prepared.launches.size());
  for (size_t i = 0; i < prepared.launches.size(); ++i)
    EXPECT_TRUE(back->launches[i] == prepared.launches[i]) << i;
}

// A launch without work has no program.
TEST(SavedPlan, DispatchesWithoutWorkAreLeftOut) {
  Plan plan = MakePlan();
  plan.dispatches.insert(plan.dispatches.begin(), plan.dispatches.front());
  plan.dispatches.front().grid = {0, 1, 1};
  const PreparedPlan prepared = MakePrepared(plan);
  EXPECT_EQ(prepared.launches.front().dispatch, 1u);
  const SavedPlanKey key(plan, kMali);
  EXPECT_TRUE(LoadPlan(SavePlan(key, prepared), key, plan).ok());
}

// Everything that a text or a launch follows from makes another key.
TEST(SavedPlan, AnythingElseIsAnotherKey) {
  const Plan plan = MakePlan();
  const SavedPlanKey key(plan, kMali);
  const std::vector<uint8_t> saved = SavePlan(key, MakePrepared(plan));
  std::set<std::string> keys = {key.text};
  const auto expect_other = [&](const Plan& other, const DeviceInfo& device) {
    const SavedPlanKey own(other, device);
    EXPECT_TRUE(keys.insert(own.text).second) << own.text;
    EXPECT_TRUE(absl::IsDataLoss(LoadPlan(saved, own, other).status()));
  };
  const auto other_device = [&](const std::function<void(DeviceInfo&)>& change) {
    DeviceInfo device = kMali;
    change(device);
    expect_other(plan, device);
  };
  other_device([](DeviceInfo& d) { d.driver += "."; });
  other_device([](DeviceInfo& d) { d.platform = "newer"; });
  other_device([](DeviceInfo& d) { d.name = "mali 2"; });
  other_device([](DeviceInfo& d) { d.api = "gles"; });
  other_device([](DeviceInfo& d) { d.fma = !d.fma; });
  other_device([](DeviceInfo& d) { d.half_math = !d.half_math; });
  other_device([](DeviceInfo& d) { ++d.max_group[2]; });
  other_device([](DeviceInfo& d) { --d.max_loop_iterations; });
  other_device([](DeviceInfo& d) { --d.max_texels; });
  other_device([](DeviceInfo& d) { --d.max_texel_buffers; });
  expect_other(MakePlan({.channels = 12}), kMali);
  expect_other(MakePlan({.compile = {.precision = Precision::kF16}}), kMali);
  expect_other(MakePlan({.compile = {.precision = Precision::kF16, .sums = Precision::kF16}}),
               kMali);
  expect_other(MakePlan({.compile = {.fuse = false, .packed = false}}), kMali);
  expect_other(MakePlan({.device = "cpu16"}), kMali);
  const auto other_plan = [&](const std::function<void(Plan&)>& change) {
    Plan other = plan;
    change(other);
    expect_other(other, kMali);
  };
  other_plan([](Plan& p) { ++p.dispatches[0].grid[0]; });
  other_plan([](Plan& p) { p.dispatches[0].group[1] *= 2; });
  other_plan([](Plan& p) { ++p.tensors.back().offset; });
  other_plan([](Plan& p) { p.dispatches[0].kernel = p.dispatches.back().kernel; });
  other_plan([](Plan& p) { p.dispatches[0].defines.push_back({"NEW", 1}); });
  other_plan([](Plan& p) { p.dispatches[0].uniforms.push_back({"new", true, 0, 0.25f}); });
  other_plan([](Plan& p) { p.tuning.lanes_from_memory = !p.tuning.lanes_from_memory; });
  other_plan([](Plan& p) { p.tuning.texels = !p.tuning.texels; });
  other_plan([](Plan& p) { p.dispatches[0].bindings[0].texels = true; });
}

// Weights come from the model at every start: plans that differ in them alone are the same.
TEST(SavedPlan, WeightsAreNoPartOfIt) {
  EXPECT_EQ(PlanBytes(MakePlan()), PlanBytes(MakePlan({.weight = 0.75f})));
}

// Any bytes give an error or a plan that can be launched.
TEST(SavedPlan, TenThousandMutations) {
  const Plan plan = MakePlan();
  const SavedPlanKey key(plan, kMali);
  const std::vector<uint8_t> good = SavePlan(key, MakePrepared(plan));
  // Behind what is compared as a whole.
  const size_t start = 16 + key.origin.size() + key.plan.size();
  ASSERT_LT(start, good.size());
  std::mt19937_64 random(16);
  int refused = 0;
  for (int round = 0; round < 10000; ++round) {
    std::vector<uint8_t> bytes = good;
    const int changes = 1 + static_cast<int>(random() % 8);
    for (int i = 0; i < changes; ++i) {
      const size_t at = start + random() % (bytes.size() - start);
      switch (random() % 4) {
        case 0:
          bytes[at] ^= static_cast<uint8_t>(1u << random() % 8);
          break;
        case 1:
          bytes[at] = random() % 2 == 0 ? 0xFF : 0;
          break;
        case 2:
          bytes.resize(at + 1);
          break;
        default:
          bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes[at]);
      }
    }
    const auto back = LoadPlan(bytes, key, plan);
    refused += back.ok() ? 0 : 1;
    if (!back.ok()) continue;
    ASSERT_EQ(back->launches.size(), plan.dispatches.size());
    for (const PreparedProgram& program : back->programs) ASSERT_NE(program.binary.bytes, nullptr);
    for (const PreparedLaunch& launch : back->launches) {
      ASSERT_LT(launch.program, back->programs.size());
      const Signature& signature = back->programs[launch.program].source.signature;
      ASSERT_EQ(launch.buffers.size(), signature.buffers.size());
      ASSERT_EQ(launch.uniform_words.size(), signature.uniforms.size());
      for (const TensorId id : launch.buffers) {
        ASSERT_GE(id, 0);
        ASSERT_LT(id, static_cast<TensorId>(plan.tensors.size()));
      }
    }
  }
  EXPECT_GT(refused, 5000);
}

}  // namespace
}  // namespace tern::gpu
