// SPDX-License-Identifier: Apache-2.0
//
// Checks of memory from outside, and pointers to it.
#include "runtime/outside_memory.h"

#include <algorithm>
#include <cstdint>

#include "runtime/tensor_memory.h"

namespace tern {

TfLiteStatus OutsideMemory::Set(int tensor_index, const TfLiteCustomAllocation& allocation,
                                int64_t flags) {
  TfLiteTensor* target = graph_.tensor(tensor_index);
  if (target == nullptr || allocation.data == nullptr) {
    graph_.ReportError("Invalid custom allocation for tensor idx: %d", tensor_index);
    return kTfLiteError;
  }
  const TfLiteAllocationType kind = target->allocation_type;
  if (kind != kTfLiteArenaRw && kind != kTfLiteArenaRwPersistent && kind != kTfLiteCustom &&
      kind != kTfLiteNonCpu) {
    graph_.ReportError("Tensor idx %d does not take a custom allocation.", tensor_index);
    return kTfLiteError;
  }
  const bool aligned =
      reinterpret_cast<uintptr_t>(allocation.data) % tflite::kDefaultTensorAlignment == 0;
  if (!aligned && (flags & kTfLiteCustomAllocationFlagsSkipAlignCheck) == 0) {
    graph_.ReportError("Custom allocation for tensor idx %d is not aligned to %d bytes.",
                       tensor_index, tflite::kDefaultTensorAlignment);
    return kTfLiteError;
  }
  custom_allocations_[tensor_index] = allocation;
  EndBorrowing(tensor_index);
  if (allocation.bytes < target->bytes) graph_.plan_stale = true;  // AllocateTensors says so
  target->allocation_type = kTfLiteCustom;
  target->data.data = allocation.data;
  return kTfLiteOk;
}

void OutsideMemory::Clear(int tensor_index) {
  if (custom_allocations_.erase(tensor_index) == 0) return;
  TfLiteTensor& tensor = graph_.tensors[tensor_index];
  tensor.allocation_type = tensor.is_variable ? kTfLiteArenaRwPersistent : kTfLiteArenaRw;
  tensor.data.raw = nullptr;
  graph_.plan_stale = true;
}

bool OutsideMemory::IsLate(int tensor_index) const {
  return graph_.has_dynamic_tensors && std::find(graph_.outputs.begin(), graph_.outputs.end(),
                                                 tensor_index) != graph_.outputs.end();
}

TfLiteStatus OutsideMemory::CheckLate(int tensor_index) {
  return IsLate(tensor_index) ? Check(tensor_index) : kTfLiteOk;
}

TfLiteStatus OutsideMemory::Check(int tensor_index) {
  const auto found = custom_allocations_.find(tensor_index);
  if (found == custom_allocations_.end()) return kTfLiteOk;
  const TfLiteTensor& tensor = graph_.tensors[tensor_index];
  if (tensor.allocation_type != kTfLiteCustom || found->second.bytes >= tensor.bytes) {
    return kTfLiteOk;
  }
  graph_.ReportError("Custom allocation is too small for tensor idx: %d", tensor_index);
  return kTfLiteError;
}

TfLiteStatus OutsideMemory::Use() {
  for (const auto& [index, allocation] : custom_allocations_) {
    TfLiteTensor& tensor = graph_.tensors[index];
    if (tensor.allocation_type != kTfLiteCustom) continue;
    if (!IsLate(index)) TF_LITE_ENSURE_STATUS(Check(index));
    tensor.data.data = allocation.data;
  }
  return kTfLiteOk;
}

void OutsideMemory::Borrow(int tensor_index) {
  if (IsBorrowed(tensor_index)) return;
  TfLiteTensor& tensor = graph_.tensors[tensor_index];
  if (tensor.allocation_type != kTfLiteArenaRw || HasOpenSize(tensor.type)) return;
  borrowed_.resize(graph_.tensors.size(), false);
  borrowed_[tensor_index] = true;
  tensor.allocation_type = kTfLiteCustom;
  tensor.data.raw = nullptr;
}

bool OutsideMemory::IsBorrowed(int tensor_index) const {
  return static_cast<size_t>(tensor_index) < borrowed_.size() && borrowed_[tensor_index];
}

void OutsideMemory::EndBorrowing(int tensor_index) {
  if (IsBorrowed(tensor_index)) borrowed_[tensor_index] = false;
}

void OutsideMemory::ReturnBorrowed() {
  for (size_t i = 0; i < borrowed_.size(); ++i) {
    if (!borrowed_[i]) continue;
    graph_.tensors[i].allocation_type = kTfLiteArenaRw;
    graph_.tensors[i].data.raw = nullptr;
    graph_.plan_stale = true;
  }
  borrowed_.clear();
}

}  // namespace tern
