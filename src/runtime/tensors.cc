// SPDX-License-Identifier: Apache-2.0
//
// Subgraph: what a tensor is (type, shape, constant or not), its size, and memory that the
// application brings.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_set>

#include "base/free_memory.h"
#include "model/quantization.h"
#include "runtime/arena_planner.h"
#include "runtime/owned_constants.h"
#include "runtime/tensor_memory.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite {
namespace {

using tern::HasOpenSize;

// Bytes of a tensor, 0 for an open size. False for a negative dimension or too many bytes.
bool BytesOf(TfLiteType type, const int* dims, size_t count, size_t* bytes) {
  *bytes = 0;
  if (std::any_of(dims, dims + count, [](int dim) { return dim < 0; })) return false;
  if (HasOpenSize(type)) return true;
  return BytesRequired(type, dims, count, bytes, /*context=*/nullptr) == kTfLiteOk &&
         *bytes <= PTRDIFF_MAX;
}

std::string BadShape(TfLiteType type, const int* dims, size_t count) {
  std::string text = std::string("A ") + TfLiteTypeGetName(type) + " tensor cannot have shape [";
  for (size_t i = 0; i < count; ++i) text += (i > 0 ? "," : "") + std::to_string(dims[i]);
  text += "]";
  double bytes = TfLiteTypeGetSizeBits(type) / 8.0;
  for (size_t i = 0; i < count; ++i) bytes *= dims[i];
  if (bytes > static_cast<double>(PTRDIFF_MAX)) {
    char size[80];
    std::snprintf(size, sizeof(size), ": %.4g bytes (limit %.4g)", bytes,
                  static_cast<double>(PTRDIFF_MAX));
    text += size;
  }
  return text + ".";
}

// Begins as TensorFlow Lite's text, for programs that look for it.
std::string ShortBuffer(size_t required, size_t bytes) {
  return "required_bytes <= bytes was not true: tensor %d requires " + std::to_string(required) +
         " bytes, but is allocated with " + std::to_string(bytes) + " bytes buffer.";
}

bool SameDims(const TfLiteIntArray* dims, size_t count, const int* values) {
  return dims != nullptr && TfLiteIntArrayEqualsArray(dims, static_cast<int>(count), values);
}

}  // namespace

TfLiteStatus Subgraph::SetTensorParametersReadOnly(
    int tensor_index, TfLiteType type, const char* name, size_t ndims, const int* dims,
    TfLiteQuantization quantization, const char* buffer, size_t bytes, const Allocation* allocation,
    TfLiteSparsity* sparsity, size_t buffer_identifier) {
  const auto fail = [&](const char* text) {
    TfLiteQuantizationFree(&quantization);
    TfLiteSparsityFree(sparsity);
    ReportError(text, tensor_index);
    return kTfLiteError;
  };
  if (state_ == kInvokableAndImmutable) {
    return fail("SetTensorParametersReadOnly is disallowed when graph is immutable.");
  }
  TfLiteTensor* target = tensor(tensor_index);
  if (target == nullptr) return fail("Tensor index %d is out of range.");
  size_t used_bytes = bytes;
  size_t required = 0;
  if (!BytesOf(type, dims, ndims, &required)) return fail(BadShape(type, dims, ndims).c_str());
  if (!HasOpenSize(type) && sparsity == nullptr) {
    if (required > bytes) return fail(ShortBuffer(required, bytes).c_str());
    used_bytes = required;
  }
  const char* data = buffer;
  const size_t alignment = tern::ElementAlignment(type);
  if (data == nullptr || reinterpret_cast<uintptr_t>(data) % alignment == 0) {
    owned_constants_->Drop(tensor_index);
  } else {
    data = owned_constants_->Copy(tensor_index, buffer, used_bytes);
    if (data == nullptr) return fail("No memory for a copy of tensor %d.");
  }
  // Constant or not, nodes have prepared for this type and shape.
  if (target->type != type || !SameDims(target->dims, ndims, dims)) state_ = kUninvokable;
  FreeBufferHandle(target);
  FreeData(target);
  TfLiteTensorReset(type, name, ConvertArrayToTfLiteIntArray(static_cast<int>(ndims), dims),
                    tern::LegacyParams(quantization), const_cast<char*>(data), used_bytes,
                    kTfLiteMmapRo, allocation, /*is_variable=*/false, target);
  target->quantization = quantization;
  target->sparsity = sparsity;
  if (buffer_identifier != kTfLiteNoBufferIdentifier) {
    tensor_buffer_identifiers_[tensor_index] = buffer_identifier;
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::SetTensorParametersReadWrite(int tensor_index, TfLiteType type,
                                                    const char* name, size_t ndims, const int* dims,
                                                    TfLiteQuantization quantization,
                                                    bool is_variable, size_t ndims_signature,
                                                    const int* dims_signature) {
  const auto fail = [&](const char* text) {
    TfLiteQuantizationFree(&quantization);
    ReportError(text, tensor_index);
    return kTfLiteError;
  };
  if (state_ == kInvokableAndImmutable) {
    return fail("SetTensorParametersReadWrite is disallowed when graph is immutable.");
  }
  TfLiteTensor* target = tensor(tensor_index);
  if (target == nullptr) return fail("Tensor index %d is out of range.");
  TfLiteAllocationType allocation_type = kTfLiteArenaRw;
  size_t required = 0;
  if (!BytesOf(type, dims, ndims, &required)) return fail(BadShape(type, dims, ndims).c_str());
  if (HasOpenSize(type)) {
    if (is_variable) return fail("Tensor %d: a string, resource or variant cannot be a variable.");
    allocation_type = kTfLiteDynamic;
  } else if (is_variable) {
    allocation_type = kTfLiteArenaRwPersistent;
  }
  state_ = kUninvokable;
  owned_constants_->Drop(tensor_index);
  FreeBufferHandle(target);
  FreeData(target);
  TfLiteTensorReset(type, name, ConvertArrayToTfLiteIntArray(static_cast<int>(ndims), dims),
                    tern::LegacyParams(quantization), nullptr, required, allocation_type, nullptr,
                    is_variable, target);
  target->quantization = quantization;
  if (ndims_signature > 0) {
    target->dims_signature =
        ConvertArrayToTfLiteIntArray(static_cast<int>(ndims_signature), dims_signature);
  }
  return kTfLiteOk;
}

// ---- Memory that two tensors have.

const TfLiteTensor* Subgraph::SharerOf(const TfLiteTensor& tensor) const {
  if (tensor.data.raw == nullptr) return nullptr;
  const auto found = std::find_if(tensors_.begin(), tensors_.end(), [&](const TfLiteTensor& other) {
    return &other != &tensor && other.data.raw == tensor.data.raw;
  });
  return found != tensors_.end() ? &*found : nullptr;
}

void Subgraph::FreeData(TfLiteTensor* tensor) {
  if (tern::OwnsBlock(*tensor) && SharerOf(*tensor) != nullptr) tensor->data.raw = nullptr;
  tern::FreeTensorData(tensor, allocator_);
}

void Subgraph::DisownSharedMemory() {
  std::unordered_set<const void*> taken;
  for (const TfLiteTensor& tensor : tensors_) {
    if (!tern::OwnsBlock(tensor)) taken.insert(tensor.data.raw);
  }
  for (TfLiteTensor& tensor : tensors_) {
    if (tern::OwnsBlock(tensor) && !taken.insert(tensor.data.raw).second) tensor.data.raw = nullptr;
  }
}

// ---- Shapes.

TfLiteStatus Subgraph::ResizeTensor(TfLiteTensor* tensor, TfLiteIntArray* new_size) {
  if (tensor == nullptr || new_size == nullptr) {
    TfLiteIntArrayFree(new_size);
    return kTfLiteError;
  }
  const TfLiteAllocationType kind = tensor->allocation_type;
  const bool in_arena = kind == kTfLiteArenaRw || kind == kTfLiteArenaRwPersistent;
  if (!in_arena && kind != kTfLiteDynamic && kind != kTfLitePersistentRo && kind != kTfLiteCustom &&
      kind != kTfLiteNonCpu && kind != kTfLiteVariantObject) {
    TfLiteIntArrayFree(new_size);
    ReportError("Attempting to resize a fixed-size tensor.");
    return kTfLiteError;
  }
  const bool same_dims = tensor->dims != nullptr && TfLiteIntArrayEqual(tensor->dims, new_size);
  size_t bytes = 0;
  if (!BytesOf(tensor->type, new_size->data, new_size->size, &bytes)) {
    ReportError("%s", BadShape(tensor->type, new_size->data, new_size->size).c_str());
    TfLiteIntArrayFree(new_size);
    return kTfLiteError;
  }
  if (!HasOpenSize(tensor->type)) {
    if (tern::OwnsBlock(*tensor)) {
      const TfLiteTensor* sharer = bytes > tensor->bytes ? SharerOf(*tensor) : nullptr;
      const bool fits = sharer != nullptr && sharer->bytes >= bytes;
      if (sharer != nullptr && !fits) tensor->data.raw = nullptr;
      if (!fits && bytes > tensor->bytes && !tern::MemoryMayHold(bytes)) {
        TfLiteIntArrayFree(new_size);
        ReportError("The system has no %zu bytes left for a tensor.", bytes);
        return kTfLiteError;
      }
      if (!fits && TfLiteTensorResizeMaybeCopyWithAllocator(bytes, tensor, /*preserve_data=*/false,
                                                            allocator_) != kTfLiteOk) {
        TfLiteIntArrayFree(new_size);
        ReportError("No memory for a tensor.");
        return kTfLiteError;
      }
    } else if (in_arena && tensor->bytes != bytes) {
      tensor->data.raw = nullptr;  // gets a new place with the next memory plan
    }
    tensor->bytes = bytes;
  }
  tensor_resized_ = tensor_resized_ || !same_dims;
  if (tensor->dims != new_size) TfLiteIntArrayFree(tensor->dims);
  tensor->dims = new_size;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::ResizeInputTensor(int tensor_index, const std::vector<int>& dims) {
  const bool immutable = state_ == kInvokableAndImmutable;
  if (immutable && delegates_applied_.empty()) {
    ReportError("ResizeInputTensor is disallowed when graph is immutable.");
    return kTfLiteError;
  }
  TfLiteTensor* target = tensor(tensor_index);
  if (target == nullptr) {
    ReportError("Tensor index %d is out of range.", tensor_index);
    return kTfLiteError;
  }
  if (target->data.raw != nullptr && SameDims(target->dims, dims.size(), dims.data())) {
    return kTfLiteOk;
  }
  if (target->allocation_type == kTfLiteMmapRo || target->allocation_type == kTfLiteMemNone) {
    ReportError("Attempting to resize a fixed-size tensor.");
    return kTfLiteError;
  }
  size_t bytes = 0;
  if (!BytesOf(target->type, dims.data(), dims.size(), &bytes)) {
    ReportError("%s", BadShape(target->type, dims.data(), dims.size()).c_str());
    return kTfLiteError;  // before delegates are undone, which leaves the graph ready to run
  }
  if (immutable) TF_LITE_ENSURE_STATUS(UndoAllDelegates());
  TF_LITE_ENSURE_STATUS(ResizeTensor(
      target, ConvertArrayToTfLiteIntArray(static_cast<int>(dims.size()), dims.data())));
  state_ = kUninvokable;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::SetInputType(int tensor_index, TfLiteType type) {
  TfLiteTensor* target = tensor(tensor_index);
  if (target == nullptr || target->is_variable || target->allocation_type == kTfLiteMmapRo) {
    ReportError("Tensor %d cannot become one of type %s.", tensor_index, TfLiteTypeGetName(type));
    return kTfLiteError;
  }
  if (target->type == type) return kTfLiteOk;
  if (state_ == kInvokableAndImmutable) {
    if (delegates_applied_.empty()) {
      ReportError("SetInputType is disallowed when graph is immutable.");
      return kTfLiteError;
    }
    TF_LITE_ENSURE_STATUS(UndoAllDelegates());
  }
  FreeData(target);
  if (IsBorrowed(tensor_index)) borrowed_[tensor_index] = false;
  target->type = type;
  target->allocation_type = HasOpenSize(type) ? kTfLiteDynamic : kTfLiteArenaRw;
  target->bytes = 0;
  state_ = kUninvokable;
  TfLiteIntArray* dims =
      target->dims != nullptr ? TfLiteIntArrayCopy(target->dims) : TfLiteIntArrayCreate(0);
  return ResizeTensor(target, dims);
}

TfLiteStatus Subgraph::ResizeInputTensorStrict(int tensor_index, const std::vector<int>& dims) {
  const TfLiteTensor* target = tensor(tensor_index);
  if (target == nullptr || target->dims == nullptr) {
    ReportError("Tensor index %d is out of range.", tensor_index);
    return kTfLiteError;
  }
  const TfLiteIntArray* signature = TfLiteTensorGetDimsSignature(target);
  if (signature->size != static_cast<int>(dims.size())) {
    ReportError("Attempting to resize tensor %d of rank %d to rank %d.", tensor_index,
                signature->size, static_cast<int>(dims.size()));
    return kTfLiteError;
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    const int known = signature->data[i];
    if (known == -1 || known == dims[i]) continue;
    ReportError(
        "Attempting to resize dimension %d of tensor %d with value %d to %d. "
        "ResizeInputTensorStrict only allows mutating unknown dimensions identified by -1.",
        static_cast<int>(i), tensor_index, known, dims[i]);
    return kTfLiteError;
  }
  return ResizeInputTensor(tensor_index, dims);
}

// ---- Memory of the application.

TfLiteStatus Subgraph::SetCustomAllocationForTensor(int tensor_index,
                                                    const TfLiteCustomAllocation& allocation,
                                                    int64_t flags) {
  TfLiteTensor* target = tensor(tensor_index);
  if (target == nullptr || allocation.data == nullptr) {
    ReportError("Invalid custom allocation for tensor idx: %d", tensor_index);
    return kTfLiteError;
  }
  const TfLiteAllocationType kind = target->allocation_type;
  if (kind != kTfLiteArenaRw && kind != kTfLiteArenaRwPersistent && kind != kTfLiteCustom &&
      kind != kTfLiteNonCpu) {
    ReportError("Tensor idx %d does not take a custom allocation.", tensor_index);
    return kTfLiteError;
  }
  const bool aligned = reinterpret_cast<uintptr_t>(allocation.data) % kDefaultTensorAlignment == 0;
  if (!aligned && (flags & kTfLiteCustomAllocationFlagsSkipAlignCheck) == 0) {
    ReportError("Custom allocation for tensor idx %d is not aligned to %d bytes.", tensor_index,
                kDefaultTensorAlignment);
    return kTfLiteError;
  }
  custom_allocations_[tensor_index] = allocation;
  if (IsBorrowed(tensor_index)) borrowed_[tensor_index] = false;
  if (allocation.bytes < target->bytes) plan_stale_ = true;  // AllocateTensors says so
  target->allocation_type = kTfLiteCustom;
  target->data.data = allocation.data;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::ClearCustomAllocationForTensor(int tensor_index) {
  if (custom_allocations_.erase(tensor_index) == 0) return kTfLiteOk;
  TfLiteTensor& tensor = tensors_[tensor_index];
  tensor.allocation_type = tensor.is_variable ? kTfLiteArenaRwPersistent : kTfLiteArenaRw;
  tensor.data.raw = nullptr;
  plan_stale_ = true;
  return kTfLiteOk;
}

// The size of an output may follow from the run only; its node asks then.
bool Subgraph::HasLaterCustomAllocation(int tensor_index) const {
  return has_dynamic_tensors_ &&
         std::find(outputs_.begin(), outputs_.end(), tensor_index) != outputs_.end();
}

TfLiteStatus Subgraph::CheckCustomAllocation(int tensor_index) {
  const auto found = custom_allocations_.find(tensor_index);
  if (found == custom_allocations_.end()) return kTfLiteOk;
  const TfLiteTensor& tensor = tensors_[tensor_index];
  if (tensor.allocation_type != kTfLiteCustom || found->second.bytes >= tensor.bytes) {
    return kTfLiteOk;
  }
  ReportError("Custom allocation is too small for tensor idx: %d", tensor_index);
  return kTfLiteError;
}

TfLiteStatus Subgraph::UseCustomAllocations() {
  for (const auto& [index, allocation] : custom_allocations_) {
    TfLiteTensor& tensor = tensors_[index];
    if (tensor.allocation_type != kTfLiteCustom) continue;
    if (!HasLaterCustomAllocation(index)) TF_LITE_ENSURE_STATUS(CheckCustomAllocation(index));
    tensor.data.data = allocation.data;
  }
  return kTfLiteOk;
}

// ---- Memory of a caller.

void Subgraph::BorrowInput(int tensor_index) {
  if (IsBorrowed(tensor_index)) return;
  TfLiteTensor& tensor = tensors_[tensor_index];
  if (tensor.allocation_type != kTfLiteArenaRw || HasOpenSize(tensor.type)) return;
  borrowed_.resize(tensors_.size(), false);
  borrowed_[tensor_index] = true;
  tensor.allocation_type = kTfLiteCustom;
  tensor.data.raw = nullptr;
}

bool Subgraph::IsBorrowed(int tensor_index) const {
  return static_cast<size_t>(tensor_index) < borrowed_.size() && borrowed_[tensor_index];
}

void Subgraph::ReturnBorrowedInputs() {
  for (size_t i = 0; i < borrowed_.size(); ++i) {
    if (!borrowed_[i]) continue;
    tensors_[i].allocation_type = kTfLiteArenaRw;
    tensors_[i].data.raw = nullptr;
    plan_stale_ = true;
  }
  borrowed_.clear();
}

TfLiteStatus Subgraph::SetAllocator(TfLiteAllocator* allocator) {
  if (planner_ != nullptr) {
    ReportError("SetAllocator must be called before AllocateTensors().");
    return kTfLiteError;
  }
  for (TfLiteTensor& tensor : tensors_) {
    if (tensor.allocation_type == kTfLiteDynamic || tensor.allocation_type == kTfLitePersistentRo) {
      tern::FreeTensorData(&tensor, allocator_);
    }
  }
  allocator_ = allocator;
  return kTfLiteOk;
}

}  // namespace tflite
