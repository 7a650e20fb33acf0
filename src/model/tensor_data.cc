// SPDX-License-Identifier: Apache-2.0
// Finds constant data without reading it.

#include "model/tensor_data.h"

#include <limits>

#include "model/tensor_types.h"
#include "model/vectors.h"

namespace tern {
namespace {

// An address for constants without bytes.
alignas(64) constexpr uint8_t kNoValues[1] = {};

StatusOr<Bytes> FileRange(Bytes file, uint64_t offset, uint64_t size) {
  if (size > file.size() || offset > file.size() - size) {
    return Invalid("data outside the file (", offset, " + ", size, ", ", file.size(), ")");
  }
  return file.subspan(offset, size);
}

}  // namespace

StatusOr<int64_t> ElementCount(const flatbuffers::Vector<int32_t>* shape) {
  constexpr int64_t kMax = int64_t{1} << 40;
  int64_t product = 1;
  for (uint32_t i = 0; i < SizeOf(shape); ++i) {
    const int64_t extent = shape->Get(i);
    if (extent < 0) return Invalid("dimension ", i, " is negative (", extent, ")");
    if (__builtin_mul_overflow(product, extent, &product)) {
      product = std::numeric_limits<int64_t>::max();
    }
  }
  if (product > kMax) return TooLarge("too many elements (", product, ", ", kMax, ")");
  return product;
}

StatusOr<std::optional<Bytes>> BufferBytes(const tflite::Model& model, uint32_t index, Bytes file) {
  if (index == 0) return std::nullopt;
  const uint32_t count = SizeOf(model.buffers());
  if (index >= count) return Invalid("buffer index out of range (", index, ", ", count, ")");
  const tflite::Buffer* buffer = model.buffers()->Get(index);
  if (buffer->data() != nullptr) return Bytes(buffer->data()->data(), buffer->data()->size());
  if (buffer->offset() <= kUnsetOffset) return std::nullopt;
  TERN_ASSIGN_OR_RETURN(const Bytes bytes, FileRange(file, buffer->offset(), buffer->size()));
  return bytes;
}

StatusOr<std::optional<Bytes>> ConstantBytes(const tflite::Model& model,
                                             const tflite::Tensor& tensor, Bytes file) {
  if (tensor.type() == tflite::TensorType_RESOURCE || tensor.type() == tflite::TensorType_VARIANT) {
    return std::nullopt;
  }
  TERN_ASSIGN_OR_RETURN(const std::optional<Bytes> bytes,
                        BufferBytes(model, tensor.buffer(), file));
  // A sparse tensor may list no values: all are 0.
  if (tensor.sparsity() != nullptr) return bytes.value_or(Bytes(kNoValues).first(0));
  if (!bytes.has_value()) return std::nullopt;
  // An empty vector marks a constant only where the shape has no elements: some writers put empty
  // vectors into the buffers of computed tensors.
  if (bytes->empty()) {
    StatusOr<int64_t> elements = ElementCount(tensor.shape());
    if (!elements.ok() || *elements != 0) return std::nullopt;
    return bytes;
  }
  if (tensor.type() == tflite::TensorType_STRING) return bytes;
  TERN_ASSIGN_OR_RETURN(const int64_t elements, ElementCount(tensor.shape()));
  const auto needed = static_cast<uint64_t>(PackedBytes(tensor.type(), elements));
  if (needed > bytes->size()) {
    return Invalid(needed > UINT32_MAX ? "dimension overflow: " : "", "requires ", needed,
                   " bytes, but is allocated with ", bytes->size(), " bytes buffer");
  }
  return bytes->first(needed);
}

StatusOr<Bytes> CustomOptionBytes(const tflite::Operator& op, Bytes file) {
  if (op.custom_options() != nullptr) {
    return Bytes(op.custom_options()->data(), op.custom_options()->size());
  }
  if (op.large_custom_options_offset() <= kUnsetOffset) return Bytes();
  StatusOr<Bytes> bytes =
      FileRange(file, op.large_custom_options_offset(), op.large_custom_options_size());
  if (!bytes.ok()) return WithPrefix(bytes.status(), "custom options");
  return bytes;
}

}  // namespace tern
