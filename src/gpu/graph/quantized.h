// SPDX-License-Identifier: Apache-2.0
// Tensors of stored values that stand for real ones, and how nodes between them get their results.
#ifndef TERN_GPU_GRAPH_QUANTIZED_H_
#define TERN_GPU_GRAPH_QUANTIZED_H_

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "base/tensor/multiplier.h"
#include "base/tensor/quantized_range.h"
#include "gpu/desc/constant_part.h"
#include "gpu/desc/dispatch.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::gpu {

// A quantized type of 8 or 16 bits: real = scale * (q - zero_point).
struct QuantizedType {
  TfLiteType type = kTfLiteInt8;  // INT8, UINT8 or INT16
  float scale = 1;                // positive
  int zero_point = 0;             // within the type

  // The smallest and the largest real value.
  float lowest() const;
  float highest() const;
  // Kernels multiply by the scale and by its inverse, and devices flush what is below normal
  // floats: only then its elements lie in memory for the numbers.
  bool can_hold_elements() const;
  // Stored values are the real values.
  bool is_plain() const { return scale == 1 && zero_point == 0; }
  friend bool operator==(const QuantizedType&, const QuantizedType&) = default;
};

// Integers that stand for real = scale * (q - zero_point), as a model says it; nothing is checked.
struct AffineQuantization {
  std::vector<float> scales;     // one, or one for each place along the axis
  std::vector<int> zero_points;  // one, or one for each scale; empty: all are 0
  int axis = 0;

  int zero_point(size_t place) const {
    if (zero_points.empty()) return 0;
    return zero_points[place < zero_points.size() ? place : 0];
  }
  // One scale and one zero point, both given.
  bool is_single() const { return scales.size() == 1 && !zero_points.empty(); }
};

// Scales of a constant's integers by block: neighbours of a row share one, q is scale * q.
struct RowBlocks {
  const void* scales = nullptr;  // FLOAT16 or FLOAT32 [rows, blocks of a row], owned by the model
  TfLiteType type = kTfLiteFloat16;
  int64_t count = 0;  // of scales
  int size = 1;       // of a block
};

// How a node sums products of elements, less their zero points, and what becomes of the sums: in
// integers, the same as on the CPU.
struct Requantization {
  std::vector<int> elements;            // the operands that are read as these
  Decoding filter = Decoding::kStored;  // of a constant one
  std::vector<Multiplier> multipliers;  // one, or one for each channel
  std::vector<int32_t> fractions;       // of these multipliers, in 2^-32; empty: none
  std::vector<int32_t> bias;            // for each channel; empty: none
  Finish finish = Finish::kReal;        // kReal: the sums are the results
  Number sums = Number::kReal;          // in which they are exact
  float scale = 1;                      // of the elements that it makes
  IntRange range = {0, 0};              // of these, less their zero point
};

// Real values, which a step behind the node rounds to those of stored values.
struct Rounded {};

// Elements of operands, which are moved or compared as they are: all quantized tensors of the node
// must be quantized like output 0, or be made so (AlignElements).
struct Moved {
  int index_input = -1, index_output = -1;  // the operand and the output that hold indices
  // The stored value of another quantization of the same type for each stored value; nothing where
  // they stay.
  std::optional<std::vector<float>> (*realigned)(const QuantizedType& from,
                                                 const QuantizedType& to) = nullptr;
};

// Numbers that elements of the outputs stand for, from the node's own kernel.
struct Computed {};

// The numbers of the results for all elements of the one operand, from the lowest one on
// (Node::results).
struct Tabled {
  std::vector<float> numbers;
};

// Sums of products of elements less their zero points, which are multiplied in fixed point or by a
// factor in double precision.
struct SummedProducts {
  int input = 0, filter = 1, bias = 2;  // operands; the bias may be missing
  int filter_axis = 0;                  // of output channels, of a filter that is constant
  int64_t products = 0;  // of a sum, where the filter may be any matrix; else those of its own
  bool wide = false;     // sums of 64 bits, multipliers of 16 instead of 31
  bool real = false;     // by the factor
  bool float_product = false;             // of the scales
  Decoding decoding = Decoding::kStored;  // of a filter that is constant
  bool sums = false;                      // are the results, as INT32
  TfLiteFusedActivation activation = kTfLiteActNone;
};

using ElementRule = std::variant<Rounded, Moved, Computed, Tabled, SummedProducts>;

}  // namespace tern::gpu

#endif  // TERN_GPU_GRAPH_QUANTIZED_H_
