// SPDX-License-Identifier: Apache-2.0
// Checks of single tensors.

#include <cstring>
#include <optional>

#include "model/external_data.h"
#include "model/quantization.h"
#include "model/sparsity.h"
#include "model/tensor_types.h"
#include "model/vectors.h"
#include "model/verify_context.h"
#include "model/verify_model.h"

namespace tern {
namespace {

// A shape may hold -1 for «unknown» only while the tensor has no data. How many dimensions and
// elements are too many is for the ops to say.
Status CheckShape(const tflite::Tensor& tensor, bool has_data) {
  const auto* shape = tensor.shape();
  if (has_data) return ElementCount(shape).status();
  for (uint32_t i = 0; i < SizeOf(shape); ++i) {
    if (shape->Get(i) < -1) return Invalid("dimension ", i, " is negative (", shape->Get(i), ")");
  }
  return OkStatus();
}

int32_t Int32At(Bytes bytes, uint64_t position) {
  int32_t value;
  std::memcpy(&value, bytes.data() + position, sizeof(value));
  return flatbuffers::EndianScalar(value);
}

// Count, then count + 1 offsets, then characters: each string ends where the next begins.
Status CheckStrings(VerifyContext& context, const tflite::Tensor& tensor, Bytes bytes) {
  TERN_ASSIGN_OR_RETURN(const int64_t elements, ElementCount(tensor.shape()));
  if (bytes.size() < sizeof(int32_t)) return Invalid("is invalid (empty)");
  const int64_t count = Int32At(bytes, 0);
  constexpr int64_t kMaxCount = UINT32_MAX / sizeof(int32_t) - 2;
  if (count < 0 || count > kMaxCount) return Invalid("has invalid num of string set: ", count);
  const int64_t header = 4 * (count + 2);
  const auto size = static_cast<int64_t>(bytes.size());
  if (header > size) {
    return Invalid("buffer requires at least ", header, " bytes, but is allocated with ", size,
                   " bytes");
  }
  TERN_RETURN_IF_ERROR(context.Spend(static_cast<uint64_t>(count)));
  int64_t previous = Int32At(bytes, 4);
  if (previous != header) {
    return Invalid("buffer initial offset must be: ", header, " (is ", previous, ")");
  }
  for (int64_t i = 1; i <= count; ++i) {
    const int64_t offset = Int32At(bytes, static_cast<uint64_t>(4 * (i + 1)));
    if (offset < previous || offset > size) {
      return Invalid("buffer is invalid: index ", i, " (", previous, " to ", offset, ", ", size,
                     ")");
    }
    previous = offset;
  }
  if (previous != size) {
    return Invalid("buffer last offset must be ", size, " (is ", previous, ")");
  }
  if (count != elements) {
    return Invalid("buffer has ", count, " strings for ", elements, " elements");
  }
  return OkStatus();
}

Status CheckSparse(VerifyContext& context, const tflite::Tensor& tensor, Bytes bytes) {
  for (uint32_t i = 0; i < SizeOf(tensor.sparsity()->dim_metadata()); ++i) {
    const tflite::DimensionMetadata& level = *tensor.sparsity()->dim_metadata()->Get(i);
    if (level.array_segments_type() > tflite::SparseIndexVector_MAX ||
        level.array_indices_type() > tflite::SparseIndexVector_MAX) {
      return Invalid("has invalid sparsity parameters: unknown kind of index");
    }
    uint64_t count = 0;
    if (const auto* v = level.array_indices_as_Int32Vector()) count += SizeOf(v->values());
    if (const auto* v = level.array_indices_as_Uint16Vector()) count += SizeOf(v->values());
    if (const auto* v = level.array_indices_as_Uint8Vector()) count += SizeOf(v->values());
    TERN_RETURN_IF_ERROR(context.Spend(count));
  }
  const StatusOr<int64_t> stored = CheckSparsity(tensor);
  if (!stored.ok()) return WithPrefix(stored.status(), "has invalid sparsity parameters");
  const auto needed = static_cast<uint64_t>(PackedBytes(tensor.type(), *stored));
  if (needed > bytes.size()) {
    return Invalid("requires ", needed, " bytes, but is allocated with ", bytes.size(),
                   " bytes buffer");
  }
  return OkStatus();
}

Status CheckData(VerifyContext& context, const tflite::Tensor& tensor, Bytes bytes) {
  if (tensor.is_variable()) return Invalid("a variable cannot have constant data");
  if (tensor.sparsity() != nullptr) return CheckSparse(context, tensor, bytes);
  if (tensor.type() == tflite::TensorType_STRING && !bytes.empty()) {
    return CheckStrings(context, tensor, bytes);
  }
  return OkStatus();
}

// Whether the bytes are there is for whoever opens the file to see.
Status CheckExternal(VerifyContext& context, const tflite::Tensor& tensor, bool has_data) {
  if (has_data) {
    return Invalid("has data of its own and in external buffer ", tensor.external_buffer());
  }
  if (tensor.is_variable()) return Invalid("a variable cannot have constant data");
  if (tensor.sparsity() != nullptr) return Unsupported("sparse data in an external buffer");
  if (ElementBits(tensor.type()) == 0) {
    return Unsupported("data of type ", tflite::EnumNameTensorType(tensor.type()),
                       " in an external buffer");
  }
  TERN_RETURN_IF_ERROR(context.Spend(SizeOf(context.model().external_buffers())));
  return FindExternalBuffer(context.model(), tensor.external_buffer()).status();
}

Status CheckTensor(VerifyContext& context, const tflite::Tensor& tensor, int tensor_count,
                   uint8_t* flags) {
  TERN_RETURN_IF_ERROR(RuntimeType(tensor.type()).status());
  if (tensor.buffer() != 0 && tensor.buffer() >= SizeOf(context.model().buffers())) {
    return Invalid("specifies out of range buffer ", tensor.buffer(), " (only ",
                   SizeOf(context.model().buffers()), " buffers)");
  }
  TERN_ASSIGN_OR_RETURN(const std::optional<Bytes> data,
                        ConstantBytes(context.model(), tensor, context.file()));
  const bool external = tensor.external_buffer() != 0;
  if (external) TERN_RETURN_IF_ERROR(CheckExternal(context, tensor, data.has_value()));
  if (data.has_value() || external) *flags |= kConstantTensor;
  if (tensor.is_variable()) *flags |= kVariableTensor;
  TERN_RETURN_IF_ERROR(CheckShape(tensor, data.has_value() || external));
  TERN_RETURN_IF_ERROR(context.Spend(SizeOf(tensor.shape_signature())));
  if (data.has_value()) TERN_RETURN_IF_ERROR(CheckData(context, tensor, *data));
  if (SizeOf(tensor.variant_tensors()) > 1) return Invalid("more than one variant type");
  if (tensor.quantization() == nullptr) return OkStatus();
  TERN_RETURN_IF_ERROR(context.Spend(SizeOf(tensor.quantization()->scale())));
  return CheckQuantization(tensor, tensor_count);
}

}  // namespace

Status VerifyTensors(VerifyContext& context, uint32_t index, TensorFlags& flags, TensorText text) {
  const tflite::SubGraph& subgraph = *context.model().subgraphs()->Get(index);
  const auto* tensors = subgraph.tensors();
  const uint32_t count = SizeOf(tensors);
  flags.assign(count, 0);
  for (uint32_t i = 0; i < count; ++i) {
    const Status status =
        CheckTensor(context, *tensors->Get(i), static_cast<int>(count), &flags[i]);
    if (!status.ok() && text == TensorText::kName) {
      return Status(status.code(), StrCat(NamedTensor(*tensors->Get(i)), " ", Message(status)));
    }
    if (!status.ok()) return WithPrefix(status, TensorLabel(subgraph, index, i));
  }
  return OkStatus();
}

}  // namespace tern
