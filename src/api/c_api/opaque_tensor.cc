// SPDX-License-Identifier: Apache-2.0
// Opaque view of tensors and the builder of new ones.
#include <cstring>

#include "api/c_api/handles.h"
#include "api/c_api/opaque_handles.h"
#include "tensorflow/lite/string_util.h"

using tern::c_api::AnyIsNull;
using tern::c_api::IsNull;
using tern::c_api::Plain;

TfLiteType TfLiteOpaqueTensorType(const TfLiteOpaqueTensor* opaque_tensor) {
  if (IsNull(opaque_tensor, __func__)) return kTfLiteNoType;
  return Plain(opaque_tensor)->type;
}

int32_t TfLiteOpaqueTensorNumDims(const TfLiteOpaqueTensor* opaque_tensor) {
  return TfLiteTensorNumDims(Plain(opaque_tensor));
}

int32_t TfLiteOpaqueTensorDim(const TfLiteOpaqueTensor* opaque_tensor, int32_t dim_index) {
  return TfLiteTensorDim(Plain(opaque_tensor), dim_index);
}

TfLiteStatus TfLiteOpaqueTensorGetNumDimsSignature(const TfLiteOpaqueTensor* opaque_tensor,
                                                   int32_t* num_dims) {
  if (AnyIsNull(__func__, opaque_tensor, num_dims)) return kTfLiteError;
  const TfLiteIntArray* signature = Plain(opaque_tensor)->dims_signature;
  *num_dims = signature == nullptr ? -1 : signature->size;
  return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueTensorGetDimSignature(const TfLiteOpaqueTensor* opaque_tensor,
                                               int32_t dim_index, int32_t* dim_length) {
  if (AnyIsNull(__func__, opaque_tensor, dim_length)) return kTfLiteError;
  const TfLiteIntArray* signature = Plain(opaque_tensor)->dims_signature;
  if (signature == nullptr || dim_index < 0 || dim_index >= signature->size) {
    *dim_length = -1;
    return signature == nullptr ? kTfLiteOk : kTfLiteError;
  }
  *dim_length = signature->data[dim_index];
  return kTfLiteOk;
}

int TfLiteOpaqueTensorIsVariable(const TfLiteOpaqueTensor* opaque_tensor) {
  if (IsNull(opaque_tensor, __func__)) return 0;
  return Plain(opaque_tensor)->is_variable ? 1 : 0;
}

size_t TfLiteOpaqueTensorByteSize(const TfLiteOpaqueTensor* opaque_tensor) {
  if (IsNull(opaque_tensor, __func__)) return 0;
  return Plain(opaque_tensor)->bytes;
}

void* TfLiteOpaqueTensorData(const TfLiteOpaqueTensor* opaque_tensor) {
  return opaque_tensor == nullptr ? nullptr : Plain(opaque_tensor)->data.data;
}

TfLiteAllocationType TfLiteOpaqueTensorGetAllocationType(const TfLiteOpaqueTensor* opaque_tensor) {
  if (IsNull(opaque_tensor, __func__)) return kTfLiteMemNone;
  return Plain(opaque_tensor)->allocation_type;
}

TfLiteAllocationStrategy TfLiteOpaqueTensorGetAllocationStrategy(const TfLiteOpaqueTensor* t) {
  if (IsNull(t, __func__)) return kTfLiteAllocationStrategyUnknown;
  return TfLiteTensorGetAllocationStrategy(Plain(t));
}

TfLiteRunStability TfLiteOpaqueTensorGetBufferAddressStability(const TfLiteOpaqueTensor* t) {
  if (IsNull(t, __func__)) return kTfLiteRunStabilityUnknown;
  return TfLiteTensorGetBufferAddressStability(Plain(t));
}

TfLiteRunStability TfLiteOpaqueTensorGetDataStability(const TfLiteOpaqueTensor* t) {
  if (IsNull(t, __func__)) return kTfLiteRunStabilityUnknown;
  return TfLiteTensorGetDataStability(Plain(t));
}

TfLiteRunStep TfLiteOpaqueTensorGetDataKnownStep(const TfLiteOpaqueTensor* t) {
  if (IsNull(t, __func__)) return kTfLiteRunStepUnknown;
  return TfLiteTensorGetDataKnownStep(Plain(t));
}

TfLiteRunStep TfLiteOpaqueTensorGetShapeKnownStep(const TfLiteOpaqueTensor* t) {
  if (IsNull(t, __func__)) return kTfLiteRunStepUnknown;
  return TfLiteTensorGetShapeKnownStep(Plain(t));
}

const char* TfLiteOpaqueTensorName(const TfLiteOpaqueTensor* opaque_tensor) {
  if (IsNull(opaque_tensor, __func__)) return nullptr;
  return Plain(opaque_tensor)->name;
}

TfLiteQuantization TfLiteOpaqueTensorGetQuantization(const TfLiteOpaqueTensor* opaque_tensor) {
  if (IsNull(opaque_tensor, __func__)) return {};
  return Plain(opaque_tensor)->quantization;
}

TfLiteQuantizationParams TfLiteOpaqueTensorGetQuantizationParams(
    const TfLiteOpaqueTensor* opaque_tensor) {
  if (IsNull(opaque_tensor, __func__)) return {};
  return Plain(opaque_tensor)->params;
}

TfLiteStatus TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueTensor* opaque_tensor,
                                              const void* input_data, size_t input_data_size) {
  return TfLiteTensorCopyFromBuffer(Plain(opaque_tensor), input_data, input_data_size);
}

TfLiteStatus TfLiteOpaqueTensorCopyToBuffer(const TfLiteOpaqueTensor* opaque_tensor,
                                            void* output_data, size_t output_data_size) {
  return TfLiteTensorCopyToBuffer(Plain(opaque_tensor), output_data, output_data_size);
}

int TfLiteOpaqueTensorGetStringCount(const TfLiteOpaqueTensor* tensor) {
  if (IsNull(tensor, __func__)) return -1;
  return Plain(tensor)->type != kTfLiteString ? -1 : tflite::GetStringCount(Plain(tensor));
}

TfLiteStatus TfLiteOpaqueTensorGetString(const TfLiteOpaqueTensor* tensor, int index,
                                         const char** str, int* len) {
  if (AnyIsNull(__func__, tensor, str, len)) return kTfLiteError;
  if (index < 0 || index >= TfLiteOpaqueTensorGetStringCount(tensor)) {
    return kTfLiteError;
  }
  const tflite::StringRef found = tflite::GetString(Plain(tensor), index);
  *str = found.str;
  *len = static_cast<int>(found.len);
  return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueTensorWriteStrings(TfLiteOpaqueTensor* tensor,
                                            const char* const* str_array, int str_array_len,
                                            const int* str_n_len) {
  if (IsNull(tensor, __func__)) return kTfLiteError;
  if (str_array_len > 0 && AnyIsNull(__func__, str_array, str_n_len)) return kTfLiteError;
  if (str_array_len < 0 || Plain(tensor)->type != kTfLiteString) {
    return kTfLiteError;
  }
  tflite::DynamicBuffer buffer;
  for (int i = 0; i < str_array_len; ++i) {
    if (IsNull(str_array[i], __func__)) return kTfLiteError;
    if (str_n_len[i] < 0 ||
        buffer.AddString(str_array[i], static_cast<size_t>(str_n_len[i])) != kTfLiteOk) {
      return kTfLiteError;
    }
  }
  buffer.WriteToTensorAsVector(Plain(tensor));
  return kTfLiteOk;
}

TfLiteStatus TfLiteOpaqueTensorWriteString(TfLiteOpaqueTensor* tensor, const char* str, int len) {
  return TfLiteOpaqueTensorWriteStrings(tensor, &str, 1, &len);
}

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderCreate(void) {
  return new TfLiteOpaqueTensorBuilder;
}

void TfLiteOpaqueTensorBuilderDelete(TfLiteOpaqueTensorBuilder* builder) { delete builder; }

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetType(TfLiteOpaqueTensorBuilder* builder,
                                                            TfLiteType type) {
  if (IsNull(builder, __func__)) return nullptr;
  builder->type = type;
  return builder;
}

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetData(TfLiteOpaqueTensorBuilder* builder,
                                                            void* data) {
  if (IsNull(builder, __func__)) return nullptr;
  builder->data = data;
  return builder;
}

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetAllocationType(
    TfLiteOpaqueTensorBuilder* builder, TfLiteAllocationType allocation_type) {
  if (IsNull(builder, __func__)) return nullptr;
  builder->allocation_type = allocation_type;
  return builder;
}

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetQuantizationParams(
    TfLiteOpaqueTensorBuilder* builder, TfLiteQuantizationParams params) {
  if (IsNull(builder, __func__)) return nullptr;
  builder->params = params;
  return builder;
}

TfLiteOpaqueTensorBuilder* TfLiteOpaqueTensorBuilderSetQuantization(
    TfLiteOpaqueTensorBuilder* builder, TfLiteQuantization quantization) {
  if (IsNull(builder, __func__)) return nullptr;
  builder->quantization = quantization;
  return builder;
}

void TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueTensor* tensor) {
  if (IsNull(tensor, __func__)) return;
  if (Plain(tensor)->allocation_type != kTfLiteDynamic) {
    TfLiteTensorDataFree(Plain(tensor));
    Plain(tensor)->allocation_type = kTfLiteDynamic;
  }
}

void TfLiteOpaqueTensorSetNonCpuAllocation(TfLiteOpaqueTensor* tensor) {
  if (IsNull(tensor, __func__)) return;
  TfLiteTensorDataFree(Plain(tensor));
  Plain(tensor)->allocation_type = kTfLiteNonCpu;
}
