// SPDX-License-Identifier: Apache-2.0
// Joining, padding and reshaping of awkward sizes on the GPU engines.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

constexpr int kUnevenChannels[] = {1, 3, 4, 5, 7, 8, 15, 16, 17, 33};

// After an op, so that the operands lie in slices; the result is read by another op.
ModelCase Between(GraphMaker& m, const std::string& name, int tensor) {
  m.Output(tensor);
  m.Output(m.LeakyRelu(tensor));
  return m.Finish(name);
}

TEST(ConcatenationGpu, Channels) {
  for (const int first : kUnevenChannels) {
    for (const int second : {1, 16}) {
      GraphMaker m;
      const int a = m.Relu(m.Input({2, 2, 3, first})), b = m.Input({2, 2, 3, second});
      const int c = m.Logistic(b);
      const int all = m.Concat({a, b, a, m.Constant({2, 2, 3, 5}), c}, 3);
      CheckModel(Between(m, StrCat(first, " and ", second, " channels"), all));
    }
  }
}

TEST(ConcatenationGpu, EveryAxisOfEveryRank) {
  const Sizes full = {2, 3, 2, 2, 5};
  for (size_t rank = 1; rank <= full.size(); ++rank) {
    const Sizes shape(full.end() - static_cast<long>(rank), full.end());
    for (size_t axis = 0; axis < rank; ++axis) {
      GraphMaker m;
      Sizes constant = shape;
      constant[axis] = 3;
      const int x = m.Input(shape);
      const int inner = m.Relu(x);
      const int all = m.Concat({inner, m.Constant(constant), x, inner}, static_cast<int>(axis));
      CheckModel(Between(m, StrCat("axis ", axis, " of ", rank), all));
    }
  }
}

TEST(ConcatenationGpu, AlignedChannels) {
  for (const int channels : {4, 16, 32}) {
    GraphMaker m;
    const int a = m.Relu(m.Input({1, 3, 2, channels})), b = m.Relu(m.Input({1, 3, 2, 7}));
    CheckModel(Between(m, "aligned, then not", m.Concat({a, a, b, a}, -1)));
  }
}

// Operands that are made inside the joined tensor, next to some that are copied there: the input
// and what has no whole slices. `inner` lies inside of a tensor that lies inside another one.
TEST(ConcatenationGpu, OperandsInPlace) {
  for (const int channels : {4, 16, 32}) {
    for (const int last : {channels, 5}) {
      GraphMaker m;
      const int x = m.Input({1, 8, 8, channels});
      const int a = m.Relu(x), b = m.LeakyRelu(m.Input({1, 8, 8, channels}));
      const int inner = m.Concat({a, b}, 3);
      const int c = m.Logistic(m.Input({1, 8, 8, last}));
      const int all = m.Concat({inner, x, c}, 3);
      m.Output(m.Relu6(all));
      m.Output(m.Logistic(inner));
      m.Output(m.Sum(a, b));
      CheckModel(m.Finish(StrCat(channels, " and ", last, " channels in place")));
    }
  }
}

// The outputs of detectors: nobody reads the operands but the join.
TEST(ConcatenationGpu, OperandsInPlaceOfAnOutput) {
  for (const int channels : {1, 2, 16}) {
    GraphMaker m;
    const int a = m.Relu(m.Input({1, 8, 8, 2 * channels}));
    const int b = m.LeakyRelu(m.Input({1, 4, 4, 6 * channels}));
    const int c = m.Logistic(m.Input({1, 96, channels}));
    m.Output(m.Concat({m.Reshape(a, {1, 128, channels}), m.Reshape(b, {1, 96, channels}), c}, 1));
    CheckModel(m.Finish(StrCat(channels, " channels in an output")));
  }
}

// As heads of detectors are: images of boxes become rows, which are joined. Parts are read where
// the images have them; an image that another op reads, too, is copied.
TEST(ConcatenationGpu, ReshapedParts) {
  for (const int channels : {1, 3, 16}) {
    for (const bool inside : {false, true}) {
      GraphMaker m;
      const int a = m.Relu(m.Input({2, 4, 3, 2 * channels}));
      const int b = m.LeakyRelu(m.Input({2, 2, 2, 6 * channels}));
      const int row = m.Reshape(b, {2, 24, channels});
      const int all =
          m.Concat({m.Reshape(a, {2, 24, channels}), row, m.Input({2, 5, channels})}, 1);
      const std::string name = StrCat(channels, " channels");
      if (!inside) m.Output(all);
      if (channels == 3) m.Output(m.Logistic(row));
      const int flat =
          m.Concat({m.Reshape(a, {1, 48, channels}), m.Reshape(b, {1, 48, channels})}, 2);
      m.Output(m.Logistic(flat));
      CheckModel(inside ? Between(m, name, m.Relu(all)) : Between(m, name, flat));
    }
  }
}

TEST(PadGpu, EveryAxis) {
  for (const int channels : kUnevenChannels) {
    for (int axis = 0; axis < 4; ++axis) {
      for (const int before : {1, 16}) {
        std::vector<int32_t> amounts(8, 0);
        amounts[2 * axis] = before;
        amounts[2 * axis + 1] = 2;
        GraphMaker m;
        const int padded = m.Pad(m.Relu(m.Input({2, 2, 3, channels})), amounts);
        CheckModel(Between(m, StrCat("axis ", axis, ", ", before, " before, ", channels), padded));
      }
    }
  }
}

// An operand of fewer channels is read where its padding would read it, whether it lies in slices,
// in rows of the graph's input, or in batches.
TEST(PadGpu, ChannelsOfAnOperand) {
  int more = 1;
  for (const int channels : kUnevenChannels) {
    GraphMaker m;
    const int few = m.Input({2, 3, 4, channels}), many = m.Input({2, 3, 4, channels + more});
    const std::vector<int32_t> amounts = {0, 0, 0, 0, 0, 0, 0, more};
    const int a =
        m.Sum(m.Relu(many), m.Pad(m.LeakyRelu(few), amounts), tflite::ActivationFunctionType_RELU);
    const int b = m.Product(m.Pad(few, amounts), m.Logistic(many));
    m.Output(a);
    m.Output(b);
    CheckModel(Between(m, StrCat(channels, " and ", more, " channels"), m.Sum(a, b)));
    more = more * 5 % 23;
  }
}

TEST(PadGpu, ChannelsOfAQuantizedOperand) {
  for (const auto type :
       {tflite::TensorType_INT8, tflite::TensorType_UINT8, tflite::TensorType_INT16}) {
    const int zero = type == tflite::TensorType_INT16 ? 0 : 7;
    ModelBuilder b;
    const auto tensor = [&](Sizes shape, float scale, int zero_point) {
      return b.Quantize(b.Tensor(std::move(shape), type), scale, zero_point);
    };
    const Sizes few = {1, 3, 4, 5}, many = {1, 3, 4, 18};
    const int x = b.Quantize(b.Input(few, type), 0.05f, zero);
    const int y = b.Quantize(b.Input(many, type), 0.02f, 0);
    const int moved = b.Op(tflite::BuiltinOperator_RELU, {y}, {tensor(many, 0.02f, 0)});
    const int paddings = b.Const<int32_t>({4, 2}, {0, 0, 0, 0, 0, 0, 0, 13});
    const int padded =
        b.Op(tflite::BuiltinOperator_PAD, {x, paddings}, {tensor(many, 0.05f, zero)});
    b.Output(b.Op(tflite::BuiltinOperator_ADD, {moved, padded}, {tensor(many, 0.06f, zero)},
                  tflite::AddOptionsT()));
    const size_t bytes = type == tflite::TensorType_INT16 ? 2 : 1;
    Random random(3);
    std::vector<std::vector<uint8_t>> inputs = {std::vector<uint8_t>(60 * bytes),
                                                std::vector<uint8_t>(216 * bytes)};
    for (auto& input : inputs) {
      for (uint8_t& byte : input) byte = static_cast<uint8_t>(random.Integer(0, 255));
    }
    CheckSameBytes(StrCat("ADD of padded ", tflite::EnumNameTensorType(type)), b, inputs, true);
  }
}

TEST(PadGpu, RanksAndAllAxes) {
  for (int rank = 1; rank <= 5; ++rank) {
    GraphMaker m;
    const int x = m.Input(Sizes(rank, 3));
    std::vector<int32_t> amounts(2 * rank, 1);
    amounts[0] = 2;
    m.Output(m.Pad(x, amounts));
    CheckModel(Between(m, StrCat("rank ", rank), m.Pad(m.Logistic(x), amounts)));
  }
}

TEST(ReshapeGpu, BetweenOps) {
  struct Pair {
    Sizes from, to;
  };
  for (const Pair& p : {Pair{{1, 2, 3, 8}, {1, 6, 1, 8}},
                        {{1, 2, 3, 8}, {6, 8}},
                        {{1, 2, 3, 8}, {48}},
                        {{1, 2, 3, 8}, {1, 2, 6, 4}},
                        {{2, 2, 3, 5}, {1, 4, 3, 5}},
                        {{2, 2, 3, 5}, {3, 20}},
                        {{2, 2, 3, 3}, {1, 1, 12, 3}},
                        {{12}, {2, 1, 6}},
                        {{2, 3, 4, 5, 2}, {6, 40}},
                        {{6, 40}, {2, 3, 2, 2, 2, 5}},
                        {{1, 1, 1, 16}, {16}},
                        {{4, 4, 17}, {1, 16, 17, 1}}}) {
    GraphMaker m;
    const int x = m.Input(p.from);
    const int inner = m.Reshape(m.Relu(x), p.to);
    m.Output(m.Logistic(inner));
    m.Output(m.Reshape(x, p.to));               // straight from input to output
    m.Output(m.Relu6(m.Reshape(x, p.to)));      // from the input
    m.Output(m.Reshape(m.LeakyRelu(x), p.to));  // to the output
    const int back = m.Reshape(inner, p.from);  // and back again
    m.Output(m.Sum(back, x));
    m.Output(inner);
    CheckModel(m.Finish("reshape"));
  }
}

}  // namespace
}  // namespace tern::testing
