// SPDX-License-Identifier: Apache-2.0
// Checks of operands that RFFT2D and Irfft2d share: images of rank 2 or more, and two lengths that
// are powers of two.
#ifndef TERN_OPS_COMPLEX_FOURIER_OPERANDS_H_
#define TERN_OPS_COMPLEX_FOURIER_OPERANDS_H_

#include <bit>

#include "ops/cpu_kit/op_kit.h"

namespace tern {

inline Status CheckFourierOperands(const OpCall& call, TfLiteType input, TfLiteType output) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), input, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteInt32, "lengths"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), output, "output"));
  if (Rank(call.input(0)) < 2) {
    return Invalid("the input needs a rank of at least 2 (", Rank(call.input(0)), ")");
  }
  if (ShapeOf(call.input(1)) == Shape{2}) return OkStatus();
  return Invalid("there must be two lengths (", ShapeText(ShapeOf(call.input(1))), ")");
}

// The values of the second operand.
inline StatusOr<Shape> FourierLengths(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape lengths, ReadIntegers(call.input(1), "lengths"));
  for (const int64_t length : lengths) {
    if (length < 1 || !std::has_single_bit(static_cast<uint64_t>(length))) {
      return Invalid("a length is no power of two (", ShapeText(lengths), ")");
    }
  }
  if (lengths[1] < 2) return Unsupported("a width of 1 is not supported");
  return lengths;
}

}  // namespace tern

#endif  // TERN_OPS_COMPLEX_FOURIER_OPERANDS_H_
