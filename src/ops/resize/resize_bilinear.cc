// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR: [N, H, W, C] and size [2] = (new height, new width) -> [N, new height, new
// width, C].
#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/op_kit.h"

namespace tern {
namespace {

class ResizeBilinear : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "RESIZE_BILINEAR"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  Status SetSize(const OpCall& call) const;
};

// For one output position: the two input positions between which it lies, and how far from the
// first.
struct Tap {
  int64_t low, high;
  float fraction;
};

std::vector<Tap> MakeTaps(int64_t in, int64_t out, const TfLiteResizeBilinearParams& params) {
  const float scale = params.align_corners && out > 1
                          ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                          : static_cast<float>(in) / static_cast<float>(out);
  std::vector<Tap> taps(static_cast<size_t>(out));
  for (int64_t o = 0; o < out; ++o) {
    const float at = params.half_pixel_centers ? (static_cast<float>(o) + 0.5f) * scale - 0.5f
                                               : static_cast<float>(o) * scale;
    const int64_t low = std::clamp<int64_t>(static_cast<int64_t>(std::floor(at)), 0, in - 1);
    const int64_t high = std::clamp<int64_t>(static_cast<int64_t>(std::ceil(at)), 0, in - 1);
    const float fraction = low == high ? 0.0f : at - static_cast<float>(low);
    taps[static_cast<size_t>(o)] = {low, high, fraction};
  }
  return taps;
}

Status ResizeBilinear::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* input = call.input(0);
  const TfLiteTensor* size = call.input(1);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 4, "input"));
  if (size->type != kTfLiteInt32 || Rank(size) != 1 || Dim(size, 0) != 2) {
    return Invalid("size must be two INT32 values (type ", TypeText(size->type), ", shape ",
                   ShapeText(ShapeOf(size)), ")");
  }
  const auto& params = call.params<TfLiteResizeBilinearParams>();
  if (params.align_corners && params.half_pixel_centers) {
    return Invalid("align_corners and half_pixel_centers exclude each other");
  }
  if (Dim(input, 1) <= 0 || Dim(input, 2) <= 0) {
    return Invalid("input is empty (shape ", ShapeText(ShapeOf(input)), ")");
  }
  if (IsConstant(size)) return SetSize(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status ResizeBilinear::SetSize(const OpCall& call) const {
  TERN_ASSIGN_OR_RETURN(const Shape size, ReadIntegers(call.input(1), "size"));
  if (size[0] <= 0 || size[1] <= 0) {
    return Invalid("size must be positive (", ShapeText(size), ")");
  }
  const TfLiteTensor* input = call.input(0);
  return call.SetShape(call.output(0), {Dim(input, 0), size[0], size[1], Dim(input, 3)});
}

Status ResizeBilinear::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TfLiteTensor* output = call.output(0);
  if (!IsConstant(call.input(1))) TERN_RETURN_IF_ERROR(SetSize(call));
  if (Elements(output) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  const auto& params = call.params<TfLiteResizeBilinearParams>();
  const int64_t in_height = Dim(input, 1), in_width = Dim(input, 2), channels = Dim(input, 3);
  const int64_t height = Dim(output, 1), width = Dim(output, 2);
  const std::vector<Tap> ys = MakeTaps(in_height, height, params);
  const std::vector<Tap> xs = MakeTaps(in_width, width, params);
  const float* in = Data<float>(input);
  float* out = MutableData<float>(output);

  auto rows = [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float* image = in + row / height * in_height * in_width * channels;
      const Tap& y = ys[static_cast<size_t>(row % height)];
      const float* upper = image + y.low * in_width * channels;
      const float* lower = image + y.high * in_width * channels;
      float* pixel = out + row * width * channels;
      for (const Tap& x : xs) {
        const float bottom = y.fraction, top = 1.0f - bottom;
        const float right = x.fraction, left = 1.0f - right;
        const float *a = upper + x.low * channels, *b = upper + x.high * channels;
        const float *c = lower + x.low * channels, *d = lower + x.high * channels;
        for (int64_t i = 0; i < channels; ++i) {
          pixel[i] = a[i] * (top * left) + b[i] * (top * right) + c[i] * (bottom * left) +
                     d[i] * (bottom * right);
        }
        pixel += channels;
      }
    }
  };
  ParallelFor(Pool(call), Dim(output, 0) * height, 4 * width * channels, rows);
  return OkStatus();
}

}  // namespace

TfLiteRegistration ResizeBilinearRegistration(OpForm form) {
  return MakeRegistration<ResizeBilinear>(form);
}

}  // namespace tern
