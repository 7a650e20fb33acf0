// SPDX-License-Identifier: Apache-2.0
// Sparse constant tensors: checks, and file form to C struct.
#ifndef TERN_MODEL_SPARSITY_H_
#define TERN_MODEL_SPARSITY_H_

#include <cstdint>

#include "base/status.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

// Checks traversal order, block map and every level's segments and indices against the shape.
// Returns how many elements the tensor stores.
StatusOr<int64_t> CheckSparsity(const tflite::Tensor& tensor);

// The C struct, owned by the caller (TfLiteSparsityFree); null for a dense tensor. Checks again.
StatusOr<TfLiteSparsity*> ReadSparsity(const tflite::Tensor& tensor);

}  // namespace tern

#endif  // TERN_MODEL_SPARSITY_H_
