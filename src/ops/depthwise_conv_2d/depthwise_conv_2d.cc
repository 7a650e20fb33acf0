// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE_CONV_2D: input [N, H, W, Ci], filter [1, kh, kw, Co] with Co = Ci * M, bias [Co] (may
// be absent)
// -> [N, OH, OW, Co]; output channel o reads input channel o / M.
#include <algorithm>
#include <vector>

#include "cpu/float_depthwise.h"
#include "ops/cpu_kit/conv_operands.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized_conv.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class DepthwiseConv2d : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "DEPTHWISE_CONV_2D"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  void Pack(const OpCall& call) override;

 private:
  // The sums of each pixel's products go to store(sums, pixel).
  template <class Sum, class Number, class Store>
  void ForEachPixel(const Number* input, const Number* filter, ThreadPool* pool,
                    const Store& store) const;
  bool EvalPacked(const ConvTensors& t, ThreadPool* pool);
  void EvalReference(const OpCall& call, ThreadPool* pool) const;
  void EvalQuantized(const OpCall& call, ThreadPool* pool);

  ConvShape shape_;
  FloatRange range_{};
  FloatProduct product_;  // of one channel
  QuantizedConv quantized_;
};

ConvTensors DepthwiseTensorsOf(const OpCall& call) {
  return {call.input(0), call.input(1), call.input(2), call.output(0), 3};
}

FloatWeights TransposedWeights(const ConvTensors& t) {
  FloatWeights weights = FloatWeightsOf(t.filter, t.bias);
  weights.transposed = true;
  return weights;
}

Status DepthwiseConv2d::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 3, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const ConvTensors t = DepthwiseTensorsOf(call);
  TERN_RETURN_IF_ERROR(CheckRank(t.input, 4, "input"));
  TERN_RETURN_IF_ERROR(CheckRank(t.filter, 4, "filter"));
  const int64_t channels = Dim(t.input, 3), filters = Dim(t.filter, 3);
  if (Dim(t.input, 1) <= 0 || Dim(t.input, 2) <= 0 || channels <= 0) {
    return Invalid("input is empty (shape ", ShapeText(ShapeOf(t.input)), ")");
  }
  if (!DepthwiseFits(ShapeOf(t.input), ShapeOf(t.filter))) {
    return Invalid("filter must be [1, height, width, input channels * multiplier] (shape ",
                   ShapeText(ShapeOf(t.filter)), ", input channels ", channels, ")");
  }
  TERN_RETURN_IF_ERROR(CheckConvTypes(t));
  const auto& params = call.params<TfLiteDepthwiseConvParams>();
  Window window = ConvWindowOf(params, ShapeOf(t.input), ShapeOf(t.filter));
  TERN_RETURN_IF_ERROR(SetConvOutput(params.padding, window));
  range_ = ActivationRange(params.activation);
  shape_ = {Dim(t.input, 0), channels, 1, filters / channels, window.height, window.width};
  if (!KeepsPacked(call)) {
    product_.Forget();
    quantized_.Forget();
  }
  if (QuantizedConv::Takes(t)) {
    TERN_RETURN_IF_ERROR(quantized_.Prepare(t, {params.activation, kTfLiteInt64, true}));
  }
  return call.SetShape(t.output, {Dim(t.input, 0), window.height.out, window.width.out, filters});
}

void DepthwiseConv2d::Pack(const OpCall& call) {
  const ConvTensors t = DepthwiseTensorsOf(call);
  if (!fast() || !CanPack(t.filter, t.bias)) return;
  if (QuantizedConv::Takes(t)) {
    quantized_.PackDepthwise(t, shape_, Pool(call));
  } else if (shape_.groups == 1) {
    product_.Pack(shape_, TransposedWeights(t), Pool(call));
  }
}

Status DepthwiseConv2d::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  const ConvTensors t = DepthwiseTensorsOf(call);
  TERN_RETURN_IF_ERROR(CheckConvData(t));
  ThreadPool* pool = Pool(call);
  if (QuantizedConv::Takes(t)) {
    EvalQuantized(call, pool);
  } else if (!fast() || !EvalPacked(t, pool)) {
    EvalReference(call, pool);
  }
  return OkStatus();
}

bool DepthwiseConv2d::EvalPacked(const ConvTensors& t, ThreadPool* pool) {
  const FloatWeights weights = TransposedWeights(t);
  if (shape_.groups > 1) {
    return RunFloatDepthwise(shape_, weights.filter, weights.bias, Data<float>(t.input), range_,
                             MutableData<float>(t.output), pool);
  }
  return product_.Run({shape_, t.input->data.raw}, weights,
                      OutputStage::Clamp(range_, MutableData<float>(t.output), t.channels()), pool);
}

template <class Sum, class Number, class Store>
void DepthwiseConv2d::ForEachPixel(const Number* input, const Number* filter, ThreadPool* pool,
                                   const Store& store) const {
  const WindowAxis& height = shape_.height;
  const WindowAxis& width = shape_.width;
  const int64_t channels = shape_.groups, multiplier = shape_.group_out;
  const int64_t filters = channels * multiplier;

  auto rows = [&](int64_t begin, int64_t end) {
    std::vector<Sum> sums(static_cast<size_t>(filters));
    for (int64_t row = begin; row < end; ++row) {
      const Number* image = input + row / height.out * height.in * width.in * channels;
      const WindowAxis::Taps ys = height.TapsAt(row % height.out);
      for (int64_t x = 0; x < width.out; ++x) {
        const WindowAxis::Taps xs = width.TapsAt(x);
        std::fill(sums.begin(), sums.end(), Sum{0});
        for (int64_t i = ys.begin, y_in = ys.position; i < ys.end; ++i, y_in += height.dilation) {
          for (int64_t j = xs.begin, x_in = xs.position; j < xs.end; ++j, x_in += width.dilation) {
            const Number* in = image + (y_in * width.in + x_in) * channels;
            const Number* w = filter + (i * width.filter + j) * filters;
            for (int64_t c = 0, f = 0; c < channels; ++c) {
              for (int64_t m = 0; m < multiplier; ++m, ++f) sums[f] += Sum{in[c]} * Sum{w[f]};
            }
          }
        }
        store(sums.data(), row * width.out + x);
      }
    }
  };
  ParallelFor(pool, shape_.batch * height.out, width.out * filters * height.filter, rows);
}

void DepthwiseConv2d::EvalReference(const OpCall& call, ThreadPool* pool) const {
  const ConvTensors t = DepthwiseTensorsOf(call);
  ForEachPixel<double>(Data<float>(t.input), Data<float>(t.filter), pool, FloatPixels(t, range_));
}

void DepthwiseConv2d::EvalQuantized(const OpCall& call, ThreadPool* pool) {
  const ConvTensors t = DepthwiseTensorsOf(call);
  if (fast() && quantized_.RunDepthwise(t, shape_, pool)) return;
  quantized_.Load(t);
  ForEachPixel<int64_t>(quantized_.input(), quantized_.filter(), pool,
                        [&](const int64_t* sums, int64_t pixel) { quantized_.Store(sums, pixel); });
}

}  // namespace

TfLiteRegistration DepthwiseConv2dRegistration(OpForm form) {
  return MakeRegistration<DepthwiseConv2d>(form);
}

}  // namespace tern
