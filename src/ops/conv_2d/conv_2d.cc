// SPDX-License-Identifier: Apache-2.0
// CONV_2D: input [N, H, W, Ci], filter [Co, kh, kw, Ci / groups], bias [Co] (may be absent)
// -> [N, OH, OW, Co].
#include <vector>

#include "ops/cpu_kit/conv_operands.h"
#include "ops/cpu_kit/dot.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized_conv.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Conv2d : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "CONV_2D"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  void Pack(const OpCall& call) override;

 private:
  // dot(offset in the input, offset in the filter) sums the channels of a tap; store(sums, pixel)
  // takes the sums of one pixel.
  template <class Sum, class TapDot, class Store>
  void ForEachPixel(ThreadPool* pool, const TapDot& dot, const Store& store) const;
  bool EvalPacked(const ConvTensors& t, ThreadPool* pool);
  void EvalReference(const OpCall& call, ThreadPool* pool) const;
  void EvalQuantized(const OpCall& call, ThreadPool* pool);

  ConvShape shape_;
  FloatRange range_{};
  FloatProduct product_;
  QuantizedConv quantized_;
};

ConvTensors TensorsOf(const OpCall& call) {
  return {call.input(0), call.input(1), call.input(2), call.output(0), 0};
}

Status Conv2d::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 3, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const ConvTensors t = TensorsOf(call);
  TERN_RETURN_IF_ERROR(CheckRank(t.input, 4, "input"));
  TERN_RETURN_IF_ERROR(CheckRank(t.filter, 4, "filter"));
  const ConvGroups groups(ShapeOf(t.input), ShapeOf(t.filter));
  const int64_t channels = groups.channels, filters = groups.filters, depth = groups.depth;
  if (Dim(t.input, 1) <= 0 || Dim(t.input, 2) <= 0 || channels <= 0) {
    return Invalid("input is empty (shape ", ShapeText(ShapeOf(t.input)), ")");
  }
  if (filters <= 0 || depth <= 0) {
    return Invalid("filter is empty (shape ", ShapeText(ShapeOf(t.filter)), ")");
  }
  if (!groups.DepthFits()) {
    return Invalid("input channels must be a multiple of filter channels (", channels, ", ", depth,
                   ")");
  }
  const int64_t count = groups.Count();
  if (!groups.FiltersFit()) {
    return Invalid("filters must be a multiple of groups (", filters, ", ", count, ")");
  }
  TERN_RETURN_IF_ERROR(CheckConvTypes(t));
  const auto& params = call.params<TfLiteConvParams>();
  Window window = ConvWindowOf(params, ShapeOf(t.input), ShapeOf(t.filter));
  TERN_RETURN_IF_ERROR(SetConvOutput(params.padding, window));
  range_ = ActivationRange(params.activation);
  shape_ = {Dim(t.input, 0), count, depth, filters / count, window.height, window.width};
  if (!KeepsPacked(call)) {
    product_.Forget();
    quantized_.Forget();
  }
  if (QuantizedConv::Takes(t)) {
    TERN_RETURN_IF_ERROR(
        quantized_.Prepare(t, {params.activation, params.quantized_bias_type, false}));
  }
  return call.SetShape(t.output, {Dim(t.input, 0), window.height.out, window.width.out, filters});
}

void Conv2d::Pack(const OpCall& call) {
  const ConvTensors t = TensorsOf(call);
  if (!fast() || !CanPack(t.filter, t.bias)) return;
  if (QuantizedConv::Takes(t)) {
    quantized_.PackConv(t, shape_, Pool(call));
  } else {
    product_.Pack(shape_, FloatWeightsOf(t.filter, t.bias), Pool(call));
  }
}

Status Conv2d::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  const ConvTensors t = TensorsOf(call);
  TERN_RETURN_IF_ERROR(CheckConvData(t));
  ThreadPool* pool = Pool(call);
  if (QuantizedConv::Takes(t)) {
    EvalQuantized(call, pool);
  } else if (!fast() || !EvalPacked(t, pool)) {
    EvalReference(call, pool);
  }
  return OkStatus();
}

bool Conv2d::EvalPacked(const ConvTensors& t, ThreadPool* pool) {
  return product_.Run({shape_, t.input->data.raw}, FloatWeightsOf(t.filter, t.bias),
                      OutputStage::Clamp(range_, MutableData<float>(t.output), t.channels()), pool);
}

template <class Sum, class TapDot, class Store>
void Conv2d::ForEachPixel(ThreadPool* pool, const TapDot& dot, const Store& store) const {
  const WindowAxis& height = shape_.height;
  const WindowAxis& width = shape_.width;
  const int64_t depth = shape_.group_in;
  const int64_t channels = shape_.groups * depth;
  const int64_t filters = shape_.groups * shape_.group_out;

  auto rows = [&](int64_t begin, int64_t end) {
    std::vector<Sum> sums(static_cast<size_t>(filters));
    for (int64_t row = begin; row < end; ++row) {
      const int64_t item = row / height.out;
      const WindowAxis::Taps ys = height.TapsAt(row % height.out);
      for (int64_t x = 0; x < width.out; ++x) {
        const WindowAxis::Taps xs = width.TapsAt(x);
        for (int64_t f = 0; f < filters; ++f) {
          const int64_t first_channel = f / shape_.group_out * depth;
          Sum sum = 0;
          for (int64_t i = ys.begin, y_in = ys.position; i < ys.end; ++i, y_in += height.dilation) {
            const int64_t line = (item * height.in + y_in) * width.in;
            for (int64_t j = xs.begin, x_in = xs.position; j < xs.end;
                 ++j, x_in += width.dilation) {
              sum += dot((line + x_in) * channels + first_channel,
                         ((f * height.filter + i) * width.filter + j) * depth);
            }
          }
          sums[f] = sum;
        }
        store(sums.data(), row * width.out + x);
      }
    }
  };
  ParallelFor(pool, shape_.batch * height.out, width.out * filters * height.filter * depth, rows);
}

void Conv2d::EvalReference(const OpCall& call, ThreadPool* pool) const {
  const ConvTensors t = TensorsOf(call);
  const float* input = Data<float>(t.input);
  const float* filter = Data<float>(t.filter);
  const int64_t depth = shape_.group_in;
  ForEachPixel<double>(
      pool,
      [=](int64_t from_input, int64_t from_filter) {
        return Dot(input + from_input, filter + from_filter, depth);
      },
      FloatPixels(t, range_));
}

void Conv2d::EvalQuantized(const OpCall& call, ThreadPool* pool) {
  const ConvTensors t = TensorsOf(call);
  if (fast() && quantized_.RunConv(t, shape_, pool)) return;
  quantized_.Load(t);
  const int16_t* input = quantized_.input();
  const int16_t* filter = quantized_.filter();
  const int64_t depth = shape_.group_in;
  ForEachPixel<int64_t>(
      pool,
      [=](int64_t from_input, int64_t from_filter) {
        return Dot(input + from_input, filter + from_filter, depth);
      },
      [&](const int64_t* sums, int64_t pixel) { quantized_.Store(sums, pixel); });
}

}  // namespace

TfLiteRegistration Conv2dRegistration(OpForm form) { return MakeRegistration<Conv2d>(form); }

}  // namespace tern
