// SPDX-License-Identifier: Apache-2.0
// Ops that make each row along the last axis from the row of their only operand: FLOAT32 and 8-bit
// integers whose results have a fixed scale.
#ifndef TERN_OPS_CPU_KIT_ROWS_H_
#define TERN_OPS_CPU_KIT_ROWS_H_

#include <cstdint>

#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized.h"

namespace tern {

// Returns the quantization of an 8-bit operand. An error if that of the output is not `fixed`.
inline StatusOr<Quantization> ReadRowQuantization(const OpCall& call, const Quantization& fixed) {
  TERN_ASSIGN_OR_RETURN(const Quantization in, QuantizationOf(call.input(0), "input"));
  TERN_ASSIGN_OR_RETURN(const Quantization out, QuantizationOf(call.output(0), "output"));
  if (out.zero_point == fixed.zero_point && out.scale == fixed.scale) return in;
  return Invalid("the output's quantization must be (", fixed.scale, ", ", fixed.zero_point,
                 "), it is (", out.scale, ", ", out.zero_point, ")");
}

// Types and shapes; true when the operand has 8 bits.
inline StatusOr<bool> CheckRows(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  if (Rank(input) < 1) return Invalid("input must have rank 1 or more (0)");
  if (!Types<float, int8_t, uint8_t>::Has(input->type)) {
    return Unsupported("type ", TypeText(input->type), " is not supported yet (input)");
  }
  return input->type != kTfLiteFloat32;
}

// row(from, count, to) makes one row; `cost` for one element.
template <class Row>
Status EvalRows(const OpCall& call, ThreadPool* pool, int64_t cost, const Row& row) {
  const TfLiteTensor* input = call.input(0);
  TfLiteTensor* output = call.output(0);
  if (Elements(input) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  const int64_t count = Dim(input, Rank(input) - 1);
  Types<float, int8_t, uint8_t>::Dispatch(input->type, [&](auto number) {
    using T = decltype(number);
    ParallelFor(pool, Elements(input) / count, cost * count, [&](int64_t begin, int64_t end) {
      for (int64_t at = begin * count; at < end * count; at += count) {
        row(Data<T>(input) + at, count, MutableData<T>(output) + at);
      }
    });
  });
  return OkStatus();
}

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_ROWS_H_
