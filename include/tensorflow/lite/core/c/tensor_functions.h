// SPDX-License-Identifier: Apache-2.0
// Functions on tensors and their parts: memory, copies, lifetimes. Comes with common.h. C11 and
// C++17.
#ifndef TERN_TENSORFLOW_LITE_CORE_C_TENSOR_FUNCTIONS_H_
#define TERN_TENSORFLOW_LITE_CORE_C_TENSOR_FUNCTIONS_H_

#include "tensorflow/lite/core/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TF_LITE_STATIC_MEMORY
// Frees the bytes of a dynamic, persistent read-only or variant tensor, then sets data to NULL.
TFL_CAPI_EXPORT void TfLiteTensorDataFree(TfLiteTensor* t);

// As above with the allocator that made the block; NULL stands for malloc and free.
TFL_CAPI_EXPORT void TfLiteTensorDataFreeWithAllocator(TfLiteTensor* t, TfLiteAllocator* allocator);

// Frees the parameters and leaves type None.
TFL_CAPI_EXPORT void TfLiteQuantizationFree(TfLiteQuantization* quantization);

TFL_CAPI_EXPORT void TfLiteSparsityFree(TfLiteSparsity* sparsity);

// Frees everything that the tensor owns; the struct itself stays the caller's.
TFL_CAPI_EXPORT void TfLiteTensorFree(TfLiteTensor* t);

// Frees the tensor and gives it new contents; takes ownership of dims. quantization becomes None.
TFL_CAPI_EXPORT void TfLiteTensorReset(TfLiteType type, const char* name, TfLiteIntArray* dims,
                                       TfLiteQuantizationParams quantization, char* buffer,
                                       size_t size, TfLiteAllocationType allocation_type,
                                       const void* allocation, bool is_variable,
                                       TfLiteTensor* tensor);

// Copies data, type, dims and the state of the buffer handle. Ok when either is NULL, Error when
// the sizes differ.
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorCopy(const TfLiteTensor* src, TfLiteTensor* dst);

// Copy that owns its arrays; data of the model stays shared, other data becomes a block of the
// copy. The caller frees it with TfLiteTensorFree.
TFL_CAPI_EXPORT TfLiteTensor TfLiteTensorClone(TfLiteTensor src);

// Makes room for num_bytes in a dynamic or persistent read-only tensor; others stay as they are
// (Ok). Grows only: a smaller request keeps the block. Error for NULL or when memory runs out.
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorResizeMaybeCopy(size_t num_bytes, TfLiteTensor* tensor,
                                                         bool preserve_data);
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorResizeMaybeCopyWithAllocator(size_t num_bytes,
                                                                      TfLiteTensor* tensor,
                                                                      bool preserve_data,
                                                                      TfLiteAllocator* allocator);

// The form of the above that keeps the data.
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorRealloc(size_t num_bytes, TfLiteTensor* tensor);
TFL_CAPI_EXPORT TfLiteStatus TfLiteTensorReallocWithAllocator(size_t num_bytes,
                                                              TfLiteTensor* tensor,
                                                              TfLiteAllocator* allocator);
#endif

// dims_signature when it has entries, else dims.
TFL_CAPI_EXPORT const TfLiteIntArray* TfLiteTensorGetDimsSignature(const TfLiteTensor* t);

// Return the promises of the allocation type about memory and contents.
TFL_CAPI_EXPORT TfLiteAllocationStrategy TfLiteTensorGetAllocationStrategy(const TfLiteTensor* t);
TFL_CAPI_EXPORT TfLiteRunStability TfLiteTensorGetBufferAddressStability(const TfLiteTensor* t);
TFL_CAPI_EXPORT TfLiteRunStability TfLiteTensorGetDataStability(const TfLiteTensor* t);
TFL_CAPI_EXPORT TfLiteRunStep TfLiteTensorGetDataKnownStep(const TfLiteTensor* t);
TFL_CAPI_EXPORT TfLiteRunStep TfLiteTensorGetShapeKnownStep(const TfLiteTensor* t);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_C_TENSOR_FUNCTIONS_H_
