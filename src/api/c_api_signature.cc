// SPDX-License-Identifier: Apache-2.0
// The C API: signatures and tensors.
#include <cstring>

#include "api/c_api_internal.h"

namespace {

const char* NameAt(const std::vector<const char*>& names, int32_t index) {
  return index < 0 || static_cast<size_t>(index) >= names.size()
             ? nullptr
             : names[static_cast<size_t>(index)];
}

}  // namespace

int32_t TfLiteInterpreterGetSignatureCount(const TfLiteInterpreter* interpreter) {
  return static_cast<int32_t>(interpreter->impl->signature_keys().size());
}

const char* TfLiteInterpreterGetSignatureKey(const TfLiteInterpreter* interpreter,
                                             int32_t signature_index) {
  const std::vector<const std::string*> keys = interpreter->impl->signature_keys();
  if (signature_index < 0 || static_cast<size_t>(signature_index) >= keys.size()) {
    return nullptr;
  }
  return keys[static_cast<size_t>(signature_index)]->c_str();
}

TfLiteSignatureRunner* TfLiteInterpreterGetSignatureRunner(const TfLiteInterpreter* interpreter,
                                                           const char* signature_key) {
  tflite::SignatureRunner* runner = interpreter->impl->GetSignatureRunner(signature_key);
  return runner == nullptr ? nullptr : new TfLiteSignatureRunner{runner};
}

size_t TfLiteSignatureRunnerGetInputCount(const TfLiteSignatureRunner* signature_runner) {
  return signature_runner->impl->input_size();
}

const char* TfLiteSignatureRunnerGetInputName(const TfLiteSignatureRunner* signature_runner,
                                              int32_t input_index) {
  return NameAt(signature_runner->impl->input_names(), input_index);
}

TfLiteStatus TfLiteSignatureRunnerResizeInputTensor(TfLiteSignatureRunner* signature_runner,
                                                    const char* input_name, const int* input_dims,
                                                    int32_t input_dims_size) {
  if (input_dims_size < 0) {
    return kTfLiteError;
  }
  return signature_runner->impl->ResizeInputTensorStrict(
      input_name, std::vector<int>(input_dims, input_dims + input_dims_size));
}

TfLiteStatus TfLiteSignatureRunnerAllocateTensors(TfLiteSignatureRunner* signature_runner) {
  return signature_runner->impl->AllocateTensors();
}

TfLiteTensor* TfLiteSignatureRunnerGetInputTensor(TfLiteSignatureRunner* signature_runner,
                                                  const char* input_name) {
  return signature_runner->impl->input_tensor(input_name);
}

TfLiteStatus TfLiteSignatureRunnerInvoke(TfLiteSignatureRunner* signature_runner) {
  return signature_runner->impl->Invoke();
}

TfLiteStatus TfLiteSignatureRunnerCancel(TfLiteSignatureRunner* signature_runner) {
  return signature_runner->impl->Cancel();
}

size_t TfLiteSignatureRunnerGetOutputCount(const TfLiteSignatureRunner* signature_runner) {
  return signature_runner->impl->output_size();
}

const char* TfLiteSignatureRunnerGetOutputName(const TfLiteSignatureRunner* signature_runner,
                                               int32_t output_index) {
  return NameAt(signature_runner->impl->output_names(), output_index);
}

const TfLiteTensor* TfLiteSignatureRunnerGetOutputTensor(
    const TfLiteSignatureRunner* signature_runner, const char* output_name) {
  return signature_runner->impl->output_tensor(output_name);
}

void TfLiteSignatureRunnerDelete(TfLiteSignatureRunner* signature_runner) {
  delete signature_runner;
}

TfLiteType TfLiteTensorType(const TfLiteTensor* tensor) { return tensor->type; }

int32_t TfLiteTensorNumDims(const TfLiteTensor* tensor) {
  return tensor->dims == nullptr ? -1 : tensor->dims->size;
}

int32_t TfLiteTensorDim(const TfLiteTensor* tensor, int32_t dim_index) {
  return tensor->dims->data[dim_index];
}

size_t TfLiteTensorByteSize(const TfLiteTensor* tensor) { return tensor->bytes; }

void* TfLiteTensorData(const TfLiteTensor* tensor) { return tensor->data.data; }

const char* TfLiteTensorName(const TfLiteTensor* tensor) { return tensor->name; }

TfLiteQuantizationParams TfLiteTensorQuantizationParams(const TfLiteTensor* tensor) {
  return tensor->params;
}

TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor* tensor, const void* input_data,
                                        size_t input_data_size) {
  if (tensor->bytes != input_data_size) {
    return kTfLiteError;
  }
  if (input_data_size == 0) {
    return kTfLiteOk;
  }
  if (tensor->data.data == nullptr) {
    return kTfLiteError;
  }
  std::memcpy(tensor->data.raw, input_data, input_data_size);
  return kTfLiteOk;
}

TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor* output_tensor, void* output_data,
                                      size_t output_data_size) {
  if (output_tensor->bytes != output_data_size) {
    return kTfLiteError;
  }
  if (output_data_size == 0) {
    return kTfLiteOk;
  }
  if (output_tensor->data.data == nullptr) {
    return kTfLiteError;
  }
  std::memcpy(output_data, output_tensor->data.raw_const, output_data_size);
  return kTfLiteOk;
}
