// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D and MAX_POOL_2D: [N, H, W, C] -> [N, OH, OW, C]. Padding takes part in neither:
// an average divides by the number of elements that lie inside the input.
#include <algorithm>
#include <limits>
#include <vector>

#include "cpu/xnn_pool.h"
#include "ops/cpu_registry.h"
#include "ops/fast_input.h"
#include "ops/nan_guard.h"
#include "ops/op_kit.h"
#include "ops/window.h"

namespace tern {
namespace {

class Pool2d : public Op {
 public:
  Pool2d(OpForm form, bool average) : Op(form), average_(average) {}
  const char* name() const override { return average_ ? "AVERAGE_POOL_2D" : "MAX_POOL_2D"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  bool EvalFast(const OpCall& call, ThreadPool* pool);
  void EvalPlain(const OpCall& call, ThreadPool* pool) const;
  void PoolPixel(const float* image, const WindowAxis::Taps& ys, const WindowAxis::Taps& xs,
                 std::vector<double>& sums, float* out) const;

  bool average_;
  int64_t batch_ = 0, channels_ = 0;
  WindowAxis height_, width_;
  FloatRange range_{};
  XnnOp op_;
  XnnPoolParams op_params_;
  FastInput input_;
};

class AveragePool2d : public Pool2d {
 public:
  explicit AveragePool2d(OpForm form) : Pool2d(form, true) {}
};

class MaxPool2d : public Pool2d {
 public:
  explicit MaxPool2d(OpForm form) : Pool2d(form, false) {}
};

Status Pool2d::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 4, "input"));
  const auto& params = call.params<TfLitePoolParams>();
  TERN_ASSIGN_OR_RETURN(height_, MakeWindowAxis("height", params.padding, Dim(input, 1),
                                                params.filter_height, params.stride_height, 1));
  TERN_ASSIGN_OR_RETURN(width_, MakeWindowAxis("width", params.padding, Dim(input, 2),
                                               params.filter_width, params.stride_width, 1));
  batch_ = Dim(input, 0);
  range_ = ActivationRange(params.activation);
  channels_ = Dim(input, 3);
  // As the reference has it, a width that cannot be computed leaves the height open too.
  if (width_.out < 0) height_.out = width_.out = 0;
  height_.out = std::max<int64_t>(0, height_.out);
  return call.SetShape(call.output(0), {batch_, height_.out, width_.out, channels_});
}

Status Pool2d::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  ThreadPool* pool = Pool(call);
  if (!fast() || !EvalFast(call, pool)) EvalPlain(call, pool);
  return OkStatus();
}

bool Pool2d::EvalFast(const OpCall& call, ThreadPool* pool) {
  const bool copies = height_.filter == 1 && width_.filter == 1;  // XNNPACK refuses such windows
  if (copies || !FitsFastPath(height_, width_)) return false;
  XnnPoolParams params;
  params.average = average_;
  params.window_height = static_cast<uint32_t>(height_.filter);
  params.window_width = static_cast<uint32_t>(width_.filter);
  params.stride_height = static_cast<uint32_t>(height_.stride);
  params.stride_width = static_cast<uint32_t>(width_.stride);
  params.channels = static_cast<size_t>(channels_);
  params.pad_top = static_cast<uint32_t>(height_.pad_before);
  params.pad_bottom = static_cast<uint32_t>(height_.pad_after);
  params.pad_left = static_cast<uint32_t>(width_.pad_before);
  params.pad_right = static_cast<uint32_t>(width_.pad_after);
  params.min = range_.min;
  params.max = range_.max;
  if (!op_ || params != op_params_) {
    op_ = CreateXnnPool(params);
    op_params_ = params;
  }
  return op_ &&
         RunXnnPool(op_, average_, batch_, height_.in, width_.in, input_.Get(call.input(0)),
                    MutableData<float>(call.output(0)), pool) &&
         !(average_ && MayHideNan(call.output(0), range_, pool));
}

void Pool2d::PoolPixel(const float* image, const WindowAxis::Taps& ys, const WindowAxis::Taps& xs,
                       std::vector<double>& sums, float* out) const {
  const double start = average_ ? 0.0 : -std::numeric_limits<double>::infinity();
  std::fill(sums.begin(), sums.end(), start);
  for (int64_t y = ys.position; y < ys.position + ys.end - ys.begin; ++y) {
    for (int64_t x = xs.position; x < xs.position + xs.end - xs.begin; ++x) {
      const float* in = image + (y * width_.in + x) * channels_;
      if (average_) {
        for (int64_t c = 0; c < channels_; ++c) sums[c] += double{in[c]};
      } else {
        for (int64_t c = 0; c < channels_; ++c) sums[c] = std::max(sums[c], double{in[c]});
      }
    }
  }
  const int64_t count = average_ ? (ys.end - ys.begin) * (xs.end - xs.begin) : 1;
  for (int64_t c = 0; c < channels_; ++c) {
    out[c] = range_.Clamp(static_cast<float>(sums[c] / static_cast<double>(count)));
  }
}

void Pool2d::EvalPlain(const OpCall& call, ThreadPool* pool) const {
  const float* input = Data<float>(call.input(0));
  float* output = MutableData<float>(call.output(0));
  auto rows = [&](int64_t begin, int64_t end) {
    std::vector<double> sums(static_cast<size_t>(channels_));
    for (int64_t row = begin; row < end; ++row) {
      const float* image = input + row / height_.out * height_.in * width_.in * channels_;
      const WindowAxis::Taps ys = height_.TapsAt(row % height_.out);
      for (int64_t x = 0; x < width_.out; ++x) {
        PoolPixel(image, ys, width_.TapsAt(x), sums, output + (row * width_.out + x) * channels_);
      }
    }
  };
  ParallelFor(pool, batch_ * height_.out, width_.out * channels_ * height_.filter, rows);
}

}  // namespace

TfLiteRegistration AveragePool2dRegistration(OpForm form) {
  return MakeRegistration<AveragePool2d>(form);
}

TfLiteRegistration MaxPool2dRegistration(OpForm form) { return MakeRegistration<MaxPool2d>(form); }

}  // namespace tern
