// SPDX-License-Identifier: Apache-2.0
// How often a compilation lowers a node, and which nodes it blames.
#include "gpu/compile.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "gpu/testing/counting_table.h"
#include "gpu/testing/graph_builder.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

const std::vector<int> kImage = {1, 4, 4, 8};

class CompileTest : public testing::Test {
 protected:
  TensorId Pool(TensorId in) {
    TfLitePoolParams params{};
    params.stride_width = params.stride_height = params.filter_width = params.filter_height = 1;
    return b_.Op(kTfLiteBuiltinAveragePool2d, "AVERAGE_POOL_2D", {in}, kImage, params);
  }
  TensorId Add(TensorId a, TensorId b) {
    return b_.Op(kTfLiteBuiltinAdd, "ADD", {a, b}, kImage, TfLiteAddParams{});
  }
  absl::Status CompileCounted() {
    return Compile(b_.graph(), device_, table_, {}, {.misfits = &misfits_}).status();
  }

  GraphBuilder b_;
  DeviceInfo device_;
  CountingTable table_;
  std::vector<Misfit> misfits_;
};

// The check of a node is its only lowering; ADD and RELU are in that of the pool.
TEST_F(CompileTest, LowersEachNodeOnce) {
  const TensorId sum = Add(Pool(b_.Input(kImage)), b_.Input(kImage));
  b_.Output(Pool(b_.Op(kTfLiteBuiltinRelu, "RELU", {sum}, kImage, 0)));
  ASSERT_EQ(CompileCounted(), absl::OkStatus());
  EXPECT_EQ(table_.counts,
            (std::map<std::string, int>{{"AVERAGE_POOL_2D #0", 1}, {"AVERAGE_POOL_2D #3", 1}}));
}

// A node that makes both halves of INT64 is lowered for either; indices have low halves alone.
TEST_F(CompileTest, LowersEachHalfOfInt64Once) {
  const auto make_int64 = [&](TensorId id) {
    b_.graph().tensors[id].type = kTfLiteInt64;
    return id;
  };
  const TensorId index =
      make_int64(b_.Op(kTfLiteBuiltinArgMax, "ARG_MAX", {b_.Input({6, 3}), b_.Ints({1}, {1})}, {6},
                       TfLiteArgMaxParams{}));
  b_.Output(b_.Op(kTfLiteBuiltinGather, "GATHER", {b_.Input({5, 8}), index}, {6, 8},
                  TfLiteGatherParams{}));
  const TensorId a = make_int64(b_.Input({6}));
  b_.Output(make_int64(b_.Op(kTfLiteBuiltinAdd, "ADD", {a, a}, {6}, TfLiteAddParams{})));
  ASSERT_EQ(CompileCounted(), absl::OkStatus());
  EXPECT_EQ(table_.counts,
            (std::map<std::string, int>{{"ARG_MAX #0", 1}, {"GATHER #1", 1}, {"ADD #2", 2}}));
}

TEST_F(CompileTest, LowersAgainWithoutAMergeThatDoesNotFit) {
  device_.max_buffers = 3;
  TensorId sum = Add(Pool(b_.Input(kImage)), b_.Input(kImage));
  sum = Add(sum, b_.Input(kImage));
  b_.Output(sum);
  ASSERT_EQ(CompileCounted(), absl::OkStatus());
  EXPECT_EQ(table_.counts, (std::map<std::string, int>{{"AVERAGE_POOL_2D #0", 2}, {"ADD #2", 1}}));
}

TEST_F(CompileTest, BlamesEveryNodeWithoutAForm) {
  const auto transpose = [&](TensorId by) {
    return b_.Op(kTfLiteBuiltinTranspose, "TRANSPOSE", {b_.Input({2, 2}), by}, {2, 2}, 0);
  };
  const TensorId first = transpose(b_.Input({2})), second = transpose(b_.Ints({2}, {7, 8}));
  b_.Output(Pool(b_.Input(kImage))).Output(first).Output(second);
  EXPECT_FALSE(CompileCounted().ok());
  ASSERT_EQ(misfits_.size(), 2U);
  EXPECT_EQ(misfits_[0].nodes, std::set<int>{0});
  EXPECT_EQ(misfits_[1].nodes, std::set<int>{1});
}

}  // namespace
}  // namespace tern::gpu
