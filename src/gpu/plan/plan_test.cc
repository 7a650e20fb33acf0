// SPDX-License-Identifier: Apache-2.0
// Memory plan, limits, group sizes and tuning, on invented devices.
#include <gtest/gtest.h>

#include <random>

#include "base/status.h"
#include "gpu/compile.h"
#include "gpu/plan/group_size.h"
#include "gpu/plan/memory_plan.h"
#include "gpu/plan/print_plan.h"
#include "gpu/plan/tuning_table.h"
#include "gpu/plan/validate_plan.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 30;  // of one buffer

TensorId AddTemp(Plan& plan, int64_t bytes) {
  PlanTensor tensor;
  tensor.bytes = bytes;
  plan.tensors.push_back(tensor);
  return static_cast<TensorId>(plan.tensors.size()) - 1;
}

void AddDispatch(Plan& plan, std::vector<TensorId> touched) {
  Dispatch dispatch;
  for (TensorId id : touched) dispatch.bindings.push_back({"t", id, Access::kRead, {}});
  plan.dispatches.push_back(dispatch);
}

TEST(MemoryPlan, ChainNeedsTheTwoLargestNeighbours) {
  Plan plan;
  const TensorId a = AddTemp(plan, 1000), b = AddTemp(plan, 3000), c = AddTemp(plan, 2000),
                 d = AddTemp(plan, 500);
  AddDispatch(plan, {a, b});
  AddDispatch(plan, {b, c});
  AddDispatch(plan, {c, d});
  PlanMemory(plan, 256, kMaxBytes);
  EXPECT_EQ(plan.arena_bytes(), 3072 + 2048);
}

// Constants that an earlier dispatch writes live until the dispatch that reads them.
TEST(MemoryPlan, WrittenConstantsLive) {
  Plan plan;
  const TensorId constants = AddTemp(plan, 1000), written = AddTemp(plan, 1000);
  AddDispatch(plan, {constants});
  AddDispatch(plan, {written});
  plan.dispatches[1].bindings.push_back(ConstantsIn(constants));
  PlanMemory(plan, 256, kMaxBytes);
  EXPECT_NE(plan.tensors[constants].offset, plan.tensors[written].offset);
}

TEST(MemoryPlan, WhatIsTooMuchForOneBufferLiesInSeveral) {
  Plan plan;
  const TensorId a = AddTemp(plan, 1000), b = AddTemp(plan, 3000), c = AddTemp(plan, 2000),
                 d = AddTemp(plan, 500);
  AddDispatch(plan, {a, b});
  AddDispatch(plan, {b, c});
  AddDispatch(plan, {c, d});
  for (const int64_t bytes : {700, 900, 2000}) {
    PlanTensor constant;
    constant.role = Role::kConstant;
    constant.bytes = bytes;
    plan.tensors.push_back(constant);
  }
  PlanMemory(plan, 256, 3072);
  EXPECT_EQ(plan.arenas, (std::vector<int64_t>{3072, 2048}));
  EXPECT_EQ(plan.tensors[b].buffer, 0);
  EXPECT_EQ(plan.tensors[c].buffer, 1);
  EXPECT_EQ(plan.tensors[a].buffer, 1);
  EXPECT_EQ(plan.tensors[d].buffer, 0);
  EXPECT_EQ(plan.constants, (std::vector<int64_t>{1792, 2048}));
  EXPECT_EQ(plan.arena_bytes(), 3072 + 2048);
  // A tensor that is too long by itself is not the planner's affair.
  PlanMemory(plan, 256, 1024);
  EXPECT_EQ(plan.arenas, (std::vector<int64_t>{3072, 2048}));
  EXPECT_EQ(plan.constants, (std::vector<int64_t>{768, 1024, 2048}));
}

TEST(MemoryPlan, LivingTensorsNeverOverlap) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Plan plan;
    const int tensors = 1 + static_cast<int>(random() % 12),
              dispatches = 1 + static_cast<int>(random() % 12);
    for (int t = 0; t < tensors; ++t) AddTemp(plan, static_cast<int64_t>(random() % 5000));
    std::vector<std::pair<int, int>> life(tensors, {1 << 30, -1});
    for (int d = 0; d < dispatches; ++d) {
      std::vector<TensorId> touched;
      for (int k = 0; k < 3; ++k) {
        const int t = static_cast<int>(random() % tensors);
        touched.push_back(t);
        life[t] = {std::min(life[t].first, d), std::max(life[t].second, d)};
      }
      AddDispatch(plan, touched);
    }
    PlanMemory(plan, 64, round % 2 == 0 ? kMaxBytes : 6016);
    for (int i = 0; i < tensors; ++i) {
      EXPECT_EQ(plan.tensors[i].offset % 64, 0);
      EXPECT_LE(plan.tensors[i].offset + plan.tensors[i].bytes, round % 2 == 0 ? kMaxBytes : 6016);
      for (int j = 0; j < i; ++j) {
        const bool together = life[i].first <= life[j].second && life[j].first <= life[i].second;
        const PlanTensor &a = plan.tensors[i], &b = plan.tensors[j];
        if (!together || a.bytes == 0 || b.bytes == 0 || a.buffer != b.buffer) continue;
        EXPECT_TRUE(a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset)
            << "round " << round;
      }
    }
  }
}

TEST(GroupSize, StaysWithinLimits) {
  for (const Int3& limit : {Int3{128, 128, 64}, Int3{1, 1, 1}, Int3{1024, 4, 2}}) {
    DeviceInfo device;
    device.max_group = limit;
    device.max_group_items = std::min(128, limit[0] * limit[1] * limit[2]);
    Tuning tuning = TuningFor(device, 0);
    for (const Int3& grid :
         {Int3{1, 1, 1}, Int3{224, 224, 1}, Int3{7, 7, 256}, Int3{1, 1, 100000}}) {
      tuning.same_groups = !tuning.same_groups;
      const Int3 group = ChooseGroup(grid, device, tuning, 0);
      EXPECT_LE(group[0] * group[1] * group[2], device.max_group_items);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GE(group[axis], 1);
        EXPECT_LE(group[axis], limit[axis]);
      }
    }
  }
}

TEST(GroupSize, FitsTheGridUnlessAllAreTheSame) {
  DeviceInfo device;
  Tuning tuning;
  EXPECT_EQ(ChooseGroup({2, 7, 3}, device, tuning, 0), (Int3{2, 4, 4}));
  EXPECT_EQ(ChooseGroup({9, 1, 1}, device, tuning, 0), (Int3{16, 1, 1}));
  tuning.same_groups = true;
  for (const Int3& grid : {Int3{1, 2, 1}, Int3{2, 7, 3}, Int3{500, 100, 9}})
    EXPECT_EQ(ChooseGroup(grid, device, tuning, 0), (Int3{8, 4, 2}));
  EXPECT_EQ(ChooseGroup({9, 1, 1}, device, tuning, 0), (Int3{64, 1, 1}));
}

TEST(GroupSize, DriversThatCompileForEachGetTheSameOnes) {
  DeviceInfo device;
  EXPECT_FALSE(TuningFor(device, 0).same_groups);
  device.name = "llvmpipe (LLVM 15.0.6, 256 bits)";
  EXPECT_TRUE(TuningFor(device, 0).same_groups);
  device = DeviceInfo();
  device.device_class = DeviceClass::kCpu;
  const Tuning cpu = TuningFor(device, 0);
  for (const Int3& grid : {Int3{1, 1, 1}, Int3{500, 100, 9}})
    EXPECT_EQ(ChooseGroup(grid, device, cpu, 0), (Int3{8, 1, 1})) << "no driver is asked for two";
}

TEST(Tuning, FewRegistersGetFewPixels) {
  DeviceInfo device;
  EXPECT_EQ(TuningFor(device, 0).common.depthwise_pixels, 4);
  EXPECT_TRUE(TuningFor(device, 0).one_cursor);
  device.vendor = "Broadcom";
  EXPECT_EQ(TuningFor(device, 0).common.depthwise_pixels, 2);
  EXPECT_FALSE(TuningFor(device, 0).one_cursor);
  device.device_class = DeviceClass::kCpu;
  EXPECT_EQ(TuningFor(device, 0).common.depthwise_pixels, 4);
  EXPECT_FALSE(TuningFor(device, 0).one_cursor);
}

TEST(Tuning, HalvesShareTheirConversions) {
  const auto tiles = [](const char* vendor, const Storage& storage) {
    DeviceInfo device;
    device.vendor = vendor;
    const NodeTuning t = TuningFor(device, 0, storage).common;
    return std::vector<int>{t.pixels, t.slices, t.line_pixels, t.line_slices};
  };
  constexpr Precision kHalf = Precision::kF16;
  const Storage weights = {.weights = kHalf};
  const Storage halves = {.weights = kHalf, .activations = kHalf};
  const Storage sums = {.weights = kHalf, .activations = kHalf, .sums = kHalf};
  EXPECT_EQ(tiles("ARM", {}), (std::vector<int>{4, 1, 4, 1}));
  EXPECT_EQ(tiles("Qualcomm", {}), (std::vector<int>{4, 1, 4, 1}));
  EXPECT_EQ(tiles("ARM", weights), (std::vector<int>{4, 1, 4, 1}));
  EXPECT_EQ(tiles("ARM", halves), (std::vector<int>{4, 1, 4, 2}));
  EXPECT_EQ(tiles("Qualcomm", halves), (std::vector<int>{4, 2, 5, 2}));
  EXPECT_EQ(tiles("Broadcom", halves), (std::vector<int>{4, 1, 4, 1}));
  EXPECT_EQ(tiles("ARM", sums), (std::vector<int>{3, 1, 5, 1}));
  EXPECT_EQ(tiles("Qualcomm", sums), (std::vector<int>{4, 1, 5, 1}));
}

TEST(Tuning, WidthFollowsTheDeviceAndTheOverride) {
  DeviceInfo cpu;
  cpu.device_class = DeviceClass::kCpu;
  cpu.native_vector_width = 16;
  cpu.max_slice_width = 16;
  EXPECT_EQ(TuningFor(cpu, 0).slice_width, 16);
  EXPECT_EQ(TuningFor(cpu, 4).slice_width, 4);
  cpu.native_vector_width = 8;
  EXPECT_EQ(TuningFor(cpu, 0).slice_width, 8);
  DeviceInfo gpu;
  EXPECT_EQ(TuningFor(gpu, 0).slice_width, 4);
  EXPECT_EQ(TuningFor(gpu, 16).slice_width, 4);  // its language has no wider vectors
}

Graph ConvGraph(GraphBuilder& b, int channels) {
  const TensorId in = b.Input({1, 8, 8, channels});
  TfLiteConvParams params{};
  params.padding = kTfLitePaddingSame;
  params.stride_width = params.stride_height = 1;
  params.dilation_width_factor = params.dilation_height_factor = 1;
  params.activation = kTfLiteActRelu6;
  const TensorId filter =
      b.Constant({channels, 3, 3, channels}, std::vector<float>(9 * channels * channels, 0.5f));
  const TensorId bias = b.Constant({channels}, std::vector<float>(channels, 1.0f));
  const TensorId conv =
      b.Op(kTfLiteBuiltinConv2d, "CONV_2D", {in, filter, bias}, {1, 8, 8, channels}, params);
  b.Output(b.Op(kTfLiteBuiltinAdd, "ADD", {conv, in}, {1, 8, 8, channels}, TfLiteAddParams{}));
  return b.graph();
}

TEST(Compile, FusedConvolutionFitsTheSmallestDevice) {
  DeviceInfo minimum;
  minimum.max_buffers = 4;
  minimum.max_group_items = 128;
  minimum.max_group = {128, 128, 64};
  minimum.local_memory_bytes = 16 << 10;
  GraphBuilder b;
  const absl::StatusOr<Compiled> made = Compile(ConvGraph(b, 12), minimum, GpuLoweringTable(), {});
  ASSERT_TRUE(made.ok()) << made.status();
  ASSERT_EQ(made->plan.dispatches.size(), 1u);
  EXPECT_EQ(made->plan.dispatches[0].epilogue.size(), 2u);  // relu6, then the residual add
  EXPECT_NE(PrintPlan(made->plan).find("then v = v + w"), std::string::npos);
}

TEST(PrintPlan, SaysWhatWentIntoWhat) {
  DeviceInfo device;
  GraphBuilder b;
  const TensorId in = b.Input({1, 4, 4, 4});
  const TensorId padded = b.Op(kTfLiteBuiltinPad, "PAD",
                               {in, b.Ints({4, 2}, {0, 0, 1, 1, 1, 1, 0, 0})}, {1, 6, 6, 4}, 0);
  TfLiteConvParams params{};
  params.padding = kTfLitePaddingValid;
  params.stride_width = params.stride_height = 1;
  params.dilation_width_factor = params.dilation_height_factor = 1;
  const TensorId filter = b.Constant({4, 3, 3, 4}, std::vector<float>(144, 0.5f));
  const TensorId conv =
      b.Op(kTfLiteBuiltinConv2d, "CONV_2D", {padded, filter, -1}, {1, 4, 4, 4}, params);
  const TensorId relu = b.Op(kTfLiteBuiltinRelu, "RELU", {conv}, {1, 4, 4, 4}, 0);
  b.Output(b.Op(kTfLiteBuiltinReshape, "RESHAPE", {relu}, {16, 4}, TfLiteReshapeParams{}));
  const absl::StatusOr<Compiled> made = Compile(b.graph(), device, GpuLoweringTable(), {});
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->plan.dispatches.size(), 1u);
  const std::string text = PrintPlan(made->plan);
  EXPECT_NE(text.find("    with PAD #0, RELU #2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("views of their inputs: RESHAPE #3\n"), std::string::npos) << text;
}

TEST(Compile, WithoutFusionTheSameNodesAreDispatches) {
  DeviceInfo device;
  GraphBuilder b;
  const absl::StatusOr<Compiled> made =
      Compile(ConvGraph(b, 12), device, GpuLoweringTable(), {.fuse = false});
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->plan.dispatches.size(), 2u);
}

TEST(Compile, APlanInSeveralBuffersIsPrintedWithThem) {
  DeviceInfo device;
  device.max_buffer_bytes = 4096;
  GraphBuilder b;
  const TensorId in = b.Input({1, 4, 4, 64});
  const TensorId x = b.Op(kTfLiteBuiltinRelu, "RELU", {in}, {1, 4, 4, 64}, 0);
  const TensorId y = b.Op(kTfLiteBuiltinAbs, "ABS", {in}, {1, 4, 4, 64}, 0);
  const TensorId z = b.Op(kTfLiteBuiltinMul, "MUL", {x, y}, {1, 4, 4, 64}, TfLiteMulParams{});
  b.Output(b.Op(kTfLiteBuiltinAdd, "ADD", {z, x}, {1, 4, 4, 64}, TfLiteAddParams{}));
  const absl::StatusOr<Compiled> made =
      Compile(b.graph(), device, GpuLoweringTable(), {.fuse = false});
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->plan.arenas, (std::vector<int64_t>{4096, 4096, 4096}));
  const std::string text = PrintPlan(made->plan);
  EXPECT_NE(text.find("arena 4096 + 4096 + 4096 bytes, constants 0 bytes"), std::string::npos)
      << text;
  EXPECT_NE(text.find(" at 0 of buffer 2"), std::string::npos) << text;
}

TEST(Compile, TooSmallBuffersAreRefusedWithNumbers) {
  DeviceInfo device;
  device.max_buffer_bytes = 1024;
  GraphBuilder b;
  const absl::StatusOr<Compiled> made = Compile(ConvGraph(b, 12), device, GpuLoweringTable(), {});
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.status().message().find("1024"), std::string::npos) << made.status();
}

TEST(Compile, RefusalNamesTheOperationAndTheReason) {
  GraphBuilder b;
  const TensorId in = b.Input({1, 8, 8, 3});
  b.graph().tensors[in].type = kTfLiteInt8;
  TfLitePoolParams params{};
  params.stride_width = params.stride_height = params.filter_width = params.filter_height = 1;
  b.Op(kTfLiteBuiltinMaxPool2d, "MAX_POOL_2D", {in}, {1, 8, 8, 3}, params);
  const absl::Status status = Compile(b.graph(), DeviceInfo{}, GpuLoweringTable(), {}).status();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("MAX_POOL_2D #0"), std::string::npos) << status;
  EXPECT_NE(status.message().find("INT8"), std::string::npos) << status;
}

// All loops of a work-item count together, and leaving a loop counts as an iteration.
TEST(Compile, LoopsThatADriverEndsAreRefused) {
  for (const int rows : {10, 11}) {
    DeviceInfo device;
    device.max_loop_iterations = 101;
    GraphBuilder b;
    TfLitePoolParams params{};
    params.stride_width = params.stride_height = 1;
    params.filter_width = 10;
    params.filter_height = rows;
    b.Op(kTfLiteBuiltinMaxPool2d, "MAX_POOL_2D", {b.Input({1, 20, 20, 3})}, {1, 21 - rows, 11, 3},
         params);
    const absl::Status status = Compile(b.graph(), device, GpuLoweringTable(), {}).status();
    if (rows == 10) {  // 10 * 10 + 1
      EXPECT_TRUE(status.ok()) << status;
    } else {
      EXPECT_EQ(status.message(),
                "MAX_POOL_2D #0: too many rounds of loops for one work-item (111, limit 101)");
    }
  }
}

TEST(ValidatePlan, CatchesEachLimit) {
  DeviceInfo device;
  std::vector<PlanTensor> tensors(1);
  tensors[0].desc = {{1, 1, 1, 4}, Layout::kSlices, Element::kFloat32};
  Dispatch good;
  good.label = "X #1";
  good.bindings = {{"src", 0, Access::kRead, {1, 1, 1, 4}}};
  good.group = {1, 1, 1};
  EXPECT_TRUE(ValidateDispatch(tensors, good, device, 4).ok());
  Dispatch twice = good;
  twice.bindings.push_back(twice.bindings[0]);
  EXPECT_FALSE(ValidateDispatch(tensors, twice, device, 4).ok());
  Dispatch missing = good;
  missing.bindings[0].tensor = 3;
  EXPECT_FALSE(ValidateDispatch(tensors, missing, device, 4).ok());
  Dispatch viewed = good;
  viewed.bindings[0].box = {1, 1, 2, 4};
  EXPECT_FALSE(ValidateDispatch(tensors, viewed, device, 4).ok());
  Dispatch large = good;
  large.group = {512, 1, 1};
  EXPECT_FALSE(ValidateDispatch(tensors, large, device, 4).ok());
  Dispatch local = good;
  local.locals = {{"shared", 1 << 20, /*slices=*/true}};
  EXPECT_FALSE(ValidateDispatch(tensors, local, device, 4).ok());
}

}  // namespace
}  // namespace tern::gpu
