// SPDX-License-Identifier: Apache-2.0
//
// The maker of the block of a tensor that lies outside the arena.
#ifndef TERN_RUNTIME_TENSOR_MEMORY_H_
#define TERN_RUNTIME_TENSOR_MEMORY_H_

#include "tensorflow/lite/core/c/common.h"

namespace tern {

// Types whose size the shape does not tell.
inline bool HasOpenSize(TfLiteType type) {
  return type == kTfLiteString || type == kTfLiteResource || type == kTfLiteVariant;
}

// The runtime gives memory to tensors of known size, from the user's `allocator` (null: malloc).
// The others get theirs from ops, which know of no allocator: malloc.
inline TfLiteAllocator* MakerOf(const TfLiteTensor& tensor, TfLiteAllocator* allocator) {
  return HasOpenSize(tensor.type) ? nullptr : allocator;
}

// Memory of tensors with these allocation types is freed with them.
inline bool OwnsBlock(const TfLiteTensor& tensor) {
  return tensor.allocation_type == kTfLiteDynamic || tensor.allocation_type == kTfLitePersistentRo;
}

inline void FreeTensorData(TfLiteTensor* tensor, TfLiteAllocator* allocator) {
  TfLiteTensorDataFreeWithAllocator(tensor, MakerOf(*tensor, allocator));
}

}  // namespace tern

#endif  // TERN_RUNTIME_TENSOR_MEMORY_H_
