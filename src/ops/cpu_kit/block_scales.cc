// SPDX-License-Identifier: Apache-2.0
// Finds and checks the tensor of the scales.
#include "ops/cpu_kit/block_scales.h"

namespace tern {

StatusOr<BlockScales> BlockScales::Of(const OpCall& call, const TfLiteTensor* t, int64_t rows,
                                      int64_t columns, const char* what) {
  const auto& blocks = *static_cast<const TfLiteBlockwiseQuantization*>(t->quantization.params);
  const TfLiteContext& context = *call.context();
  if (blocks.scale < 0 || static_cast<size_t>(blocks.scale) >= context.tensors_size) {
    return Invalid("the scales of ", what, " are missing (tensor ", blocks.scale, ")");
  }
  BlockScales scales;
  scales.tensor_ = &context.tensors[blocks.scale];
  scales.block_ = blocks.blocksize;
  const TfLiteType type = scales.tensor_->type;
  if (type != kTfLiteFloat16 && type != kTfLiteFloat32) {
    return Unsupported("scales of ", what, " of type ", TypeText(type),
                       " are not supported (FLOAT16 and FLOAT32 are)");
  }
  if (scales.tensor_->allocation_type != kTfLiteMmapRo) {
    return Unsupported("scales of ", what, " must be constants of the model");
  }
  if (scales.block_ < 1 || columns % scales.block_ != 0) {
    return Invalid("blocks of ", what, " do not divide its rows (", scales.block_, ", ", columns,
                   ")");
  }
  scales.count_ = columns / scales.block_;
  if (Elements(scales.tensor_) != rows * scales.count_) {
    return Invalid("scales of ", what, " must be ", rows, " x ", scales.count_, " (",
                   Elements(scales.tensor_), ")");
  }
  TERN_RETURN_IF_ERROR(CheckData(scales.tensor_, "scales"));
  return scales;
}

}  // namespace tern
