// SPDX-License-Identifier: Apache-2.0
// Inputs for XNNPACK, which may read a few bytes past their end. Memory of the interpreter's own
// arena has that slack; constants in a mapped model file and memory that users bring may end right
// before an unmapped page, so those are read through a copy: constants of the model are copied
// once, the rest at each Eval. Constants that an op has computed are among the rest, as a resize
// may change them where they lie.
#ifndef TERN_OPS_FAST_INPUT_H_
#define TERN_OPS_FAST_INPUT_H_

#include <vector>

#include "ops/op_kit.h"

namespace tern {

class FastInput {
 public:
  // The tensor's values with readable slack behind them, valid until the next call.
  const float* Get(const TfLiteTensor* tensor);

 private:
  std::vector<float> copy_;
  const void* copied_ = nullptr;
};

}  // namespace tern

#endif  // TERN_OPS_FAST_INPUT_H_
