// SPDX-License-Identifier: Apache-2.0
// Float activations with weights of 8 bits or fewer: the activations are quantized at run time, one
// scale per batch item, and the sums are integers.
#ifndef TERN_OPS_CPU_KIT_DYNAMIC_RANGE_H_
#define TERN_OPS_CPU_KIT_DYNAMIC_RANGE_H_

#include <cstdint>
#include <vector>

#include "cpu/output_stage.h"
#include "ops/cpu_kit/op_kit.h"

namespace tern {

// The scales of such weights: one per output channel.
struct WeightScales {
  std::vector<float> scale;
  // True when channels really differ. Activations then use the full range around a zero point;
  // otherwise they are symmetric.
  bool per_channel = false;
  // True when all channels take the first scale of the tensor.
  bool first_only = false;
};

inline bool IsDynamicRangeWeight(const TfLiteTensor* weights) {
  return weights->type == kTfLiteInt8 || weights->type == kTfLiteUInt8;
}

// `axis` is the weights' axis of output channels.
StatusOr<WeightScales> ReadWeightScales(const TfLiteTensor* weights, int64_t channels, int axis);

// Takes the values of the scales again, at the beginning of Eval: programs may fill weights, and
// say what their scale is, after Prepare.
void UpdateScales(const TfLiteTensor* weights, WeightScales& scales);

// Activations as integers relative to their zero point: value = scale[item] * quantized.
struct QuantizedItems {
  std::vector<int16_t> values;
  std::vector<float> scale;
  // Input of the optimized kernels of convolutions in place of `values`: value + zero_point.
  std::vector<int8_t> bytes;
  std::vector<int32_t> zero_point;
};

// Quantizes `items` blocks of `size` values, each by its own range. Reuses the memory.
void QuantizeItems(const float* values, int64_t items, int64_t size, bool symmetric,
                   QuantizedItems& result);
// Quantizes items to `bytes`, not to `values`. Only where there are optimized kernels.
void QuantizeItemsToBytes(const float* values, int64_t items, int64_t size, bool symmetric,
                          QuantizedItems& result, ThreadPool* pool);

// Rows of floats as the left side of products with 8-bit weights, each with a scale of its own.
class QuantizedLeft {
 public:
  // Reuses the memory. `fast`: by optimized kernels, where there are any.
  void Set(const float* values, int64_t rows, int64_t depth, bool symmetric, bool fast,
           ThreadPool* pool);
  // Stores every sum of the rows with signed weights [stage.columns, depth]; gives the stage the
  // scales of the rows.
  void Multiply(const int8_t* weights, OutputStage& stage, ThreadPool* pool) const;
  // to[r, n] += row r times row n of signed weights [columns, depth] of one scale.
  void AddProduct(const int8_t* weights, float scale, int64_t columns, float* to,
                  ThreadPool* pool) const;

 private:
  template <class F>
  void ForEachRun(const int8_t* weights, int64_t columns, ThreadPool* pool, const F& finish) const;

  bool fast_ = false, bytes_ = false;
  int64_t rows_ = 0, depth_ = 0;
  QuantizedItems items_;
};

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_DYNAMIC_RANGE_H_
