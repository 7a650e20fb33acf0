// SPDX-License-Identifier: Apache-2.0
// Unpacks weights.
#include "ops/cpu_kit/small_integers.h"

#include "base/tensor/sparse_tensor.h"

namespace tern {

int SmallIntegerBits(TfLiteType type) {
  switch (type) {
    case kTfLiteInt8:
    case kTfLiteUInt8:
      return 8;
    case kTfLiteInt4:
      return 4;
    case kTfLiteInt2:
      return 2;
    default:
      return 0;
  }
}

StatusOr<const int8_t*> SmallIntegers::Get(const TfLiteTensor* t, const char* what) {
  const int bits = SmallIntegerBits(t->type);
  if (bits == 0) return Unsupported(what, " of type ", TypeText(t->type));
  if (!numbers_.empty() && IsConstant(t)) return numbers_.data();
  if (IsSparse(t)) {
    if (bits != 8) return Unsupported("sparse ", what, " of type ", TypeText(t->type));
    TERN_ASSIGN_OR_RETURN(numbers_, DenseElements<int8_t>(t, what));
    return numbers_.data();
  }
  TERN_RETURN_IF_ERROR(CheckData(t, what));
  if (bits == 8) return Data<int8_t>(t);
  const int64_t count = Elements(t);
  numbers_.resize(static_cast<size_t>(count));
  const uint8_t* bytes = Data<uint8_t>(t);
  for (int64_t i = 0; i < count; ++i) numbers_[i] = SmallIntegerAt(bytes, i, bits);
  return numbers_.data();
}

}  // namespace tern
