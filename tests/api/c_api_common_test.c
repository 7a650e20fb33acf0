// SPDX-License-Identifier: Apache-2.0
// The functions of common.h and tensor_functions.h: arrays, type names, tensors.
#include <stdlib.h>

#include "c_api_check.h"
#include "tensorflow/lite/core/c/common.h"

void test_common(void) {
  TfLiteIntArray* ints = TfLiteIntArrayCreate(2);
  ints->data[0] = 3;
  ints->data[1] = -1;
  TfLiteIntArray* same = TfLiteIntArrayCopy(ints);
  CHECK(TfLiteIntArrayEqual(ints, same) == 1);
  CHECK(TfLiteIntArrayEqual(NULL, NULL) == 1 && TfLiteIntArrayEqual(ints, NULL) == 0);
  const int expected[2] = {3, -1};
  CHECK(TfLiteIntArrayEqualsArray(same, 2, expected) == 1);
  CHECK(TfLiteIntArrayEqualsArray(same, 1, expected) == 0);
  CHECK(TfLiteIntArrayEqualsArray(NULL, 0, NULL) == 1);
  CHECK(TfLiteIntArrayGetSizeInBytes(2) == 3 * sizeof(int));
  CHECK(TfLiteIntArrayCopy(NULL) == NULL);
  TfLiteIntArrayFree(ints);
  TfLiteIntArrayFree(same);
  TfLiteIntArrayFree(NULL);

  TfLiteFloatArray* floats = TfLiteFloatArrayCreate(1);
  floats->data[0] = 0.5f;
  TfLiteFloatArray* copy = TfLiteFloatArrayCopy(floats);
  CHECK(copy->size == 1 && copy->data[0] == 0.5f);
  CHECK(TfLiteFloatArrayGetSizeInBytes(1) == (int)(sizeof(int) + sizeof(float)));
  CHECK(TfLiteFloatArrayCopy(NULL) == NULL);
  TfLiteFloatArrayFree(floats);
  TfLiteFloatArrayFree(copy);

  CHECK(strcmp(TfLiteTypeGetName(kTfLiteInt4), "INT4") == 0);
  CHECK(strcmp(TfLiteTypeGetName((TfLiteType)99), "Unknown type") == 0);
  CHECK(TfLiteKernelInitFailed() == (void*)-1);
}

static TfLiteIntArray* shape_of_two(void) {
  TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
  dims->data[0] = 2;
  return dims;
}

// Counts blocks; takes them from malloc.
static void* counted_allocate(void* blocks, size_t bytes, size_t alignment) {
  ++*(int*)blocks;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void counted_deallocate(void* blocks, void* block, size_t bytes, size_t alignment) {
  (void)bytes;
  (void)alignment;
  --*(int*)blocks;
  free(block);
}

static void test_memory_of_tensors(void) {
  TfLiteTensor tensor;
  memset(&tensor, 0, sizeof(tensor));
  const TfLiteQuantizationParams none = {0, 0};
  TfLiteTensorReset(kTfLiteInt32, "t", shape_of_two(), none, NULL, 0, kTfLiteDynamic, NULL, false,
                    &tensor);
  CHECK(tensor.dims->data[0] == 2 && strcmp(tensor.name, "t") == 0);
  CHECK(TfLiteTensorRealloc(8, &tensor) == kTfLiteOk && tensor.bytes == 8);
  tensor.data.i32[0] = 7;
  tensor.data.i32[1] = 8;
  CHECK(TfLiteTensorResizeMaybeCopy(16, &tensor, true) == kTfLiteOk);
  CHECK(tensor.data.i32[1] == 8);
  CHECK(TfLiteTensorRealloc(8, NULL) == kTfLiteError);
  CHECK(TfLiteTensorResizeMaybeCopy(8, NULL, true) == kTfLiteError);

  TfLiteTensor clone = TfLiteTensorClone(tensor);
  CHECK(clone.data.i32 != tensor.data.i32 && clone.data.i32[0] == 7);
  CHECK(clone.dims != tensor.dims && clone.dims->data[0] == 2);
  clone.data.i32[0] = 9;
  CHECK(TfLiteTensorCopy(&clone, &tensor) == kTfLiteOk && tensor.data.i32[0] == 9);
  CHECK(TfLiteTensorCopy(NULL, &tensor) == kTfLiteOk);
  clone.bytes -= 4;
  CHECK(TfLiteTensorCopy(&clone, &tensor) == kTfLiteError);
  TfLiteTensorFree(&clone);
  TfLiteTensorDataFree(&tensor);
  CHECK(tensor.data.data == NULL);
  TfLiteTensorFree(&tensor);
  CHECK(tensor.dims == NULL);

  int blocks = 0;
  TfLiteAllocator allocator = {&blocks, counted_allocate, NULL, counted_deallocate};
  tensor.allocation_type = kTfLiteDynamic;
  CHECK(TfLiteTensorReallocWithAllocator(8, &tensor, &allocator) == kTfLiteOk && blocks == 1);
  CHECK(TfLiteTensorResizeMaybeCopyWithAllocator(64, &tensor, true, &allocator) == kTfLiteOk);
  CHECK(blocks == 1 && tensor.bytes == 64);
  TfLiteTensorDataFreeWithAllocator(&tensor, &allocator);
  CHECK(blocks == 0);
}

void test_tensors(void) {
  test_memory_of_tensors();

  TfLiteTensor tensor;
  memset(&tensor, 0, sizeof(tensor));
  tensor.dims = shape_of_two();
  CHECK(TfLiteTensorGetDimsSignature(&tensor) == tensor.dims);
  TfLiteIntArray* signature = TfLiteIntArrayCreate(1);
  signature->data[0] = -1;
  tensor.dims_signature = signature;
  CHECK(TfLiteTensorGetDimsSignature(&tensor) == signature);
  tensor.allocation_type = kTfLiteArenaRwPersistent;
  CHECK(TfLiteTensorGetAllocationStrategy(&tensor) == kTfLiteAllocationStrategyArena);
  CHECK(TfLiteTensorGetBufferAddressStability(&tensor) == kTfLiteRunStabilityUnstable);
  CHECK(TfLiteTensorGetDataStability(&tensor) == kTfLiteRunStabilityAcrossRuns);
  CHECK(TfLiteTensorGetDataKnownStep(&tensor) == kTfLiteRunStepEval);
  CHECK(TfLiteTensorGetShapeKnownStep(&tensor) == kTfLiteRunStepPrepare);

  TfLiteBlockwiseQuantization* blocks = malloc(sizeof(*blocks));
  tensor.quantization.type = kTfLiteBlockwiseQuantization;
  tensor.quantization.params = blocks;
  TfLiteQuantizationFree(&tensor.quantization);
  CHECK(tensor.quantization.type == kTfLiteNoQuantization && tensor.quantization.params == NULL);
  TfLiteSparsity* sparsity = calloc(1, sizeof(*sparsity));
  sparsity->traversal_order = TfLiteIntArrayCreate(0);
  TfLiteSparsityFree(sparsity);
  TfLiteSparsityFree(NULL);
  TfLiteQuantizationFree(NULL);
  TfLiteTensorFree(&tensor);
  CHECK(tensor.dims == NULL && tensor.dims_signature == NULL);
}
