// SPDX-License-Identifier: Apache-2.0
// CONV_3D_TRANSPOSE: output_shape [5], filter [kd, kh, kw, Co, Ci], input [N, D, H, W, Ci], bias
// [Co] (may be absent) -> [N, OD, OH, OW, Co]. Padding is that of the forward convolution that maps
// the output's size to the input's.
#include <vector>

#include "ops/conv_3d/volume_operands.h"
#include "ops/conv_3d/volume_rules.h"
#include "ops/cpu_kit/dot.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

constexpr VolumePlaces kAt = kConv3dTranspose;

class Conv3dTranspose : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "CONV_3D_TRANSPOSE"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  // Everything that follows from the wanted output shape.
  Status SetGeometry(const OpCall& call);
  void Run(const OpCall& call, ThreadPool* pool) const;

  Volume volume_;  // of the forward convolution: in is the output's size
  FloatRange range_{};
};

Status Conv3dTranspose::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(3, 4, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* shape = call.input(kAt.shape);
  const TfLiteTensor* filter = call.input(kAt.filter);
  const TfLiteTensor* input = call.input(kAt.input);
  TERN_RETURN_IF_ERROR(CheckVolumes(input, filter, call.input(kAt.bias), call.output(0)));
  if (shape->type != kTfLiteInt32 || Rank(shape) != 1 || Dim(shape, 0) != 5) {
    return Invalid("output_shape must be five INT32 values (type ", TypeText(shape->type),
                   ", shape ", ShapeText(ShapeOf(shape)), ")");
  }
  if (Dim(filter, 4) != Dim(input, 4)) {
    return Invalid("SizeOfDimension(input, 4) != SizeOfDimension(filter, 4) (", Dim(input, 4),
                   " != ", Dim(filter, 4), "): filter channels must be those of the input");
  }
  TERN_RETURN_IF_ERROR(CheckVolumeBias(call.input(kAt.bias), filter, 3));
  range_ = ActivationRange(call.params<TfLiteConv3DParams>().activation);
  if (IsConstant(shape)) return SetGeometry(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status Conv3dTranspose::SetGeometry(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape shape, ReadIntegers(call.input(kAt.shape), "output_shape"));
  const TfLiteTensor* filter = call.input(kAt.filter);
  const TfLiteTensor* input = call.input(kAt.input);
  bool fits = shape[0] == Dim(input, 0) && shape[4] == Dim(filter, 3);
  for (int i = 1; i < 4; ++i) fits = fits && shape[i] > 0;
  if (!fits) {
    return Invalid("output_shape does not fit the input and the filter (", ShapeText(shape), ", ",
                   ShapeText(ShapeOf(input)), ", ", ShapeText(ShapeOf(filter)), ")");
  }
  TERN_ASSIGN_OR_RETURN(volume_,
                        MakeVolume(call.params<TfLiteConv3DParams>(), shape, ShapeOf(filter)));
  if (volume_.depth.out != Dim(input, 1) || volume_.height.out != Dim(input, 2) ||
      volume_.width.out != Dim(input, 3)) {
    return Invalid("output_shape does not belong to this input size (", ShapeText(shape), ", ",
                   ShapeText(ShapeOf(input)), ")");
  }
  return call.SetShape(call.output(0), shape);
}

Status Conv3dTranspose::Eval(const OpCall& call) {
  if (!IsConstant(call.input(kAt.shape))) TERN_RETURN_IF_ERROR(SetGeometry(call));
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(kAt.input), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(kAt.filter), "filter"));
  if (call.input(kAt.bias) != nullptr)
    TERN_RETURN_IF_ERROR(CheckData(call.input(kAt.bias), "bias"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  Run(call, Pool(call));
  return OkStatus();
}

// The taps that reach position p of the result: tap k comes from the input position
// (p + pad - k * dilation) / stride where that is whole and inside.
struct Source {
  int64_t tap, position;
};

std::vector<std::vector<Source>> SourcesOf(const WindowAxis& axis) {
  std::vector<std::vector<Source>> sources(static_cast<size_t>(axis.in));
  for (int64_t from = 0; from < axis.out; ++from) {
    for (int64_t tap = 0; tap < axis.filter; ++tap) {
      const int64_t to = from * axis.stride - axis.pad_before + tap * axis.dilation;
      if (to >= 0 && to < axis.in) sources[to].push_back({tap, from});
    }
  }
  return sources;
}

void Conv3dTranspose::Run(const OpCall& call, ThreadPool* pool) const {
  const float* input = Data<float>(call.input(kAt.input));
  const float* filter = Data<float>(call.input(kAt.filter));
  const float* bias = call.input(kAt.bias) == nullptr ? nullptr : Data<float>(call.input(kAt.bias));
  float* output = MutableData<float>(call.output(0));
  const int64_t channels = Dim(call.input(kAt.input), 4), filters = Dim(call.output(0), 4);
  const WindowAxis &depth = volume_.depth, &height = volume_.height, &width = volume_.width;
  const auto zs = SourcesOf(depth), ys = SourcesOf(height), xs = SourcesOf(width);

  auto rows = [&](int64_t begin, int64_t end) {
    std::vector<double> sums(static_cast<size_t>(filters));
    for (int64_t row = begin; row < end; ++row) {
      const int64_t item = row / height.in / depth.in;
      for (int64_t x = 0; x < width.in; ++x) {
        for (int64_t f = 0; f < filters; ++f) sums[f] = bias == nullptr ? 0.0 : double{bias[f]};
        for (const Source& z : zs[row / height.in % depth.in]) {
          for (const Source& y : ys[row % height.in]) {
            for (const Source& s : xs[x]) {
              const int64_t plane = item * depth.out + z.position;
              const int64_t pixel = (plane * height.out + y.position) * width.out + s.position;
              const int64_t tap = (z.tap * height.filter + y.tap) * width.filter + s.tap;
              const float* in = input + pixel * channels;
              const float* w = filter + tap * filters * channels;
              for (int64_t f = 0; f < filters; ++f) sums[f] += Dot(in, w + f * channels, channels);
            }
          }
        }
        float* out = output + (row * width.in + x) * filters;
        for (int64_t f = 0; f < filters; ++f) out[f] = range_.Clamp(static_cast<float>(sums[f]));
      }
    }
  };
  const int64_t batch = Dim(call.output(0), 0);
  ParallelFor(pool, batch * depth.in * height.in, width.in * filters * channels, rows);
}

}  // namespace

TfLiteRegistration Conv3dTransposeRegistration(OpForm form) {
  return MakeRegistration<Conv3dTranspose>(form);
}

}  // namespace tern
