// SPDX-License-Identifier: Apache-2.0
// Costs against numbers worked out by hand.
#include "gpu/partition/node_cost.h"

#include <gtest/gtest.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

class NodeCostTest : public ::testing::Test {
 protected:
  int Tensor(std::vector<int> dims, TfLiteType type = kTfLiteFloat32) {
    GraphTensor tensor;
    tensor.dims = std::move(dims);
    tensor.type = type;
    graph_.tensors.push_back(std::move(tensor));
    return static_cast<int>(graph_.tensors.size()) - 1;
  }
  int Constant(std::vector<int> dims, TfLiteType type = kTfLiteFloat32) {
    static constexpr char kData[1] = {};
    const int id = Tensor(std::move(dims), type);
    graph_.tensors.back().data = Borrowed(kData);
    return id;
  }
  NodeCost Cost(int code, std::vector<int> inputs, std::vector<int> outputs,
                const void* params = nullptr) {
    Node node;
    node.builtin_code = code;
    node.inputs = std::move(inputs);
    node.outputs = std::move(outputs);
    node.params = params;
    return EstimateCost(graph_, node);
  }
  Graph graph_;
};

TEST_F(NodeCostTest, AConvolutionCostsItsFilterAtEachElement) {
  const int x = Tensor({1, 8, 8, 3}), w = Constant({16, 3, 3, 3}), y = Tensor({1, 4, 4, 16});
  const NodeCost cost = Cost(kTfLiteBuiltinConv2d, {x, w, -1}, {y});
  EXPECT_EQ(cost.multiply_adds, 4 * 4 * 16 * 27);
  EXPECT_EQ(cost.bytes, 4 * (192 + 432 + 256));
}

TEST_F(NodeCostTest, ProductsAreCountedByTheLayoutOfTheWeights) {
  const int x = Tensor({1, 8, 8, 6});
  EXPECT_EQ(Cost(kTfLiteBuiltinDepthwiseConv2d, {x, Constant({1, 3, 3, 6})}, {Tensor({1, 8, 8, 6})})
                .multiply_adds,
            8 * 8 * 6 * 9);
  EXPECT_EQ(
      Cost(kTfLiteBuiltinFullyConnected, {Tensor({2, 50}), Constant({10, 50})}, {Tensor({2, 10})})
          .multiply_adds,
      2 * 50 * 10);
  EXPECT_EQ(
      Cost(kTfLiteBuiltinTransposeConv, {-1, Constant({5, 2, 2, 6}), x}, {Tensor({1, 16, 16, 5})})
          .multiply_adds,
      8 * 8 * 6 * 5 * 4);
  TfLiteBatchMatMulParams swapped{};
  swapped.adj_x = true;
  EXPECT_EQ(Cost(kTfLiteBuiltinBatchMatmul, {Tensor({2, 7, 3}), Tensor({2, 7, 5})},
                 {Tensor({2, 3, 5})}, &swapped)
                .multiply_adds,
            2 * 3 * 5 * 7);
}

TEST_F(NodeCostTest, EachStepOfASequenceMeetsAllWeights) {
  const int x = Tensor({4, 9, 8}), w = Constant({6, 8}), r = Constant({6, 6}), b = Constant({6});
  EXPECT_EQ(Cost(kTfLiteBuiltinUnidirectionalSequenceRnn, {x, w, r, b, Tensor({4, 6})},
                 {Tensor({4, 9, 6})})
                .multiply_adds,
            4 * 9 * (48 + 36));
}

TEST_F(NodeCostTest, TheRestCostsItsElements) {
  EXPECT_EQ(Cost(kTfLiteBuiltinRelu, {Tensor({2, 30})}, {Tensor({2, 30})}).multiply_adds, 60);
  EXPECT_EQ(Cost(kTfLiteBuiltinSum, {Tensor({2, 30})}, {Tensor({2, 1})}).multiply_adds, 60);
  TfLitePoolParams pool{};
  pool.filter_width = 3;
  pool.filter_height = 2;
  EXPECT_EQ(Cost(kTfLiteBuiltinMaxPool2d, {Tensor({1, 6, 6, 4})}, {Tensor({1, 3, 2, 4})}, &pool)
                .multiply_adds,
            3 * 2 * 4 * 6);
}

TEST_F(NodeCostTest, BytesFollowTheTypes) {
  const auto bytes = [&](std::vector<int> dims, TfLiteType type) {
    return TensorBytes(graph_.tensors[static_cast<size_t>(Tensor(std::move(dims), type))]);
  };
  EXPECT_EQ(bytes({3}, kTfLiteInt64), 24);
  EXPECT_EQ(bytes({3}, kTfLiteFloat16), 6);
  EXPECT_EQ(bytes({3}, kTfLiteInt4), 2);
  EXPECT_EQ(bytes({}, kTfLiteBool), 1);
  EXPECT_EQ(bytes({3}, kTfLiteString), 0);
  EXPECT_EQ(bytes({3}, kTfLiteVariant), 0);
  EXPECT_EQ(bytes({3}, kTfLiteNoType), 0);
  GraphTensor viewed_as_floats;
  viewed_as_floats.dims = {5};
  viewed_as_floats.quantized = QuantizedType{kTfLiteInt16, 0.5f, 0};
  EXPECT_EQ(TensorBytes(viewed_as_floats), 10);
}

TEST_F(NodeCostTest, OddOperandsCountForNothing) {
  const int huge = Tensor({1 << 30, 1 << 30, 1 << 30});
  EXPECT_EQ(Cost(kTfLiteBuiltinRelu, {huge}, {huge}).bytes, int64_t{1} << 62);
  EXPECT_EQ(Cost(kTfLiteBuiltinRelu, {Tensor({-1, 4})}, {99, -1}).bytes, 0);
  EXPECT_EQ(Cost(kTfLiteBuiltinConv2d, {}, {}).multiply_adds, 0);
  EXPECT_EQ(Cost(kTfLiteBuiltinConv2d, {huge, Constant({0, 1, 1, 4})}, {huge}).multiply_adds, 0);
  EXPECT_EQ(Cost(kTfLiteBuiltinMaxPool2d, {Tensor({4})}, {Tensor({4})}).multiply_adds, 4);
  EXPECT_EQ(Cost(kTfLiteBuiltinBatchMatmul, {Tensor({4})}, {Tensor({4})}).multiply_adds, 4);
}

}  // namespace
}  // namespace tern::gpu
