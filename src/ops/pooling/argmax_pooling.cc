// SPDX-License-Identifier: Apache-2.0
// MaxPoolingWithArgmax2D: [N, H, W, C] -> the largest value of each window, and which tap of the
// window it was (row * window width + column, INT32 or FLOAT32). MaxUnpooling2D puts values back to
// where such taps came from, among zeros.
#include <algorithm>
#include <limits>
#include <vector>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/pooling/argmax_rules.h"

namespace tern {
namespace {

StatusOr<TfLitePoolParams> PoolOptionsOf(const OpCall& call) {
  const auto options =
      ReadPoolOptions(call.node()->custom_initial_data, call.node()->custom_initial_data_size);
  if (options.has_value()) return *options;
  return Invalid("options must be padding, strides, window and activation (",
                 call.node()->custom_initial_data_size, " bytes)");
}

Status CheckIndexType(const TfLiteTensor* t) {
  if (t->type == kTfLiteInt32 || t->type == kTfLiteFloat32) return OkStatus();
  return Unsupported("type ", TypeText(t->type), " is not supported (indices)");
}

class MaxPoolArgmax : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "MaxPoolingWithArgmax2D"; }
  bool flushes_subnormals() const override { return false; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  template <class Index>
  void Run(const OpCall& call);

  WindowAxis height_, width_;
  FloatRange range_{};
};

Status MaxPoolArgmax::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 2));
  TERN_ASSIGN_OR_RETURN(const TfLitePoolParams params, PoolOptionsOf(call));
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  TERN_RETURN_IF_ERROR(CheckIndexType(call.output(1)));
  TERN_RETURN_IF_ERROR(CheckRank(input, 4, "input"));
  Window window = PoolWindowOf(params, ShapeOf(input));
  TERN_RETURN_IF_ERROR(SetOutput(params.padding, window));
  height_ = window.height;
  width_ = window.width;
  if (height_.out < 0 || width_.out < 0) {
    return Invalid("window is larger than the input (", height_.filter, " x ", width_.filter, ", ",
                   ShapeText(ShapeOf(input)), ")");
  }
  range_ = ActivationRange(params.activation);
  const Shape shape = {Dim(input, 0), height_.out, width_.out, Dim(input, 3)};
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), shape));
  return call.SetShape(call.output(1), shape);
}

Status MaxPoolArgmax::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(1), "indices"));
  if (call.output(1)->type == kTfLiteInt32) {
    Run<int32_t>(call);
  } else {
    Run<float>(call);
  }
  return OkStatus();
}

template <class Index>
void MaxPoolArgmax::Run(const OpCall& call) {
  const float* input = Data<float>(call.input(0));
  float* output = MutableData<float>(call.output(0));
  Index* indices = MutableData<Index>(call.output(1));
  const int64_t channels = Dim(call.input(0), 3), batch = Dim(call.input(0), 0);
  auto rows = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * width_.out * channels; i < end * width_.out * channels; ++i) {
      const int64_t c = i % channels, pixel = i / channels, row = pixel / width_.out;
      const WindowAxis::Taps ys = height_.TapsAt(row % height_.out);
      const WindowAxis::Taps xs = width_.TapsAt(pixel % width_.out);
      const float* image = input + row / height_.out * height_.in * width_.in * channels;
      float best = -std::numeric_limits<float>::infinity();
      int64_t tap = ys.begin * width_.filter + xs.begin;
      for (int64_t y = ys.begin; y < ys.end; ++y) {
        for (int64_t x = xs.begin; x < xs.end; ++x) {
          const int64_t at = (ys.position + y - ys.begin) * width_.in + xs.position + x - xs.begin;
          const float v = image[at * channels + c];
          if (!(best < v)) continue;
          best = v;
          tap = y * width_.filter + x;
        }
      }
      const bool none = best == -std::numeric_limits<float>::infinity();
      if (none && ys.begin < ys.end && xs.begin < xs.end) {
        best = image[(ys.position * width_.in + xs.position) * channels + c];
      }
      output[i] = range_.Clamp(best);
      indices[i] = static_cast<Index>(tap);
    }
  };
  ParallelFor(Pool(call), batch * height_.out, width_.out * channels * height_.filter, rows);
}

class MaxUnpool : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "MaxUnpooling2D"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  Window window_;
};

Status MaxUnpool::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_ASSIGN_OR_RETURN(const TfLitePoolParams params, PoolOptionsOf(call));
  const TfLiteTensor* input = call.input(0);
  const TfLiteTensor* indices = call.input(1);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  TERN_RETURN_IF_ERROR(CheckIndexType(indices));
  TERN_RETURN_IF_ERROR(CheckRank(input, 4, "input"));
  if (ShapeOf(indices) != ShapeOf(input)) {
    return Invalid("input and indices must have one shape (", ShapeText(ShapeOf(input)), ", ",
                   ShapeText(ShapeOf(indices)), ")");
  }
  if (Dim(input, 1) <= 0 || Dim(input, 2) <= 0) {
    return Invalid("input is empty (shape ", ShapeText(ShapeOf(input)), ")");
  }
  window_ = UnpooledWindowOf(params, ShapeOf(input));
  return call.SetShape(call.output(0),
                       {Dim(input, 0), window_.height.in, window_.width.in, Dim(input, 3)});
}

Status MaxUnpool::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  const TfLiteTensor* indices = call.input(1);
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(indices, "indices"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const float* values = Data<float>(input);
  float* output = MutableData<float>(call.output(0));
  std::fill_n(output, Elements(call.output(0)), 0.0f);
  const WindowAxis &height = window_.height, &width = window_.width;
  const int64_t taps = height.filter * width.filter;
  const int64_t channels = Dim(input, 3), columns = Dim(input, 2), rows = Dim(input, 1);
  const bool whole = indices->type == kTfLiteInt32;
  for (int64_t i = 0; i < Elements(input); ++i) {
    const double index = whole ? Data<int32_t>(indices)[i] : double{Data<float>(indices)[i]};
    if (!(index >= 0 && index < static_cast<double>(taps))) {
      return Invalid("index is out of range (", index, ", ", taps, ")");
    }
    const int64_t tap = static_cast<int64_t>(index), pixel = i / channels;
    const int64_t y =
        pixel / columns % rows * height.stride - height.pad_before + tap / width.filter;
    const int64_t x = pixel % columns * width.stride - width.pad_before + tap % width.filter;
    if (y < 0 || x < 0 || y >= height.in || x >= width.in) continue;
    const int64_t item = pixel / columns / rows;
    output[((item * height.in + y) * width.in + x) * channels + i % channels] = values[i];
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration MaxPoolArgmaxRegistration(OpForm form) {
  return MakeRegistration<MaxPoolArgmax>(form);
}

TfLiteRegistration MaxUnpoolRegistration(OpForm form) { return MakeRegistration<MaxUnpool>(form); }

}  // namespace tern
