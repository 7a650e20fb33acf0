// SPDX-License-Identifier: Apache-2.0
// Adds ops to a model under construction and works out the shape of what they make, so that a test
// says only what it cares about. Constants are random; weights are scaled so that values stay
// small.
#ifndef TERN_OPS_TESTING_GRAPH_MAKER_H_
#define TERN_OPS_TESTING_GRAPH_MAKER_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/check_model.h"

namespace tern::testing {

using Sizes = std::vector<int32_t>;

enum class Where { kConstant, kRuntime, kAbsent };

// One window for all ops that slide one over an image.
struct WindowSpec {
  int h = 3, w = 3;
  int stride_h = 1, stride_w = 1;
  int dilation_h = 1, dilation_w = 1;
  bool same = true;
  tflite::ActivationFunctionType activation = tflite::ActivationFunctionType_NONE;

  tflite::Padding padding() const { return same ? tflite::Padding_SAME : tflite::Padding_VALID; }
  static int Extent(int in, int filter, int stride, int dilation, bool same) {
    return same ? (in + stride - 1) / stride : (in - (filter - 1) * dilation - 1 + stride) / stride;
  }
  int OutHeight(int in) const { return Extent(in, h, stride_h, dilation_h, same); }
  int OutWidth(int in) const { return Extent(in, w, stride_w, dilation_w, same); }
};

class GraphMaker {
 public:
  explicit GraphMaker(uint64_t seed = 1) : random_(seed) {}

  int Input(Sizes shape) { return builder_.Input(std::move(shape)); }
  int Constant(const Sizes& shape, double range = 1) {
    return builder_.Const(shape, random_.Floats(CountOf(shape), -range, range));
  }
  int Operand(const Sizes& shape, Where where, double range = 1) {
    if (where == Where::kAbsent) return -1;
    return where == Where::kRuntime ? Input(shape) : Constant(shape, range);
  }
  void Output(int tensor) { builder_.Output(tensor); }
  const Sizes& ShapeOf(int tensor) { return builder_.tensor(tensor).shape; }
  tflite::TensorType TypeOf(int tensor) { return builder_.tensor(tensor).type; }
  std::vector<float> Numbers(int64_t count, double range) {
    return random_.Floats(count, -range, range);
  }
  ModelBuilder& builder() { return builder_; }

  int Conv(int x, int channels, int groups, const WindowSpec& s, Where filter = Where::kConstant,
           Where bias = Where::kConstant) {
    const Sizes in = ShapeOf(x);
    tflite::Conv2DOptionsT o;
    SetDilated(s, o);
    const int group_in = in[3] / groups;
    const int f = Operand({channels, s.h, s.w, group_in}, filter, Scale(s.h * s.w * group_in));
    const int b = Operand({channels}, bias);
    builder_.SetOpVersion(groups > 1 ? 6 : 2);
    return Add(tflite::BuiltinOperator_CONV_2D, {x, f, b},
               {in[0], s.OutHeight(in[1]), s.OutWidth(in[2]), channels}, std::move(o));
  }

  int Depthwise(int x, int multiplier, const WindowSpec& s, Where filter = Where::kConstant,
                Where bias = Where::kConstant) {
    const Sizes in = ShapeOf(x);
    tflite::DepthwiseConv2DOptionsT o;
    SetDilated(s, o);
    o.depth_multiplier = multiplier;
    const int channels = in[3] * multiplier;
    const int f = Operand({1, s.h, s.w, channels}, filter, Scale(s.h * s.w));
    const int b = Operand({channels}, bias);
    builder_.SetOpVersion(2);
    return Add(tflite::BuiltinOperator_DEPTHWISE_CONV_2D, {x, f, b},
               {in[0], s.OutHeight(in[1]), s.OutWidth(in[2]), channels}, std::move(o));
  }

  // Of the output sizes that belong to the input's, the one `rest` elements (below the stride) away
  // from that without a remainder.
  int TransposeConv(int x, int channels, const WindowSpec& s, Where filter = Where::kConstant,
                    Where bias = Where::kAbsent, int rest = 0) {
    const Sizes in = ShapeOf(x);
    tflite::TransposeConvOptionsT o;
    Set(s, o);
    const auto extent = [&](int from, int stride, int filter_size) {
      const int less = std::min(rest, stride - 1);
      return s.same ? from * stride - less : (from - 1) * stride + filter_size + less;
    };
    const Sizes out = {in[0], extent(in[1], s.stride_h, s.h), extent(in[2], s.stride_w, s.w),
                       channels};
    const int f = Operand({channels, s.h, s.w, in[3]}, filter, Scale(s.h * s.w * in[3]));
    std::vector<int32_t> operands = {builder_.Const<int32_t>({4}, out), f, x};
    if (bias != Where::kAbsent) operands.push_back(Operand({channels}, bias));
    builder_.SetOpVersion(s.activation == tflite::ActivationFunctionType_NONE ? 3 : 4);
    return Add(tflite::BuiltinOperator_TRANSPOSE_CONV, operands, out, std::move(o));
  }

  int Pool(int x, bool average, const WindowSpec& s) {
    const Sizes in = ShapeOf(x);
    tflite::Pool2DOptionsT o;
    Set(s, o);
    o.filter_height = s.h;
    o.filter_width = s.w;
    builder_.SetOpVersion(1);
    return Add(
        average ? tflite::BuiltinOperator_AVERAGE_POOL_2D : tflite::BuiltinOperator_MAX_POOL_2D,
        {x}, {in[0], s.OutHeight(in[1]), s.OutWidth(in[2]), in[3]}, std::move(o));
  }

  int Relu(int x) { return Unary(tflite::BuiltinOperator_RELU, x); }
  int Relu6(int x) { return Unary(tflite::BuiltinOperator_RELU6, x); }
  int Logistic(int x) { return Unary(tflite::BuiltinOperator_LOGISTIC, x); }
  int LeakyRelu(int x, float slope = 0.2f) {
    tflite::LeakyReluOptionsT o;
    o.alpha = slope;
    builder_.SetOpVersion(1);
    return Add(tflite::BuiltinOperator_LEAKY_RELU, {x}, ShapeOf(x), std::move(o));
  }

  int Sum(int a, int b,
          tflite::ActivationFunctionType activation = tflite::ActivationFunctionType_NONE) {
    tflite::AddOptionsT o;
    o.fused_activation_function = activation;
    builder_.SetOpVersion(1);
    return Add(tflite::BuiltinOperator_ADD, {a, b}, BroadcastShape(a, b), std::move(o));
  }
  int Product(int a, int b,
              tflite::ActivationFunctionType activation = tflite::ActivationFunctionType_NONE) {
    tflite::MulOptionsT o;
    o.fused_activation_function = activation;
    builder_.SetOpVersion(1);
    return Add(tflite::BuiltinOperator_MUL, {a, b}, BroadcastShape(a, b), std::move(o));
  }

  int Concat(const std::vector<int>& parts, int axis) {
    Sizes out = ShapeOf(parts[0]);
    const int at = axis < 0 ? axis + static_cast<int>(out.size()) : axis;
    out[at] = 0;
    for (const int part : parts) out[at] += ShapeOf(part)[at];
    tflite::ConcatenationOptionsT o;
    o.axis = axis;
    builder_.SetOpVersion(1);
    return Add(tflite::BuiltinOperator_CONCATENATION, parts, out, std::move(o));
  }

  // `amounts` holds before and after for each axis.
  int Pad(int x, const std::vector<int32_t>& amounts) {
    Sizes out = ShapeOf(x);
    const auto rank = static_cast<int32_t>(out.size());
    for (int32_t d = 0; d < rank; ++d) out[d] += amounts[2 * d] + amounts[2 * d + 1];
    const int paddings = builder_.Const<int32_t>({rank, 2}, amounts);
    builder_.SetOpVersion(1);
    return Add(tflite::BuiltinOperator_PAD, {x, paddings}, out, tflite::PadOptionsT());
  }

  int Resize(int x, int height, int width, bool align_corners, bool half_pixel) {
    const Sizes in = ShapeOf(x);
    tflite::ResizeBilinearOptionsT o;
    o.align_corners = align_corners;
    o.half_pixel_centers = half_pixel;
    const int size = builder_.Const<int32_t>({2}, {height, width});
    builder_.SetOpVersion(half_pixel ? 3 : 1);
    return Add(tflite::BuiltinOperator_RESIZE_BILINEAR, {x, size}, {in[0], height, width, in[3]},
               std::move(o));
  }

  int Softmax(int x, float beta = 1) {
    tflite::SoftmaxOptionsT o;
    o.beta = beta;
    builder_.SetOpVersion(1);
    return Add(tflite::BuiltinOperator_SOFTMAX, {x}, ShapeOf(x), std::move(o));
  }

  int Reshape(int x, const Sizes& shape) {
    const int to = builder_.Const<int32_t>({static_cast<int32_t>(shape.size())}, shape);
    builder_.SetOpVersion(1);
    return Add(tflite::BuiltinOperator_RESHAPE, {x, to}, shape, tflite::ReshapeOptionsT());
  }

  // A tensor of rank 4 as it is, another one as one line of pixels.
  int AsImage(int x) {
    const Sizes shape = ShapeOf(x);
    if (shape.size() == 4) return x;
    const auto pixels = static_cast<int32_t>(CountOf(shape) / shape.back());
    return Reshape(x, {1, 1, pixels, shape.back()});
  }

  // Any op with one result.
  template <class OptionsT>
  int Node(tflite::BuiltinOperator code, std::vector<int32_t> inputs, Sizes shape, OptionsT options,
           tflite::TensorType type = tflite::TensorType_FLOAT32, int version = 1) {
    const int out = builder_.Tensor(std::move(shape), type);
    builder_.SetOpVersion(version);
    return builder_.Op(code, std::move(inputs), {out}, std::move(options));
  }
  int Node(tflite::BuiltinOperator code, std::vector<int32_t> inputs, Sizes shape,
           tflite::TensorType type = tflite::TensorType_FLOAT32, int version = 1) {
    const int out = builder_.Tensor(std::move(shape), type);
    builder_.SetOpVersion(version);
    return builder_.Op(code, std::move(inputs), {out});
  }
  int Ints(const std::vector<int32_t>& values) {
    return builder_.Const<int32_t>({static_cast<int32_t>(values.size())}, values);
  }

  // Shape of what two operands make together.
  Sizes Broadcast(int a, int b) { return BroadcastShape(a, b); }

  ModelCase Finish(std::string name, double range = 2) {
    return MakeModelCase(std::move(name), builder_, -range, range);
  }
  // With one more output.
  ModelCase Finish(std::string name, int output, double range = 2) {
    Output(output);
    return Finish(std::move(name), range);
  }

  static int64_t CountOf(const Sizes& shape) {
    int64_t count = 1;
    for (const int32_t size : shape) count *= size;
    return count;
  }

 private:
  // A sum of n products of such weights with values below 1 stays near 1.
  static double Scale(int n) { return 2 / std::sqrt(static_cast<double>(std::max(n, 1))); }

  template <class OptionsT>
  static void Set(const WindowSpec& s, OptionsT& o) {
    o.padding = s.padding();
    o.stride_h = s.stride_h;
    o.stride_w = s.stride_w;
    o.fused_activation_function = s.activation;
  }
  template <class OptionsT>
  static void SetDilated(const WindowSpec& s, OptionsT& o) {
    Set(s, o);
    o.dilation_h_factor = s.dilation_h;
    o.dilation_w_factor = s.dilation_w;
  }

  Sizes BroadcastShape(int a, int b) {
    const Sizes &p = ShapeOf(a), &q = ShapeOf(b);
    Sizes out(std::max(p.size(), q.size()), 1);
    for (const Sizes* shape : {&p, &q}) {
      for (size_t i = 0; i < shape->size(); ++i) {
        int32_t& extent = out[out.size() - 1 - i];
        const int32_t own = (*shape)[shape->size() - 1 - i];
        if (own != 1) extent = own;
      }
    }
    return out;
  }

  int Unary(tflite::BuiltinOperator code, int x) {
    builder_.SetOpVersion(1);
    return builder_.Op(code, {x}, {builder_.Tensor(ShapeOf(x))});
  }

  template <class OptionsT>
  int Add(tflite::BuiltinOperator code, std::vector<int32_t> inputs, Sizes shape,
          OptionsT options) {
    const int out = builder_.Tensor(std::move(shape));
    return builder_.Op(code, std::move(inputs), {out}, std::move(options));
  }

  ModelBuilder builder_;
  Random random_;
};

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_GRAPH_MAKER_H_
