// SPDX-License-Identifier: Apache-2.0
// Helpers of util.h and the sizes of element types.
#include "tensorflow/lite/util.h"

#include <cstring>

#include "abi/builtin_names.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite {
namespace {

bool StartsWith(const char* text, const char* prefix) {
  return text != nullptr && std::strncmp(text, prefix, std::strlen(prefix)) == 0;
}

TfLiteStatus InvokeUnresolvedOp(TfLiteContext* context, TfLiteNode* /*node*/) {
  TF_LITE_KERNEL_LOG(context,
                     "Encountered an unresolved custom op. Register it, or apply the delegate that "
                     "implements it.");
  return kTfLiteError;
}

bool IsPackedOrHasSize(TfLiteType type) { return TfLiteTypeGetSizeBits(type) > 0; }

}  // namespace

bool IsFlexOp(const char* custom_name) { return StartsWith(custom_name, kFlexCustomCodePrefix); }

bool IsValidationSubgraph(const char* name) {
  return StartsWith(name, kValidationSubgraphNamePrefix);
}

TfLiteIntArray* ConvertArrayToTfLiteIntArray(int ndims, const int* dims) {
  return BuildTfLiteArray(ndims, dims).release();
}

TfLiteIntArray* ConvertVectorToTfLiteIntArray(const std::vector<int>& input) {
  return ConvertArrayToTfLiteIntArray(static_cast<int>(input.size()), input.data());
}

bool EqualArrayAndTfLiteIntArray(const TfLiteIntArray* a, int b_size, const int* b) {
  return TfLiteIntArrayEqualsArray(a, b_size, b) != 0;
}

size_t CombineHashes(std::initializer_list<size_t> hashes) {
  size_t result = 0;
  for (const size_t hash : hashes) {
    // FNV-like step with the shifts of the usual hash combination.
    result ^= hash + static_cast<size_t>(0x9E3779B97F4A7C15ull) + (result << 10) + (result >> 4);
  }
  return result;
}

TfLiteStatus GetSizeOfType(TfLiteContext* context, const TfLiteType type, size_t* bytes) {
  if (!IsPackedOrHasSize(type)) {
    *bytes = 0;
    TF_LITE_MAYBE_KERNEL_LOG(context, "Elements of type %s have no fixed size.",
                             TfLiteTypeGetName(type));
    return kTfLiteError;
  }
  *bytes = static_cast<size_t>(TfLiteTypeGetSizeBits(type) + 7) / 8;
  return kTfLiteOk;
}

TfLiteRegistration CreateUnresolvedCustomOp(const char* custom_op_name) {
  TfLiteRegistration registration = {};
  registration.invoke = InvokeUnresolvedOp;
  registration.builtin_code = kTfLiteBuiltinCustom;
  registration.custom_name = custom_op_name;
  registration.version = 1;
  return registration;
}

bool IsUnresolvedCustomOp(const TfLiteRegistration& registration) {
  return registration.builtin_code == kTfLiteBuiltinCustom &&
         registration.invoke == InvokeUnresolvedOp;
}

std::string GetOpNameByRegistration(const TfLiteRegistration& registration) {
  const char* name = tern::BuiltinOpName(registration.builtin_code);
  std::string result = name != nullptr ? name : "";
  if (registration.custom_name != nullptr &&
      (registration.builtin_code == kTfLiteBuiltinCustom ||
       registration.builtin_code == kTfLiteBuiltinDelegate)) {
    result += std::string(" ") + registration.custom_name;
  }
  return result;
}

TfLiteStatus MultiplyAndCheckOverflow(size_t a, size_t b, size_t* product) {
  return __builtin_mul_overflow(a, b, product) ? kTfLiteError : kTfLiteOk;
}

TfLiteStatus CheckedNumElements(const TfLiteIntArray* dims, size_t& count) {
  CheckedInt<size_t> product = 1;
  for (int i = 0; dims != nullptr && i < dims->size; ++i) {
    product *= dims->data[i];
  }
  count = product.Value();
  return product.Status();
}

TfLiteStatus BytesRequired(TfLiteType type, const int* dims, size_t dims_size, size_t* bytes,
                           TfLiteContext* context) {
  *bytes = 0;
  size_t element_bytes = 0;
  TF_LITE_ENSURE_STATUS(GetSizeOfType(context, type, &element_bytes));
  CheckedInt<size_t> count = 1;
  bool is_empty = false;
  for (size_t i = 0; i < dims_size; ++i) {
    count *= dims[i];
    is_empty = is_empty || dims[i] == 0;
  }
  const int bits = TfLiteTypeGetSizeBits(type);
  const CheckedInt<size_t> total =
      bits >= 8 ? count * element_bytes : (count + (8 / bits - 1)) / (8 / bits);
  if (total.Overflow()) {
    TF_LITE_MAYBE_KERNEL_LOG(context, "BytesRequired number of bytes overflowed.\n");
    return kTfLiteError;
  }
  *bytes = is_empty ? 0 : total.Value();
  return kTfLiteOk;
}

void TfLiteTensorDeleter::operator()(TfLiteTensor* t) const {
  TfLiteTensorFree(t);
  delete t;
}

TensorUniquePtr BuildTfLiteTensor() {
  auto tensor = TensorUniquePtr(new TfLiteTensor());
  tensor->buffer_handle = kTfLiteNullBufferHandle;
  return tensor;
}

TensorUniquePtr BuildTfLiteTensor(TfLiteType type, const std::vector<int>& dims,
                                  TfLiteAllocationType allocation_type) {
  return BuildTfLiteTensor(type, BuildTfLiteArray(dims), allocation_type);
}

TensorUniquePtr BuildTfLiteTensor(TfLiteType type, IntArrayUniquePtr dims,
                                  TfLiteAllocationType allocation_type) {
  if (dims == nullptr) {
    return nullptr;
  }
  size_t bytes = 0;
  const bool has_size = IsPackedOrHasSize(type);
  if (has_size && BytesRequired(type, dims->data, static_cast<size_t>(dims->size), &bytes,
                                nullptr) != kTfLiteOk) {
    return nullptr;
  }
  TensorUniquePtr tensor = BuildTfLiteTensor();
  TfLiteTensorReset(type, /*name=*/"", dims.release(), TfLiteQuantizationParams{}, nullptr, 0,
                    allocation_type, /*allocation=*/nullptr, /*is_variable=*/false, tensor.get());
  if (has_size && TfLiteTensorRealloc(bytes, tensor.get()) != kTfLiteOk) {
    return nullptr;
  }
  tensor->bytes = bytes;
  return tensor;
}

int TfLiteTypeGetSizeBits(TfLiteType type) {
  switch (type) {
    case kTfLiteInt2:
      return 2;
    case kTfLiteInt4:
    case kTfLiteUInt4:
      return 4;
    case kTfLiteUInt8:
    case kTfLiteInt8:
    case kTfLiteFloat8E4M3FN:
    case kTfLiteFloat8E5M2:
      return 8;
    case kTfLiteBool:
      return 8 * static_cast<int>(sizeof(bool));
    case kTfLiteInt16:
    case kTfLiteUInt16:
    case kTfLiteFloat16:
    case kTfLiteBFloat16:
      return 16;
    case kTfLiteFloat32:
    case kTfLiteInt32:
    case kTfLiteUInt32:
      return 32;
    case kTfLiteFloat64:
    case kTfLiteInt64:
    case kTfLiteUInt64:
    case kTfLiteComplex64:
      return 64;
    case kTfLiteComplex128:
      return 128;
    case kTfLiteNoType:
    case kTfLiteString:
    case kTfLiteResource:
    case kTfLiteVariant:
      return 0;
  }
  return 0;
}

int TfLiteTypeGetSize(TfLiteType type) { return TfLiteTypeGetSizeBits(type) / 8; }

}  // namespace tflite
