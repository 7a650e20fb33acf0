// SPDX-License-Identifier: Apache-2.0
// Means, sums and products of numbers that have a scale.
#ifndef TERN_OPS_REDUCE_QUANTIZED_REDUCE_H_
#define TERN_OPS_REDUCE_QUANTIZED_REDUCE_H_

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/reduce/reduce_rules.h"
#include "ops/reduce/reduce_walk.h"

namespace tern {

// Input and output have a scale.
Status CheckReduceScales(const OpCall& call);
// The scales of kProduct suit `count` factors.
Status CheckProductScales(const OpCall& call, int64_t count);

// kMean, kSum and kProduct of INT8, UINT8 and INT16; `count` elements make one of the output.
Status ReduceQuantized(const OpCall& call, Reduction kind, const ReduceWalk& walk, int64_t count,
                       ThreadPool* pool);

}  // namespace tern

#endif  // TERN_OPS_REDUCE_QUANTIZED_REDUCE_H_
