// SPDX-License-Identifier: Apache-2.0
// The C API: signatures and tensors.
#include <cstring>

#include "api/c_api/handles.h"
#include "tensorflow/lite/minimal_logging.h"

using tern::c_api::IsNull;

namespace {

// Whether `size` bytes at `buffer` can be exchanged with the tensor's data.
bool CanCopy(const TfLiteTensor& tensor, const void* buffer, size_t size, const char* function) {
  if (tensor.bytes != size) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "%s: the buffer has %zu bytes, the tensor %zu.",
                    function, size, tensor.bytes);
    return false;
  }
  if (size == 0) return true;
  if (tensor.type == kTfLiteResource || tensor.type == kTfLiteVariant) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "%s: a %s is a pointer of the runtime.", function,
                    TfLiteTypeGetName(tensor.type));
    return false;
  }
  if (tensor.data.data == nullptr) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "%s: the tensor has no memory yet.", function);
    return false;
  }
  return !IsNull(buffer, function);
}

const char* NameAt(const std::vector<const char*>& names, int32_t index) {
  return index < 0 || static_cast<size_t>(index) >= names.size()
             ? nullptr
             : names[static_cast<size_t>(index)];
}

}  // namespace

int32_t TfLiteInterpreterGetSignatureCount(const TfLiteInterpreter* interpreter) {
  if (IsNull(interpreter, __func__)) return 0;
  return static_cast<int32_t>(interpreter->impl->signature_keys().size());
}

const char* TfLiteInterpreterGetSignatureKey(const TfLiteInterpreter* interpreter,
                                             int32_t signature_index) {
  if (IsNull(interpreter, __func__)) return nullptr;
  const std::vector<const std::string*> keys = interpreter->impl->signature_keys();
  if (signature_index < 0 || static_cast<size_t>(signature_index) >= keys.size()) {
    return nullptr;
  }
  return keys[static_cast<size_t>(signature_index)]->c_str();
}

TfLiteSignatureRunner* TfLiteInterpreterGetSignatureRunner(const TfLiteInterpreter* interpreter,
                                                           const char* signature_key) {
  if (IsNull(interpreter, __func__)) return nullptr;
  tflite::SignatureRunner* runner = interpreter->impl->GetSignatureRunner(signature_key);
  return runner == nullptr ? nullptr : new TfLiteSignatureRunner{runner};
}

size_t TfLiteSignatureRunnerGetInputCount(const TfLiteSignatureRunner* signature_runner) {
  if (IsNull(signature_runner, __func__)) return 0;
  return signature_runner->impl->input_size();
}

const char* TfLiteSignatureRunnerGetInputName(const TfLiteSignatureRunner* signature_runner,
                                              int32_t input_index) {
  if (IsNull(signature_runner, __func__)) return nullptr;
  return NameAt(signature_runner->impl->input_names(), input_index);
}

TfLiteStatus TfLiteSignatureRunnerResizeInputTensor(TfLiteSignatureRunner* signature_runner,
                                                    const char* input_name, const int* input_dims,
                                                    int32_t input_dims_size) {
  if (IsNull(signature_runner, __func__)) return kTfLiteError;
  const auto shape = tern::c_api::ShapeOf(input_dims, input_dims_size, __func__);
  if (!shape.has_value()) return kTfLiteError;
  return signature_runner->impl->ResizeInputTensorStrict(input_name, *shape);
}

TfLiteStatus TfLiteSignatureRunnerAllocateTensors(TfLiteSignatureRunner* signature_runner) {
  if (IsNull(signature_runner, __func__)) return kTfLiteError;
  return signature_runner->impl->AllocateTensors();
}

TfLiteTensor* TfLiteSignatureRunnerGetInputTensor(TfLiteSignatureRunner* signature_runner,
                                                  const char* input_name) {
  if (IsNull(signature_runner, __func__)) return nullptr;
  return signature_runner->impl->input_tensor(input_name);
}

TfLiteStatus TfLiteSignatureRunnerInvoke(TfLiteSignatureRunner* signature_runner) {
  if (IsNull(signature_runner, __func__)) return kTfLiteError;
  return signature_runner->impl->Invoke();
}

TfLiteStatus TfLiteSignatureRunnerCancel(TfLiteSignatureRunner* signature_runner) {
  if (IsNull(signature_runner, __func__)) return kTfLiteError;
  return signature_runner->impl->Cancel();
}

size_t TfLiteSignatureRunnerGetOutputCount(const TfLiteSignatureRunner* signature_runner) {
  if (IsNull(signature_runner, __func__)) return 0;
  return signature_runner->impl->output_size();
}

const char* TfLiteSignatureRunnerGetOutputName(const TfLiteSignatureRunner* signature_runner,
                                               int32_t output_index) {
  if (IsNull(signature_runner, __func__)) return nullptr;
  return NameAt(signature_runner->impl->output_names(), output_index);
}

const TfLiteTensor* TfLiteSignatureRunnerGetOutputTensor(
    const TfLiteSignatureRunner* signature_runner, const char* output_name) {
  if (IsNull(signature_runner, __func__)) return nullptr;
  return signature_runner->impl->output_tensor(output_name);
}

void TfLiteSignatureRunnerDelete(TfLiteSignatureRunner* signature_runner) {
  delete signature_runner;
}

TfLiteType TfLiteTensorType(const TfLiteTensor* tensor) {
  if (IsNull(tensor, __func__)) return kTfLiteNoType;
  return tensor->type;
}

int32_t TfLiteTensorNumDims(const TfLiteTensor* tensor) {
  if (IsNull(tensor, __func__)) return -1;
  return tensor->dims == nullptr ? -1 : tensor->dims->size;
}

int32_t TfLiteTensorDim(const TfLiteTensor* tensor, int32_t dim_index) {
  if (IsNull(tensor, __func__)) return -1;
  const TfLiteIntArray* dims = tensor->dims;
  return dims == nullptr || dim_index < 0 || dim_index >= dims->size ? -1 : dims->data[dim_index];
}

size_t TfLiteTensorByteSize(const TfLiteTensor* tensor) {
  if (IsNull(tensor, __func__)) return 0;
  return tensor->bytes;
}

void* TfLiteTensorData(const TfLiteTensor* tensor) {
  if (IsNull(tensor, __func__)) return nullptr;
  return tensor->data.data;
}

const char* TfLiteTensorName(const TfLiteTensor* tensor) {
  if (IsNull(tensor, __func__)) return nullptr;
  return tensor->name;
}

TfLiteQuantizationParams TfLiteTensorQuantizationParams(const TfLiteTensor* tensor) {
  if (IsNull(tensor, __func__)) return {};
  return tensor->params;
}

TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor* tensor, const void* input_data,
                                        size_t input_data_size) {
  if (IsNull(tensor, __func__)) return kTfLiteError;
  if (!CanCopy(*tensor, input_data, input_data_size, __func__)) return kTfLiteError;
  if (tensor->allocation_type == kTfLiteMmapRo) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_ERROR, "%s: the tensor is a constant of the model.",
                    __func__);
    return kTfLiteError;
  }
  if (input_data_size > 0) std::memcpy(tensor->data.raw, input_data, input_data_size);
  return kTfLiteOk;
}

TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor* output_tensor, void* output_data,
                                      size_t output_data_size) {
  if (IsNull(output_tensor, __func__)) return kTfLiteError;
  if (!CanCopy(*output_tensor, output_data, output_data_size, __func__)) return kTfLiteError;
  if (output_data_size > 0) {
    std::memcpy(output_data, output_tensor->data.raw_const, output_data_size);
  }
  return kTfLiteOk;
}
