// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED in integers: activations of 8 or 16 bits, weights of 2 to 16 bits.
#ifndef TERN_OPS_FULLY_CONNECTED_QUANTIZED_ROWS_H_
#define TERN_OPS_FULLY_CONNECTED_QUANTIZED_ROWS_H_

#include <cstdint>

#include "ops/cpu_kit/integer_product.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_kit/small_integers.h"
#include "ops/fully_connected/rows_by_units.h"

namespace tern {

class QuantizedRows {
 public:
  Status Prepare(const OpCall& call, const RowsByUnits& sizes);
  // Packs weights early. Otherwise Eval does this in its first fast run.
  void Pack(const OpCall& call, ThreadPool* pool);
  Status Eval(const OpCall& call, bool fast, ThreadPool* pool);

  // Weights in blocks of 4 units by 16 numbers, biased so that they are signed; UINT8 to INT16.
  Status PrepareShuffled(const OpCall& call, const RowsByUnits& sizes);
  Status EvalShuffled(const OpCall& call, ThreadPool* pool);

 private:
  Status ReadQuantization(const OpCall& call);
  Multiplier WholeMultiplier(const OpCall& call) const;
  Status SetMultipliers(const OpCall& call);
  Status CheckBiasScale(const OpCall& call) const;
  LeftView Left(const OpCall& call) const;
  StatusOr<IntegerWeights> Weights(const OpCall& call);
  // Gives the stage the operands of this run.
  void SetStage(const OpCall& call, bool fast);

  RowsByUnits sizes_;
  Quantization in_, out_;
  int32_t weight_zero_ = 0;
  OutputStage stage_;  // fixed point of 16-bit weights
  SmallIntegers numbers_;
  IntegerProduct product_;
};

}  // namespace tern

#endif  // TERN_OPS_FULLY_CONNECTED_QUANTIZED_ROWS_H_
