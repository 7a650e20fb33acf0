// SPDX-License-Identifier: Apache-2.0
// Quantized convolutions, and float ones whose filter has 4 or 8 bits («hybrid»: their input is
// then quantized at run time). Exact to the last bit against the reference's plain kernels.
#ifndef TERN_OPS_CPU_KIT_QUANTIZED_CONV_H_
#define TERN_OPS_CPU_KIT_QUANTIZED_CONV_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cpu/integer_conv.h"
#include "ops/cpu_kit/conv_operands.h"
#include "ops/cpu_kit/hybrid.h"
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

  // The fast forms of the whole convolution; false where there is none. They pack the filter at
  // their first run, or Pack* did before; at every run where it is no constant.
  bool PackConv(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool);
  bool RunConv(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool);
  bool PackDepthwise(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool);
  bool RunDepthwise(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool);

  // One of several convolutions that make the output: a part of the filter's taps, and where its
  // results lie.
  using PixelAt = std::function<int64_t(int64_t)>;
  struct Part {
    ConvShape shape;
    std::vector<int64_t> taps;  // of the filter, in the order of the shape's
    PixelAt pixel_at;           // the output pixel that a result of the shape is
  };
  bool PackParts(const ConvTensors& t, const std::vector<Part>& parts, ThreadPool* pool);
  bool RunParts(const ConvTensors& t, const std::vector<Part>& parts, ThreadPool* pool);

  // Packs at the next run, whatever the address of the filter.
  void Forget() {
    matrix_.reset();
    depthwise_.reset();
    parts_.reset();
  }

  // The operands as numbers relative to their zero points, at the beginning of each plain Eval.
  void Load(const ConvTensors& t);
  const int16_t* input() const { return input_.data(); }
  const int16_t* filter() const { return filter_.data(); }

  // The sums of an output pixel, all channels, become the output. `pixels` is the number of pixels
  // in one batch item.
  void Store(const ConvTensors& t, const int64_t* sums, int64_t pixel, int64_t pixels) const;

 private:
  using Matrices = std::vector<std::shared_ptr<const IntegerMatrix>>;

  Status PrepareHybrid(const ConvTensors& t);
  Status PrepareQuantized(const ConvTensors& t, const Options& options);
  bool HasFastForm(const ConvTensors& t) const;
  void ChooseFastStore(const ConvTensors& t);
  // UINT8 filters of hybrid convolutions are INT8.
  bool UnsignedFilter(const ConvTensors& t) const {
    return !hybrid_ && t.filter->type == kTfLiteUInt8;
  }
  const int8_t* FilterBytes(const ConvTensors& t, std::vector<int8_t>& unpacked) const;
  std::shared_ptr<const IntegerMatrix> PackTaps(const ConvTensors& t, const Part& part,
                                                ThreadPool* pool) const;
  // Whether that was made of the filter, which is constant.
  bool IsPacked(const ConvTensors& t, const void* packed) const;
  // Packs what `make` makes of the filter, or finds it where another node has made the same.
  template <class T, class Make>
  bool Pack(const ConvTensors& t, const std::vector<int64_t>& parameters,
            std::shared_ptr<const T>& packed, const Make& make);
  // Calls run(image, item) for the input as integers: once, or for each item of a hybrid batch.
  template <class Run>
  bool ForEachImage(const ConvTensors& t, ThreadPool* pool, const Run& run);
  bool PackMatrix(const ConvTensors& t, const ConvShape& shape, bool transposed, ThreadPool* pool);
  bool RunPacked(const ConvTensors& t, const ConvShape& shape, ThreadPool* pool);
  bool RunMatrix(const ConvTensors& t, ConvShape shape, const IntegerMatrix& matrix, size_t part,
                 const PixelAt* pixel_at, const IntegerImage& image, int64_t item,
                 ThreadPool* pool);
  const int32_t* StartsOf(const ConvTensors& t, size_t part, const std::vector<int32_t>& sums,
                          int32_t zero_point);
  const int32_t* Bias32(const ConvTensors& t) const;
  void StoreBlock(const ConvTensors& t, const SumBlock& block, int64_t item, int64_t pixels) const;
  template <class Sum>
  void StorePlain(const ConvTensors& t, const Sum* sums, const SumBlock& block, int64_t item) const;
  template <class Sum, class Out, class Bias>
  void Requantize(const ConvTensors& t, const Sum* sums, const SumBlock& block) const;

  bool hybrid_ = false;
  // Hybrid.
  WeightScales scales_;
  QuantizedItems items_;
  bool symmetric_ = false;
  FloatRange float_range_{};
  std::vector<float> channel_scales_, float_bias_;  // with slack, for the kernels
  // Quantized.
  Quantization in_{}, out_{};
  int32_t filter_zero_ = 0;
  std::vector<Multiplier> multipliers_;
  std::vector<int32_t> values_, lefts_, rights_;  // the same taken apart, with slack
  bool any_left_ = false;
  std::vector<int32_t> fast_values_, fast_rights_;  // of Requantization, with slack
  std::vector<int64_t> fast_starts_;
  bool fast_chosen_ = false;  // for a constant bias
  // Of each part, SumStarts of the weights with these sums; null: not of constants.
  struct Starts {
    const int32_t* sums = nullptr;
    std::vector<int32_t> values;
  };
  std::vector<Starts> starts_;
  IntRange range_{};
  bool wide_ = false;  // sums of 64 bits

  // Plain.
  std::vector<int16_t> input_, filter_;
  // Fast.
  std::shared_ptr<const IntegerMatrix> matrix_;
  std::shared_ptr<const DepthwiseWeights> depthwise_;
  std::shared_ptr<const Matrices> parts_;
  const void* packed_ = nullptr;  // the constant filter that they were made of
};

// Sum of products of numbers whose products lie within 2^23.
int64_t Dot(const int16_t* a, const int16_t* b, int64_t count);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_QUANTIZED_CONV_H_
