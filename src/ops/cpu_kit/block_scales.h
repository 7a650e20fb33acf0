// SPDX-License-Identifier: Apache-2.0
// Scales of integers by block: neighbours of a row share one, which a constant of the model holds.
#ifndef TERN_OPS_CPU_KIT_BLOCK_SCALES_H_
#define TERN_OPS_CPU_KIT_BLOCK_SCALES_H_

#include <cstdint>

#include "base/tensor/half.h"
#include "ops/cpu_kit/op_kit.h"

namespace tern {

inline bool HasBlocks(const TfLiteTensor* t) {
  return t->quantization.type == kTfLiteBlockwiseQuantization && t->quantization.params != nullptr;
}

class BlockScales {
 public:
  BlockScales() = default;
  // Of `t`, which has blocks, viewed as `rows` rows of `columns` integers. Which axis its
  // quantization names counts nothing, and neither do zero points: models name any of them.
  static StatusOr<BlockScales> Of(const OpCall& call, const TfLiteTensor* t, int64_t rows,
                                  int64_t columns, const char* what);

  int64_t block() const { return block_; }  // integers of one
  int64_t count() const { return count_; }  // blocks of a row
  const TfLiteTensor* tensor() const { return tensor_; }
  float At(int64_t row, int64_t block) const {
    const int64_t i = row * count_ + block;
    return tensor_->type == kTfLiteFloat32 ? Data<float>(tensor_)[i]
                                           : HalfToFloat(Data<uint16_t>(tensor_)[i]);
  }

 private:
  const TfLiteTensor* tensor_ = nullptr;
  int64_t block_ = 1, count_ = 0;
};

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_BLOCK_SCALES_H_
