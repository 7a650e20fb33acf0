// SPDX-License-Identifier: Apache-2.0
// Convolutions over whole numbers: quantized ones, and float ones whose filter has 4 or 8 bits
// (their input is then quantized at run time). An op sums the products of the numbers given here;
// this says what the sums become. Exact to the last bit against the reference's plain kernels.
#ifndef TERN_OPS_WHOLE_CONV_H_
#define TERN_OPS_WHOLE_CONV_H_

#include <cstdint>
#include <vector>

#include "ops/conv_operands.h"
#include "ops/hybrid.h"
#include "ops/op_kit.h"
#include "ops/quantized.h"

namespace tern {

class WholeConv {
 public:
  // After CheckConvTypes.
  static bool Takes(const ConvTensors& t) { return t.filter->type != kTfLiteFloat32; }

  struct Options {
    TfLiteFusedActivation activation;
    TfLiteType bias_type;  // of a quantized convolution without bias
    // Float inputs get a zero point even where all channels have one scale.
    bool always_zero_point;
  };
  Status Prepare(const ConvTensors& t, const Options& options);

  // The whole output by float arithmetic: run(input, weights, sums) sums the products. False when
  // it cannot, or when a sum would be inexact.
  template <class Run>
  bool EvalFloats(const ConvTensors& t, ThreadPool* pool, const Run& run) {
    if (!LoadFloats(t, pool)) return false;
    sums_.resize(static_cast<size_t>(Elements(t.output)));
    const FloatWeights weights = {float_filter_.data(), nullptr, IsConstant(t.filter)};
    if (!run(float_input_.data(), weights, sums_.data())) return false;
    StoreAll(t, pool);
    return true;
  }

  // The operands as numbers relative to their zero points, at the beginning of each other Eval.
  void Load(const ConvTensors& t);
  const int16_t* input() const { return input_.data(); }
  const int16_t* filter() const { return filter_.data(); }

  // The sums of `count` output pixels from `first` on, all channels of each, become the output.
  // `pixels` is their number in one batch item.
  template <class Sum>
  void Store(const ConvTensors& t, const Sum* sums, int64_t first, int64_t count,
             int64_t pixels) const;

 private:
  bool LoadFloats(const ConvTensors& t, ThreadPool* pool);
  void StoreAll(const ConvTensors& t, ThreadPool* pool) const;
  Status PrepareHybrid(const ConvTensors& t);
  Status PrepareQuantized(const ConvTensors& t, const Options& options);
  void QuantizeInput(const ConvTensors& t);
  template <class Sum, class Out, class Bias>
  void Requantize(const ConvTensors& t, const Sum* sums, int64_t first, int64_t count) const;

  bool hybrid_ = false;
  // Hybrid.
  WeightScales scales_;
  QuantizedItems items_;
  bool symmetric_ = false;
  FloatRange float_range_{};
  // Quantized.
  Quantization in_{}, out_{};
  int32_t filter_zero_ = 0;
  std::vector<Multiplier> multipliers_;
  // The same taken apart for sums of 32 bits, where time counts.
  struct Step {
    int32_t value, left, right, mask, half;
  };
  std::vector<Step> steps_;
  IntRange range_{};
  bool wide_ = false;  // sums of 64 bits

  std::vector<int16_t> input_, filter_;
  std::vector<float> float_input_, float_filter_, sums_;
  const void* loaded_ = nullptr;        // the constant filter that filter_ holds
  const void* loaded_float_ = nullptr;  // the same for float_filter_
  double largest_sum_ = 0;              // of magnitudes of a channel's filter
};

// Sum of products of numbers whose products lie within 2^23.
int64_t Dot(const int16_t* a, const int16_t* b, int64_t count);

}  // namespace tern

#endif  // TERN_OPS_WHOLE_CONV_H_
