// SPDX-License-Identifier: Apache-2.0
// CONV_2D: input [N, H, W, Ci], filter [Co, kh, kw, Ci / groups], bias [Co] (may be absent)
// -> [N, OH, OW, Co]. Filters are FLOAT32, or 8-bit with a scale.
#include <vector>

#include "ops/conv_operands.h"
#include "ops/cpu_registry.h"
#include "ops/dot.h"
#include "ops/hybrid.h"
#include "ops/op_kit.h"
#include "ops/packed_conv.h"

namespace tern {
namespace {

class Conv2d : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "CONV_2D"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  // dot(batch item, filter, offset in the input, offset in the filters) sums the channels of a tap.
  template <class TapDot>
  void ForEachOutput(const OpCall& call, ThreadPool* pool, const TapDot& dot) const;
  void EvalPlain(const OpCall& call, ThreadPool* pool) const;
  void EvalHybrid(const OpCall& call, ThreadPool* pool);
  bool EvalHybridFast(const OpCall& call, ThreadPool* pool);

  PackedConv::Sizes sizes_{};
  FloatRange range_{};
  PackedConv packed_;
  WeightScales scales_;
  QuantizedItems quantized_;
  // The whole numbers of a hybrid convolution as floats, for XNNPACK.
  std::vector<float> whole_input_, whole_filter_;
};

Status Conv2d::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 3, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* input = call.input(0);
  const TfLiteTensor* filter = call.input(1);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  const bool hybrid = IsHybridWeight(filter);
  if (!hybrid) TERN_RETURN_IF_ERROR(CheckType(filter, kTfLiteFloat32, "filter"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 4, "input"));
  TERN_RETURN_IF_ERROR(CheckRank(filter, 4, "filter"));
  const int64_t channels = Dim(input, 3), filters = Dim(filter, 0), depth = Dim(filter, 3);
  if (Dim(input, 1) <= 0 || Dim(input, 2) <= 0 || channels <= 0) {
    return Invalid("input is empty (shape ", ShapeText(ShapeOf(input)), ")");
  }
  if (filters <= 0 || depth <= 0) {
    return Invalid("filter is empty (shape ", ShapeText(ShapeOf(filter)), ")");
  }
  if (channels % depth != 0) {
    return Invalid("input channels must be a multiple of filter channels (", channels, ", ", depth,
                   ")");
  }
  const int64_t groups = channels / depth;
  if (filters % groups != 0) {
    return Invalid("filters must be a multiple of groups (", filters, ", ", groups, ")");
  }
  TERN_RETURN_IF_ERROR(CheckBias(call.input(2), filters));
  if (hybrid) {
    TERN_ASSIGN_OR_RETURN(scales_, ReadWeightScales(filter, filters, 0));
  }
  const auto& params = call.params<TfLiteConvParams>();
  TERN_ASSIGN_OR_RETURN(const Window window, MakeWindow(params, input, filter));
  range_ = ActivationRange(params.activation);
  sizes_ = {Dim(input, 0), groups, depth, filters / groups, window.height, window.width, false};
  return call.SetShape(call.output(0),
                       {Dim(input, 0), window.height.out, window.width.out, filters});
}

Status Conv2d::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckConvData(call));
  ThreadPool* pool = Pool(call);
  if (IsHybridWeight(call.input(1))) {
    EvalHybrid(call, pool);
    return OkStatus();
  }
  if (fast() && packed_.Run(sizes_, range_, call.input(0), call.input(1), call.input(2),
                            call.output(0), pool)) {
    return OkStatus();
  }
  EvalPlain(call, pool);
  return OkStatus();
}

template <class TapDot>
void Conv2d::ForEachOutput(const OpCall& call, ThreadPool* pool, const TapDot& dot) const {
  const float* bias = call.input(2) == nullptr ? nullptr : Data<float>(call.input(2));
  float* output = MutableData<float>(call.output(0));
  const WindowAxis& height = sizes_.height;
  const WindowAxis& width = sizes_.width;
  const int64_t depth = sizes_.group_input_channels;
  const int64_t channels = sizes_.groups * depth;
  const int64_t filters = sizes_.groups * sizes_.group_output_channels;

  auto rows = [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t item = row / height.out;
      const WindowAxis::Taps ys = height.TapsAt(row % height.out);
      for (int64_t x = 0; x < width.out; ++x) {
        const WindowAxis::Taps xs = width.TapsAt(x);
        float* out = output + (row * width.out + x) * filters;
        for (int64_t f = 0; f < filters; ++f) {
          const int64_t first_channel = f / sizes_.group_output_channels * depth;
          double sum = bias == nullptr ? 0.0 : double{bias[f]};
          for (int64_t i = ys.begin, y_in = ys.position; i < ys.end; ++i, y_in += height.dilation) {
            const int64_t line = (item * height.in + y_in) * width.in;
            for (int64_t j = xs.begin, x_in = xs.position; j < xs.end;
                 ++j, x_in += width.dilation) {
              sum += dot(item, f, (line + x_in) * channels + first_channel,
                         ((f * height.filter + i) * width.filter + j) * depth);
            }
          }
          out[f] = range_.Clamp(static_cast<float>(sum));
        }
      }
    }
  };
  ParallelFor(pool, sizes_.batch * height.out, width.out * filters * height.filter * depth, rows);
}

void Conv2d::EvalPlain(const OpCall& call, ThreadPool* pool) const {
  const float* input = Data<float>(call.input(0));
  const float* filter = Data<float>(call.input(1));
  const int64_t depth = sizes_.group_input_channels;
  ForEachOutput(call, pool, [=](int64_t, int64_t, int64_t from_input, int64_t from_filter) {
    return Dot(input + from_input, filter + from_filter, depth);
  });
}

void Conv2d::EvalHybrid(const OpCall& call, ThreadPool* pool) {
  const TfLiteTensor* input = call.input(0);
  const int8_t* filter = Data<int8_t>(call.input(1));
  const int64_t depth = sizes_.group_input_channels;
  QuantizeItems(Data<float>(input), sizes_.batch, Elements(input) / sizes_.batch,
                !scales_.per_channel, quantized_);
  if (fast() && EvalHybridFast(call, pool)) return;
  const QuantizedItems& q = quantized_;
  ForEachOutput(call, pool, [&](int64_t item, int64_t f, int64_t from_input, int64_t from_filter) {
    const int64_t sum = Dot(q.values.data() + from_input, filter + from_filter, depth);
    return static_cast<double>(sum) * q.scale[item] * scales_.scale[f];
  });
}

// Sums of whole numbers below 2^24 are exact in float arithmetic too; scales and bias follow
// afterwards.
bool Conv2d::EvalHybridFast(const OpCall& call, ThreadPool* pool) {
  const TfLiteTensor* filter = call.input(1);
  const int64_t filters = Dim(filter, 0);
  if (whole_filter_.empty() || !IsConstant(filter)) {
    whole_filter_.assign(Data<int8_t>(filter), Data<int8_t>(filter) + Elements(filter));
  }
  whole_input_.assign(quantized_.values.begin(), quantized_.values.end());
  whole_input_.resize(whole_input_.size() + kXnnExtraBytes / sizeof(float));
  float* output = MutableData<float>(call.output(0));
  if (!packed_.Run(sizes_, ActivationRange(kTfLiteActNone), whole_input_.data(),
                   {whole_filter_.data(), nullptr, IsConstant(filter)}, output, pool)) {
    return false;
  }
  const float* bias = call.input(2) == nullptr ? nullptr : Data<float>(call.input(2));
  const int64_t pixels = sizes_.height.out * sizes_.width.out;
  ParallelFor(pool, sizes_.batch * pixels, filters, [&](int64_t begin, int64_t end) {
    for (int64_t pixel = begin; pixel < end; ++pixel) {
      const float scale = quantized_.scale[static_cast<size_t>(pixel / pixels)];
      float* out = output + pixel * filters;
      for (int64_t f = 0; f < filters; ++f) {
        const float value = out[f] * (scale * scales_.scale[static_cast<size_t>(f)]);
        out[f] = range_.Clamp(value + (bias == nullptr ? 0.0f : bias[f]));
      }
    }
  });
  return true;
}

}  // namespace

TfLiteRegistration Conv2dRegistration(OpForm form) { return MakeRegistration<Conv2d>(form); }

}  // namespace tern
