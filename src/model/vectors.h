// SPDX-License-Identifier: Apache-2.0
// Reading flatbuffer vectors that may be absent, or whose 64-bit elements need not be aligned.
#ifndef TERN_MODEL_VECTORS_H_
#define TERN_MODEL_VECTORS_H_

#include <cstdint>
#include <cstring>

#include "flatbuffers/flatbuffers.h"

namespace tern {

inline int64_t Int64At(const flatbuffers::Vector<int64_t>& vector, uint32_t index) {
  int64_t value;
  std::memcpy(&value, vector.Data() + index * sizeof(int64_t), sizeof(value));
  return flatbuffers::EndianScalar(value);
}

template <typename Vector>
uint32_t SizeOf(const Vector* vector) {
  return vector != nullptr ? vector->size() : 0;
}

}  // namespace tern

#endif  // TERN_MODEL_VECTORS_H_
