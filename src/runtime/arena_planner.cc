// SPDX-License-Identifier: Apache-2.0
//
// Greedy placement: the largest tensor first, each at the lowest gap among the tensors that live at
// the same time.
#include "runtime/arena_planner.h"

#include <algorithm>
#include <limits>

namespace tern {
namespace {

size_t AlignUp(size_t value) {
  return (value + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

template <typename Visit>
void ForEach(const TfLiteIntArray* tensors, size_t count, Visit visit) {
  if (tensors == nullptr) return;
  for (int i = 0; i < tensors->size; ++i) {
    const int tensor = tensors->data[i];
    if (tensor >= 0 && static_cast<size_t>(tensor) < count) visit(tensor);
  }
}

}  // namespace

ArenaPlanner::ArenaPlanner(std::unique_ptr<tflite::GraphInfo> graph,
                           const TfLiteAllocator* allocator)
    : graph_(std::move(graph)), shared_(allocator), persistent_(allocator) {}

void ArenaPlanner::Use(int tensor, int position) {
  Slot& slot = slots_[tensor];
  if (slot.first < 0) slot.first = position;
  slot.first = std::min(slot.first, position);
  slot.last = std::max(slot.last, keep_all_ ? kForever : position);
}

void ArenaPlanner::PlanLifetimes(bool keep_all) {
  keep_all_ = keep_all;
  const size_t count = graph_->num_tensors();
  slots_.assign(count, Slot());
  temporaries_end_ = 0;
  high_water_ = 0;
  for (size_t i = 0; i < graph_->num_execution_nodes(); ++i) {
    const int position = static_cast<int>(i);
    const TfLiteNode& node = graph_->node(i);
    ForEach(node.outputs, count, [&](int tensor) { Use(tensor, position); });
    // A tensor that nothing produces gets no memory from being read.
    ForEach(node.inputs, count, [&](int tensor) {
      if (slots_[tensor].first >= 0) Use(tensor, position);
    });
  }
  for (int tensor : graph_->inputs()) {
    if (tensor < 0 || static_cast<size_t>(tensor) >= count) continue;
    slots_[tensor].first = 0;
    slots_[tensor].last = kForever;
  }
  for (int tensor : graph_->outputs()) {
    if (tensor < 0 || static_cast<size_t>(tensor) >= count) continue;
    if (slots_[tensor].first < 0) slots_[tensor].first = 0;
    slots_[tensor].last = kForever;
  }
}

int ArenaPlanner::LastUse(int tensor) const {
  if (tensor < 0 || static_cast<size_t>(tensor) >= slots_.size()) return kForever;
  return slots_[tensor].last;
}

void ArenaPlanner::AddTemporaries(int last) {
  slots_.resize(std::max(slots_.size(), graph_->num_tensors()));
  const int end = std::min<int>(last + 1, static_cast<int>(graph_->num_execution_nodes()));
  for (int position = temporaries_end_; position < end; ++position) {
    ForEach(graph_->node(position).temporaries, slots_.size(),
            [&](int tensor) { Use(tensor, position); });
  }
  temporaries_end_ = std::max(temporaries_end_, end);
}

TfLiteStatus ArenaPlanner::Place(int last) {
  AddTemporaries(last);
  TfLiteStatus status = PlaceShared(last);
  if (status == kTfLiteOk) status = PlacePersistent();
  has_memory_ = status == kTfLiteOk;
  WriteAddresses();  // also after a failure: growing one block may have moved it
  return status;
}

TfLiteStatus ArenaPlanner::PlaceShared(int last) {
  std::vector<int> todo;
  std::vector<int> placed;  // sorted by offset
  for (size_t i = 0; i < slots_.size(); ++i) {
    const TfLiteTensor& tensor = *graph_->tensor(i);
    Slot& slot = slots_[i];
    if (tensor.allocation_type != kTfLiteArenaRw || slot.first < 0) continue;
    const bool fits = slot.offset != kNowhere && tensor.bytes <= slot.size;
    if (fits) {
      placed.push_back(static_cast<int>(i));
      continue;
    }
    slot.offset = kNowhere;
    if (tensor.bytes > 0 && slot.first <= last) {
      todo.push_back(static_cast<int>(i));
    }
  }
  const auto by_offset = [this](int a, int b) { return slots_[a].offset < slots_[b].offset; };
  std::sort(placed.begin(), placed.end(), by_offset);
  std::sort(todo.begin(), todo.end(), [this](int a, int b) {
    const size_t bytes_a = graph_->tensor(a)->bytes;
    const size_t bytes_b = graph_->tensor(b)->bytes;
    if (bytes_a != bytes_b) return bytes_a > bytes_b;
    return slots_[a].first != slots_[b].first ? slots_[a].first < slots_[b].first : a < b;
  });
  for (int index : todo) {
    Slot& slot = slots_[index];
    const size_t bytes = graph_->tensor(index)->bytes;
    if (bytes > std::numeric_limits<size_t>::max() / 4) return kTfLiteError;
    slot.offset = FindGap(slot, bytes, placed);
    slot.size = bytes;
    if (slot.offset > std::numeric_limits<size_t>::max() / 4) return kTfLiteError;
    high_water_ = std::max(high_water_, slot.offset + bytes);
    placed.insert(std::upper_bound(placed.begin(), placed.end(), index, by_offset), index);
  }
  return shared_.Reserve(high_water_) ? kTfLiteOk : kTfLiteError;
}

size_t ArenaPlanner::FindGap(const Slot& slot, size_t bytes, const std::vector<int>& placed) const {
  size_t candidate = 0;
  for (int other_index : placed) {
    const Slot& other = slots_[other_index];
    if (other.last < slot.first || slot.last < other.first) continue;
    if (other.offset >= candidate && other.offset - candidate >= bytes) return candidate;
    candidate = std::max(candidate, AlignUp(other.offset + other.size));
  }
  return candidate;
}

TfLiteStatus ArenaPlanner::PlacePersistent() {
  persistent_slots_.resize(std::max(persistent_slots_.size(), graph_->num_tensors()));
  for (size_t i = 0; i < persistent_slots_.size(); ++i) {
    const TfLiteTensor& tensor = *graph_->tensor(i);
    Slot& slot = persistent_slots_[i];
    if (tensor.allocation_type != kTfLiteArenaRwPersistent || tensor.bytes == 0) continue;
    if (slot.offset != kNowhere && tensor.bytes <= slot.size) continue;
    slot.offset = persistent_end_;
    slot.size = tensor.bytes;
    if (tensor.bytes > std::numeric_limits<size_t>::max() / 4 - persistent_end_) {
      return kTfLiteError;
    }
    persistent_end_ = AlignUp(persistent_end_ + tensor.bytes);
  }
  if (persistent_end_ == 0) return kTfLiteOk;
  return persistent_.Reserve(persistent_end_) ? kTfLiteOk : kTfLiteError;
}

// A tensor that has grown since it got its slot has no memory until the next plan.
char* ArenaPlanner::AddressOf(const TfLiteTensor& tensor, const Arena& arena,
                              const std::vector<Slot>& slots, size_t index) {
  if (index >= slots.size() || arena.base() == nullptr || tensor.bytes == 0) return nullptr;
  const Slot& slot = slots[index];
  const bool placed = slot.offset != kNowhere && tensor.bytes <= slot.size &&
                      slot.offset + slot.size <= arena.capacity();
  return placed ? arena.base() + slot.offset : nullptr;
}

void ArenaPlanner::WriteAddresses() {
  for (size_t i = 0; i < graph_->num_tensors(); ++i) {
    TfLiteTensor* tensor = graph_->tensor(i);
    if (tensor->allocation_type == kTfLiteArenaRw) {
      tensor->data.raw = AddressOf(*tensor, shared_, slots_, i);
    } else if (tensor->allocation_type == kTfLiteArenaRwPersistent) {
      tensor->data.raw = AddressOf(*tensor, persistent_, persistent_slots_, i);
    }
  }
}

void ArenaPlanner::ForgetAfter(int position) {
  temporaries_end_ = std::min(temporaries_end_, position + 1);
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].first <= position) continue;
    slots_[i].offset = kNowhere;
    slots_[i].size = 0;
    TfLiteTensor* tensor = graph_->tensor(i);
    if (tensor->allocation_type == kTfLiteArenaRw) tensor->data.raw = nullptr;
  }
}

void ArenaPlanner::ReleaseMemory() {
  shared_.Release();
  has_memory_ = false;
  WriteAddresses();
}

TfLiteStatus ArenaPlanner::Reacquire() {
  if (!shared_.Reserve(high_water_)) return kTfLiteError;
  has_memory_ = true;
  WriteAddresses();
  return kTfLiteOk;
}

}  // namespace tern
