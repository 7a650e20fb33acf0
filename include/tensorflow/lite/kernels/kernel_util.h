// SPDX-License-Identifier: Apache-2.0
// Helpers for operations: tensors of a node, shapes, broadcasting, quantization parameters.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_KERNEL_UTIL_H_
#define TERN_TENSORFLOW_LITE_KERNELS_KERNEL_UTIL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/core/c/common.h"

namespace tflite {

// ---- Tensors of a node by position. GetInput and its like give NULL for a position that does not
// exist or is left out, the Safe forms report and return Error.

const TfLiteTensor* GetInput(const TfLiteContext* context, const TfLiteNode* node, int index);
TfLiteStatus GetInputSafe(const TfLiteContext* context, const TfLiteNode* node, int index,
                          const TfLiteTensor** tensor);
// NULL also when the tensor is no variable.
TfLiteTensor* GetVariableInput(TfLiteContext* context, const TfLiteNode* node, int index);
TfLiteTensor* GetOutput(TfLiteContext* context, const TfLiteNode* node, int index);
TfLiteStatus GetOutputSafe(const TfLiteContext* context, const TfLiteNode* node, int index,
                           TfLiteTensor** tensor);
const TfLiteTensor* GetOptionalInputTensor(const TfLiteContext* context, const TfLiteNode* node,
                                           int index);
TfLiteTensor* GetTemporary(TfLiteContext* context, const TfLiteNode* node, int index);
TfLiteStatus GetTemporarySafe(const TfLiteContext* context, const TfLiteNode* node, int index,
                              TfLiteTensor** tensor);
const TfLiteTensor* GetIntermediates(TfLiteContext* context, const TfLiteNode* node, int index);
TfLiteStatus GetIntermediatesSafe(const TfLiteContext* context, const TfLiteNode* node, int index,
                                  TfLiteTensor** tensor);

inline int NumInputs(const TfLiteNode* node) {
  return node->inputs == nullptr ? 0 : node->inputs->size;
}
inline int NumOutputs(const TfLiteNode* node) {
  return node->outputs == nullptr ? 0 : node->outputs->size;
}
inline int NumIntermediates(const TfLiteNode* node) {
  return node->intermediates == nullptr ? 0 : node->intermediates->size;
}

// ---- Shapes.

inline int NumDimensions(const TfLiteTensor* t) { return t->dims == nullptr ? 0 : t->dims->size; }
inline int SizeOfDimension(const TfLiteTensor* t, int dim) { return t->dims->data[dim]; }

inline int64_t NumElements(const int* dims, int num_dims) {
  int64_t count = 1;
  for (int i = 0; i < num_dims; ++i) {
    count *= dims[i];
  }
  return count;
}
inline int64_t NumElements(const TfLiteIntArray* dims) {
  return dims == nullptr ? 1 : NumElements(dims->data, dims->size);
}
inline int64_t NumElements(const TfLiteTensor* t) { return NumElements(t->dims); }

// Products that are checked for negative dimensions and for overflow; `error_message` is reported
// then.
TfLiteStatus CheckedShapeProduct(TfLiteContext* context, std::initializer_list<int> dims,
                                 const char* error_message, size_t& product);
TfLiteStatus CheckedShapeProductToInt(TfLiteContext* context, std::initializer_list<int> dims,
                                      const char* error_message, int& product);

bool HaveSameShapes(const TfLiteTensor* input1, const TfLiteTensor* input2);
// True when the signature of the shape has a dimension of -1.
bool HasUnspecifiedDimension(const TfLiteTensor* tensor);

// A shape read from a constant or computed 1-D int32 tensor; the caller owns *output_shape.
TfLiteStatus GetOutputShapeFromInput(TfLiteContext* context, const TfLiteTensor* input,
                                     TfLiteIntArray** output_shape);

// The shape to which all inputs broadcast (dimensions are aligned at the end); the caller owns
// *output_shape.
TfLiteStatus CalculateShapeForBroadcast(TfLiteContext* context, const TfLiteTensor* input1,
                                        const TfLiteTensor* input2, TfLiteIntArray** output_shape);
TfLiteStatus CalculateShapeForBroadcast(TfLiteContext* context, const TfLiteTensor* input1,
                                        const TfLiteTensor* input2, const TfLiteTensor* input3,
                                        TfLiteIntArray** output_shape);

std::string GetShapeDebugString(const TfLiteIntArray* shape);  // "[1,224,224,3]"
std::string GetTensorDebugString(const TfLiteTensor* tensor);

// ---- Kinds of memory.

inline bool IsConstantTensor(const TfLiteTensor* tensor) {
  return tensor->allocation_type == kTfLiteMmapRo;
}
inline bool IsConstantOrPersistentTensor(const TfLiteTensor* tensor) {
  return IsConstantTensor(tensor) || tensor->allocation_type == kTfLitePersistentRo;
}
inline bool IsDynamicTensor(const TfLiteTensor* tensor) {
  return tensor->allocation_type == kTfLiteDynamic;
}

// Changes the kind of a tensor before its memory is planned; data becomes NULL when the kind really
// changes.
void SetTensorToDynamic(TfLiteTensor* tensor);
void SetTensorToPersistentRo(TfLiteTensor* tensor);

// True for float inputs with integer weights.
bool IsHybridOp(const TfLiteTensor* input, const TfLiteTensor* weight);

// ---- Quantization.

// Scale of a convolution's accumulator over the output scale. The form with a bias also checks the
// bias scale.
TfLiteStatus GetQuantizedConvolutionMultipler(TfLiteContext* context, const TfLiteTensor* input,
                                              const TfLiteTensor* filter, const TfLiteTensor* bias,
                                              TfLiteTensor* output, double* multiplier);
TfLiteStatus GetQuantizedConvolutionMultipler(TfLiteContext* context, const TfLiteTensor* input,
                                              const TfLiteTensor* filter, TfLiteTensor* output,
                                              double* multiplier);

// Multipliers and shifts (positive = left) of a convolution, and the range of its fused activation
// in output units. per_channel_* have one entry per output channel; `multiplier` and `shift` are
// set for one scale of the weights only.
TfLiteStatus PopulateConvolutionQuantizationParams(
    TfLiteContext* context, const TfLiteTensor* input, const TfLiteTensor* filter,
    const TfLiteTensor* bias, TfLiteTensor* output, const TfLiteFusedActivation& activation,
    int32_t* multiplier, int* shift, int32_t* output_activation_min, int32_t* output_activation_max,
    int32_t* per_channel_multiplier, int32_t* per_channel_shift);
TfLiteStatus PopulateConvolutionQuantizationParams(
    TfLiteContext* context, const TfLiteTensor* input, const TfLiteTensor* filter,
    const TfLiteTensor* bias, TfLiteTensor* output, const TfLiteFusedActivation& activation,
    int32_t* multiplier, int* shift, int32_t* output_activation_min, int32_t* output_activation_max,
    int32_t* per_channel_multiplier, int32_t* per_channel_shift, int num_channels);

// Range of a fused activation for an int8, uint8 or int16 output.
TfLiteStatus CalculateActivationRangeQuantized(TfLiteContext* context,
                                               TfLiteFusedActivation activation,
                                               TfLiteTensor* output, int32_t* act_min,
                                               int32_t* act_max);

// Range of a fused activation in real numbers; activations that do not clamp give the whole range
// of T.
template <typename T>
void CalculateActivationRange(TfLiteFusedActivation activation, T* activation_min,
                              T* activation_max) {
  *activation_min = std::numeric_limits<T>::lowest();
  *activation_max = std::numeric_limits<T>::max();
  if (activation == kTfLiteActRelu) {
    *activation_min = 0;
  } else if (activation == kTfLiteActRelu6) {
    *activation_min = 0;
    *activation_max = 6;
  } else if (activation == kTfLiteActReluN1To1) {
    *activation_min = static_cast<T>(-1);
    *activation_max = 1;
  }
}

// ---- Types and platform.

// Bytes (bits) of one element; 0 for types without a fixed size. Types below 8 bits have 0 bytes.
int TfLiteTypeGetSize(TfLiteType type);
int TfLiteTypeGetSizeBits(TfLiteType type);

// True on Android and iOS.
bool IsMobilePlatform();

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_KERNEL_UTIL_H_
