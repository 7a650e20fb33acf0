// SPDX-License-Identifier: Apache-2.0
// Quantization parameters: file form to C struct.
#ifndef TERN_MODEL_QUANTIZATION_H_
#define TERN_MODEL_QUANTIZATION_H_

#include "base/status.h"
#include "tensorflow/lite/core/c/common.h"

namespace tflite {
struct Tensor;
}  // namespace tflite

namespace tern {

// Checks scales, zero points and the details union against the tensor's own shape and type.
// `tensor_count`: tensors of the subgraph (blockwise details refer to other tensors).
Status CheckQuantization(const tflite::Tensor& tensor, int tensor_count);

// The C struct, owned by the caller (TfLiteQuantizationFree); type kTfLiteNoQuantization when the
// tensor has no scales. The tensor must have passed CheckQuantization; this is checked again.
StatusOr<TfLiteQuantization> ReadQuantization(const tflite::Tensor& tensor, int tensor_count);

// {scale, zero point} when the quantization has exactly one scale, else {0, 0}.
TfLiteQuantizationParams LegacyParams(const TfLiteQuantization& quantization);

}  // namespace tern

#endif  // TERN_MODEL_QUANTIZATION_H_
