// SPDX-License-Identifier: Apache-2.0
// SCATTER_ND whose constant indices are a block of the output in order is a copy; whatever else
// they are, sums. Either way the CPU's bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status.h"
#include "gpu/backends/null/null_device.h"
#include "gpu/compile.h"
#include "gpu/desc/kernel_text.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "ops/testing/same_bytes.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::testing {
namespace {

struct Block {
  std::vector<int32_t> shape, first, size;  // size: of the axes that vectors name

  std::vector<int32_t> Vectors() const {
    std::vector<int32_t> dims = size;
    dims.push_back(static_cast<int32_t>(first.size()));
    return dims;
  }
  std::vector<int32_t> Updates() const {
    std::vector<int32_t> dims = size;
    dims.insert(dims.end(), shape.begin() + static_cast<std::ptrdiff_t>(size.size()), shape.end());
    return dims;
  }
  // In row-major order.
  std::vector<int32_t> Indices() const {
    std::vector<int32_t> all, at(size.size(), 0);
    int64_t count = 1;
    for (const int32_t extent : size) count *= extent;
    for (; count > 0; --count) {
      for (size_t d = 0; d < at.size(); ++d) all.push_back(first[d] + at[d]);
      for (size_t d = at.size(); d-- > 0 && ++at[d] == size[d];) at[d] = 0;
    }
    return all;
  }
};

const Block kBlocks[] = {
    {{7}, {2}, {4}},
    {{3, 5, 21}, {0, 0, 0}, {3, 5, 2}},
    {{4, 5, 18}, {1, 2, 3}, {2, 3, 15}},
    {{4, 5, 18}, {1, 2}, {2, 3}},
    {{2, 3, 4, 6}, {1}, {1}},
    {{3, 3}, {1, 1}, {2, 2}},
};

int64_t BlockElements(const std::vector<int32_t>& dims) {
  int64_t count = 1;
  for (const int32_t extent : dims) count *= extent;
  return count;
}

TEST(ScatterNdGpu, BlocksInOrder) {
  using tflite::TensorType_INT64;
  for (const Block& block : kBlocks) {
    for (const auto type : {tflite::TensorType_FLOAT32, tflite::TensorType_INT32, TensorType_INT64,
                            tflite::TensorType_BOOL}) {
      for (const bool swapped : {false, true}) {
        std::vector<int32_t> indices = block.Indices();
        // The last vector first: no block in order any more.
        const auto depth = static_cast<std::ptrdiff_t>(block.first.size());
        if (swapped) std::rotate(indices.begin(), indices.end() - depth, indices.end());
        ModelBuilder b;
        const int at = b.Const(block.Vectors(), indices);
        const int x = b.Input(block.Updates(), type);
        const int to = b.Const({static_cast<int32_t>(block.shape.size())}, block.shape);
        b.SetOpVersion(1);
        b.Output(b.Op(tflite::BuiltinOperator_SCATTER_ND, {at, x, to},
                      {b.Tensor(block.shape, type)}, tflite::ScatterNdOptionsT()));
        const int64_t reach = type == TensorType_INT64 ? int64_t{1} << 45 : 300;
        CheckSameBytes(StrCat("rank ", block.shape.size(), ", type ", type), b,
                       WholeNumbers(BlockElements(block.Updates()), type, -reach, reach));
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing

namespace tern::gpu {
namespace {

// Names of the kernels of a graph that scatters three vectors.
std::vector<std::string> ScatterKernels(const std::vector<int32_t>& rows) {
  GraphBuilder b;
  const TensorId at = b.Ints({3, 1}, rows), to = b.Ints({2}, {9, 4});
  b.Output(b.Op(kTfLiteBuiltinScatterNd, "SCATTER_ND", {at, b.Input({3, 4}), to}, {9, 4}, 0));
  const auto compiled = Compile(b.graph(), *NullDeviceInfo("mali"), GpuLoweringTable(), {});
  EXPECT_TRUE(compiled.ok()) << compiled.status();
  std::vector<std::string> names;
  for (const Dispatch& dispatch : compiled->plan.dispatches)
    names.emplace_back(KernelName(dispatch.kernel));
  return names;
}

TEST(ScatterNdGpu, OnlyBlocksInOrderAreCopies) {
  using ::testing::ElementsAre;
  using ::testing::HasSubstr;
  EXPECT_THAT(ScatterKernels({2, 3, 4}), ElementsAre(HasSubstr("copy_")));
  EXPECT_THAT(ScatterKernels({2, 4, 3}), ElementsAre("scatter_nd"));
  EXPECT_THAT(ScatterKernels({2, 3, 3}), ElementsAre("scatter_nd"));
  EXPECT_THAT(ScatterKernels({2, 4, 6}), ElementsAre("scatter_nd"));
}

}  // namespace
}  // namespace tern::gpu
