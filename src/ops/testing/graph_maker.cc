// SPDX-License-Identifier: Apache-2.0
// Single nodes of graphs for tests.
#include "ops/testing/graph_maker.h"

#include <algorithm>
#include <cmath>

namespace tern::testing {
namespace {

// A sum of n products of such weights with values below 1 stays near 1.
double Scale(int n) { return 2 / std::sqrt(static_cast<double>(std::max(n, 1))); }

template <class OptionsT>
void Set(const WindowSpec& s, OptionsT& o) {
  o.padding = s.padding();
  o.stride_h = s.stride_h;
  o.stride_w = s.stride_w;
  o.fused_activation_function = s.activation;
}

template <class OptionsT>
void SetDilated(const WindowSpec& s, OptionsT& o) {
  Set(s, o);
  o.dilation_h_factor = s.dilation_h;
  o.dilation_w_factor = s.dilation_w;
}

}  // namespace

template <class OptionsT>
int GraphMaker::Add(tflite::BuiltinOperator code, std::vector<int32_t> inputs, Sizes shape,
                    OptionsT options) {
  const int out = Tensor(std::move(shape));
  return Op(code, std::move(inputs), {out}, std::move(options));
}

int GraphMaker::Constant(const Sizes& shape, double range) {
  return Const(shape, random_.Floats(CountOf(shape), -range, range));
}

int GraphMaker::Operand(const Sizes& shape, Origin where, double range) {
  if (where == Origin::kAbsent) return -1;
  return where == Origin::kRuntime ? Input(shape) : Constant(shape, range);
}

std::vector<float> GraphMaker::Numbers(int64_t count, double range) {
  return random_.Floats(count, -range, range);
}

int GraphMaker::Conv(int x, int channels, int groups, const WindowSpec& s, Origin filter,
                     Origin bias) {
  const Sizes in = ShapeOf(x);
  tflite::Conv2DOptionsT o;
  SetDilated(s, o);
  const int group_in = in[3] / groups;
  const int f = Operand({channels, s.h, s.w, group_in}, filter, Scale(s.h * s.w * group_in));
  const int b = Operand({channels}, bias);
  SetOpVersion(groups > 1 ? 6 : 2);
  return Add(tflite::BuiltinOperator_CONV_2D, {x, f, b},
             {in[0], s.OutHeight(in[1]), s.OutWidth(in[2]), channels}, o);
}

int GraphMaker::Depthwise(int x, int multiplier, const WindowSpec& s, Origin filter, Origin bias) {
  const Sizes in = ShapeOf(x);
  tflite::DepthwiseConv2DOptionsT o;
  SetDilated(s, o);
  o.depth_multiplier = multiplier;
  const int channels = in[3] * multiplier;
  const int f = Operand({1, s.h, s.w, channels}, filter, Scale(s.h * s.w));
  const int b = Operand({channels}, bias);
  SetOpVersion(2);
  return Add(tflite::BuiltinOperator_DEPTHWISE_CONV_2D, {x, f, b},
             {in[0], s.OutHeight(in[1]), s.OutWidth(in[2]), channels}, o);
}

int GraphMaker::TransposeConv(int x, int channels, const WindowSpec& s, Origin filter, Origin bias,
                              int rest) {
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
  std::vector<int32_t> operands = {Ints(out), f, x};
  if (bias != Origin::kAbsent) operands.push_back(Operand({channels}, bias));
  SetOpVersion(s.activation == tflite::ActivationFunctionType_NONE ? 3 : 4);
  return Add(tflite::BuiltinOperator_TRANSPOSE_CONV, operands, out, o);
}

int GraphMaker::Pool(int x, bool average, const WindowSpec& s) {
  const Sizes in = ShapeOf(x);
  tflite::Pool2DOptionsT o;
  Set(s, o);
  o.filter_height = s.h;
  o.filter_width = s.w;
  SetOpVersion(1);
  return Add(
      average ? tflite::BuiltinOperator_AVERAGE_POOL_2D : tflite::BuiltinOperator_MAX_POOL_2D, {x},
      {in[0], s.OutHeight(in[1]), s.OutWidth(in[2]), in[3]}, o);
}

int GraphMaker::LeakyRelu(int x, float slope) {
  tflite::LeakyReluOptionsT o;
  o.alpha = slope;
  SetOpVersion(1);
  return Add(tflite::BuiltinOperator_LEAKY_RELU, {x}, ShapeOf(x), o);
}

int GraphMaker::Sum(int a, int b, tflite::ActivationFunctionType activation) {
  tflite::AddOptionsT o;
  o.fused_activation_function = activation;
  SetOpVersion(1);
  return Add(tflite::BuiltinOperator_ADD, {a, b}, BroadcastShape(a, b), o);
}

int GraphMaker::Product(int a, int b, tflite::ActivationFunctionType activation) {
  tflite::MulOptionsT o;
  o.fused_activation_function = activation;
  SetOpVersion(1);
  return Add(tflite::BuiltinOperator_MUL, {a, b}, BroadcastShape(a, b), o);
}

int GraphMaker::Concat(const std::vector<int>& parts, int axis) {
  Sizes out = ShapeOf(parts[0]);
  const int at = axis < 0 ? axis + static_cast<int>(out.size()) : axis;
  out[at] = 0;
  for (const int part : parts) out[at] += ShapeOf(part)[at];
  tflite::ConcatenationOptionsT o;
  o.axis = axis;
  SetOpVersion(1);
  return Add(tflite::BuiltinOperator_CONCATENATION, parts, out, o);
}

int GraphMaker::Pad(int x, const std::vector<int32_t>& amounts) {
  Sizes out = ShapeOf(x);
  const auto rank = static_cast<int32_t>(out.size());
  for (int32_t d = 0; d < rank; ++d) out[d] += amounts[2 * d] + amounts[2 * d + 1];
  const int paddings = Ints({rank, 2}, amounts);
  SetOpVersion(1);
  return Add(tflite::BuiltinOperator_PAD, {x, paddings}, out, tflite::PadOptionsT());
}

int GraphMaker::Resize(int x, int height, int width, bool align_corners, bool half_pixel) {
  const Sizes in = ShapeOf(x);
  tflite::ResizeBilinearOptionsT o;
  o.align_corners = align_corners;
  o.half_pixel_centers = half_pixel;
  const int size = Ints({height, width});
  SetOpVersion(half_pixel ? 3 : 1);
  return Add(tflite::BuiltinOperator_RESIZE_BILINEAR, {x, size}, {in[0], height, width, in[3]}, o);
}

int GraphMaker::Softmax(int x, float beta) {
  tflite::SoftmaxOptionsT o;
  o.beta = beta;
  SetOpVersion(1);
  return Add(tflite::BuiltinOperator_SOFTMAX, {x}, ShapeOf(x), o);
}

int GraphMaker::Reshape(int x, const Sizes& shape) {
  const int to = Ints(shape);
  SetOpVersion(1);
  return Add(tflite::BuiltinOperator_RESHAPE, {x, to}, shape, tflite::ReshapeOptionsT());
}

int GraphMaker::AsImage(int x) {
  const Sizes shape = ShapeOf(x);
  if (shape.size() == 4) return x;
  const auto pixels = static_cast<int32_t>(CountOf(shape) / shape.back());
  return Reshape(x, {1, 1, pixels, shape.back()});
}

int GraphMaker::Node(tflite::BuiltinOperator code, std::vector<int32_t> inputs, Sizes shape,
                     tflite::TensorType type, int version) {
  const int out = Tensor(std::move(shape), type);
  SetOpVersion(version);
  return Op(code, std::move(inputs), {out});
}

ModelCase GraphMaker::Finish(std::string name, double range) {
  return MakeModelCase(std::move(name), model(), -range, range);
}

ModelCase GraphMaker::Finish(std::string name, int output, double range) {
  Output(output);
  return Finish(std::move(name), range);
}

int64_t GraphMaker::CountOf(const Sizes& shape) {
  int64_t count = 1;
  for (const int32_t size : shape) count *= size;
  return count;
}

Sizes GraphMaker::BroadcastShape(int a, int b) {
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

int GraphMaker::Unary(tflite::BuiltinOperator code, int x) {
  SetOpVersion(1);
  return Op(code, {x}, {Tensor(ShapeOf(x))});
}

}  // namespace tern::testing
