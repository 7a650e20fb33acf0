// SPDX-License-Identifier: Apache-2.0
// Turns the sums of a product into its output. An operator chooses the stage once, outside of the
// loop over tiles.
#ifndef TERN_CPU_OUTPUT_STAGE_H_
#define TERN_CPU_OUTPUT_STAGE_H_

#include <cstdint>
#include <vector>

#include "base/tensor/multiplier.h"
#include "base/tensor/quantized_range.h"

namespace tern {

enum class IntegerType { kUInt8, kInt8, kInt16 };

// Some sums of a product, [rows, columns]. Sums of 32 bits wrap.
template <class Sum>
struct SumBlock {
  const Sum* sums;
  int64_t stride;  // from row to row
  int64_t first_row, rows, first_column, columns;
};

// Places the rows of a product, which are pixels of small images, in larger images.
struct PixelSpread {
  int64_t width = 0, height = 1;  // of a small image; without width rows keep their places
  int64_t first = 0, step = 1, line_step = 0, image_step = 0;

  int64_t At(int64_t row) const {
    if (width == 0) return row;
    const int64_t line = row / width;
    return first + row % width * step + line % height * line_step + line / height * image_step;
  }
};

struct OutputStage {
  enum class Form {
    kSums,        // sum, as INT32, or INT64 where it is wide
    kFixedPoint,  // clamp(Scale(sum) + zero_point), ScaleWide where sums are wide
    kReal,        // clamp(round(sum * factor) + zero_point), in double, ties away from zero
    kFloat,       // clamp(sum * (row scale * scale) + bias), in float
    kDouble,      // clamp(sum * row scale * scale + bias), in double
    kClamp,       // clamp(sum) of floats
  };
  using Kernel = void (*)(const OutputStage& stage, const SumBlock<int32_t>& block);

  // Of a product of floats.
  static OutputStage Clamp(FloatRange range, float* output, int64_t columns);

  Form form = Form::kSums;
  IntegerType type = IntegerType::kInt8;  // of kFixedPoint and kReal
  bool wide = false;                      // sums have 64 bits; others wrap to 32
  int32_t zero_point = 0;
  IntRange range{};
  FloatRange float_range{};

  // One constant for each column, or one for all. Kernels read whole vectors of them.
  bool per_column = false;
  std::vector<Multiplier> multipliers;
  std::vector<double> factors;  // finite
  const float* scales = nullptr;
  // The multipliers as the kernel takes them.
  struct Arrays {
    std::vector<int32_t> value, left, right;
    bool any_left = false;  // some `left` is not 0
    // A form with fewer steps, where all channels of a vector allow it. Halves of both roundings'
    // units and the zero point are added before the first shift, which rounds down, as the second:
    // clamp((((sum * fast_value + fast_start) >> 31) - (sum < 0)) >> fast_right).
    std::vector<int32_t> fast_value, fast_right;
    std::vector<int64_t> fast_start;  // kNoFusedForm: not this channel
  };
  Arrays arrays;

  // The sums lack one number per column, and one of each row that is subtracted. Null: none.
  const void* bias = nullptr;  // INT32, or INT64 where it is long
  bool long_bias = false;
  const int64_t* row_less = nullptr;
  const float* float_bias = nullptr;  // the kernel needs one
  // One for each `scale_rows` rows.
  const float* row_scales = nullptr;
  int64_t scale_rows = 1;
  // SumStarts of a product by packed integers.
  const int32_t* starts = nullptr;

  void* output = nullptr;
  int64_t columns = 0;  // of the output
  PixelSpread spread;

  // Null: sums become the output one by one.
  Kernel kernel = nullptr;

  void SetFactors(std::vector<double> factors);
  // One for each column, for the kernel.
  void SetMultipliers(std::vector<Multiplier> multipliers);
  // Chooses optimized kernels for sums within `max` of the bias, which may be null.
  void ChooseFusedForms(int64_t max, const int32_t* bias);
  // Takes the kernel of the form, if there is one and it is wanted.
  void UseKernel(bool wanted);

  template <class Sum>
  void Store(const SumBlock<Sum>& block) const;

 private:
  template <class Sum>
  void StoreRow(const Sum* sums, int64_t row, int64_t first, int64_t count) const;
};

inline constexpr int64_t kNoFusedForm = INT64_MIN;

// The constants of one channel for the optimized kernel of Arrays.
struct FastRequantization {
  int32_t value, right;
  int64_t start;  // kNoFusedForm where the channel has no such form
};

// Returns the constants of a channel whose sums lie within [min, max]. The form exists where
// these lie within 2^29 and the multiplier shifts to the right by 1 to 22, and where all sums have
// the same result, as in channels whose weights are nearly zero.
FastRequantization FusedForm(const Multiplier& multiplier, int64_t min, int64_t max,
                             int32_t zero_point, const IntRange& range);

}  // namespace tern

#endif  // TERN_CPU_OUTPUT_STAGE_H_
