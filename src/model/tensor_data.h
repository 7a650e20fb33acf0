// SPDX-License-Identifier: Apache-2.0
// Where a model keeps the bytes of a tensor or of a custom op: inside the flatbuffer or further
// back in the file. Nothing here reads the bytes themselves.
#ifndef TERN_MODEL_TENSOR_DATA_H_
#define TERN_MODEL_TENSOR_DATA_H_

#include <cstdint>
#include <optional>
#include <span>

#include "base/status.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

// Writers put 1 into offset fields that they have not filled.
inline constexpr uint64_t kUnsetOffset = 1;

using Bytes = std::span<const uint8_t>;

// Elements of a shape (1 for rank 0). Error: a negative extent, or more elements than memory can
// hold. How many are too many for an op is for the op to say.
StatusOr<int64_t> ElementCount(const flatbuffers::Vector<int32_t>* shape);

// The bytes of buffer `index`, or nothing when the buffer holds no data. `file` is the whole model
// file (empty when the model is not a file: then data outside the flatbuffer is an error). Errors:
// bad index, range outside the file.
StatusOr<std::optional<Bytes>> BufferBytes(const tflite::Model& model, uint32_t index, Bytes file);

// The constant data of a tensor, or nothing when the tensor is computed at run time. Exactly as
// long as type and shape need (strings and sparse tensors: the whole buffer). A zero-size constant
// gives an empty span. The address is aligned to 4 bytes only: copy before reading 8-byte elements
// in place.
StatusOr<std::optional<Bytes>> ConstantBytes(const tflite::Model& model,
                                             const tflite::Tensor& tensor, Bytes file);

// The options of a custom op; empty when there are none.
StatusOr<Bytes> CustomOptionBytes(const tflite::Operator& op, Bytes file);

}  // namespace tern

#endif  // TERN_MODEL_TENSOR_DATA_H_
