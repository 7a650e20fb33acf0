// SPDX-License-Identifier: Apache-2.0
// Copies of inputs that lack slack at their end.
#include "ops/fast_input.h"

#include <algorithm>

#include "cpu/xnn_op.h"

namespace tern {

const float* FastInput::Get(const TfLiteTensor* tensor) {
  const float* data = Data<float>(tensor);
  if (tensor->allocation_type == kTfLiteArenaRw ||
      tensor->allocation_type == kTfLiteArenaRwPersistent) {
    return data;
  }
  const size_t count = static_cast<size_t>(Elements(tensor));
  const size_t size = count + kXnnExtraBytes / sizeof(float);
  const bool fixed = tensor->allocation_type == kTfLiteMmapRo;
  if (fixed && copied_ == data && copy_.size() == size) return copy_.data();
  copy_.resize(size);
  std::copy(data, data + count, copy_.begin());
  copied_ = fixed ? data : nullptr;
  return copy_.data();
}

}  // namespace tern
