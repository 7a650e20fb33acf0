// SPDX-License-Identifier: Apache-2.0
// Which nodes have to go where a plan does not fit, by the smallest graphs that do not.
#include "gpu/misfit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/compile.h"
#include "gpu/desc/reason.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kLimit = 4096;

DeviceInfo Small() {
  DeviceInfo device;
  device.max_buffer_bytes = kLimit;
  return device;
}

std::vector<Misfit> Misfits(const Graph& graph, const DeviceInfo& device,
                            const CompileOptions& options = {}) {
  std::vector<Misfit> misfits;
  const auto made = Compile(graph, device, GpuLoweringTable(), options, {.misfits = &misfits});
  EXPECT_EQ(made.ok(), misfits.empty()) << made.status();
  return misfits;
}

TensorId AddRelu(GraphBuilder& b, TensorId x) {
  return b.Op(kTfLiteBuiltinRelu, "RELU", {x}, b.graph().tensors[x].dims, 0);
}

TensorId AddReshape(GraphBuilder& b, TensorId x, std::vector<int> dims) {
  return b.Op(kTfLiteBuiltinReshape, "RESHAPE", {x}, std::move(dims), TfLiteReshapeParams{});
}

// [8, 1] and [1, 256] are as one 8 KiB.
TensorId Product(GraphBuilder& b, TensorId x, TensorId y) {
  return b.Op(kTfLiteBuiltinBatchMatmul, "BATCH_MATMUL", {x, y}, {8, 256},
              TfLiteBatchMatMulParams{});
}

TensorId Sum(GraphBuilder& b, TensorId x, std::vector<int> dims) {
  return b.Op(kTfLiteBuiltinSum, "SUM", {x, b.Ints({1}, {1})}, std::move(dims),
              TfLiteReducerParams{true});
}

TEST(Misfit, ATensorTakesTheNodesThatTouchIt) {
  GraphBuilder b;
  const TensorId x = AddRelu(b, b.Input({8, 1}));
  const TensorId large = Product(b, x, b.Input({1, 256}));
  b.Output(AddRelu(b, Sum(b, large, {8, 1})));
  const std::vector<Misfit> misfits = Misfits(b.graph(), Small());
  ASSERT_THAT(misfits, SizeIs(1));
  EXPECT_EQ(misfits[0].nodes, (std::set<int>{1, 2}));
  EXPECT_EQ(RefusalReasonOf(misfits[0].status),
            (RefusalReason{Reason::kDeviceLimit, large, Bound{8192, kLimit}}));
  EXPECT_EQ(misfits[0].status.message(), "tensor '" + b.graph().tensors[large].name +
                                             "' takes 8192 bytes, the device allows 4096");
}

TEST(Misfit, AViewGoesWithTheTensorWhoseMemoryItIs) {
  GraphBuilder b;
  const TensorId large = Product(b, b.Input({8, 1}), b.Input({1, 256}));
  b.Output(Sum(b, AddReshape(b, large, {2, 4, 256}), {2, 1, 256}));
  const std::vector<Misfit> misfits = Misfits(b.graph(), Small());
  ASSERT_THAT(misfits, SizeIs(1));
  EXPECT_EQ(misfits[0].nodes, (std::set<int>{0, 1, 2}));
}

// The node before it does the work of a fused node, which alone reads the large operand.
TEST(Misfit, AnOperandOfAFusedNodeTakesThatNodeAlone) {
  GraphBuilder b;
  const TensorId large = b.Input({1, 1, 4, 512});
  const TensorId x =
      b.Op(kTfLiteBuiltinMaxPool2d, "MAX_POOL_2D", {b.Input({1, 2, 4, 512})}, {1, 1, 4, 512}, [] {
        TfLitePoolParams p{};
        p.stride_width = p.stride_height = p.filter_width = 1;
        p.filter_height = 2;
        return p;
      }());
  b.Output(b.Op(kTfLiteBuiltinAdd, "ADD", {x, large}, {1, 1, 4, 512}, TfLiteAddParams{}));
  DeviceInfo device = Small();
  device.max_buffer_bytes = 8191;
  const std::vector<Misfit> misfits = Misfits(b.graph(), device);
  ASSERT_THAT(misfits, SizeIs(3));  // both inputs and the output
  EXPECT_EQ(misfits[0].nodes, (std::set<int>{0}));
  EXPECT_EQ(misfits[1].nodes, (std::set<int>{1}));
  EXPECT_EQ(misfits[2].nodes, (std::set<int>{1}));
}

TEST(Misfit, WeightsAreNamedAndTakeTheirNode) {
  GraphBuilder b;
  TfLiteFullyConnectedParams params{};
  const TensorId weights = b.Constant({64, 32}, std::vector<float>(64 * 32, 0.5f));
  const TensorId x = AddRelu(b, b.Input({1, 32}));
  b.Output(AddRelu(
      b, b.Op(kTfLiteBuiltinFullyConnected, "FULLY_CONNECTED", {x, weights, -1}, {1, 64}, params)));
  const std::vector<Misfit> misfits = Misfits(b.graph(), Small());
  ASSERT_THAT(misfits, SizeIs(1));
  EXPECT_EQ(misfits[0].nodes, (std::set<int>{1}));
  EXPECT_EQ(RefusalReasonOf(misfits[0].status)->tensor, weights);
  EXPECT_THAT(std::string(misfits[0].status.message()),
              HasSubstr("tensor '" + b.graph().tensors[weights].name + "'"));
}

TEST(Misfit, QuantizedTensorsCountAsTheyLie) {
  GraphBuilder b;
  const QuantizedType q{kTfLiteInt8, 0.5f, 0};
  const TensorId in = b.Quantize(b.Input({1, 1, 8, 500}), q);
  TfLitePoolParams pool{};
  pool.stride_width = pool.stride_height = pool.filter_width = pool.filter_height = 1;
  TensorId x = in;
  for (int i = 0; i < 3; ++i) {
    x = b.Quantize(b.Op(kTfLiteBuiltinMaxPool2d, "MAX_POOL_2D", {x}, {1, 1, 8, 500}, pool), q);
  }
  b.Output(x);
  // 4000 bytes each where they lie as bytes, 16000 as floats.
  EXPECT_THAT(Misfits(b.graph(), Small(), {.packed = true}), IsEmpty());
  std::set<int> nodes;
  for (const Misfit& misfit : Misfits(b.graph(), Small(), {.packed = false})) {
    EXPECT_THAT(misfit.nodes, ::testing::Not(IsEmpty()));
    nodes.insert(misfit.nodes.begin(), misfit.nodes.end());
  }
  EXPECT_EQ(nodes, (std::set<int>{0, 1, 2}));
}

TEST(Misfit, Int64CountsByTheWord) {
  GraphBuilder b;
  const TensorId in = b.Input({3, 256});
  b.graph().tensors[in].type = kTfLiteInt64;
  const TensorId large = b.Op(kTfLiteBuiltinTile, "TILE", {in, b.Ints({2}, {2, 1})}, {6, 256}, 0);
  b.graph().tensors[large].type = kTfLiteInt64;
  const TensorId part = b.Op(kTfLiteBuiltinSlice, "SLICE",
                             {large, b.Ints({2}, {1, 0}), b.Ints({2}, {3, 256})}, {3, 256}, 0);
  b.graph().tensors[part].type = kTfLiteInt64;
  b.Output(part);
  const std::vector<Misfit> misfits = Misfits(b.graph(), Small());
  ASSERT_THAT(misfits, SizeIs(2));  // low and high halves
  for (const Misfit& misfit : misfits) {
    EXPECT_EQ(misfit.nodes, (std::set<int>{0, 1}));
    EXPECT_EQ(RefusalReasonOf(misfit.status)->tensor, large);
  }
}

// A sum binds three buffers in many groups, a pool behind it two in one, which loops.
TEST(Misfit, ADispatchBeyondALimitTakesItsNodeAlone) {
  GraphBuilder b;
  TfLitePoolParams params{};
  params.stride_width = params.stride_height = params.filter_width = params.filter_height = 64;
  const TensorId sum = b.Op(kTfLiteBuiltinAdd, "ADD", {b.Input({1, 64, 64, 4}), b.Input({4})},
                            {1, 64, 64, 4}, TfLiteAddParams{});
  b.Output(b.Op(kTfLiteBuiltinMaxPool2d, "MAX_POOL_2D", {sum}, {1, 1, 1, 4}, params));
  EXPECT_THAT(Misfits(b.graph(), DeviceInfo()), IsEmpty());
  struct Case {
    void (*limit)(DeviceInfo&);
    std::set<int> nodes;
    const char* words;  // of the first
    Bound bound;
  };
  const Case cases[] = {
      {[](DeviceInfo& d) { d.max_buffers = 1; }, {0, 1}, "ADD #0: too many buffers (3, ", {3, 1}},
      {[](DeviceInfo& d) { d.max_buffers = 2; }, {0}, "ADD #0: too many buffers (3, ", {3, 2}},
      {[](DeviceInfo& d) {
         d.max_grid_groups = {64, 4, 64};
       },
       {0},
       "ADD #0: too many groups (16, ",
       {16, 4}},
      {[](DeviceInfo& d) { d.max_loop_iterations = 99; },
       {1},
       "MAX_POOL_2D #1: too many rounds of loops",
       {4097, 99}}};
  for (const Case& c : cases) {
    DeviceInfo device;
    c.limit(device);
    const std::vector<Misfit> misfits = Misfits(b.graph(), device);
    ASSERT_THAT(misfits, SizeIs(c.nodes.size()));
    std::set<int> nodes;
    for (const Misfit& misfit : misfits) nodes.insert(misfit.nodes.begin(), misfit.nodes.end());
    EXPECT_EQ(nodes, c.nodes);
    EXPECT_THAT(std::string(misfits[0].status.message()), HasSubstr(c.words));
    EXPECT_EQ(RefusalReasonOf(misfits[0].status),
              (RefusalReason{Reason::kDeviceLimit, -1, c.bound}));
  }
}

TEST(Misfit, RefusedNodesGoAndTheOthersAreReported) {
  GraphBuilder b;
  const TensorId x = AddRelu(b, b.Input({8, 4}));
  const TensorId y = b.Op(kTfLiteBuiltinUnique, "UNIQUE", {x}, {8, 4}, 0);
  b.Output(b.Op(kTfLiteBuiltinUnique, "UNIQUE", {AddRelu(b, y)}, {8, 4}, 0));
  const std::vector<Misfit> misfits = Misfits(b.graph(), Small());
  ASSERT_THAT(misfits, SizeIs(2));
  EXPECT_EQ(misfits[0].nodes, (std::set<int>{1}));
  EXPECT_EQ(misfits[1].nodes, (std::set<int>{3}));
  EXPECT_EQ(RefusalReasonOf(misfits[0].status)->reason, Reason::kNoGpuForm);
}

}  // namespace
}  // namespace tern::gpu
