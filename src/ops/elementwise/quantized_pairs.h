// SPDX-License-Identifier: Apache-2.0
// Arithmetic on two quantized numbers: INT8, UINT8 and INT16. Each form reads the operands' scales
// in Prepare and then maps a pair of stored numbers to a stored result.
#ifndef TERN_OPS_ELEMENTWISE_QUANTIZED_PAIRS_H_
#define TERN_OPS_ELEMENTWISE_QUANTIZED_PAIRS_H_

#include <cstdint>
#include <optional>

#include "cpu/byte_rows.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/elementwise/pair_rules.h"

namespace tern {

struct PairQuantization {
  Quantization a, b, out;
  IntRange range{0, 0};  // of the result, the fused activation included
};

// No quantized form.
struct NoQuantizedPairs {};

// a + b or a - b: both operands are brought to one scale with guard bits.
class QuantizedSum {
 public:
  explicit QuantizedSum(bool subtract) : subtract_(subtract) {}
  // `powers_of_two`: INT16 operands whose scales are powers of two are shifted instead.
  Status Prepare(const OpCall& call, TfLiteFusedActivation activation, bool powers_of_two);
  int32_t operator()(int32_t a, int32_t b) const;
  // The sum for rows of 8-bit numbers.
  ByteSum Bytes() const;

 private:
  Status CheckShifts(const OpCall& call) const;

  bool subtract_;
  std::optional<elementwise::SumShifts> shifts_;
  PairQuantization q_;
  elementwise::CommonScales scales_;
};

class QuantizedProduct {
 public:
  Status Prepare(const OpCall& call, TfLiteFusedActivation activation);
  int32_t operator()(int32_t a, int32_t b) const;
  ByteProduct Bytes() const;

 private:
  bool narrows_ = false;  // INT16 numbers in [-1, 1) give an 8-bit result
  PairQuantization q_;
  Multiplier scale_;
};

class QuantizedQuotient {
 public:
  Status Prepare(const OpCall& call, TfLiteFusedActivation activation);
  // The stored number that means 0, by which nothing can be divided.
  int32_t zero() const { return q_.b.zero_point; }
  int32_t operator()(int32_t a, int32_t b) const;

 private:
  PairQuantization q_;
  Multiplier scale_;
};

class QuantizedSquaredDifference {
 public:
  Status Prepare(const OpCall& call);
  int32_t operator()(int32_t a, int32_t b) const;

 private:
  PairQuantization q_;
  elementwise::CommonScales scales_;
};

}  // namespace tern

#endif  // TERN_OPS_ELEMENTWISE_QUANTIZED_PAIRS_H_
