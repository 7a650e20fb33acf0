// SPDX-License-Identifier: Apache-2.0
// Memory, copies and lifetimes of TfLiteTensor and its parts.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/util.h"

namespace {

// Vector loads of the CPU library may touch this many bytes after the end of a tensor.
constexpr size_t kReadableTail = 16;

bool OwnsMallocBlock(const TfLiteTensor& t) {
  return t.allocation_type == kTfLiteDynamic || t.allocation_type == kTfLitePersistentRo;
}

void* Allocate(size_t bytes, TfLiteAllocator* allocator) {
  if (bytes > SIZE_MAX - kReadableTail - tflite::kDefaultTensorAlignment) {
    return nullptr;
  }
  if (allocator != nullptr) {
    return allocator->allocate(allocator->data, bytes + kReadableTail,
                               tflite::kDefaultTensorAlignment);
  }
#if defined(_WIN32)
  return std::malloc(bytes + kReadableTail);
#else
  void* block = nullptr;
  const int failed = posix_memalign(&block, tflite::kDefaultTensorAlignment, bytes + kReadableTail);
  return failed != 0 ? nullptr : block;
#endif
}

void Release(void* block, size_t bytes, TfLiteAllocator* allocator) {
  if (allocator == nullptr) {
    std::free(block);
  } else if (block != nullptr) {
    allocator->deallocate(allocator->data, block, bytes + kReadableTail,
                          tflite::kDefaultTensorAlignment);
  }
}

// malloc knows how large the old block is; the tensor of a program may not say it.
bool GrowMalloced(TfLiteTensor* t, size_t bytes) {
  void* moved = std::realloc(t->data.data, bytes + kReadableTail);
  if (moved == nullptr) return false;
  t->data.data = moved;
  if (reinterpret_cast<uintptr_t>(moved) % tflite::kDefaultTensorAlignment == 0) return true;
  void* aligned = Allocate(bytes, nullptr);
  if (aligned == nullptr) return false;
  std::memcpy(aligned, moved, bytes);
  std::free(moved);
  t->data.data = aligned;
  return true;
}

// Gives the tensor a block of at least `bytes` with the old contents, as far as they fit. When
// false, the tensor still has those.
bool Grow(TfLiteTensor* t, size_t bytes, TfLiteAllocator* allocator) {
  if (bytes > SIZE_MAX - kReadableTail - tflite::kDefaultTensorAlignment) return false;
  if (allocator == nullptr) return GrowMalloced(t, bytes);
  void* block = nullptr;
  if (allocator->reallocate != nullptr) {
    block = allocator->reallocate(allocator->data, t->data.data, t->bytes + kReadableTail,
                                  bytes + kReadableTail, tflite::kDefaultTensorAlignment);
  } else {
    block = Allocate(bytes, allocator);
    if (block != nullptr) {
      std::memcpy(block, t->data.data, std::min(t->bytes, bytes));
      Release(t->data.data, t->bytes, allocator);
    }
  }
  if (block != nullptr) t->data.data = block;
  return block != nullptr;
}

template <class T>
T* CopyStruct(const void* src) {
  auto* copy = static_cast<T*>(std::malloc(sizeof(T)));
  if (copy != nullptr) {
    *copy = *static_cast<const T*>(src);
  }
  return copy;
}

// An object of the same class is replaced at its address, unless it lies inside of a larger one.
void CopyVariant(const TfLiteTensor& src, TfLiteTensor* dst) {
  auto* from = static_cast<const VariantData*>(src.data.data);
  auto* old = dst->allocation_type == kTfLiteVariantObject
                  ? static_cast<VariantData*>(dst->data.data)
                  : nullptr;
  VariantData* copy = nullptr;
  if (from != nullptr && old != nullptr && tern::FunctionsOf(*from) == tern::FunctionsOf(*old) &&
      dynamic_cast<void*>(old) == static_cast<void*>(old)) {
    if (from == old) return;
    old->~VariantData();
    copy = from->CloneTo(old);
  } else {
    if (from != nullptr) copy = from->CloneTo(nullptr);
    TfLiteTensorDataFree(dst);
  }
  dst->data.data = copy;
  dst->allocation_type = kTfLiteVariantObject;
}

TfLiteSparsity* CloneSparsity(const TfLiteSparsity* src) {
  auto* copy = static_cast<TfLiteSparsity*>(std::calloc(1, sizeof(TfLiteSparsity)));
  if (copy == nullptr) {
    return nullptr;
  }
  copy->traversal_order = TfLiteIntArrayCopy(src->traversal_order);
  copy->block_map = TfLiteIntArrayCopy(src->block_map);
  if (src->dim_metadata == nullptr || src->dim_metadata_size <= 0) {
    return copy;
  }
  copy->dim_metadata = static_cast<TfLiteDimensionMetadata*>(
      std::calloc(src->dim_metadata_size, sizeof(TfLiteDimensionMetadata)));
  if (copy->dim_metadata == nullptr) {
    return copy;
  }
  copy->dim_metadata_size = src->dim_metadata_size;
  for (int i = 0; i < src->dim_metadata_size; ++i) {
    const TfLiteDimensionMetadata& from = src->dim_metadata[i];
    copy->dim_metadata[i] = {from.format, from.dense_size, nullptr, nullptr};
    if (from.format != kTfLiteDimSparseCSR) continue;
    copy->dim_metadata[i].array_segments = TfLiteIntArrayCopy(from.array_segments);
    copy->dim_metadata[i].array_indices = TfLiteIntArrayCopy(from.array_indices);
  }
  return copy;
}

}  // namespace

void TfLiteTensorDataFree(TfLiteTensor* t) { TfLiteTensorDataFreeWithAllocator(t, nullptr); }

void TfLiteTensorDataFreeWithAllocator(TfLiteTensor* t, TfLiteAllocator* allocator) {
  if (t == nullptr) {
    return;
  }
  if (t->allocation_type == kTfLiteVariantObject) {
    delete static_cast<VariantData*>(t->data.data);
  } else if (OwnsMallocBlock(*t)) {
    Release(t->data.data, t->bytes, allocator);
  }
  t->data.data = nullptr;
}

void TfLiteQuantizationFree(TfLiteQuantization* quantization) {
  if (quantization == nullptr) {
    return;
  }
  if (quantization->params != nullptr) {
    if (quantization->type == kTfLiteAffineQuantization) {
      auto* affine = static_cast<TfLiteAffineQuantization*>(quantization->params);
      TfLiteFloatArrayFree(affine->scale);
      TfLiteIntArrayFree(affine->zero_point);
    } else if (quantization->type == kTfLiteMultiAxisQuantization) {
      auto* multi = static_cast<TfLiteMultiAxisQuantization*>(quantization->params);
      TfLiteIntArrayFree(multi->quantized_dimensions);
    }
    std::free(quantization->params);
  }
  quantization->params = nullptr;
  quantization->type = kTfLiteNoQuantization;
}

void TfLiteSparsityFree(TfLiteSparsity* sparsity) {
  if (sparsity == nullptr) {
    return;
  }
  TfLiteIntArrayFree(sparsity->traversal_order);
  TfLiteIntArrayFree(sparsity->block_map);
  if (sparsity->dim_metadata != nullptr) {
    for (int i = 0; i < sparsity->dim_metadata_size; ++i) {
      // Dense dimensions have no lists: there the fields hold anything.
      if (sparsity->dim_metadata[i].format != kTfLiteDimSparseCSR) continue;
      TfLiteIntArrayFree(sparsity->dim_metadata[i].array_segments);
      TfLiteIntArrayFree(sparsity->dim_metadata[i].array_indices);
    }
    std::free(sparsity->dim_metadata);
  }
  std::free(sparsity);
}

void TfLiteTensorFree(TfLiteTensor* t) {
  if (t == nullptr) {
    return;
  }
  TfLiteTensorDataFree(t);
  TfLiteIntArrayFree(t->dims);
  t->dims = nullptr;
  TfLiteIntArrayFree(const_cast<TfLiteIntArray*>(t->dims_signature));
  t->dims_signature = nullptr;
  TfLiteQuantizationFree(&t->quantization);
  TfLiteSparsityFree(t->sparsity);
  t->sparsity = nullptr;
}

void TfLiteTensorReset(TfLiteType type, const char* name, TfLiteIntArray* dims,
                       TfLiteQuantizationParams quantization, char* buffer, size_t size,
                       TfLiteAllocationType allocation_type, const void* allocation,
                       bool is_variable, TfLiteTensor* tensor) {
  TfLiteTensorFree(tensor);
  tensor->type = type;
  tensor->name = name;
  tensor->dims = dims;
  tensor->params = quantization;
  tensor->data.raw = buffer;
  tensor->bytes = size;
  tensor->allocation_type = allocation_type;
  tensor->allocation = allocation;
  tensor->is_variable = is_variable;
}

TfLiteStatus TfLiteTensorCopy(const TfLiteTensor* src, TfLiteTensor* dst) {
  if (src == nullptr || dst == nullptr || src == dst) {
    return kTfLiteOk;
  }
  if (src->bytes != dst->bytes) {
    return kTfLiteError;
  }
  if (src->allocation_type == kTfLiteVariantObject) {
    if (dst->type != kTfLiteVariant) {
      return kTfLiteError;
    }
    CopyVariant(*src, dst);
  } else if (src->bytes > 0 && src->data.data != nullptr && dst->data.data != nullptr) {
    std::memmove(dst->data.raw, src->data.raw_const, src->bytes);
  }
  TfLiteIntArray* dims = TfLiteIntArrayCopy(src->dims);
  TfLiteIntArrayFree(dst->dims);
  dst->dims = dims;
  dst->type = src->type;
  dst->delegate = src->delegate;
  dst->buffer_handle = src->buffer_handle;
  dst->data_is_stale = src->data_is_stale;
  return kTfLiteOk;
}

TfLiteStatus TfLiteTensorResizeMaybeCopyWithAllocator(size_t num_bytes, TfLiteTensor* tensor,
                                                      bool preserve_data,
                                                      TfLiteAllocator* allocator) {
  if (tensor == nullptr) {
    return kTfLiteError;
  }
  if (!OwnsMallocBlock(*tensor)) {
    return kTfLiteOk;
  }
  if (tensor->data.data == nullptr) {
    tensor->data.data = Allocate(num_bytes, allocator);
  } else if (num_bytes > tensor->bytes || (allocator != nullptr && num_bytes < tensor->bytes)) {
    // An allocator learns the size of what it gets back, so its blocks shrink, too, where it can.
    const bool shrinks = num_bytes < tensor->bytes;
    if (preserve_data || shrinks) {
      if (!Grow(tensor, num_bytes, allocator) && !shrinks) {
        return kTfLiteError;
      }
    } else {
      Release(tensor->data.data, tensor->bytes, allocator);
      tensor->data.data = Allocate(num_bytes, allocator);
    }
  }
  tensor->bytes = tensor->data.data == nullptr ? 0 : num_bytes;
  return tensor->data.data == nullptr ? kTfLiteError : kTfLiteOk;
}

TfLiteStatus TfLiteTensorResizeMaybeCopy(size_t num_bytes, TfLiteTensor* tensor,
                                         bool preserve_data) {
  return TfLiteTensorResizeMaybeCopyWithAllocator(num_bytes, tensor, preserve_data, nullptr);
}

TfLiteStatus TfLiteTensorReallocWithAllocator(size_t num_bytes, TfLiteTensor* tensor,
                                              TfLiteAllocator* allocator) {
  return TfLiteTensorResizeMaybeCopyWithAllocator(num_bytes, tensor, /*preserve_data=*/true,
                                                  allocator);
}

TfLiteStatus TfLiteTensorRealloc(size_t num_bytes, TfLiteTensor* tensor) {
  return TfLiteTensorReallocWithAllocator(num_bytes, tensor, nullptr);
}

TfLiteQuantization TfLiteQuantizationClone(const TfLiteQuantization& src) {
  TfLiteQuantization copy = {src.type, nullptr};
  if (src.params == nullptr) {
    return copy;
  }
  switch (src.type) {
    case kTfLiteNoQuantization:
      break;
    case kTfLiteAffineQuantization: {
      auto* affine = CopyStruct<TfLiteAffineQuantization>(src.params);
      if (affine != nullptr) {
        affine->scale = TfLiteFloatArrayCopy(affine->scale);
        affine->zero_point = TfLiteIntArrayCopy(affine->zero_point);
      }
      copy.params = affine;
      break;
    }
    case kTfLiteBlockwiseQuantization:
      copy.params = CopyStruct<TfLiteBlockwiseQuantization>(src.params);
      break;
    case kTfLiteMultiAxisQuantization: {
      auto* multi = CopyStruct<TfLiteMultiAxisQuantization>(src.params);
      if (multi != nullptr) {
        multi->quantized_dimensions = TfLiteIntArrayCopy(multi->quantized_dimensions);
      }
      copy.params = multi;
      break;
    }
  }
  return copy;
}

TfLiteTensor TfLiteTensorClone(TfLiteTensor src) {
  TfLiteTensor copy = src;
  copy.dims = TfLiteIntArrayCopy(src.dims);
  copy.dims_signature = TfLiteIntArrayCopy(src.dims_signature);
  copy.quantization = TfLiteQuantizationClone(src.quantization);
  copy.sparsity = src.sparsity == nullptr ? nullptr : CloneSparsity(src.sparsity);
  if (src.data.data == nullptr || src.allocation_type == kTfLiteMmapRo) {
    return copy;
  }
  if (src.allocation_type == kTfLiteVariantObject) {
    copy.data.data = static_cast<const VariantData*>(src.data.data)->CloneTo(nullptr);
    return copy;
  }
  if (!OwnsMallocBlock(src)) {
    copy.allocation_type = kTfLiteDynamic;
  }
  copy.data.data = Allocate(src.bytes, nullptr);
  if (copy.data.data != nullptr) {
    std::memcpy(copy.data.data, src.data.data, src.bytes);
  }
  return copy;
}
