// SPDX-License-Identifier: Apache-2.0
// Nodes that lowerings refuse although each tensor alone may live on the GPU.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/status.h"
#include "ops/testing/gpu_refusal.h"

namespace tern::gpu {
namespace {

using testing::RefusalOf;

// Neither few iterations for one work-item nor few elements to compare with each other.
TEST(GpuRefusals, TopKOfTooMuch) {
  for (const int k : {1, 2}) {
    GraphBuilder b;
    constexpr int kSize = 100000;
    b.Op(kTfLiteBuiltinTopkV2, "TOPK_V2", {b.Input({1, kSize}), b.Ints({}, {k})}, {1, k}, 0);
    const TensorId places = b.Tensor({1, k});
    b.graph().tensors[places].type = kTfLiteInt32;
    b.graph().nodes[0].outputs.push_back(places);
    EXPECT_EQ(RefusalOf(b), k == 1 ? ""
                                   : "TOPK_V2 #0: too much work for one work-item (50002 rounds, "
                                     "limit 32768)");
  }
}

TEST(GpuRefusals, LstmWithBytesWithoutScales) {
  for (const bool bytes : {false, true}) {
    GraphBuilder b;
    constexpr int kInputs = 3, kCells = 4;
    std::vector<TensorId> operands(20, -1);
    operands[0] = b.Input({1, kInputs});
    for (int gate = 0; gate < 4; ++gate) {
      const int weights = 1 + gate, recurrent = 5 + gate, bias = 12 + gate;
      operands[weights] = b.Constant({kCells, kInputs}, std::vector<float>(kCells * kInputs));
      operands[recurrent] = b.Constant({kCells, kCells}, std::vector<float>(kCells * kCells));
      operands[bias] = b.Constant({kCells}, std::vector<float>(kCells));
    }
    operands[18] = b.Input({1, kCells});
    operands[19] = b.Input({1, kCells});
    if (bytes) b.graph().tensors[operands[1]].type = kTfLiteUInt8;
    TfLiteLSTMParams params{};
    params.activation = kTfLiteActTanh;
    params.kernel_type = kTfLiteLSTMFullKernel;
    b.Op(kTfLiteBuiltinLstm, "LSTM", operands, {1, kCells}, params);
    const std::string refusal = RefusalOf(b);
    EXPECT_EQ(refusal.find("has no quantization parameters") != std::string::npos, bytes)
        << refusal;
    EXPECT_EQ(refusal.empty(), !bytes);
  }
}

}  // namespace
}  // namespace tern::gpu
