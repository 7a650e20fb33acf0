// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D: [N, H, W, C] -> [N, OH, OW, C]. Padding takes part
// in none: an average divides by the number of elements that lie inside the input. Quantized
// numbers are pooled as they are; input and output share their parameters.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "cpu/pool.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_registry.h"
#include "ops/pooling/pool_rules.h"

namespace tern {
namespace {

class Pool2d : public Op {
 public:
  using Kind = PoolKind;
  Pool2d(OpForm form, Kind kind) : Op(form), kind_(kind) {}
  const char* name() const override {
    if (kind_ == Kind::kL2) return "L2_POOL_2D";
    return kind_ == Kind::kAverage ? "AVERAGE_POOL_2D" : "MAX_POOL_2D";
  }
  bool flushes_subnormals() const override { return kind_ != Kind::kMax; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  Status SetIntRange(const OpCall& call);
  // False where there is no optimized kernel.
  bool EvalOptimized(const OpCall& call, ThreadPool* pool) const;
  template <class T, class Limit>
  bool EvalWindows(const OpCall& call, ThreadPool* pool, PoolKernel<T, Limit> form, Limit low,
                   Limit high) const;
  // Sum holds sums of T.
  template <class T, class Sum>
  void EvalReference(const OpCall& call, ThreadPool* pool) const;
  template <class T, class Sum>
  void PoolPixel(const T* image, const WindowAxis::Taps& ys, const WindowAxis::Taps& xs,
                 std::vector<Sum>& sums, T* out) const;
  float Finish(double sum, int64_t count) const;
  template <class T>
  T Finish(int64_t sum, int64_t count) const;

  Kind kind_;
  int64_t batch_ = 0, channels_ = 0;
  WindowAxis height_, width_;
  FloatRange range_{};
  IntRange int_range_{};
};

class AveragePool2d : public Pool2d {
 public:
  explicit AveragePool2d(OpForm form) : Pool2d(form, Kind::kAverage) {}
};

class MaxPool2d : public Pool2d {
 public:
  explicit MaxPool2d(OpForm form) : Pool2d(form, Kind::kMax) {}
};

class L2Pool2d : public Pool2d {
 public:
  explicit L2Pool2d(OpForm form) : Pool2d(form, Kind::kL2) {}
};

Status Pool2d::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* input = call.input(0);
  const bool quantized = kind_ != Kind::kL2 && IsQuantizedType(input->type);
  if (!quantized && input->type != kTfLiteFloat32) {
    return Unsupported("type ", TypeText(input->type), " is not supported (input)");
  }
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 4, "input"));
  const auto& params = call.params<TfLitePoolParams>();
  Window window = PoolWindowOf(params, ShapeOf(input));
  TERN_RETURN_IF_ERROR(SetOutput(params.padding, window));
  height_ = window.height;
  width_ = window.width;
  batch_ = Dim(input, 0);
  range_ = ActivationRange(params.activation);
  if (quantized) TERN_RETURN_IF_ERROR(SetIntRange(call));
  channels_ = Dim(input, 3);
  // As the reference has it, a width that cannot be computed leaves the height open too.
  if (width_.out < 0) height_.out = width_.out = 0;
  height_.out = std::max<int64_t>(0, height_.out);
  return call.SetShape(call.output(0), {batch_, height_.out, width_.out, channels_});
}

Status Pool2d::SetIntRange(const OpCall& call) {
  const TfLiteTensor* output = call.output(0);
  const auto activation = call.params<TfLitePoolParams>().activation;
  int_range_ = TypeRange(output->type);
  if (activation == kTfLiteActNone) return OkStatus();
  TERN_ASSIGN_OR_RETURN(const Quantization quantization, QuantizationOf(output, "output"));
  int_range_ = ActivationRange(activation, output->type, quantization);
  return OkStatus();
}

Status Pool2d::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  ThreadPool* pool = Pool(call);
  if (fast() && EvalOptimized(call, pool)) return OkStatus();
  switch (call.input(0)->type) {
    case kTfLiteUInt8:
      EvalReference<uint8_t, int64_t>(call, pool);
      break;
    case kTfLiteInt8:
      EvalReference<int8_t, int64_t>(call, pool);
      break;
    case kTfLiteInt16:
      EvalReference<int16_t, int64_t>(call, pool);
      break;
    default:
      EvalReference<float, double>(call, pool);
  }
  return OkStatus();
}

bool Pool2d::EvalOptimized(const OpCall& call, ThreadPool* pool) const {
  const IntRange& range = int_range_;
  if (call.input(0)->type == kTfLiteFloat32) {
    return EvalWindows(call, pool, FastFloatPool(kind_), range_.min, range_.max);
  }
  // By quotients, as the product may be too large.
  if (height_.filter > kMaxPooledBytes / width_.filter) return false;
  if (call.input(0)->type == kTfLiteInt8) {
    return EvalWindows(call, pool, FastSignedPool(kind_), range.min, range.max);
  }
  if (call.input(0)->type == kTfLiteUInt8) {
    return EvalWindows(call, pool, FastUnsignedPool(kind_), range.min, range.max);
  }
  return false;
}

// A window takes as long as that many operations of ParallelFor, and a quarter for each element.
constexpr int64_t kWindow = 128;

template <class T, class Limit>
bool Pool2d::EvalWindows(const OpCall& call, ThreadPool* pool, PoolKernel<T, Limit> form, Limit low,
                         Limit high) const {
  if (form == nullptr || low > high) return false;
  const T* input = Data<T>(call.input(0));
  T* output = MutableData<T>(call.output(0));
  const int64_t line = width_.in * channels_;
  const int64_t taps = height_.filter * width_.filter;
  const int64_t cost = width_.out * (kWindow + channels_ * taps / 4);
  ParallelFor(pool, batch_ * height_.out, cost, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const WindowAxis::Taps ys = height_.TapsAt(row % height_.out);
      const T* first = input + (row / height_.out * height_.in + ys.position) * line;
      for (int64_t x = 0; x < width_.out; ++x) {
        const WindowAxis::Taps xs = width_.TapsAt(x);
        const PoolWindow<T> window{first + xs.position * channels_, ys.end - ys.begin,
                                   xs.end - xs.begin, line, channels_};
        form(window, output + (row * width_.out + x) * channels_, low, high);
      }
    }
  });
  return true;
}

float Pool2d::Finish(double sum, int64_t count) const {
  const double mean = sum / static_cast<double>(count);
  return range_.Clamp(static_cast<float>(kind_ == Kind::kL2 ? std::sqrt(mean) : mean));
}

// Halves go away from zero.
template <class T>
T Pool2d::Finish(int64_t sum, int64_t count) const {
  const int64_t mean = (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
  return static_cast<T>(int_range_.Clamp(static_cast<int32_t>(mean)));
}

template <class T, class Sum>
void Pool2d::PoolPixel(const T* image, const WindowAxis::Taps& ys, const WindowAxis::Taps& xs,
                       std::vector<Sum>& sums, T* out) const {
  const bool max = kind_ == Kind::kMax;
  const Sum lowest = std::is_same_v<T, float> ? -std::numeric_limits<Sum>::infinity()
                                              : std::numeric_limits<Sum>::lowest();
  std::fill(sums.begin(), sums.end(), max ? lowest : Sum{0});
  for (int64_t y = ys.position; y < ys.position + ys.end - ys.begin; ++y) {
    for (int64_t x = xs.position; x < xs.position + xs.end - xs.begin; ++x) {
      const T* in = image + (y * width_.in + x) * channels_;
      if (max) {
        for (int64_t c = 0; c < channels_; ++c) sums[c] = std::max(sums[c], Sum{in[c]});
      } else if (kind_ == Kind::kAverage) {
        for (int64_t c = 0; c < channels_; ++c) sums[c] += Sum{in[c]};
      } else {
        for (int64_t c = 0; c < channels_; ++c) sums[c] += Sum{in[c]} * Sum{in[c]};
      }
    }
  }
  const int64_t taps = (ys.end - ys.begin) * (xs.end - xs.begin), count = max ? 1 : taps;
  const T* first = image + (ys.position * width_.in + xs.position) * channels_;
  for (int64_t c = 0; c < channels_; ++c) {
    // NaN is passed over; where nothing is above -infinity, the first tap is taken.
    if (max && sums[c] == lowest && taps > 0) sums[c] = first[c];
    if constexpr (std::is_same_v<T, float>) {
      out[c] = Finish(sums[c], count);
    } else {
      out[c] = Finish<T>(sums[c], count);
    }
  }
}

template <class T, class Sum>
void Pool2d::EvalReference(const OpCall& call, ThreadPool* pool) const {
  const T* input = Data<T>(call.input(0));
  T* output = MutableData<T>(call.output(0));
  auto rows = [&](int64_t begin, int64_t end) {
    std::vector<Sum> sums(static_cast<size_t>(channels_));
    for (int64_t row = begin; row < end; ++row) {
      const T* image = input + row / height_.out * height_.in * width_.in * channels_;
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

TfLiteRegistration L2Pool2dRegistration(OpForm form) { return MakeRegistration<L2Pool2d>(form); }

TfLiteRegistration MaxPool2dRegistration(OpForm form) { return MakeRegistration<MaxPool2d>(form); }

}  // namespace tern
