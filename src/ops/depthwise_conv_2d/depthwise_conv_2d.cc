// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE_CONV_2D: input [N, H, W, Ci], filter [1, kh, kw, Co] with Co = Ci * M, bias [Co] (may
// be absent)
// -> [N, OH, OW, Co]; output channel o reads input channel o / M.
#include <algorithm>
#include <vector>

#include "ops/conv_operands.h"
#include "ops/cpu_registry.h"
#include "ops/op_kit.h"
#include "ops/packed_conv.h"

namespace tern {
namespace {

class DepthwiseConv2d : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "DEPTHWISE_CONV_2D"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  void EvalPlain(const OpCall& call, ThreadPool* pool) const;

  PackedConv::Sizes sizes_{};
  FloatRange range_{};
  PackedConv packed_;
};

Status DepthwiseConv2d::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 3, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* input = call.input(0);
  const TfLiteTensor* filter = call.input(1);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(filter, kTfLiteFloat32, "filter"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 4, "input"));
  TERN_RETURN_IF_ERROR(CheckRank(filter, 4, "filter"));
  const int64_t channels = Dim(input, 3), filters = Dim(filter, 3);
  if (Dim(input, 1) <= 0 || Dim(input, 2) <= 0 || channels <= 0) {
    return Invalid("input is empty (shape ", ShapeText(ShapeOf(input)), ")");
  }
  if (Dim(filter, 0) != 1 || filters <= 0 || filters % channels != 0) {
    return Invalid("filter must be [1, height, width, input channels * multiplier] (shape ",
                   ShapeText(ShapeOf(filter)), ", input channels ", channels, ")");
  }
  TERN_RETURN_IF_ERROR(CheckBias(call.input(2), filters));
  const auto& params = call.params<TfLiteDepthwiseConvParams>();
  TERN_ASSIGN_OR_RETURN(const Window window, MakeWindow(params, input, filter));
  range_ = ActivationRange(params.activation);
  sizes_ = {Dim(input, 0), channels, 1, filters / channels, window.height, window.width, true};
  return call.SetShape(call.output(0),
                       {Dim(input, 0), window.height.out, window.width.out, filters});
}

Status DepthwiseConv2d::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckConvData(call));
  ThreadPool* pool = Pool(call);
  if (fast() && packed_.Run(sizes_, range_, call.input(0), call.input(1), call.input(2),
                            call.output(0), pool)) {
    return OkStatus();
  }
  EvalPlain(call, pool);
  return OkStatus();
}

void DepthwiseConv2d::EvalPlain(const OpCall& call, ThreadPool* pool) const {
  const float* input = Data<float>(call.input(0));
  const float* filter = Data<float>(call.input(1));
  const float* bias = call.input(2) == nullptr ? nullptr : Data<float>(call.input(2));
  float* output = MutableData<float>(call.output(0));
  const WindowAxis& height = sizes_.height;
  const WindowAxis& width = sizes_.width;
  const int64_t channels = sizes_.groups, multiplier = sizes_.group_output_channels;
  const int64_t filters = channels * multiplier;

  auto rows = [&](int64_t begin, int64_t end) {
    std::vector<double> sums(static_cast<size_t>(filters));
    for (int64_t row = begin; row < end; ++row) {
      const float* image = input + row / height.out * height.in * width.in * channels;
      const WindowAxis::Taps ys = height.TapsAt(row % height.out);
      for (int64_t x = 0; x < width.out; ++x) {
        const WindowAxis::Taps xs = width.TapsAt(x);
        for (int64_t f = 0; f < filters; ++f) sums[f] = bias == nullptr ? 0.0 : double{bias[f]};
        for (int64_t i = ys.begin, y_in = ys.position; i < ys.end; ++i, y_in += height.dilation) {
          for (int64_t j = xs.begin, x_in = xs.position; j < xs.end; ++j, x_in += width.dilation) {
            const float* in = image + (y_in * width.in + x_in) * channels;
            const float* w = filter + (i * width.filter + j) * filters;
            for (int64_t c = 0, f = 0; c < channels; ++c) {
              for (int64_t m = 0; m < multiplier; ++m, ++f) sums[f] += double{in[c]} * double{w[f]};
            }
          }
        }
        float* out = output + (row * width.out + x) * filters;
        for (int64_t f = 0; f < filters; ++f) out[f] = range_.Clamp(static_cast<float>(sums[f]));
      }
    }
  };
  ParallelFor(pool, sizes_.batch * height.out, width.out * filters * height.filter, rows);
}

}  // namespace

TfLiteRegistration DepthwiseConv2dRegistration(OpForm form) {
  return MakeRegistration<DepthwiseConv2d>(form);
}

}  // namespace tern
