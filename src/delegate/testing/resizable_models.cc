// SPDX-License-Identifier: Apache-2.0
// Tensors between the nodes have no shapes in these files: the runtime finds them.
#include "delegate/testing/resizable_models.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/testing/model_builder.h"

namespace tern::delegate::testing {
namespace {

using tern::testing::ModelBuilder;

int64_t Elements(const std::vector<int>& shape) {
  int64_t count = 1;
  for (const int d : shape) count *= d;
  return count;
}

int Draw(Random& random, int from, int to) {
  return from + static_cast<int>(random() % static_cast<unsigned>(to - from + 1));
}

// Adds nodes one after another.
class Chain {
 public:
  Chain(ModelBuilder* b, int start) : b_(*b), at_(start) {}

  // A constant of small numbers.
  int Weights(const std::vector<int>& shape, float size = 0.5f) {
    std::vector<float> values(static_cast<size_t>(Elements(shape)));
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = size * std::sin(static_cast<float>(1 + i * 7 + seed_));
    }
    seed_ += 5;
    return b_.Const<float>(shape, values);
  }
  Chain& Conv(int from, int to, int window, int stride) {
    tflite::Conv2DOptionsT options;
    options.stride_w = options.stride_h = stride;
    options.fused_activation_function = tflite::ActivationFunctionType_RELU6;
    const float size = 1.0f / static_cast<float>(window * window);
    return Op(tflite::BuiltinOperator_CONV_2D,
              {at_, Weights({to, window, window, from}, size), Weights({to})}, options);
  }
  Chain& Depthwise(int channels, int stride) {
    tflite::DepthwiseConv2DOptionsT options;
    options.stride_w = options.stride_h = stride;
    options.depth_multiplier = 1;
    options.fused_activation_function = tflite::ActivationFunctionType_RELU6;
    return Op(tflite::BuiltinOperator_DEPTHWISE_CONV_2D,
              {at_, Weights({1, 3, 3, channels}), Weights({channels})}, options);
  }
  Chain& Connected(int from, int to, bool keep_dims = false) {
    tflite::FullyConnectedOptionsT options;
    options.keep_num_dims = keep_dims;
    return Op(tflite::BuiltinOperator_FULLY_CONNECTED, {at_, Weights({to, from}), Weights({to})},
              options);
  }
  Chain& Reduce(tflite::BuiltinOperator code, std::vector<int32_t> axes, bool keep_dims = false) {
    tflite::ReducerOptionsT options;
    options.keep_dims = keep_dims;
    const int list = b_.Const<int32_t>({static_cast<int>(axes.size())}, axes);
    return Op(code, {at_, list}, options);
  }
  Chain& Softmax() {
    tflite::SoftmaxOptionsT options;
    options.beta = 1;
    return Op(tflite::BuiltinOperator_SOFTMAX, {at_}, options);
  }
  Chain& Transpose(std::vector<int32_t> order) {
    const int list = b_.Const<int32_t>({static_cast<int>(order.size())}, order);
    return Op(tflite::BuiltinOperator_TRANSPOSE, {at_, list});
  }
  Chain& Unary(tflite::BuiltinOperator code) { return Op(code, {at_}); }
  template <class... Options>
  Chain& Op(tflite::BuiltinOperator code, std::vector<int> inputs, Options... options) {
    at_ = b_.Op(code, std::move(inputs), {b_.Tensor({})}, options...);
    return *this;
  }
  int at() const { return at_; }

 private:
  ModelBuilder& b_;
  int at_;
  size_t seed_ = 0;
};

std::vector<int> Image(Random& random, int channels, int min = 1) {
  return {Draw(random, 1, 3), Draw(random, min, 19), Draw(random, min, 19), channels};
}

}  // namespace

ResizableModel ConvNet() {
  ModelBuilder b;
  Chain chain(&b, b.Input({1, 16, 16, 3}));
  chain.Conv(3, 8, 3, 2).Depthwise(8, 1).Conv(8, 16, 1, 1).Depthwise(16, 2).Conv(16, 20, 1, 1);
  chain.Reduce(tflite::BuiltinOperator_MEAN, {1, 2}).Connected(20, 7).Softmax();
  b.Output(chain.at());
  return {"ConvNet", b.Finish(), [](Random& random) { return Image(random, 3); }};
}

ResizableModel ElementwiseNet() {
  ModelBuilder b;
  Chain chain(&b, b.Input({2, 5, 12}));
  chain.Op(tflite::BuiltinOperator_ADD, {chain.at(), chain.Weights({12})}, tflite::AddOptionsT());
  chain.Unary(tflite::BuiltinOperator_TANH);
  const int kept = chain.at();
  chain.Op(tflite::BuiltinOperator_MUL, {kept, kept}, tflite::MulOptionsT());
  chain.Reduce(tflite::BuiltinOperator_SUM, {2}, true);
  chain.Op(tflite::BuiltinOperator_MUL, {kept, chain.at()}, tflite::MulOptionsT());
  chain.Connected(12, 9, true).Unary(tflite::BuiltinOperator_LOGISTIC);
  b.Output(chain.at());
  chain.Reduce(tflite::BuiltinOperator_REDUCE_MAX, {1}).Connected(9, 5);
  b.Output(chain.at());
  return {"ElementwiseNet", b.Finish(), [](Random& random) {
            return std::vector<int>{Draw(random, 1, 6), Draw(random, 1, 33), 12};
          }};
}

ResizableModel LstmNet() {
  constexpr int kIn = 6, kCells = 8;
  ModelBuilder b;
  Chain chain(&b, b.Input({2, 5, kIn}));
  std::vector<int> inputs = {chain.at()};
  for (int i = 0; i < 4; ++i) inputs.push_back(chain.Weights({kCells, kIn}));
  for (int i = 0; i < 4; ++i) inputs.push_back(chain.Weights({kCells, kCells}));
  inputs.insert(inputs.end(), {-1, -1, -1});  // no peepholes
  for (int i = 0; i < 4; ++i) inputs.push_back(chain.Weights({kCells}));
  inputs.insert(inputs.end(), {-1, -1});  // no projection
  inputs.push_back(b.Variable({2, kCells}));
  inputs.push_back(b.Variable({2, kCells}));
  inputs.insert(inputs.end(), {-1, -1, -1, -1});  // no normalization
  tflite::UnidirectionalSequenceLSTMOptionsT options;
  options.fused_activation_function = tflite::ActivationFunctionType_TANH;
  chain.Op(tflite::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM, inputs, options);
  chain.Connected(kCells, 4, true);
  b.Output(chain.at());
  return {"LstmNet", b.Finish(), [](Random& random) {
            return std::vector<int>{2, Draw(random, 1, 9), kIn};
          }};
}

ResizableModel DecoderNet() {
  ModelBuilder b;
  Chain chain(&b, b.Input({1, 6, 6, 5}));
  const int start = chain.at();
  const int around = b.Const<int32_t>({4, 2}, {0, 0, 1, 1, 1, 1, 0, 0});
  chain.Op(tflite::BuiltinOperator_PAD, {chain.at(), around}, tflite::PadOptionsT());
  tflite::Pool2DOptionsT pool;
  pool.filter_width = pool.filter_height = 3;
  pool.stride_w = pool.stride_h = 1;
  pool.padding = tflite::Padding_VALID;
  chain.Op(tflite::BuiltinOperator_MAX_POOL_2D, {chain.at()}, pool);
  tflite::ConcatenationOptionsT together;
  together.axis = 3;
  chain.Op(tflite::BuiltinOperator_CONCATENATION, {chain.at(), start}, together);
  tflite::ResizeBilinearOptionsT resize;
  resize.half_pixel_centers = true;
  const int size = b.Const<int32_t>({2}, {9, 11});
  chain.Op(tflite::BuiltinOperator_RESIZE_BILINEAR, {chain.at(), size}, resize);
  chain.Conv(10, 6, 3, 1);
  tflite::SpaceToDepthOptionsT space;
  space.block_size = 1;
  chain.Op(tflite::BuiltinOperator_SPACE_TO_DEPTH, {chain.at()}, space);
  b.Output(chain.at());
  Chain other(&b, start);
  pool.padding = tflite::Padding_SAME;
  pool.stride_w = 2;
  other.Op(tflite::BuiltinOperator_AVERAGE_POOL_2D, {start}, pool);
  tflite::DepthToSpaceOptionsT depth;
  depth.block_size = 2;
  other.Conv(5, 12, 1, 1).Op(tflite::BuiltinOperator_DEPTH_TO_SPACE, {other.at()}, depth);
  b.Output(other.at());
  return {"DecoderNet", b.Finish(), [](Random& random) { return Image(random, 5, 2); }};
}

ResizableModel AttentionNet() {
  ModelBuilder b;
  const int x = b.Input({1, 7, 8});
  Chain q(&b, x), k(&b, x), v(&b, x);
  q.Connected(8, 8, true);
  k.Connected(8, 8, true);
  v.Connected(8, 8, true);
  tflite::BatchMatMulOptionsT options;
  options.adj_y = true;
  Chain chain(&b, x);
  chain.Op(tflite::BuiltinOperator_BATCH_MATMUL, {q.at(), k.at()}, options).Softmax();
  options.adj_y = false;
  chain.Op(tflite::BuiltinOperator_BATCH_MATMUL, {chain.at(), v.at()}, options);
  chain.Op(tflite::BuiltinOperator_ADD, {chain.at(), x}, tflite::AddOptionsT());
  b.Output(chain.at());
  return {"AttentionNet", b.Finish(), [](Random& random) {
            return std::vector<int>{Draw(random, 1, 4), Draw(random, 1, 21), 8};
          }};
}

ResizableModel MovementNet() {
  ModelBuilder b;
  Chain chain(&b, b.Input({1, 4, 6, 10}));
  const int start = chain.at();
  tflite::StridedSliceOptionsT slice;
  slice.begin_mask = slice.end_mask = 0b1101;
  const int begin = b.Const<int32_t>({4}, {0, 1, 0, 0}), end = b.Const<int32_t>({4}, {0, 99, 0, 0});
  const int strides = b.Const<int32_t>({4}, {1, 2, 1, 1});
  chain.Op(tflite::BuiltinOperator_STRIDED_SLICE, {start, begin, end, strides}, slice);
  chain.Transpose({0, 3, 1, 2}).Unary(tflite::BuiltinOperator_NEG);
  b.Output(chain.at());
  const int axis = b.Const<int32_t>({}, {3});
  const int left = b.Tensor({}), right = b.Tensor({});
  tflite::SplitOptionsT split;
  split.num_splits = 2;
  b.Op(tflite::BuiltinOperator_SPLIT, {axis, start}, {left, right}, split);
  Chain other(&b, left);
  tflite::PackOptionsT pack;
  pack.axis = 1;
  pack.values_count = 2;
  other.Op(tflite::BuiltinOperator_MAXIMUM, {left, right}, tflite::MaximumMinimumOptionsT());
  other.Op(tflite::BuiltinOperator_TILE, {other.at(), b.Const<int32_t>({4}, {1, 2, 1, 3})});
  const int flat = b.Const<int32_t>({2}, {-1, 5});
  other.Op(tflite::BuiltinOperator_RESHAPE, {other.at(), flat}, tflite::ReshapeOptionsT());
  const int one = other.at();
  other.Unary(tflite::BuiltinOperator_ABS);
  other.Op(tflite::BuiltinOperator_PACK, {one, other.at()}, pack);
  b.Output(other.at());
  return {"MovementNet", b.Finish(), [](Random& random) { return Image(random, 10, 2); }};
}

ResizableModel SplitNet() {
  ModelBuilder b;
  Chain chain(&b, b.Input({1, 6, 6, 4}));
  chain.Conv(4, 6, 3, 1).Unary(tflite::BuiltinOperator_LOGISTIC);
  Chain after(&b, b.CustomOp("OnlyOnCpu", {chain.at()}, {b.Tensor({})}));
  after.Depthwise(6, 2).Reduce(tflite::BuiltinOperator_MEAN, {1}, true);
  b.Output(after.at());
  return {"SplitNet", b.Finish(), [](Random& random) { return Image(random, 4); }};
}

ResizableModel QuantizedNet() {
  ModelBuilder b;
  b.SetOpVersion(2);
  const auto quantized = [&](float scale, int zero_point) {
    return b.Quantize(b.Tensor({}, tflite::TensorType_INT8), scale, zero_point);
  };
  const int x = b.Input({1, 8, 8, 3});
  const int q = b.Op(tflite::BuiltinOperator_QUANTIZE, {x}, {quantized(0.03f, 3)},
                     tflite::QuantizeOptionsT());
  std::vector<int8_t> weights(5 * 9 * 3);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<int8_t>(i * 37 % 101 - 50);
  const int w = b.Quantize(b.Const<int8_t>({5, 3, 3, 3}, weights), 0.01f, 0);
  const int bias = b.Quantize(b.Const<int32_t>({5}, {10, -20, 30, 0, 5}), 0.0003f, 0);
  tflite::Conv2DOptionsT options;
  options.stride_w = options.stride_h = 1;
  const int y = b.Op(tflite::BuiltinOperator_CONV_2D, {q, w, bias}, {quantized(0.1f, -4)}, options);
  b.Output(
      b.Op(tflite::BuiltinOperator_DEQUANTIZE, {y}, {b.Tensor({})}, tflite::DequantizeOptionsT()));
  // Sums that lie half way between two elements may go either way.
  return {"QuantizedNet", b.Finish(), [](Random& random) { return Image(random, 3); }, 0.1001f};
}

std::vector<ResizableModel> ResizableModels() {
  return {ConvNet(),      ElementwiseNet(), LstmNet(),  DecoderNet(),
          AttentionNet(), MovementNet(),    SplitNet(), QuantizedNet()};
}

}  // namespace tern::delegate::testing
