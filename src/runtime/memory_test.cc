// SPDX-License-Identifier: Apache-2.0
//
// Memory of tensors: late shapes, variables, memory of the application.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "abi/called_graph.h"
#include "runtime/free_memory.h"
#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/allocation.h"
#include "tensorflow/lite/stderr_reporter.h"
#include "tensorflow/lite/string_util.h"

namespace tern {
namespace {

using testing::AddOp;
using ::testing::ElementsAre;
using testing::FakeCalls;
using testing::Graph;

// x -> an op whose result has its shape in the run only -> ADD to itself -> the same -> y
void DynamicChain(Graph& graph) {
  for (int i = 0; i < 4; ++i) graph.Tensor();
  graph.Node({0}, {1}, testing::DynamicOp());
  graph.Node({1, 1}, {2});
  graph.Node({2, 2}, {3});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({3});
}

TEST(Dynamic, RestIsPreparedDuringTheRun) {
  Graph graph;
  DynamicChain(graph);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_TRUE(graph.subgraph().HasDynamicTensors());
  for (int count : {3, 3, 700, 0, 2}) {
    graph.Fill(0, static_cast<float>(count));
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    const std::vector<float> values = graph.Values(3);
    ASSERT_EQ(static_cast<int>(values.size()), count);
    for (int i = 0; i < count; ++i) EXPECT_EQ(values[i], 4.0f * i);
  }
}

// A program may have an op work in place, and points its output to the input's memory for that.
TEST(Dynamic, OutputInTheMemoryOfItsInput) {
  for (const int count : {1, 4, 5000}) {  // fits, fits exactly, does not fit
    Graph graph;
    graph.Tensor({4});
    graph.Tensor({1});
    graph.Node({0}, {1}, testing::DynamicOp());
    graph.interpreter.SetInputs({0});
    graph.interpreter.SetOutputs({1});
    ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
    graph.Fill(0, static_cast<float>(count));
    TfLiteTensor *in = graph.interpreter.tensor(0), *out = graph.interpreter.tensor(1);
    out->data.raw = in->data.raw;
    out->bytes = 0;
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    EXPECT_EQ(out->data.raw == in->data.raw, count <= 4);
    const std::vector<float> values = graph.Values(1);
    ASSERT_EQ(static_cast<int>(values.size()), count);
    EXPECT_EQ(values.back(), static_cast<float>(count - 1));
  }
}

TEST(Dynamic, MemoryThatTensorsShareIsFreedOnce) {
  Graph graph;
  graph.Tensor({4});
  graph.Tensor({1});
  graph.Tensor({1});
  graph.Node({0}, {1}, testing::DynamicOp());
  graph.Node({0}, {2}, testing::DynamicOp());
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({1, 2});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 3);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  TfLiteTensor *a = graph.interpreter.tensor(1), *b = graph.interpreter.tensor(2);
  TfLiteTensorDataFree(b);
  b->data.raw = a->data.raw;
  ASSERT_EQ(graph.interpreter.ReleaseNonPersistentMemory(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 900);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(graph.Values(1), graph.Values(2));
  TfLiteTensorDataFree(b);
  b->data.raw = a->data.raw;
}

TEST(Dynamic, SameShapeAgainPreparesNothing) {
  Graph graph;
  for (int i = 0; i < 3; ++i) graph.Tensor();
  graph.Node({0}, {1}, testing::DynamicOp());
  graph.Node({1, 1}, {2});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({2});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 5);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  FakeCalls() = {};
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(FakeCalls().prepare, 0);
  graph.Fill(0, 6);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(FakeCalls().prepare, 1);
}

TEST(Dynamic, OpenShapeStopsPrepareToo) {
  Graph graph;
  graph.Tensor({2, 2});
  graph.Tensor({1});
  graph.Tensor({1});
  graph.Node({0}, {1}, testing::OpenShapeOp());
  graph.Node({1, 1}, {2});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({2});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_TRUE(graph.subgraph().HasDynamicTensors());
  graph.Fill(0, 3);
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    EXPECT_THAT(graph.Values(2), ElementsAre(6, 6, 6, 6));
  }
}

TEST(Dynamic, LateFailureOfPrepareIsReported) {
  Graph graph;
  for (int i = 0; i < 3; ++i) graph.Tensor();
  graph.Node({0}, {1}, testing::DynamicOp());
  graph.Node({1}, {2}, testing::FailingPrepareOp());
  graph.interpreter.SetInputs({0});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 2);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Node number 1 (bad_prepare) failed to prepare."));
}

TEST(Dynamic, ReleasedAfterLastUseWhenAsked) {
  Graph graph;
  DynamicChain(graph);
  tflite::InterpreterOptions options;
  options.SetEnsureDynamicTensorsAreReleased();
  ASSERT_EQ(graph.interpreter.ApplyOptions(&options), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 5);
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    EXPECT_EQ(graph.interpreter.tensor(1)->data.raw, nullptr);
    EXPECT_THAT(graph.Values(3), ElementsAre(0, 4, 8, 12, 16));
  }
}

// A delegate may leave a tensor dynamic whose node on the CPU allocates only when it prepares.
TEST(Dynamic, ReleasedTensorOfAStaticNodeComesBack) {
  Graph graph;
  graph.Chain(2);
  graph.interpreter.tensor(1)->allocation_type = kTfLiteDynamic;
  tflite::InterpreterOptions options;
  options.SetEnsureDynamicTensorsAreReleased();
  ASSERT_EQ(graph.interpreter.ApplyOptions(&options), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 1);
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    EXPECT_EQ(graph.interpreter.tensor(1)->data.raw, nullptr);
    EXPECT_THAT(graph.Values(2), ElementsAre(4, 4, 4, 4));
  }
}

TEST(Dynamic, LargeTensorsLeaveTheArena) {
  Graph graph;
  graph.Chain(4);
  tflite::InterpreterOptions options;
  options.OptimizeMemoryForLargeTensors(1000);
  ASSERT_EQ(graph.interpreter.ApplyOptions(&options), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {500}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_FALSE(graph.subgraph().HasDynamicTensors());
  graph.Fill(0, 1);
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    EXPECT_EQ(graph.interpreter.tensor(2)->data.raw, nullptr);
    EXPECT_EQ(graph.Values(4), std::vector<float>(500, 16.0f));
  }
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {3}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(4), ElementsAre(16, 16, 16));
}

TEST(Memory, VariablesStartAtZeroAndLast) {
  Graph graph;
  const int x = graph.Tensor();
  const int v = graph.Tensor({4}, kTfLiteFloat32, /*variable=*/true);
  const int y = graph.Tensor();
  graph.Node({x, v}, {y});
  graph.interpreter.SetInputs({x});
  graph.interpreter.SetOutputs({y});
  graph.interpreter.SetVariables({v});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_THAT(graph.Values(v), ElementsAre(0, 0, 0, 0));
  graph.Fill(x, 1);
  graph.Fill(v, 2);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(y), ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(graph.Values(v), ElementsAre(2, 2, 2, 2));
  // An allocation that changes nothing keeps them, a real one clears them.
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_THAT(graph.Values(v), ElementsAre(2, 2, 2, 2));
  ASSERT_EQ(graph.interpreter.ResetVariableTensors(), kTfLiteOk);
  EXPECT_THAT(graph.Values(v), ElementsAre(0, 0, 0, 0));
}

TEST(Memory, ReleaseNonPersistentMemory) {
  Graph graph;
  graph.Chain(2);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ReleaseNonPersistentMemory(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.tensor(0)->data.raw, nullptr);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Non-persistent memory is not available."));
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(2), ElementsAre(4, 4, 4, 4));
}

TEST(Memory, VariableThatHasGrownHasNoMemoryYet) {
  Graph graph;
  const int v = graph.Tensor({4}, kTfLiteFloat32, /*variable=*/true);
  graph.interpreter.SetInputs({v});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_NE(graph.interpreter.tensor(v)->data.raw, nullptr);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(v, {100}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.ReleaseNonPersistentMemory(), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.tensor(v)->data.raw, nullptr);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(graph.Values(v), std::vector<float>(100, 0.0f));
}

// How large the output is follows from the run.
TEST(Memory, CustomAllocationBehindADynamicTensor) {
  alignas(64) float out[2] = {};
  Graph graph;
  graph.Tensor({1});
  for (int i = 0; i < 2; ++i) graph.Tensor();
  graph.Node({0}, {1}, testing::DynamicOp());
  graph.Node({1}, {2});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({2});
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(2, {out, sizeof(out)}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk) << graph.reporter.text;
  for (const int count : {2, 3, 1}) {
    graph.Fill(0, static_cast<float>(count));
    EXPECT_EQ(graph.interpreter.Invoke(), count <= 2 ? kTfLiteOk : kTfLiteError);
  }
  EXPECT_TRUE(graph.reporter.Has("Custom allocation is too small for tensor idx: 2"));
  EXPECT_EQ(out[1], 1);
}

// Programs bring a new buffer before each run.
TEST(Memory, AConstantOfTheSameShapeLeavesTheGraphReady) {
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  const float first[] = {1, 2, 3, 4}, second[] = {5, 6, 7, 8}, longer[] = {1, 2, 3, 4, 5};
  const auto set = [&](const float* values, int count) {
    return graph.interpreter.SetTensorParametersReadOnly(
        0, kTfLiteFloat32, "t", {count}, TfLiteQuantization{},
        reinterpret_cast<const char*>(values), static_cast<size_t>(count) * sizeof(float));
  };
  for (const float* values : {first, second}) {
    ASSERT_EQ(set(values, 4), kTfLiteOk);
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    EXPECT_EQ(graph.Values(1)[3], 2 * values[3]);
  }
  ASSERT_EQ(set(longer, 5), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(graph.Values(1)[4], 10);
}

TEST(Memory, InputsKeepTheirValuesWhenOthersAreResized) {
  Graph graph;
  for (int i = 0; i < 3; ++i) graph.Tensor();
  graph.Node({0, 1}, {2});
  graph.interpreter.SetInputs({0, 1});
  graph.interpreter.SetOutputs({2});
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(1, 7);
  for (const int size : {1000, 3, 5000}) {
    ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {size}), kTfLiteOk);
    ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
    EXPECT_THAT(graph.Values(1), ElementsAre(7, 7, 7, 7));
  }
}

TEST(Memory, AGraphThatHasMovedIsAllocatedAgain) {
  std::vector<std::unique_ptr<tflite::Subgraph>> graphs;
  tflite::resource::ResourceMap resources;
  tflite::resource::ResourceIDMap ids;
  tflite::resource::InitializationStatusMap states;
  tflite::Subgraph first(nullptr, nullptr, &graphs, &resources, &ids, &states);
  const TfLiteRegistration add = testing::AddOp();
  ASSERT_EQ(first.AddTensors(2), kTfLiteOk);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(first.SetTensorParametersReadWrite(i, kTfLiteFloat32, "t", {2}, {}), kTfLiteOk);
  }
  ASSERT_EQ(first.AddNodeWithParameters({0}, {1}, {}, nullptr, 0, nullptr, &add), kTfLiteOk);
  ASSERT_EQ(first.SetInputs({0}), kTfLiteOk);
  ASSERT_EQ(first.SetOutputs({1}), kTfLiteOk);
  ASSERT_EQ(first.AllocateTensors(), kTfLiteOk);
  tflite::Subgraph moved(std::move(first));
  EXPECT_EQ(moved.Invoke(), kTfLiteError);
  ASSERT_EQ(moved.AllocateTensors(), kTfLiteOk);
  moved.tensor(0)->data.f[1] = 5;
  ASSERT_EQ(moved.Invoke(), kTfLiteOk);
  EXPECT_EQ(moved.tensor(1)->data.f[1], 5);
}

TEST(FreeMemoryTest, NoMachineHoldsEverything) {
  EXPECT_TRUE(MemoryMayHold(0));
  EXPECT_TRUE(MemoryMayHold(1 << 20));
  if (!std::ifstream("/proc/meminfo")) GTEST_SKIP() << "no /proc/meminfo";
  EXPECT_FALSE(MemoryMayHold(SIZE_MAX));
}

TEST(Memory, CustomAllocation) {
  alignas(64) float in[4] = {1, 2, 3, 4};
  alignas(64) float out[4] = {};
  Graph graph;
  graph.Chain(1);
  EXPECT_EQ(graph.interpreter.SetCustomAllocationForTensor(0, {in + 1, 12}), kTfLiteError);
  EXPECT_EQ(graph.interpreter.SetCustomAllocationForTensor(0, {nullptr, 12}), kTfLiteError);
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(0, {in, 8}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(1, {out, sizeof(out)}), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteError);
  EXPECT_TRUE(graph.reporter.Has("Custom allocation is too small for tensor idx: 0"));
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(0, {in, sizeof(in)}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(out[3], 8);
  // Skipping the alignment check.
  alignas(64) float odd[5] = {0, 5, 5, 5, 5};
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(
                0, {odd + 1, 16}, kTfLiteCustomAllocationFlagsSkipAlignCheck),
            kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(out[0], 10);
}

// Nothing may be written after the end of it, also when AllocateTensors is forgotten.
// Bytes of the mapping of `file` that lie in memory of this process.
size_t ResidentBytes(const std::string& file) {
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  while (std::getline(maps, line) && line.find(file) == std::string::npos) {
  }
  size_t kilobytes = 0;
  while (std::getline(maps, line) && std::sscanf(line.c_str(), "Rss: %zu", &kilobytes) != 1) {
  }
  return kilobytes * 1024;
}

TEST(Memory, PagesOfTheModelFileGoOnceTheGraphIsPrepared) {
  if (!std::ifstream("/proc/self/smaps")) GTEST_SKIP() << "no /proc/self/smaps";
  const std::string name = "tern_pages_test", path = ::testing::TempDir() + "/" + name;
  std::ofstream(path, std::ios::binary) << std::string(1 << 20, 'w');
  const tflite::MMAPAllocation file(path.c_str(), tflite::DefaultErrorReporter());
  ASSERT_TRUE(file.valid());
  const auto* bytes = static_cast<const char*>(file.base());
  const auto read_all = [&] { return std::count(bytes, bytes + file.bytes(), 'w'); };
  Graph graph;
  graph.Tensor();
  graph.Tensor();
  graph.Node({0, 0}, {1});
  graph.interpreter.SetInputs({0});
  graph.interpreter.SetOutputs({1});
  graph.subgraph().SetAllocation(&file);
  EXPECT_EQ(read_all(), 1 << 20);
  EXPECT_EQ(ResidentBytes(name), size_t{1} << 20);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(ResidentBytes(name), 0u);
  EXPECT_EQ(read_all(), 1 << 20);
  ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {7}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(ResidentBytes(name), size_t{1} << 20);
  std::remove(path.c_str());
}

TEST(Memory, CustomAllocationThatIsTooSmallStopsTheRun) {
  alignas(64) float small[16] = {};
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(1, {small, 4}), kTfLiteOk);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteError);
  EXPECT_EQ(graph.interpreter.Invoke(), kTfLiteError);
  EXPECT_EQ(small[1], 0);
  ASSERT_EQ(graph.interpreter.SetCustomAllocationForTensor(1, {small, 16}), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_EQ(small[3], 2);
}

TEST(Memory, PreserveAllTensors) {
  Graph graph;
  graph.Chain(6);
  tflite::InterpreterOptions options;
  options.SetPreserveAllTensors();
  ASSERT_EQ(graph.interpreter.ApplyOptions(&options), kTfLiteOk);
  ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
  graph.Fill(0, 1);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  for (int i = 0; i <= 6; ++i) EXPECT_EQ(graph.Values(i)[0], 1 << i);
}

TEST(Memory, OwnAllocator) {
  static int live = 0;
  live = 0;
  TfLiteAllocator allocator = {};
  allocator.allocate = [](void*, size_t bytes, size_t alignment) -> void* {
    ++live;
    return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  };
  allocator.deallocate = [](void*, void* block, size_t, size_t) {
    --live;
    std::free(block);
  };
  {
    Graph graph;
    graph.Chain(2);
    const std::vector<float> values = {1, 2, 3, 4};
    const int constant = graph.Constant(values);
    const int sum = graph.Tensor();
    graph.Node({2, constant}, {sum});
    ASSERT_EQ(graph.interpreter.SetAllocator(&allocator), kTfLiteOk);
    ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
    EXPECT_GT(live, 0);
    graph.Fill(0, 1);
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    EXPECT_THAT(graph.Values(sum), ElementsAre(5, 6, 7, 8));
    EXPECT_EQ(graph.interpreter.SetAllocator(nullptr), kTfLiteError);
    EXPECT_TRUE(graph.reporter.Has("SetAllocator must be called before AllocateTensors()."));
  }
  EXPECT_EQ(live, 0);
}

// The blocks that an allocator gave out, so that a foreign one is noticed.
struct KnownBlocks {
  std::set<void*> live;
  int foreign = 0;
};

TfLiteAllocator AllocatorOf(KnownBlocks& blocks) {
  TfLiteAllocator allocator = {};
  allocator.data = &blocks;
  allocator.allocate = [](void* data, size_t bytes, size_t alignment) -> void* {
    void* block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    static_cast<KnownBlocks*>(data)->live.insert(block);
    return block;
  };
  allocator.deallocate = [](void* data, void* block, size_t, size_t) {
    auto* known = static_cast<KnownBlocks*>(data);
    known->foreign += known->live.erase(block) == 0 ? 1 : 0;
    std::free(block);
  };
  return allocator;
}

// Gives the output the type that its input's first size stands for.
TfLiteStatus PrepareByShape(TfLiteContext* context, TfLiteNode* node) {
  const bool is_text = context->tensors[node->inputs->data[0]].dims->data[0] % 2 == 1;
  TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
  SetOutputType(static_cast<tflite::Subgraph*>(context->impl_), output,
                is_text ? kTfLiteString : kTfLiteFloat32);
  if (output->allocation_type != kTfLiteDynamic) output->data.raw = nullptr;
  output->allocation_type = kTfLiteDynamic;
  return kTfLiteOk;
}

TfLiteStatus WriteTextOrFloats(TfLiteContext* context, TfLiteNode* node) {
  TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
  if (output->type == kTfLiteFloat32) {
    TfLiteIntArray* size = TfLiteIntArrayCreate(1);
    size->data[0] = 100;
    return context->ResizeTensor(context, output, size);
  }
  tflite::DynamicBuffer strings;
  strings.AddString("a", 1);
  strings.WriteToTensorAsVector(output);
  return kTfLiteOk;
}

TEST(Memory, OutputsThatChangeTheirTypeGiveMemoryBackToItsMaker) {
  KnownBlocks blocks;
  TfLiteAllocator allocator = AllocatorOf(blocks);
  TfLiteRegistration op = AddOp("writes_text_or_floats");
  op.prepare = PrepareByShape;
  op.invoke = WriteTextOrFloats;
  {
    Graph graph;
    graph.Chain(1);
    graph.Node({0}, {graph.Tensor()}, op);
    ASSERT_EQ(graph.interpreter.SetAllocator(&allocator), kTfLiteOk);
    for (const int size : {1, 2, 3, 4, 5}) {
      ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {size}), kTfLiteOk);
      ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk) << graph.reporter.text;
      ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
    }
  }
  EXPECT_EQ(blocks.foreign, 0);
  EXPECT_TRUE(blocks.live.empty());
}

TEST(Memory, OwnAllocatorLeavesStringsToTheirOps) {
  KnownBlocks blocks;
  TfLiteAllocator allocator = AllocatorOf(blocks);
  TfLiteRegistration op = AddOp("writes_strings");
  op.prepare = [](TfLiteContext*, TfLiteNode*) { return kTfLiteOk; };
  op.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    tflite::DynamicBuffer strings;
    strings.AddString("a", 1);
    strings.WriteToTensorAsVector(&context->tensors[node->outputs->data[0]]);
    return kTfLiteOk;
  };
  {
    Graph graph;
    graph.Chain(1);
    const int text = graph.Tensor();
    ASSERT_EQ(graph.interpreter.SetTensorParametersReadWrite(
                  text, kTfLiteString, "text", std::vector<int>{1}, TfLiteQuantization{}),
              kTfLiteOk);
    graph.Node({1}, {text}, op);
    ASSERT_EQ(graph.interpreter.SetAllocator(&allocator), kTfLiteOk);
    for (int run = 0; run < 2; ++run) {
      ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
      graph.Fill(0, 1);
      ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk) << graph.reporter.text;
      ASSERT_EQ(tflite::GetStringCount(graph.interpreter.tensor(text)), 1);
      ASSERT_EQ(graph.interpreter.primary_subgraph().ReleaseMemory(), kTfLiteOk);
    }
  }
  EXPECT_EQ(blocks.foreign, 0);
  EXPECT_TRUE(blocks.live.empty());
}

TEST(Memory, AddingAFewTensorsMovesNone) {
  Graph graph;
  graph.Chain(1);
  TfLiteRegistration op = AddOp("adds_tensors");
  op.prepare = [](TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* before = context->tensors;
    if (context->AddTensors(context, tflite::Subgraph::kTensorsCapacityHeadroom, nullptr) !=
        kTfLiteOk) {
      return kTfLiteError;
    }
    if (context->tensors != before) return kTfLiteError;
    return testing::ShapeLikeFirstInput(context, node);
  };
  for (int i = 0; i < 30; ++i) graph.Node({0}, {graph.Tensor()}, op);
  EXPECT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
}

}  // namespace
}  // namespace tern
