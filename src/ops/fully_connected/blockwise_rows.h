// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED of floats with small weights that have a scale by block of a row.
#ifndef TERN_OPS_FULLY_CONNECTED_BLOCKWISE_ROWS_H_
#define TERN_OPS_FULLY_CONNECTED_BLOCKWISE_ROWS_H_

#include <cstdint>

#include "cpu/block_matrix.h"
#include "cpu/packed_cache.h"
#include "ops/cpu_kit/block_scales.h"
#include "ops/cpu_kit/dynamic_range.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/small_integers.h"
#include "ops/fully_connected/rows_by_units.h"

namespace tern {

class BlockwiseRows {
 public:
  Status Prepare(const OpCall& call, const RowsByUnits& sizes);
  // Packs the weights for the optimized kernel, which Eval would do at its first run.
  void Pack(const OpCall& call, ThreadPool* pool);
  Status Eval(const OpCall& call, bool fast, ThreadPool* pool);

 private:
  bool EvalPacked(const OpCall& call, ThreadPool* pool);
  bool SuitsPacking(const OpCall& call) const;
  const BlockMatrix* Matrix(const OpCall& call, ThreadPool* pool);

  RowsByUnits sizes_;
  BlockScales scales_;
  FloatRange range_{};
  QuantizedItems items_;
  SmallIntegers numbers_;
  Packed<BlockMatrix> matrix_;
};

}  // namespace tern

#endif  // TERN_OPS_FULLY_CONNECTED_BLOCKWISE_ROWS_H_
