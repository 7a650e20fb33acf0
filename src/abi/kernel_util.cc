// SPDX-License-Identifier: Apache-2.0
// Tensors of nodes, shapes and broadcasting for operations.
#include "tensorflow/lite/kernels/kernel_util.h"

#ifdef __APPLE__
#include <TargetConditionals.h>
#endif

#include "tensorflow/lite/array.h"
#include "tensorflow/lite/checked_int.h"

namespace tflite {
namespace {

TfLiteTensor* TensorAt(const TfLiteContext* context, const TfLiteIntArray* indices, int position) {
  if (indices == nullptr || position < 0 || position >= indices->size) {
    return nullptr;
  }
  const int tensor_index = indices->data[position];
  if (tensor_index < 0) {
    return nullptr;
  }
  // Runtimes without a tensor table offer a function instead.
  if (context->tensors == nullptr) {
    return context->GetTensor == nullptr ? nullptr : context->GetTensor(context, tensor_index);
  }
  return static_cast<size_t>(tensor_index) < context->tensors_size ? &context->tensors[tensor_index]
                                                                   : nullptr;
}

TfLiteStatus Required(const TfLiteContext* context, const char* kind, int position,
                      TfLiteTensor* found, TfLiteTensor** tensor) {
  *tensor = found;
  if (found != nullptr) {
    return kTfLiteOk;
  }
  TF_LITE_KERNEL_LOG(const_cast<TfLiteContext*>(context), "Node has no %s tensor at position %d.",
                     kind, position);
  return kTfLiteError;
}

template <class T>
TfLiteStatus CheckedProduct(TfLiteContext* context, std::initializer_list<int> dims,
                            const char* error_message, T& product) {
  CheckedInt<T> result = 1;
  bool is_negative = false;
  for (const int dim : dims) {
    is_negative = is_negative || dim < 0;
    result *= dim;
  }
  if (is_negative || result.Overflow()) {
    TF_LITE_KERNEL_LOG(context, "%s", error_message);
    return kTfLiteError;
  }
  product = result.Value();
  return kTfLiteOk;
}

// Dimension `from_end` counted from the last one; 1 where the shape is shorter.
int DimFromEnd(const TfLiteIntArray& shape, int from_end) {
  return from_end < shape.size ? shape.data[shape.size - 1 - from_end] : 1;
}

TfLiteStatus Broadcast(TfLiteContext* context, std::initializer_list<const TfLiteTensor*> inputs,
                       TfLiteIntArray** output_shape) {
  int rank = 0;
  for (const TfLiteTensor* input : inputs) {
    rank = std::max(rank, input->dims->size);
  }
  IntArrayUniquePtr shape = BuildTfLiteArray<int>(rank, 1);
  TF_LITE_ENSURE(context, shape != nullptr);
  for (int from_end = 0; from_end < rank; ++from_end) {
    int& out = shape->data[rank - 1 - from_end];
    for (const TfLiteTensor* input : inputs) {
      const int dim = DimFromEnd(*input->dims, from_end);
      if (dim == 1 || dim == out) {
        continue;
      }
      if (out != 1) {
        std::string shapes;
        for (const TfLiteTensor* one : inputs) {
          shapes += (shapes.empty() ? "" : " and ") + GetShapeDebugString(one->dims);
        }
        TF_LITE_KERNEL_LOG(context, "Given shapes, %s, are not broadcastable.", shapes.c_str());
        return kTfLiteError;
      }
      out = dim;
    }
  }
  *output_shape = shape.release();
  return kTfLiteOk;
}

}  // namespace

const TfLiteTensor* GetInput(const TfLiteContext* context, const TfLiteNode* node, int index) {
  return TensorAt(context, node->inputs, index);
}

TfLiteStatus GetInputSafe(const TfLiteContext* context, const TfLiteNode* node, int index,
                          const TfLiteTensor** tensor) {
  return Required(context, "input", index, TensorAt(context, node->inputs, index),
                  const_cast<TfLiteTensor**>(tensor));
}

TfLiteTensor* GetVariableInput(TfLiteContext* context, const TfLiteNode* node, int index) {
  TfLiteTensor* tensor = TensorAt(context, node->inputs, index);
  return tensor != nullptr && tensor->is_variable ? tensor : nullptr;
}

TfLiteTensor* GetOutput(TfLiteContext* context, const TfLiteNode* node, int index) {
  return TensorAt(context, node->outputs, index);
}

TfLiteStatus GetOutputSafe(const TfLiteContext* context, const TfLiteNode* node, int index,
                           TfLiteTensor** tensor) {
  return Required(context, "output", index, TensorAt(context, node->outputs, index), tensor);
}

const TfLiteTensor* GetOptionalInputTensor(const TfLiteContext* context, const TfLiteNode* node,
                                           int index) {
  return GetInput(context, node, index);
}

TfLiteTensor* GetTemporary(TfLiteContext* context, const TfLiteNode* node, int index) {
  return TensorAt(context, node->temporaries, index);
}

TfLiteStatus GetTemporarySafe(const TfLiteContext* context, const TfLiteNode* node, int index,
                              TfLiteTensor** tensor) {
  return Required(context, "temporary", index, TensorAt(context, node->temporaries, index), tensor);
}

const TfLiteTensor* GetIntermediates(TfLiteContext* context, const TfLiteNode* node, int index) {
  return TensorAt(context, node->intermediates, index);
}

TfLiteStatus GetIntermediatesSafe(const TfLiteContext* context, const TfLiteNode* node, int index,
                                  TfLiteTensor** tensor) {
  return Required(context, "intermediate", index, TensorAt(context, node->intermediates, index),
                  tensor);
}

TfLiteStatus CheckedShapeProduct(TfLiteContext* context, std::initializer_list<int> dims,
                                 const char* error_message, size_t& product) {
  return CheckedProduct(context, dims, error_message, product);
}

TfLiteStatus CheckedShapeProductToInt(TfLiteContext* context, std::initializer_list<int> dims,
                                      const char* error_message, int& product) {
  return CheckedProduct(context, dims, error_message, product);
}

bool HaveSameShapes(const TfLiteTensor* input1, const TfLiteTensor* input2) {
  return TfLiteIntArrayEqual(input1->dims, input2->dims) != 0;
}

bool HasUnspecifiedDimension(const TfLiteTensor* tensor) {
  const TfLiteIntArray* signature = tensor->dims_signature;
  return signature != nullptr && std::find(signature->data, signature->data + signature->size,
                                           -1) != signature->data + signature->size;
}

TfLiteStatus GetOutputShapeFromInput(TfLiteContext* context, const TfLiteTensor* input,
                                     TfLiteIntArray** output_shape) {
  if (NumDimensions(input) != 1) {
    TF_LITE_KERNEL_LOG(context, "Invalid %dD input tensor (must be a 1D tensor).",
                       NumDimensions(input));
    return kTfLiteError;
  }
  TF_LITE_ENSURE_TYPES_EQ(context, input->type, kTfLiteInt32);
  TF_LITE_ENSURE(context, input->data.i32 != nullptr || SizeOfDimension(input, 0) == 0);
  IntArrayUniquePtr shape = BuildTfLiteArray(SizeOfDimension(input, 0), input->data.i32);
  TF_LITE_ENSURE(context, shape != nullptr);
  *output_shape = shape.release();
  return kTfLiteOk;
}

TfLiteStatus CalculateShapeForBroadcast(TfLiteContext* context, const TfLiteTensor* input1,
                                        const TfLiteTensor* input2, TfLiteIntArray** output_shape) {
  return Broadcast(context, {input1, input2}, output_shape);
}

TfLiteStatus CalculateShapeForBroadcast(TfLiteContext* context, const TfLiteTensor* input1,
                                        const TfLiteTensor* input2, const TfLiteTensor* input3,
                                        TfLiteIntArray** output_shape) {
  return Broadcast(context, {input1, input2, input3}, output_shape);
}

std::string GetShapeDebugString(const TfLiteIntArray* shape) {
  std::string text = "[";
  for (int i = 0; shape != nullptr && i < shape->size; ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(shape->data[i]);
  }
  return text + "]";
}

std::string GetTensorDebugString(const TfLiteTensor* tensor) {
  return std::string("{name: ") + (tensor->name == nullptr ? "" : tensor->name) +
         ", type: " + TfLiteTypeGetName(tensor->type) +
         ", shape: " + GetShapeDebugString(tensor->dims) +
         ", bytes: " + std::to_string(tensor->bytes) + "}";
}

void SetTensorToDynamic(TfLiteTensor* tensor) {
  if (tensor->allocation_type != kTfLiteDynamic) {
    TfLiteTensorDataFree(tensor);
    tensor->allocation_type = kTfLiteDynamic;
  }
}

void SetTensorToPersistentRo(TfLiteTensor* tensor) {
  if (tensor->allocation_type != kTfLitePersistentRo) {
    TfLiteTensorDataFree(tensor);
    tensor->allocation_type = kTfLitePersistentRo;
  }
}

bool IsHybridOp(const TfLiteTensor* input, const TfLiteTensor* weight) {
  const bool is_integer = weight->type == kTfLiteUInt8 || weight->type == kTfLiteInt8 ||
                          weight->type == kTfLiteInt4 || weight->type == kTfLiteInt2;
  return is_integer && input->type == kTfLiteFloat32;
}

bool IsMobilePlatform() {
#if defined(__ANDROID__) || defined(ANDROID)
  return true;
#elif defined(__APPLE__)
#if TARGET_OS_IPHONE
  return true;
#else
  return false;
#endif
#else
  return false;
#endif
}

}  // namespace tflite
