// SPDX-License-Identifier: Apache-2.0
// Padding of dense tensors of up to 5 dimensions, for custom ops.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_REFERENCE_PAD_H_
#define TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_REFERENCE_PAD_H_

#include <algorithm>
#include <cstdint>

#include "tensorflow/lite/kernels/internal/types.h"

namespace tflite {
namespace reference_ops {

constexpr int PadKernelMaxDimensionCount() { return 5; }

namespace pad_internal {

// Dimension `d` of all five, the last `count` of which are given; 0 for the others.
inline int AtLast(const int32_t* values, int count, int d) {
  const int i = d - (PadKernelMaxDimensionCount() - count);
  return i < 0 ? 0 : values[i];
}

// Writes the dimensions from `d` on and moves both pointers behind what was read and written.
template <typename T>
void PadFrom(int d, const PadParams& params, const RuntimeShape& output_shape, T pad_value,
             const T** input, T** output) {
  if (d == PadKernelMaxDimensionCount()) {
    *(*output)++ = *(*input)++;
    return;
  }
  int slice = 1;
  for (int i = d + 1; i < PadKernelMaxDimensionCount(); ++i) {
    slice *= output_shape.Dims(i);
  }
  const int before = AtLast(params.left_padding, params.left_padding_count, d);
  const int after = AtLast(params.right_padding, params.right_padding_count, d);
  *output = std::fill_n(*output, before * slice, pad_value);
  for (int i = before; i < output_shape.Dims(d) - after; ++i) {
    PadFrom(d + 1, params, output_shape, pad_value, input, output);
  }
  *output = std::fill_n(*output, after * slice, pad_value);
}

}  // namespace pad_internal

// `op_params` gives what is added before and after each dimension; `output_shape` is the sum. The
// pad value is converted to T.
template <typename T, typename P>
inline void Pad(const PadParams& op_params, const RuntimeShape& input_shape, const T* input_data,
                const P* pad_value_ptr, const RuntimeShape& output_shape, T* output_data) {
  TFLITE_DCHECK_LE(input_shape.DimensionsCount(), PadKernelMaxDimensionCount());
  TFLITE_DCHECK_LE(op_params.left_padding_count, PadKernelMaxDimensionCount());
  TFLITE_DCHECK_LE(op_params.right_padding_count, PadKernelMaxDimensionCount());
  (void)input_shape;
  pad_internal::PadFrom(0, op_params,
                        RuntimeShape::ExtendedShape(PadKernelMaxDimensionCount(), output_shape),
                        static_cast<T>(*pad_value_ptr), &input_data, &output_data);
}

// The same where batch and channels keep their sizes.
template <typename T, typename P>
inline void PadImageStyle(const PadParams& op_params, const RuntimeShape& input_shape,
                          const T* input_data, const P* pad_value_ptr,
                          const RuntimeShape& output_shape, T* output_data) {
  Pad(op_params, input_shape, input_data, pad_value_ptr, output_shape, output_data);
}

}  // namespace reference_ops
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_REFERENCE_PAD_H_
