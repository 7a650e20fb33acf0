// SPDX-License-Identifier: Apache-2.0
//
// Copies of badly aligned constants.
#include "runtime/owned_constants.h"

#include <cstring>
#include <utility>

namespace tern {

size_t ElementAlignment(TfLiteType type) {
  switch (type) {
    case kTfLiteFloat64:
    case kTfLiteComplex128:
    case kTfLiteInt64:
    case kTfLiteUInt64:
      return 8;
    case kTfLiteInt16:
    case kTfLiteUInt16:
    case kTfLiteFloat16:
    case kTfLiteBFloat16:
      return 2;
    case kTfLiteInt8:
    case kTfLiteUInt8:
    case kTfLiteBool:
    case kTfLiteInt4:
    case kTfLiteUInt4:
    case kTfLiteInt2:
    case kTfLiteFloat8E4M3FN:
    case kTfLiteFloat8E5M2:
      return 1;
    default:
      return 4;
  }
}

const char* OwnedConstants::Copy(int tensor_index, const char* data, size_t bytes) {
  auto block = std::make_unique<Arena>(nullptr);
  if (!block->Reserve(bytes)) return nullptr;
  std::memcpy(block->base(), data, bytes);
  const char* copy = block->base();
  copies_[tensor_index] = std::move(block);
  return copy;
}

}  // namespace tern
