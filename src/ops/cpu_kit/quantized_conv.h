// SPDX-License-Identifier: Apache-2.0
// Quantized convolutions, and float ones whose filter has 4 or 8 bits (dynamic-range quantization).
// Exact to the last bit against TensorFlow Lite's reference kernels.
#ifndef TERN_OPS_CPU_KIT_QUANTIZED_CONV_H_
#define TERN_OPS_CPU_KIT_QUANTIZED_CONV_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cpu/integer_depthwise.h"
#include "ops/cpu_kit/conv_operands.h"
#include "ops/cpu_kit/conv_part.h"
#include "ops/cpu_kit/dynamic_range.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized.h"

namespace tern {

class QuantizedConv {
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

  // The optimized kernels; false where there is none. They pack the filter and choose the constants
  // of the output stage at their first run, or Pack* did before; at every run where the filter or
  // the bias is no constant.
  bool PackParts(const ConvTensors& t, std::span<const ConvPart> parts, ThreadPool* pool);
  bool RunParts(const ConvTensors& t, std::span<const ConvPart> parts, ThreadPool* pool);
  bool PackConv(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool);
  bool RunConv(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool);
  bool PackDepthwise(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool);
  bool RunDepthwise(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool);

  // Packs at the next run, whatever the address of the filter.
  void Forget() {
    matrices_.Forget();
    depthwise_.Forget();
  }

  // The operands as numbers relative to their zero points, at the beginning of each plain Eval.
  void Load(const ConvTensors& t);
  const int16_t* input() const { return input_.data(); }
  const int16_t* filter() const { return filter_.data(); }

  // The sums of an output pixel, all channels, become the output.
  void Store(const int64_t* sums, int64_t pixel) const {
    stage_.Store(SumBlock<int64_t>{sums, stage_.columns, pixel, 1, 0, stage_.columns});
  }

 private:
  using Matrices = std::vector<std::shared_ptr<const IntegerMatrix>>;

  Status PrepareDynamicRange(const ConvTensors& t, const Options& options);
  Status PrepareQuantized(const ConvTensors& t, const Options& options);
  // UINT8 filters of dynamic-range convolutions are INT8.
  TfLiteType FilterType(const ConvTensors& t) const {
    return dynamic_range_ && t.filter->type == kTfLiteUInt8 ? kTfLiteInt8 : t.filter->type;
  }
  const int32_t* StartingBias(const ConvTensors& t) const;
  void SetStage(const ConvTensors& t, bool fast);
  bool HasOptimizedKernel(const ConvTensors& t) const;
  void ChooseFusedForms(const ConvTensors& t);
  // The input without its shape.
  LeftView Left(const ConvTensors& t) const {
    return {{}, t.input->data.raw, IntegerTypeOf(t.input->type), in_.zero_point};
  }
  std::shared_ptr<const Matrices> MakeMatrices(const ConvTensors& t,
                                               std::span<const ConvPart> parts,
                                               ThreadPool* pool) const;
  const Matrices* GetMatrices(const ConvTensors& t, std::span<const ConvPart> parts,
                              ThreadPool* pool);
  const DepthwiseWeights* GetDepthwise(const ConvTensors& t, const ConvShape& shape);
  // Calls run(left side without its shape) for the input as integers: once, or for each item of a
  // dynamic-range batch.
  template <class Run>
  bool ForEachImage(const ConvTensors& t, ThreadPool* pool, const Run& run);
  const int32_t* StartsOf(const ConvTensors& t, size_t part, const std::vector<int32_t>& sums,
                          int32_t zero_point);

  bool dynamic_range_ = false;
  // Dynamic-range quantization.
  WeightScales scales_;
  QuantizedItems items_;
  bool symmetric_ = false;
  std::vector<float> channel_scales_, float_bias_;  // with slack, for the kernels
  // Quantized.
  Quantization in_{};
  int32_t filter_zero_ = 0;
  bool fast_chosen_ = false;  // for a constant bias
  // Of each part, SumStarts of the weights with these sums; null: not of constants.
  struct Starts {
    const int32_t* sums = nullptr;
    std::vector<int32_t> values;
  };
  std::vector<Starts> starts_;

  OutputStage stage_;
  std::vector<int16_t> input_, filter_;  // plain
  Packed<Matrices> matrices_;            // of each part
  Packed<DepthwiseWeights> depthwise_;
};

// Sum of products of numbers whose products lie within 2^23.
int64_t Dot(const int16_t* a, const int16_t* b, int64_t count);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_QUANTIZED_CONV_H_
