// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV: output_shape [4], weights [Co, kh, kw, Ci], input [N, H, W, Ci], bias [Co] (may
// be absent)
// -> [N, OH, OW, Co]. Padding is that of the forward convolution that maps the output's size to the
// input's. The custom op Convolution2DTransposeBias: input, weights, bias, and the output shape
// follows from them.
#include <algorithm>
#include <vector>

#include "ops/cpu_kit/conv_operands.h"
#include "ops/cpu_kit/dot.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized_conv.h"
#include "ops/cpu_registry.h"
#include "ops/transpose_conv/patch_conv.h"
#include "ops/transpose_conv/phase_conv.h"
#include "ops/transpose_conv/transpose_conv_rules.h"

namespace tern {
namespace {

class TransposeConv : public Op {
 public:
  explicit TransposeConv(OpForm form, const TransposePlaces& places = kTransposeConv)
      : Op(form), places_(places) {}
  const char* name() const override { return "TRANSPOSE_CONV"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  void Pack(const OpCall& call) override;

 protected:
  virtual Status ReadOptions(const OpCall& call) {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    options_ = call.params<TfLiteTransposeConvParams>();
    return OkStatus();
  }
  TfLiteTransposeConvParams options_{};

 private:
  ConvTensors TensorsOf(const OpCall& call) const {
    return {call.input(places_.input), call.input(places_.weights), call.input(places_.bias),
            call.output(0), 0};
  }
  StatusOr<Shape> WantedShape(const OpCall& call) const;
  // Of another batch or of other channels it is an error in Eval, even where the model holds it.
  Status CheckBatchAndChannels(const OpCall& call, const Shape& shape) const;
  // Everything that follows from the wanted output shape.
  Status SetGeometry(const OpCall& call);
  PatchConv::Sizes SizesOf(const ConvTensors& t) const {
    return {Dim(t.input, 0), Dim(t.input, 3), t.channels(), height_, width_};
  }
  // False when there is no optimized kernel.
  bool EvalOptimized(const ConvTensors& t, ThreadPool* pool);
  // The sums of each pixel's products go to store(sums, pixel).
  template <class Sum, class Number, class Store>
  void ForEachPixel(const OpCall& call, const Number* input, const Number* weights,
                    ThreadPool* pool, const Store& store) const;
  void EvalReference(const OpCall& call, ThreadPool* pool) const;
  void EvalQuantized(const OpCall& call, ThreadPool* pool);

  TransposePlaces places_;
  WindowAxis height_, width_;  // of the forward convolution: in is the output's size
  FloatRange range_{};
  PatchConv patches_;
  PhaseConv phases_;
  QuantizedConv quantized_;
};

class TransposeConvBias : public TransposeConv {
 public:
  explicit TransposeConvBias(OpForm form) : TransposeConv(form, kTransposeConvBias) {}
  const char* name() const override { return "Convolution2DTransposeBias"; }

 protected:
  Status ReadOptions(const OpCall& call) override {
    const auto options = ReadTransposeOptions(call.node()->custom_initial_data,
                                              call.node()->custom_initial_data_size);
    if (!options.has_value()) {
      return Invalid("options must be padding and strides (", call.node()->custom_initial_data_size,
                     " bytes)");
    }
    options_ = *options;
    return OkStatus();
  }
};

Status TransposeConv::Prepare(const OpCall& call) {
  const int required = places_.shape < 0 ? 2 : 3;
  TERN_RETURN_IF_ERROR(call.CheckOperands(required, required + 1, 1));
  TERN_RETURN_IF_ERROR(ReadOptions(call));
  const ConvTensors t = TensorsOf(call);
  const TfLiteTensor* weights = t.filter;
  const TfLiteTensor* input = t.input;
  TERN_RETURN_IF_ERROR(CheckRank(weights, 4, "weights"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 4, "input"));
  const TfLiteTensor* shape = places_.shape < 0 ? nullptr : call.input(places_.shape);
  if (shape != nullptr && ShapeOf(shape) != Shape{4}) {
    return Invalid("output_shape must have four values (shape ", ShapeText(ShapeOf(shape)), ")");
  }
  if (Elements(weights) == 0) {
    return Invalid("weights are empty (shape ", ShapeText(ShapeOf(weights)), ")");
  }
  if (Dim(input, 1) <= 0 || Dim(input, 2) <= 0 || Dim(input, 3) != Dim(weights, 3)) {
    return Invalid("input does not fit the weights (shapes ", ShapeText(ShapeOf(input)), ", ",
                   ShapeText(ShapeOf(weights)), ")");
  }
  TERN_RETURN_IF_ERROR(CheckConvTypes(t));
  TERN_RETURN_IF_ERROR(CheckSteps("stride", options_.stride_height, options_.stride_width));
  range_ = ActivationRange(options_.activation);
  if (QuantizedConv::Takes(t)) {
    TERN_RETURN_IF_ERROR(
        quantized_.Prepare(t, {options_.activation, options_.quantized_bias_type, true}));
  }
  if (!KeepsPacked(call)) {
    patches_.Forget();
    phases_.Forget();
    quantized_.Forget();
  }
  if (shape == nullptr || IsConstant(shape)) {
    TERN_ASSIGN_OR_RETURN(const Shape wanted, WantedShape(call));
    if (CheckBatchAndChannels(call, wanted).ok()) return SetGeometry(call);
  }
  MakeDynamic(call.output(0));
  return OkStatus();
}

StatusOr<Shape> TransposeConv::WantedShape(const OpCall& call) const {
  if (places_.shape >= 0) {
    const TfLiteTensor* shape = call.input(places_.shape);
    TERN_RETURN_IF_ERROR(CheckType(shape, kTfLiteInt32, "output_shape"));
    return ReadIntegers(shape, "output_shape");
  }
  const ConvTensors t = TensorsOf(call);
  return TransposedShape(options_, ShapeOf(t.input), ShapeOf(t.filter));
}

Status TransposeConv::CheckBatchAndChannels(const OpCall& call, const Shape& shape) const {
  const Shape input = ShapeOf(call.input(places_.input));
  const Shape weights = ShapeOf(call.input(places_.weights));
  if (shape[0] == input[0] && shape[3] == weights[0]) return OkStatus();
  return Invalid("output_shape does not fit the input and the weights (", ShapeText(shape), ", ",
                 ShapeText(input), ", ", ShapeText(weights), ")");
}

Status TransposeConv::SetGeometry(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape shape, WantedShape(call));
  TERN_RETURN_IF_ERROR(CheckBatchAndChannels(call, shape));
  const TfLiteTensor* weights = call.input(places_.weights);
  const TfLiteTensor* input = call.input(places_.input);
  if (shape[1] <= 0 || shape[2] <= 0) {
    return Invalid("output_shape has no height or no width (", ShapeText(shape), ")");
  }
  Window window = TransposedWindowOf(options_, shape, ShapeOf(weights));
  TERN_RETURN_IF_ERROR(SetOutput(options_.padding, window));
  height_ = window.height;
  width_ = window.width;
  if (height_.out != Dim(input, 1) || width_.out != Dim(input, 2)) {
    return Invalid("output_shape does not belong to this input size (", ShapeText(shape), ", ",
                   ShapeText(ShapeOf(input)), ")");
  }
  return call.SetShape(call.output(0), shape);
}

void TransposeConv::Pack(const OpCall& call) {
  const ConvTensors t = TensorsOf(call);
  if (!fast() || IsDynamic(t.output) || !CanPack(t.filter, t.bias)) return;
  const PatchConv::Sizes sizes = SizesOf(t);
  if (QuantizedConv::Takes(t)) {
    if (SuitsPhases(sizes)) quantized_.PackParts(t, PhaseParts(sizes), Pool(call));
  } else if (PatchConv::Takes(sizes)) {
    patches_.Pack(sizes, FloatWeightsOf(t.filter, t.bias), Pool(call));
  } else {
    phases_.Pack(sizes, FloatWeightsOf(t.filter, t.bias), Pool(call));
  }
}

Status TransposeConv::Eval(const OpCall& call) {
  if (IsDynamic(call.output(0))) TERN_RETURN_IF_ERROR(SetGeometry(call));
  if (Elements(call.output(0)) == 0) return OkStatus();
  const ConvTensors t = TensorsOf(call);
  TERN_RETURN_IF_ERROR(CheckConvData(t));
  ThreadPool* pool = Pool(call);
  if (QuantizedConv::Takes(t)) {
    EvalQuantized(call, pool);
  } else if (!fast() || !EvalOptimized(t, pool)) {
    EvalReference(call, pool);
  }
  return OkStatus();
}

bool TransposeConv::EvalOptimized(const ConvTensors& t, ThreadPool* pool) {
  const PatchConv::Sizes sizes = SizesOf(t);
  const FloatWeights weights = FloatWeightsOf(t.filter, t.bias);
  const float* input = Data<float>(t.input);
  float* output = MutableData<float>(t.output);
  if (PatchConv::Takes(sizes)) return patches_.Run(sizes, range_, input, weights, output, pool);
  return phases_.Run(sizes, range_, input, weights, output, pool);
}

template <class Sum, class Number, class Store>
void TransposeConv::ForEachPixel(const OpCall& call, const Number* input, const Number* weights,
                                 ThreadPool* pool, const Store& store) const {
  const int64_t depth = Dim(call.input(places_.input), 3),
                filters = Dim(call.input(places_.weights), 0);

  // Of all the taps that could reach output position p, those whose input position exists: begin,
  // begin + stride, ...
  struct Taps {
    int64_t begin, end;
  };
  auto taps_at = [](const WindowAxis& a, int64_t p) {
    const int64_t q = p + a.pad_before;
    return Taps{std::max(q % a.stride, q - (a.out - 1) * a.stride), std::min(a.filter, q + 1)};
  };
  auto rows = [&](int64_t begin, int64_t end) {
    std::vector<Sum> sums(static_cast<size_t>(filters));
    for (int64_t row = begin; row < end; ++row) {
      const Number* image = input + row / height_.in * height_.out * width_.out * depth;
      const int64_t y = row % height_.in;
      const Taps ys = taps_at(height_, y);
      for (int64_t x = 0; x < width_.in; ++x) {
        const Taps xs = taps_at(width_, x);
        for (int64_t f = 0; f < filters; ++f) {
          Sum sum = 0;
          for (int64_t i = ys.begin; i < ys.end; i += height_.stride) {
            const int64_t y_in = (y + height_.pad_before - i) / height_.stride;
            for (int64_t j = xs.begin; j < xs.end; j += width_.stride) {
              const int64_t x_in = (x + width_.pad_before - j) / width_.stride;
              sum += Dot(image + (y_in * width_.out + x_in) * depth,
                         weights + ((f * height_.filter + i) * width_.filter + j) * depth, depth);
            }
          }
          sums[f] = sum;
        }
        store(sums.data(), row * width_.in + x);
      }
    }
  };
  ParallelFor(pool, Dim(call.input(places_.input), 0) * height_.in, width_.in * filters * depth,
              rows);
}

void TransposeConv::EvalReference(const OpCall& call, ThreadPool* pool) const {
  const ConvTensors t = TensorsOf(call);
  ForEachPixel<double>(call, Data<float>(t.input), Data<float>(t.filter), pool,
                       FloatPixels(t, range_));
}

void TransposeConv::EvalQuantized(const OpCall& call, ThreadPool* pool) {
  const ConvTensors t = TensorsOf(call);
  const PatchConv::Sizes sizes = SizesOf(t);
  if (fast() && SuitsPhases(sizes) && quantized_.RunParts(t, PhaseParts(sizes), pool)) return;
  quantized_.Load(t);
  ForEachPixel<int64_t>(call, quantized_.input(), quantized_.filter(), pool,
                        [&](const int64_t* sums, int64_t pixel) { quantized_.Store(sums, pixel); });
}

}  // namespace

TfLiteRegistration TransposeConvBiasRegistration(OpForm form) {
  return MakeRegistration<TransposeConvBias>(form);
}

TfLiteRegistration TransposeConvRegistration(OpForm form) {
  return MakeRegistration<TransposeConv>(form);
}

}  // namespace tern
