// SPDX-License-Identifier: Apache-2.0
//
// Lives of tensors from the execution plan, and their addresses in memory.
#include "runtime/arena_planner.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/offset_planner.h"

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
  if (!keep_all_) PlanTakeovers();
}

// An input that this node alone reads, and that is not the graph's own.
bool ArenaPlanner::CanTakeOver(int input, int output, int position,
                               const std::vector<int>& readers) const {
  const auto count = static_cast<int>(slots_.size());
  if (input < 0 || input >= count || output < 0 || output >= count) return false;
  const Slot& slot = slots_[input];
  return readers[input] == 1 && slot.first >= 0 && slot.last == position &&
         slots_[output].first == position;
}

void ArenaPlanner::PlanTakeovers() {
  std::vector<int> readers(slots_.size(), 0);
  for (size_t i = 0; i < graph_->num_execution_nodes(); ++i) {
    ForEach(graph_->node(i).inputs, slots_.size(), [&](int tensor) { ++readers[tensor]; });
  }
  constexpr uint64_t kFirstBit = kTfLiteInplaceOpInput0Shared;
  for (size_t i = 0; i < graph_->num_execution_nodes(); ++i) {
    const uint64_t shared = graph_->registration(i).inplace_operator;
    const TfLiteNode& node = graph_->node(i);
    if (shared == 0 || node.inputs == nullptr || node.outputs == nullptr) continue;
    for (int k = 0; k < std::min(node.inputs->size, 3) && node.outputs->size > 0; ++k) {
      const int input = node.inputs->data[k], output = node.outputs->data[0];
      if ((shared & kFirstBit << k) == 0) continue;
      if (!CanTakeOver(input, output, static_cast<int>(i), readers)) continue;
      slots_[output].origin = input;
      for (int t = input; t >= 0; t = slots_[t].origin) slots_[t].last = slots_[output].last;
      break;
    }
  }
}

bool ArenaPlanner::TakesOver(size_t index) const {
  const int origin = slots_[index].origin;
  if (origin < 0) return false;
  const TfLiteTensor& from = *graph_->tensor(static_cast<size_t>(origin));
  return from.allocation_type == kTfLiteArenaRw && from.bytes == graph_->tensor(index)->bytes;
}

int ArenaPlanner::LastUse(int tensor) const {
  if (tensor < 0 || static_cast<size_t>(tensor) >= slots_.size()) return kForever;
  return slots_[tensor].last;
}

bool ArenaPlanner::Holds(const TfLiteTensor& tensor) const {
  const auto data = reinterpret_cast<uintptr_t>(tensor.data.raw);
  const auto base = reinterpret_cast<uintptr_t>(shared_.base());
  return tensor.allocation_type == kTfLiteArenaRw && tensor.data.raw != nullptr && data >= base &&
         data - base <= shared_.capacity() && tensor.bytes <= shared_.capacity() - (data - base);
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
  std::vector<int> todo, takeovers;
  std::vector<int> placed;
  size_t sum = 0;
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
    slot.size = 0;
    if (tensor.bytes == 0 || slot.first > last) continue;
    if (TakesOver(i)) {
      takeovers.push_back(static_cast<int>(i));
      continue;
    }
    slot.size = tensor.bytes;
    if (tensor.bytes > std::numeric_limits<size_t>::max() / 4 - sum) return kTfLiteError;
    sum += AlignUp(tensor.bytes);
    todo.push_back(static_cast<int>(i));
  }
  if (!todo.empty()) PlaceTogether(std::move(todo), placed);
  // Each after the tensor that it takes over.
  std::sort(takeovers.begin(), takeovers.end(),
            [this](int a, int b) { return slots_[a].first < slots_[b].first; });
  for (const int index : takeovers) {
    const Slot& origin = slots_[slots_[index].origin];
    slots_[index].offset = origin.offset;
    slots_[index].size = origin.size;
  }
  return shared_.Reserve(high_water_) ? kTfLiteOk : kTfLiteError;
}

Block ArenaPlanner::BlockOf(int tensor) const {
  const Slot& slot = slots_[tensor];
  return {slot.size, slot.first, slot.last, /*buffer=*/0, slot.offset};
}

// Gives every tensor of `todo` its offset, beside those that are placed. Of equal ones that which
// comes to life first is placed first.
void ArenaPlanner::PlaceTogether(std::vector<int> todo, const std::vector<int>& placed) {
  std::stable_sort(todo.begin(), todo.end(),
                   [this](int a, int b) { return slots_[a].first < slots_[b].first; });
  std::vector<Block> blocks, fixed;
  for (const int index : todo) blocks.push_back(BlockOf(index));
  for (const int index : placed) fixed.push_back(BlockOf(index));
  const size_t enough = std::max(high_water_, LowerBound());
  const std::vector<size_t> sizes =
      PlaceBlocks(&blocks, fixed, {.alignment = kTensorAlignment, .enough = enough});
  for (size_t i = 0; i < todo.size(); ++i) slots_[todo[i]].offset = blocks[i].offset;
  high_water_ = std::max(high_water_, sizes[0]);
}

size_t ArenaPlanner::LowerBound() const {
  std::vector<Block> blocks;
  for (size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (slot.size == 0 || slot.first < 0) continue;
    if (slot.origin >= 0 && slot.offset == slots_[slot.origin].offset) continue;
    blocks.push_back(BlockOf(static_cast<int>(i)));
  }
  return tern::LowerBound(blocks, kTensorAlignment);
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
