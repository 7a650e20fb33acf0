// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a model file as a span.
#ifndef TERN_API_INTERPRETER_FILE_BYTES_H_
#define TERN_API_INTERPRETER_FILE_BYTES_H_

#include <cstdint>
#include <span>

#include "tensorflow/lite/allocation.h"

namespace tern {

// Empty without an allocation.
inline std::span<const uint8_t> FileBytes(const tflite::Allocation* allocation) {
  if (allocation == nullptr || !allocation->valid()) return {};
  return {static_cast<const uint8_t*>(allocation->base()), allocation->bytes()};
}

}  // namespace tern

#endif  // TERN_API_INTERPRETER_FILE_BYTES_H_
