// SPDX-License-Identifier: Apache-2.0
// Small helpers of the runtime that authors of operations and delegates use too.
#ifndef TERN_TENSORFLOW_LITE_UTIL_H_
#define TERN_TENSORFLOW_LITE_UTIL_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "tensorflow/lite/array.h"
#include "tensorflow/lite/checked_int.h"
#include "tensorflow/lite/core/c/common.h"

namespace tflite {

// Codes of the schema; declared here so that this header needs no generated one.
enum BuiltinOperator : int32_t;

// Names of custom operations that start so come from TensorFlow itself.
inline constexpr char kFlexCustomCodePrefix[] = "Flex";

// Alignment of tensor memory in bytes.
inline constexpr int kDefaultTensorAlignment = 64;

// Subgraphs whose names start so check a delegate and are never delegated.
inline constexpr char kValidationSubgraphNamePrefix[] = "VALIDATION:";

// NULL and the empty name are none.
bool IsFlexOp(const char* custom_name);
bool IsValidationSubgraph(const char* name);

// Copies that the caller frees with TfLiteIntArrayFree.
TfLiteIntArray* ConvertVectorToTfLiteIntArray(const std::vector<int>& input);
TfLiteIntArray* ConvertArrayToTfLiteIntArray(int ndims, const int* dims);

// NULL agrees with no entries.
bool EqualArrayAndTfLiteIntArray(const TfLiteIntArray* a, int b_size, const int* b);

size_t CombineHashes(std::initializer_list<size_t> hashes);

// Bytes of one element; packed types (int4, uint4, int2) count as one byte. Error for types without
// a size; `context` gets the report and may be NULL.
TfLiteStatus GetSizeOfType(TfLiteContext* context, const TfLiteType type, size_t* bytes);

// Stands for a custom operation that no resolver knows: its invoke fails. `custom_op_name` is not
// copied.
TfLiteRegistration CreateUnresolvedCustomOp(const char* custom_op_name);
bool IsUnresolvedCustomOp(const TfLiteRegistration& registration);

// Name of the code, as "CONV_2D"; for custom operations and delegate kernels "CUSTOM <name>" /
// "DELEGATE <name>".
std::string GetOpNameByRegistration(const TfLiteRegistration& registration);

// Error when a * b does not fit; *product is then unspecified.
TfLiteStatus MultiplyAndCheckOverflow(size_t a, size_t b, size_t* product);

// Product of dimensions (any range of integers); Error when one is negative or the product does not
// fit.
template <class Dims, class Count>
TfLiteStatus CheckedNumElements(const Dims& dims, Count& count) {
  CheckedInt<Count> product = 1;
  for (const auto dim : dims) {
    if (dim < 0) {
      return kTfLiteError;
    }
    product *= dim;
  }
  count = product.Value();
  return product.Status();
}
TfLiteStatus CheckedNumElements(const TfLiteIntArray* dims, size_t& count);

// Bytes of a tensor, packed types included. Error on overflow, negative dimensions and types
// without a size.
TfLiteStatus BytesRequired(TfLiteType type, const int* dims, size_t dims_size, size_t* bytes,
                           TfLiteContext* context);

// Frees what the tensor owns and the tensor.
struct TfLiteTensorDeleter {
  void operator()(TfLiteTensor* t) const;
};
using TensorUniquePtr = std::unique_ptr<TfLiteTensor, TfLiteTensorDeleter>;

// A tensor outside of any graph: all zero, or of a type and shape with memory for its data (for
// kinds that own it). Null when the size overflows or memory runs out.
TensorUniquePtr BuildTfLiteTensor();
TensorUniquePtr BuildTfLiteTensor(TfLiteType type, const std::vector<int>& dims,
                                  TfLiteAllocationType allocation_type);
TensorUniquePtr BuildTfLiteTensor(TfLiteType type, IntArrayUniquePtr dims,
                                  TfLiteAllocationType allocation_type);

inline bool IsResourceOrVariant(const TfLiteTensor* tensor) {
  return tensor->type == kTfLiteResource || tensor->type == kTfLiteVariant;
}

// Size of the parameter struct of an operation, 0 when it has none.
int GetBuiltinDataSize(BuiltinOperator op);

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_UTIL_H_
