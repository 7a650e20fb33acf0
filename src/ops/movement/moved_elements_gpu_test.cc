// SPDX-License-Identifier: Apache-2.0
// Operations that move elements as they are on GPU engines, between tensors whose elements stand
// for other numbers: at the edges of a graph and between nodes that compute with the numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "ops/testing/gpu_refusal.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the builtin and option names of the schema
using Sizes = std::vector<int32_t>;

struct Ends {
  TensorType type;
  float in_scale, out_scale;  // 0: plain elements
  int in_zero, out_zero;
};

// Plain ones beside scaled ones, both ways; zero points apart; scales of no power of two.
constexpr Ends kEnds[] = {{TensorType_UINT8, 0, 0.0078125f, 0, 128},
                          {TensorType_INT8, 0.03f, 0, -5, 0},
                          {TensorType_INT8, 0.37f, 1.1e-3f, 127, -128},
                          {TensorType_INT16, 3.1e-5f, 0.7f, 0, 0}};

int Scaled(ModelBuilder& b, int tensor, float scale, int zero) {
  return scale == 0 ? tensor : b.Quantize(tensor, scale, zero);
}

// All elements of 8 bits, or as many of 16 from one end to the other.
std::vector<uint8_t> AllElements(TensorType type) {
  if (type == TensorType_INT16) {
    std::vector<int16_t> elements;
    for (int i = 0; i < 256; ++i) elements.push_back(static_cast<int16_t>(-32768 + i * 257));
    return BytesOf(elements);
  }
  std::vector<uint8_t> elements;
  for (int i = 0; i < 256; ++i) elements.push_back(static_cast<uint8_t>(i * 37));
  return elements;
}

// A node from `x`, of the shape [1, 8, 8, 4], to a tensor of the output's type that make() gives.
using Made = std::function<int(const Sizes& shape)>;
using MovingNode = std::function<int(ModelBuilder& b, int x, const Ends& ends, const Made& made)>;

void CheckMoves(const std::string& name, const MovingNode& node) {
  for (const Ends& ends : kEnds) {
    ModelBuilder b;
    b.SetOpVersion(2);
    const int x = b.Input({1, 8, 8, 4}, ends.type);
    Scaled(b, x, ends.in_scale, ends.in_zero);
    b.Output(node(b, x, ends, [&](const Sizes& shape) {
      return Scaled(b, b.Tensor(shape, ends.type), ends.out_scale, ends.out_zero);
    }));
    CheckSameBytes(StrCat(name, ", type ", ends.type, ", scale ", ends.in_scale), b,
                   AllElements(ends.type), true);
  }
}

TEST(MovedElementsGpu, OneOperand) {
  CheckMoves("RESHAPE", [](ModelBuilder& b, int x, const Ends&, const Made& made) {
    b.SetOpVersion(1);
    return b.Op(BuiltinOperator_RESHAPE, {x, b.Const<int32_t>({2}, {16, 16})}, {made({16, 16})},
                ReshapeOptionsT());
  });
  CheckMoves("SPACE_TO_DEPTH", [](ModelBuilder& b, int x, const Ends&, const Made& made) {
    SpaceToDepthOptionsT o;
    o.block_size = 2;
    return b.Op(BuiltinOperator_SPACE_TO_DEPTH, {x}, {made({1, 4, 4, 16})}, o);
  });
  CheckMoves("TRANSPOSE", [](ModelBuilder& b, int x, const Ends&, const Made& made) {
    return b.Op(BuiltinOperator_TRANSPOSE, {x, b.Const<int32_t>({4}, {0, 3, 1, 2})},
                {made({1, 4, 8, 8})}, TransposeOptionsT());
  });
  CheckMoves("SLICE", [](ModelBuilder& b, int x, const Ends&, const Made& made) {
    return b.Op(BuiltinOperator_SLICE,
                {x, b.Const<int32_t>({4}, {0, 1, 2, 0}), b.Const<int32_t>({4}, {1, 6, 6, 3})},
                {made({1, 6, 6, 3})}, SliceOptionsT());
  });
}

// The limits of the activation are those of the output's elements.
TEST(MovedElementsGpu, Pooling) {
  CheckMoves("MAX_POOL_2D", [](ModelBuilder& b, int x, const Ends& ends, const Made& made) {
    const int y = made({1, 4, 4, 4});
    if (ends.out_scale == 0) b.Quantize(y, 1, 0);  // limits are numbers
    Pool2DOptionsT o;
    o.padding = Padding_VALID;
    o.stride_w = o.stride_h = o.filter_width = o.filter_height = 2;
    o.fused_activation_function = ActivationFunctionType_RELU6;
    return b.Op(BuiltinOperator_MAX_POOL_2D, {x}, {y}, o);
  });
}

// Padding has the stored value that stands for 0 in the output.
TEST(MovedElementsGpu, Padding) {
  CheckMoves("PAD", [](ModelBuilder& b, int x, const Ends&, const Made& made) {
    return b.Op(BuiltinOperator_PAD, {x, b.Const<int32_t>({4, 2}, {0, 0, 1, 2, 0, 1, 3, 0})},
                {made({1, 11, 9, 7})}, PadOptionsT());
  });
}

TEST(MovedElementsGpu, ComparedElements) {
  CheckMoves("TOPK_V2", [](ModelBuilder& b, int x, const Ends&, const Made& made) {
    const int values = made({1, 8, 8, 2}), places = b.Tensor({1, 8, 8, 2}, TensorType_INT32);
    return b.Op(BuiltinOperator_TOPK_V2, {x, b.Const<int32_t>({}, {2})}, {values, places},
                TopKV2OptionsT());
  });
  CheckMoves("MAXIMUM", [](ModelBuilder& b, int x, const Ends& ends, const Made& made) {
    std::vector<uint8_t> bytes = AllElements(ends.type);
    std::rotate(bytes.begin(), bytes.begin() + 18, bytes.end());
    const int k = b.ConstBytes({1, 8, 8, 4}, ends.type, bytes);
    Scaled(b, k, ends.in_scale, ends.in_zero);
    return b.Op(BuiltinOperator_MAXIMUM, {x, k}, {made({1, 8, 8, 4})}, MaximumMinimumOptionsT());
  });
}

TEST(MovedElementsGpu, Parts) {
  CheckMoves("SPLIT", [](ModelBuilder& b, int x, const Ends& ends, const Made& made) {
    const int second = b.Tensor({1, 8, 4, 4}, ends.type);
    b.Output(Scaled(b, second, 3 * ends.in_scale, ends.in_zero));
    SplitOptionsT o;
    o.num_splits = 2;
    const int first = made({1, 8, 4, 4});
    b.Op(BuiltinOperator_SPLIT, {b.Const<int32_t>({}, {2}), x}, {first, second}, o);
    return first;
  });
  CheckMoves("SPLIT_V", [](ModelBuilder& b, int x, const Ends& ends, const Made& made) {
    const int second = b.Tensor({1, 5, 8, 4}, ends.type);
    b.Output(Scaled(b, second, 3 * ends.in_scale, ends.in_zero));
    SplitVOptionsT o;
    o.num_splits = 2;
    const int first = made({1, 3, 8, 4});
    b.Op(BuiltinOperator_SPLIT_V, {x, b.Const<int32_t>({2}, {3, 5}), b.Const<int32_t>({}, {1})},
         {first, second}, o);
    return first;
  });
}

TEST(MovedElementsGpu, OneOfTwo) {
  CheckMoves("SELECT_V2", [](ModelBuilder& b, int x, const Ends& ends, const Made& made) {
    const int k = b.ConstBytes({1, 8, 8, 4}, ends.type, AllElements(ends.type));
    Scaled(b, k, ends.in_scale == 0 ? ends.in_scale : 2 * ends.in_scale, 1);
    std::vector<bool> chooses(256);
    for (size_t i = 0; i < 256; ++i) chooses[i] = i % 3 != 0;
    return b.Op(BuiltinOperator_SELECT_V2, {b.Const<bool>({1, 8, 8, 4}, chooses), x, k},
                {made({1, 8, 8, 4})}, SelectV2OptionsT());
  });
}

// The elements of both neighbours are those of the CPU, as their numbers are.
TEST(MovedElementsGpu, BetweenNodesThatCompute) {
  ModelBuilder b;
  const auto elements = [&](const Sizes& shape, float scale, int zero) {
    return b.Quantize(b.Tensor(shape, TensorType_INT8), scale, zero);
  };
  b.SetOpVersion(2);
  const int x = b.Quantize(b.Input({1, 8, 8, 4}, TensorType_INT8), 0.5f, 3);
  const int abs = b.Op(BuiltinOperator_RELU, {x}, {elements({1, 8, 8, 4}, 0.5f, 3)});
  b.SetOpVersion(1);
  const int seen = b.Op(BuiltinOperator_RESHAPE, {abs, b.Const<int32_t>({2}, {16, 16})},
                        {elements({16, 16}, 0.25f, -20)}, ReshapeOptionsT());
  b.Output(b.Op(BuiltinOperator_RELU, {seen}, {elements({16, 16}, 0.25f, -20)}));
  b.Output(abs);
  for (int turn = 0; turn < 4; ++turn)
    CheckSameBytes("RELU, RESHAPE, RELU", b, AllElements(TensorType_INT8), true);
}

TEST(MovedElementsGpu, ElementsOfOtherTypesAreRefused) {
  gpu::GraphBuilder b;
  b.Op(kTfLiteBuiltinReshape, "RESHAPE", {b.Input({4})}, {2, 2}, TfLiteReshapeParams{});
  b.graph().tensors[0].quantized = gpu::QuantizedType{kTfLiteInt8, 0.5f, 0};
  b.graph().tensors[1].quantized = gpu::QuantizedType{kTfLiteInt8, 0.25f, 7};
  EXPECT_EQ(RefusalOf(b), "");
  b.graph().tensors[1].quantized->type = kTfLiteUInt8;
  EXPECT_EQ(RefusalOf(b), "RESHAPE #0: 't0' and 't1' are quantized differently");
}

}  // namespace
}  // namespace tern::testing
