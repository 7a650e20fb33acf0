// SPDX-License-Identifier: Apache-2.0
#include "ops/testing/quantized_maker.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace tern::testing {
namespace {

int Extent(int in, int filter, int stride, bool same) {
  return WindowSpec::Extent(in, filter, stride, 1, same);
}

template <class OptionsT>
void SetWindow(const WindowSpec& s, OptionsT& o) {
  o.padding = s.padding();
  o.stride_h = s.stride_h;
  o.stride_w = s.stride_w;
  o.fused_activation_function = s.activation;
}

}  // namespace

double QuantizedMaker::Lowest() const {
  return type_ == tflite::TensorType_INT8 ? -128 : type_ == tflite::TensorType_UINT8 ? 0 : -32768;
}
double QuantizedMaker::Highest() const {
  return type_ == tflite::TensorType_INT8 ? 127 : type_ == tflite::TensorType_UINT8 ? 255 : 32767;
}

int QuantizedMaker::Tensor(const Sizes& shape, Range range) {
  const int made = Tensor(shape, type_);
  if (is_16_bits()) return Quantize(made, static_cast<float>(range.reach() / 32767), 0);
  const auto scale = static_cast<float>((range.high - range.low) / 255);
  return Quantize(made, scale, std::llround(Lowest() - range.low / scale));
}

Range QuantizedMaker::RangeOf(int index) {
  const tflite::QuantizationParametersT& q = *tensor(index).quantization;
  const double scale = q.scale[0], zero = static_cast<double>(q.zero_point[0]);
  return {scale * (Lowest() - zero), scale * (Highest() - zero)};
}

Range QuantizedMaker::Near(double reach) {
  const double size = std::min(std::max(reach * (0.6 + Unit()), 0.25), 16.0);
  return {-size, size * (0.5 + Unit())};
}

int QuantizedMaker::Like(int x, const Sizes& shape) {
  const tflite::QuantizationParametersT& q = *tensor(x).quantization;
  const float scale = q.scale[0];
  const int64_t zero = q.zero_point[0];
  return Quantize(Tensor(shape, type_), scale, zero);
}

bool QuantizedMaker::Alike(int x, int y) {
  const auto &a = *tensor(x).quantization, &b = *tensor(y).quantization;
  return a.scale == b.scale && a.zero_point == b.zero_point;
}

int QuantizedMaker::Constant(const Sizes& shape, Range range) {
  return ConstantLike(Tensor(shape, range), shape);
}

int QuantizedMaker::ConstantLike(int x, const Sizes& shape) {
  const auto low = static_cast<int64_t>(Lowest()), high = static_cast<int64_t>(Highest());
  std::vector<uint8_t> bytes;
  for (int64_t i = 0; i < GraphMaker::CountOf(shape); ++i) {
    const int64_t v = random_.Integer(low, high);
    for (int byte = 0; byte < (is_16_bits() ? 2 : 1); ++byte) {
      bytes.push_back(static_cast<uint8_t>(v >> 8 * byte));
    }
  }
  const tflite::QuantizationParametersT& q = *tensor(x).quantization;
  const float scale = q.scale[0];
  const int64_t zero = q.zero_point[0];
  return Quantize(ConstBytes(shape, type_, std::move(bytes)), scale, zero);
}

// UINT8 weights have a zero point and one scale, others may have a scale for each channel along
// `axis`. A sum of so many terms of numbers below 1 stays near 1.
QuantizedMaker::Weights QuantizedMaker::MakeWeights(const Sizes& shape, int axis, int terms,
                                                    bool dynamic_range) {
  const bool bytes = type_ == tflite::TensorType_UINT8 && !dynamic_range;
  std::vector<uint8_t> elements(static_cast<size_t>(GraphMaker::CountOf(shape)));
  for (uint8_t& e : elements) {
    e = static_cast<uint8_t>(bytes ? random_.Integer(0, 255) : random_.Integer(-127, 127));
  }
  const bool per_channel = !bytes && axis >= 0 && Chance(75);
  const size_t count = per_channel ? static_cast<size_t>(shape[static_cast<size_t>(axis)]) : 1;
  Weights weights{ConstBytes(shape, bytes ? tflite::TensorType_UINT8 : tflite::TensorType_INT8,
                             std::move(elements)),
                  {}};
  for (size_t i = 0; i < count; ++i) {
    weights.scales.push_back(
        static_cast<float>((0.5 + 1.5 * Unit()) / std::sqrt(std::max(terms, 1)) / 127));
  }
  if (per_channel) {
    QuantizePerChannel(weights.tensor, weights.scales, std::vector<int64_t>(count), axis);
  } else {
    Quantize(weights.tensor, weights.scales[0], bytes ? random_.Integer(100, 150) : 0);
  }
  return weights;
}

int QuantizedMaker::Bias(int x, const Weights& weights, int channels) {
  if (Chance(25)) return -1;
  const float in = tensor(x).quantization->scale[0];
  std::vector<float> scales;
  for (const float scale : weights.scales) scales.push_back(in * scale);
  std::vector<int32_t> values;
  for (int c = 0; c < channels; ++c) {
    const double step = scales[scales.size() > 1 ? static_cast<size_t>(c) : 0];
    values.push_back(static_cast<int32_t>((Unit() * 2 - 1) / step));
  }
  const int bias =
      is_16_bits() ? Const<int64_t>({channels}, {values.begin(), values.end()}) : Ints(values);
  if (scales.size() == 1) return Quantize(bias, scales[0], 0);
  return QuantizePerChannel(bias, scales, std::vector<int64_t>(scales.size()), 0);
}

// Of rank 4, with what was in front as its first size.
int QuantizedMaker::Image(int x) {
  const Sizes shape = ShapeOf(x);
  if (shape.size() == 4) return x;
  const int channels = shape.back();
  const Sizes image = {1, 1, static_cast<int32_t>(GraphMaker::CountOf(shape)) / channels, channels};
  return Add(tflite::BuiltinOperator_RESHAPE, {x, Ints(image)}, Like(x, image));
}

WindowSpec QuantizedMaker::Window(const Sizes& in) {
  WindowSpec s;
  s.h = std::min(Pick(1, 3), in[1]);
  s.w = std::min(Pick(1, 3), in[2]);
  s.same = Chance(60);
  s.stride_h = s.stride_w = Chance(30) ? 2 : 1;
  s.activation = Activation();
  return s;
}

tflite::ActivationFunctionType QuantizedMaker::Activation() {
  return static_cast<tflite::ActivationFunctionType>(Chance(50) ? 0 : Pick(1, 3));
}

int QuantizedMaker::Convolution(int given) {
  const int x = Image(given), channels = c_.Channels();
  const Sizes in = ShapeOf(x);
  const WindowSpec s = Window(in);
  tflite::Conv2DOptionsT o;
  SetWindow(s, o);
  const Weights w = MakeWeights({channels, s.h, s.w, in[3]}, 0, s.h * s.w * in[3], false);
  const int bias = Bias(x, w, channels);
  const int out =
      Tensor({in[0], s.OutHeight(in[1]), s.OutWidth(in[2]), channels}, Near(RangeOf(x).reach()));
  return Add(tflite::BuiltinOperator_CONV_2D, {x, w.tensor, bias}, out, o, is_16_bits() ? 4 : 3);
}

int QuantizedMaker::Depthwise(int given) {
  const int x = Image(given);
  const Sizes in = ShapeOf(x);
  const WindowSpec s = Window(in);
  tflite::DepthwiseConv2DOptionsT o;
  SetWindow(s, o);
  o.depth_multiplier = Chance(70) || in[3] > 16 ? 1 : 2;
  const int channels = in[3] * o.depth_multiplier;
  const Weights w = MakeWeights({1, s.h, s.w, channels}, 3, s.h * s.w, false);
  const int bias = Bias(x, w, channels);
  const int out =
      Tensor({in[0], s.OutHeight(in[1]), s.OutWidth(in[2]), channels}, Near(RangeOf(x).reach()));
  return Add(tflite::BuiltinOperator_DEPTHWISE_CONV_2D, {x, w.tensor, bias}, out, o,
             is_16_bits() ? 5 : 3);
}

int QuantizedMaker::Transposed(int given) {
  const int x = Image(given), channels = c_.Channels();
  const Sizes in = ShapeOf(x);
  if (GraphMaker::CountOf(in) > 600) return Reduced(x);
  WindowSpec s = Window(in);
  s.same = true;
  s.activation = tflite::ActivationFunctionType_NONE;
  tflite::TransposeConvOptionsT o;
  SetWindow(s, o);
  const Sizes shape = {in[0], in[1] * s.stride_h, in[2] * s.stride_w, channels};
  const Weights w = MakeWeights({channels, s.h, s.w, in[3]}, 0, s.h * s.w * in[3], false);
  std::vector<int32_t> operands = {Ints(shape), w.tensor, x};
  if (const int bias = Bias(x, w, channels); bias >= 0) operands.push_back(bias);
  return Add(tflite::BuiltinOperator_TRANSPOSE_CONV, operands,
             Tensor(shape, Near(RangeOf(x).reach())), o, 3);
}

int QuantizedMaker::Product(int x) {
  Sizes shape = ShapeOf(x);
  const int depth = shape.back(), units = Pick(1, 20);
  if (type_ == tflite::TensorType_INT8 && shape.size() > 1 && Chance(25)) {
    const Weights w = MakeWeights({depth, units}, -1, depth, false);
    shape.back() = units;
    return Add(tflite::BuiltinOperator_BATCH_MATMUL, {x, w.tensor},
               Tensor(shape, Near(RangeOf(x).reach())), tflite::BatchMatMulOptionsT(), 2);
  }
  const Weights w = MakeWeights({units, depth}, 0, depth, false);
  tflite::FullyConnectedOptionsT o;
  o.keep_num_dims = true;
  o.fused_activation_function = Activation();
  const int bias = Bias(x, w, units);
  shape.back() = units;
  return Add(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w.tensor, bias},
             Tensor(shape, Near(RangeOf(x).reach())), o, is_16_bits() ? 7 : 5);
}

int QuantizedMaker::Binary(int x, int y) {
  const Sizes shape = ShapeOf(x);
  const int step = Pick(0, 4);
  if (step >= 3) {
    if (x == y || !Alike(x, y)) y = ConstantLike(x, {shape.back()});
    return Add(step == 3 ? tflite::BuiltinOperator_MAXIMUM : tflite::BuiltinOperator_MINIMUM,
               {x, y}, Like(x, shape), tflite::MaximumMinimumOptionsT(), is_16_bits() ? 3 : 2);
  }
  if (Chance(40)) y = Constant(Chance(50) ? Sizes{shape.back()} : shape, Near(1));
  const double a = RangeOf(x).reach(), b = RangeOf(y).reach();
  switch (step) {
    case 0: {
      tflite::AddOptionsT o;
      o.fused_activation_function = Activation();
      o.pot_scale_int16 = false;
      return Add(tflite::BuiltinOperator_ADD, {x, y}, Tensor(shape, Near(a + b)), o,
                 is_16_bits() ? 3 : 2);
    }
    case 1: {
      tflite::SubOptionsT o;
      o.fused_activation_function = Activation();
      o.pot_scale_int16 = false;
      return Add(tflite::BuiltinOperator_SUB, {x, y}, Tensor(shape, Near(a + b)), o,
                 is_16_bits() ? 5 : 3);
    }
    default: {
      tflite::MulOptionsT o;
      o.fused_activation_function = Activation();
      return Add(tflite::BuiltinOperator_MUL, {x, y}, Tensor(shape, Near(a * b)), o,
                 is_16_bits() ? 4 : 2);
    }
  }
}

int QuantizedMaker::Curve(int x) {
  const Sizes shape = ShapeOf(x);
  const double reach = RangeOf(x).reach();
  // Makes an output as the schema prescribes it for results in [0, 1] (`span` 1) or [-1, 1] (2).
  const auto fixed = [&](double span) {
    const float scale = is_16_bits() ? 0x1p-15f : static_cast<float>(span / 256);
    const double zero = is_16_bits() ? 0 : Lowest() + (span == 1 ? 0 : 128);
    return Quantize(Tensor(shape, type_), scale, static_cast<int64_t>(zero));
  };
  Sizes slopes(std::max<size_t>(shape.size(), 2) - 1, 1);
  slopes.back() = shape.back();
  switch (Pick(0, is_16_bits() ? 2 : type_ == tflite::TensorType_UINT8 ? 7 : 9)) {
    case 7: {
      const double zero = Lowest() + 128;
      return Add(tflite::BuiltinOperator_L2_NORMALIZATION, {x},
                 Quantize(Tensor(shape, type_), 0x1p-7f, static_cast<int64_t>(zero)),
                 tflite::L2NormOptionsT(), 2);
    }
    case 8:
      return Add(tflite::BuiltinOperator_ABS, {x}, Tensor(shape, Near(reach)),
                 tflite::AbsOptionsT(), 2);
    case 9:
      return Add(tflite::BuiltinOperator_EXP, {x}, Tensor(shape, Near(std::exp(reach / 2))),
                 tflite::ExpOptionsT(), 2);
    case 0:
      return Add(tflite::BuiltinOperator_LOGISTIC, {x}, fixed(1), is_16_bits() ? 3 : 2);
    case 1:
      return Add(tflite::BuiltinOperator_TANH, {x}, fixed(2), is_16_bits() ? 3 : 2);
    case 2: {
      tflite::LeakyReluOptionsT o;
      o.alpha = 0.25f;
      return Add(tflite::BuiltinOperator_LEAKY_RELU, {x}, Tensor(shape, Near(reach)), o, 2);
    }
    case 3: {
      tflite::SoftmaxOptionsT o;
      o.beta = 1;
      return Add(tflite::BuiltinOperator_SOFTMAX, {x}, fixed(1), o, 2);
    }
    case 4:
      return Add(tflite::BuiltinOperator_HARD_SWISH, {x}, Tensor(shape, Near(reach)),
                 tflite::HardSwishOptionsT());
    case 5:
      return Add(tflite::BuiltinOperator_ELU, {x}, Tensor(shape, Near(reach)));
    default:
      return Add(tflite::BuiltinOperator_PRELU, {x, Constant(slopes, Range{-0.5, 0.5})},
                 Tensor(shape, Near(reach)));
  }
}

int QuantizedMaker::Clamped(int x) {
  constexpr Code kCodes[] = {tflite::BuiltinOperator_RELU, tflite::BuiltinOperator_RELU6,
                             tflite::BuiltinOperator_RELU_N1_TO_1};
  const Code code = c_.OneOf(kCodes);
  const int out = Chance(50) ? Like(x, ShapeOf(x)) : Tensor(ShapeOf(x), Near(RangeOf(x).reach()));
  return Add(code, {x}, out, code == tflite::BuiltinOperator_RELU_N1_TO_1 ? 1 : 2);
}

int QuantizedMaker::Pooled(int given) {
  const int x = Image(given);
  const Sizes in = ShapeOf(x);
  const bool same = Chance(50), average = Chance(50);
  tflite::Pool2DOptionsT o;
  o.padding = same ? tflite::Padding_SAME : tflite::Padding_VALID;
  o.filter_height = std::min(Pick(1, 3), in[1]);
  o.filter_width = std::min(Pick(1, 3), in[2]);
  o.stride_h = o.stride_w = Pick(1, 2);
  o.fused_activation_function = Activation();
  const Sizes shape = {in[0], Extent(in[1], o.filter_height, o.stride_h, same),
                       Extent(in[2], o.filter_width, o.stride_w, same), in[3]};
  return Add(
      average ? tflite::BuiltinOperator_AVERAGE_POOL_2D : tflite::BuiltinOperator_MAX_POOL_2D, {x},
      Like(x, shape), o, is_16_bits() ? 3 : 2);
}

std::vector<int> QuantizedMaker::Moved(int x, int y) {
  const Sizes shape = ShapeOf(x);
  const int rank = static_cast<int>(shape.size());
  const int axis = Pick(0, rank - 1);
  switch (Pick(0, 7)) {
    case 7: {
      std::vector<int32_t> places;
      for (int i = Pick(1, 4); i > 0; --i) places.push_back(i % shape[static_cast<size_t>(axis)]);
      Sizes out = shape;
      out[static_cast<size_t>(axis)] = static_cast<int32_t>(places.size());
      tflite::GatherOptionsT o;
      o.axis = axis;
      return {Add(tflite::BuiltinOperator_GATHER, {x, Ints(places)}, Like(x, out), o,
                  is_16_bits() ? 4 : 2)};
    }
    case 0: {
      const int32_t count = static_cast<int32_t>(GraphMaker::CountOf(shape));
      const Sizes flat = {count / shape.back(), shape.back()};
      return {Add(tflite::BuiltinOperator_RESHAPE, {x, Ints(flat)}, Like(x, flat))};
    }
    case 1: {
      std::vector<int32_t> order(static_cast<size_t>(rank));
      std::iota(order.begin(), order.end(), 0);
      std::swap(order[0], order[static_cast<size_t>(axis)]);
      Sizes out;
      for (const int32_t d : order) out.push_back(shape[static_cast<size_t>(d)]);
      return {Add(tflite::BuiltinOperator_TRANSPOSE, {x, Ints(order)}, Like(x, out),
                  tflite::TransposeOptionsT(), 2)};
    }
    case 2: {
      if (!Alike(x, y)) y = x;
      tflite::ConcatenationOptionsT o;
      o.axis = axis;
      Sizes out = shape;
      out[static_cast<size_t>(axis)] *= 2;
      return {Add(tflite::BuiltinOperator_CONCATENATION, {x, y}, Like(x, out), o, 2)};
    }
    case 3: {
      std::vector<int32_t> amounts(2 * shape.size());
      Sizes out = shape;
      for (size_t i = 0; i < amounts.size(); ++i) {
        amounts[i] = Pick(0, 1);
        out[i / 2] += amounts[i];
      }
      return {Add(tflite::BuiltinOperator_PAD, {x, Ints({rank, 2}, amounts)}, Like(x, out),
                  tflite::PadOptionsT(), 2)};
    }
    case 4: {
      std::vector<int32_t> begin(shape.size()), size(shape.begin(), shape.end());
      begin[static_cast<size_t>(axis)] = shape[static_cast<size_t>(axis)] / 2;
      size[static_cast<size_t>(axis)] -= begin[static_cast<size_t>(axis)];
      return {Add(tflite::BuiltinOperator_SLICE, {x, Ints(begin), Ints(size)}, Like(x, size),
                  tflite::SliceOptionsT(), 2)};
    }
    case 5: {
      const int parts = shape[static_cast<size_t>(axis)] % 2 == 0 ? 2 : 1;
      Sizes part = shape;
      part[static_cast<size_t>(axis)] /= parts;
      std::vector<int32_t> outputs;
      for (int i = 0; i < parts; ++i) outputs.push_back(Like(x, part));
      tflite::SplitOptionsT o;
      o.num_splits = parts;
      SetOpVersion(2);
      Op(tflite::BuiltinOperator_SPLIT, {Ints({}, {axis}), x}, outputs, o);
      return {outputs.begin(), outputs.end()};
    }
    default: {
      const int image = Image(x);
      const Sizes in = ShapeOf(image);
      const Sizes out = {in[0], in[1] * 2, in[2] + 1, in[3]};
      const int size = Ints({out[1], out[2]});
      if (Chance(50) || is_16_bits()) {
        return {Add(tflite::BuiltinOperator_RESIZE_NEAREST_NEIGHBOR, {image, size},
                    Like(image, out), tflite::ResizeNearestNeighborOptionsT(),
                    is_16_bits() ? 4 : 2)};
      }
      tflite::ResizeBilinearOptionsT o;
      o.half_pixel_centers = Chance(50);
      return {Add(tflite::BuiltinOperator_RESIZE_BILINEAR, {image, size}, Like(image, out), o, 3)};
    }
  }
}

int QuantizedMaker::Reduced(int x) {
  const Sizes shape = ShapeOf(x);
  tflite::ReducerOptionsT o;
  o.keep_dims = true;
  const int rank = static_cast<int>(shape.size());
  Sizes out = shape;
  std::vector<int32_t> axes;
  for (int axis = std::max(rank - 3, 0); axis < std::max(rank - 1, 1); ++axis) {
    axes.push_back(axis);
    out[static_cast<size_t>(axis)] = 1;
  }
  const int operand = Ints(axes);
  switch (Pick(0, 3)) {
    case 0:
      return Add(tflite::BuiltinOperator_REDUCE_MAX, {x, operand}, Like(x, out), o,
                 is_16_bits() ? 3 : 2);
    case 1: {
      const double terms = std::sqrt(static_cast<double>(GraphMaker::CountOf(shape)) /
                                     static_cast<double>(GraphMaker::CountOf(out)));
      return Add(tflite::BuiltinOperator_SUM, {x, operand},
                 Tensor(out, Near(RangeOf(x).reach() * terms)), o, 2);
    }
    default:
      return Add(tflite::BuiltinOperator_MEAN, {x, operand}, Tensor(out, Near(RangeOf(x).reach())),
                 o, is_16_bits() ? 3 : 2);
  }
}

int QuantizedMaker::Quantized(int floats, Range range) {
  return Add(tflite::BuiltinOperator_QUANTIZE, {floats}, Tensor(ShapeOf(floats), range),
             tflite::QuantizeOptionsT(), is_16_bits() ? 2 : 1);
}

// Floats times integer weights, or what floats alone have.
int QuantizedMaker::ThroughFloats(int x) {
  Sizes shape = ShapeOf(x);
  const int floats = Add(tflite::BuiltinOperator_DEQUANTIZE, {x}, Tensor(shape),
                         tflite::DequantizeOptionsT(), is_16_bits() ? 3 : 2);
  const double reach = RangeOf(x).reach();
  if (Chance(30)) {
    tflite::AddOptionsT o;
    return Quantized(
        Add(tflite::BuiltinOperator_ADD, {floats, Const<float>({1}, {static_cast<float>(Unit())})},
            Tensor(shape), o),
        Near(reach + 1));
  }
  const int depth = shape.back();
  if (shape.size() == 4 && Chance(50)) {
    const WindowSpec s = Window(shape);
    tflite::Conv2DOptionsT o;
    SetWindow(s, o);
    const int channels = c_.Channels();
    const Weights w = MakeWeights({channels, s.h, s.w, depth}, 0, s.h * s.w * depth, true);
    const Sizes out = {shape[0], s.OutHeight(shape[1]), s.OutWidth(shape[2]), channels};
    const int bias = Const<float>({channels}, random_.Floats(channels, -1, 1));
    return Quantized(
        Add(tflite::BuiltinOperator_CONV_2D, {floats, w.tensor, bias}, Tensor(out), o, 5),
        Near(reach));
  }
  const int units = Pick(1, 20);
  const Weights w = MakeWeights({units, depth}, Chance(50) ? 0 : -1, depth, true);
  tflite::FullyConnectedOptionsT o;
  o.keep_num_dims = true;
  shape.back() = units;
  return Quantized(Add(tflite::BuiltinOperator_FULLY_CONNECTED, {floats, w.tensor, -1},
                       Tensor(shape), o, w.scales.size() > 1 ? 12 : 5),
                   Near(reach));
}

int QuantizedMaker::Found(int x) {
  Sizes shape = ShapeOf(x);
  if (is_16_bits() || shape.size() < 2 || Chance(50)) {
    std::vector<int32_t> operands = {x, ConstantLike(x, {shape.back()})};
    if (Chance(30)) std::swap(operands[0], operands[1]);
    return Add(tflite::BuiltinOperator_GREATER, operands, Tensor(shape, tflite::TensorType_BOOL),
               tflite::GreaterOptionsT(), 2);
  }
  const int axis = Ints({static_cast<int32_t>(shape.size()) - 1});
  shape.pop_back();
  tflite::ArgMaxOptionsT o;
  o.output_type = tflite::TensorType_INT32;
  return Add(tflite::BuiltinOperator_ARG_MAX, {x, axis}, Tensor(shape, o.output_type), o, 2);
}

int QuantizedMaker::Requantized(int x) { return Quantized(x, Near(RangeOf(x).reach())); }

int QuantizedMaker::Renamed(int x) {
  Sizes shape = ShapeOf(x);
  const Range range = Near(RangeOf(x).reach());
  switch (Pick(0, 2)) {
    case 0: {
      tflite::ReshapeOptionsT o;
      o.new_shape = shape;
      return Add(tflite::BuiltinOperator_RESHAPE, {x, Ints(shape)}, Tensor(shape, range), o);
    }
    case 1: {
      std::vector<int32_t> order(shape.size());
      for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(i);
      std::reverse(order.begin(), order.end());
      std::reverse(shape.begin(), shape.end());
      return Add(tflite::BuiltinOperator_TRANSPOSE, {x, Ints(order)}, Tensor(shape, range),
                 tflite::TransposeOptionsT(), is_16_bits() ? 4 : 2);
    }
    default: {
      const std::vector<int32_t> begin(shape.size(), 0);
      shape.back() = (shape.back() + 1) / 2;
      const int from = Ints(begin), size = Ints(shape);
      return Add(tflite::BuiltinOperator_SLICE, {x, from, size}, Tensor(shape, range),
                 tflite::SliceOptionsT(), is_16_bits() ? 4 : 2);
    }
  }
}

int QuantizedMaker::ThroughAxisScales(int x) {
  const Sizes shape = ShapeOf(x);
  const int axis = Pick(0, static_cast<int>(shape.size()) - 1);
  const int floats = Add(tflite::BuiltinOperator_DEQUANTIZE, {x}, Tensor(shape),
                         tflite::DequantizeOptionsT(), is_16_bits() ? 3 : 2);
  const double reach = RangeOf(x).reach();
  std::vector<float> scales;
  for (int32_t i = shape[static_cast<size_t>(axis)]; i > 0; --i)
    scales.push_back(static_cast<float>(reach * (0.5 + Unit()) / 127));
  const std::vector<int64_t> zeros(scales.size(), 0);
  const int elements =
      QuantizePerChannel(Tensor(shape, tflite::TensorType_INT8), scales, zeros, axis);
  const int quantized =
      Add(tflite::BuiltinOperator_QUANTIZE, {floats}, elements, tflite::QuantizeOptionsT(), 3);
  const int back = Add(tflite::BuiltinOperator_DEQUANTIZE, {quantized}, Tensor(shape),
                       tflite::DequantizeOptionsT(), 5);
  return Quantized(back, Near(reach));
}

}  // namespace tern::testing
