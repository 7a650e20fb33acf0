// SPDX-License-Identifier: Apache-2.0
// The multipliers of quantized PRELU, for the CPU and the GPU.
#ifndef TERN_OPS_PRELU_PRELU_RULES_H_
#define TERN_OPS_PRELU_PRELU_RULES_H_

#include "base/tensor/multiplier.h"
#include "base/tensor/quantized_range.h"

namespace tern {

struct PreluScales {
  PreluScales() = default;
  PreluScales(const Quantization& in, const Quantization& alpha, const Quantization& out)
      : positive(MakeMultiplier(double{in.scale / out.scale})),
        negative(MakeMultiplier(double{in.scale * alpha.scale / out.scale})) {}
  Multiplier positive;  // of a value that is not negative
  Multiplier negative;  // of the product of another one and its slope
};

}  // namespace tern

#endif  // TERN_OPS_PRELU_PRELU_RULES_H_
