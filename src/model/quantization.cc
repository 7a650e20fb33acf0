// SPDX-License-Identifier: Apache-2.0
// Affine, blockwise and multi-axis quantization.

#include "model/quantization.h"

#include <cstdlib>

#include "model/vectors.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {
namespace {

// Checks the counts of scales and zero points. Their values are checked by the ops that compute
// with them, because others only move the elements.
Status CheckAffine(const tflite::Tensor& tensor, const tflite::QuantizationParameters& q) {
  const uint32_t count = SizeOf(q.scale());
  if (count == 0) return OkStatus();
  if (q.zero_point() == nullptr) return Invalid("quantization has scales but no zero points");
  if (q.zero_point()->size() != count) {
    return Invalid("quantization has ", count, " scales and ", q.zero_point()->size(),
                   " zero points");
  }
  if (count > 1) {
    const int axis = q.quantized_dimension();
    const int rank = static_cast<int>(SizeOf(tensor.shape()));
    if (axis < 0 || axis >= rank) {
      return Invalid("quantized dimension is out of range (", axis, ", ", rank, ")");
    }
    const int32_t extent = tensor.shape()->Get(axis);
    if (extent != static_cast<int64_t>(count)) {
      return Invalid("quantization has ", count, " scales for ", extent, " channels");
    }
  }
  return OkStatus();
}

Status CheckTensorIndex(const char* what, int index, int lowest, int tensor_count) {
  if (index >= lowest && index < tensor_count) return OkStatus();
  return Invalid("quantization ", what, " tensor is out of range (", index, ", ", tensor_count,
                 ")");
}

// Which axis the blocks lie along is for the ops to know: exporters name axis 0 for weights whose
// rows are cut into blocks.
Status CheckBlockwise(const tflite::Tensor& tensor, const tflite::QuantizationParameters& q,
                      const tflite::BlockwiseQuantization& details, int tensor_count) {
  TERN_RETURN_IF_ERROR(CheckTensorIndex("scale", details.scales(), 0, tensor_count));
  TERN_RETURN_IF_ERROR(CheckTensorIndex("zero point", details.zero_points(), -1, tensor_count));
  const int rank = static_cast<int>(SizeOf(tensor.shape()));
  const int axis = q.quantized_dimension();
  if (axis < 0 || axis >= rank) {
    return Invalid("quantized dimension is out of range (", axis, ", ", rank, ")");
  }
  if (details.block_size() <= 0) {
    return Invalid("block size must be positive (", details.block_size(), ")");
  }
  return OkStatus();
}

Status CheckMultiAxis(const tflite::Tensor& tensor, const tflite::MultiAxisQuantization& details,
                      int tensor_count) {
  TERN_RETURN_IF_ERROR(CheckTensorIndex("scale", details.scales(), 0, tensor_count));
  TERN_RETURN_IF_ERROR(CheckTensorIndex("zero point", details.zero_points(), -1, tensor_count));
  if (details.block_size() < 0) {
    return Invalid("block size must not be negative (", details.block_size(), ")");
  }
  const int rank = static_cast<int>(SizeOf(tensor.shape()));
  if (SizeOf(details.quantized_dimensions()) == 0) return Invalid("no quantized dimensions");
  for (const int axis : *details.quantized_dimensions()) {
    if (axis < 0 || axis >= rank) {
      return Invalid("quantized dimension is out of range (", axis, ", ", rank, ")");
    }
  }
  return OkStatus();
}

template <typename T>
T* Allocate() {
  return static_cast<T*>(std::calloc(1, sizeof(T)));
}

Status NoMemory() { return TooLarge("no memory for quantization parameters"); }

StatusOr<TfLiteQuantization> ReadAffine(const tflite::QuantizationParameters& q) {
  TfLiteQuantization result = {kTfLiteNoQuantization, nullptr};
  const int count = static_cast<int>(SizeOf(q.scale()));
  if (count == 0) return result;
  auto* affine = Allocate<TfLiteAffineQuantization>();
  if (affine == nullptr) return NoMemory();
  result = {kTfLiteAffineQuantization, affine};
  affine->scale = TfLiteFloatArrayCreate(count);
  affine->zero_point = TfLiteIntArrayCreate(count);
  if (affine->scale == nullptr || affine->zero_point == nullptr) {
    TfLiteQuantizationFree(&result);
    return NoMemory();
  }
  for (int i = 0; i < count; ++i) {
    affine->scale->data[i] = q.scale()->Get(i);
    affine->zero_point->data[i] = static_cast<int>(Int64At(*q.zero_point(), i));
  }
  affine->quantized_dimension = q.quantized_dimension();
  return result;
}

StatusOr<TfLiteQuantization> ReadBlockwise(const tflite::QuantizationParameters& q,
                                           const tflite::BlockwiseQuantization& details) {
  auto* blockwise = Allocate<TfLiteBlockwiseQuantization>();
  if (blockwise == nullptr) return NoMemory();
  blockwise->scale = details.scales();
  blockwise->zero_point = details.zero_points();
  blockwise->blocksize = details.block_size();
  blockwise->quantized_dimension = q.quantized_dimension();
  return TfLiteQuantization{kTfLiteBlockwiseQuantization, blockwise};
}

StatusOr<TfLiteQuantization> ReadMultiAxis(const tflite::MultiAxisQuantization& details) {
  auto* multi = Allocate<TfLiteMultiAxisQuantization>();
  if (multi == nullptr) return NoMemory();
  TfLiteQuantization result = {kTfLiteMultiAxisQuantization, multi};
  multi->scales = details.scales();
  multi->zero_points = details.zero_points();
  multi->blocksize = details.block_size();
  const auto& dimensions = *details.quantized_dimensions();
  multi->quantized_dimensions = TfLiteIntArrayCreate(static_cast<int>(dimensions.size()));
  if (multi->quantized_dimensions == nullptr) {
    TfLiteQuantizationFree(&result);
    return NoMemory();
  }
  for (uint32_t i = 0; i < dimensions.size(); ++i) {
    multi->quantized_dimensions->data[i] = dimensions.Get(i);
  }
  return result;
}

}  // namespace

Status CheckQuantization(const tflite::Tensor& tensor, int tensor_count) {
  const tflite::QuantizationParameters* q = tensor.quantization();
  if (q == nullptr) return OkStatus();
  if (q->details_type() > tflite::QuantizationDetails_MAX) {
    return Invalid("unknown kind of quantization (", static_cast<int>(q->details_type()), ")");
  }
  const bool needs_table = q->details_type() == tflite::QuantizationDetails_BlockwiseQuantization ||
                           q->details_type() == tflite::QuantizationDetails_MultiAxisQuantization;
  if (needs_table && q->details() == nullptr) {
    return Invalid("quantization by blocks or axes has no table");
  }
  if (const auto* blockwise = q->details_as_BlockwiseQuantization()) {
    return CheckBlockwise(tensor, *q, *blockwise, tensor_count);
  }
  if (const auto* multi = q->details_as_MultiAxisQuantization()) {
    return CheckMultiAxis(tensor, *multi, tensor_count);
  }
  return CheckAffine(tensor, *q);
}

StatusOr<TfLiteQuantization> ReadQuantization(const tflite::Tensor& tensor, int tensor_count) {
  TERN_RETURN_IF_ERROR(CheckQuantization(tensor, tensor_count));
  const tflite::QuantizationParameters* q = tensor.quantization();
  if (q == nullptr) return TfLiteQuantization{kTfLiteNoQuantization, nullptr};
  if (const auto* blockwise = q->details_as_BlockwiseQuantization()) {
    return ReadBlockwise(*q, *blockwise);
  }
  if (const auto* multi = q->details_as_MultiAxisQuantization()) return ReadMultiAxis(*multi);
  return ReadAffine(*q);
}

TfLiteQuantizationParams LegacyParams(const TfLiteQuantization& quantization) {
  if (quantization.type != kTfLiteAffineQuantization) return {0.0f, 0};
  const auto& affine = *static_cast<const TfLiteAffineQuantization*>(quantization.params);
  if (affine.scale->size != 1) return {0.0f, 0};
  return {affine.scale->data[0], affine.zero_point->data[0]};
}

}  // namespace tern
