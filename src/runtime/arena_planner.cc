// SPDX-License-Identifier: Apache-2.0
//
// Greedy placement: one tensor after the other, each into the lowest gap among the tensors that
// live at the same time. The order decides how much that needs: where it is more than the lower
// bound, the tensor that reaches highest comes earlier, and all is placed again.
#include "runtime/arena_planner.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace tern {
namespace {

constexpr size_t kMostTries = 30;
constexpr size_t kMostPairs = 4'000'000;

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
  std::vector<int> placed;  // sorted by offset
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
  if (!todo.empty()) PlaceTogether(std::move(todo), std::move(placed));
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

// Gives every tensor of `todo` its offset, beside those that are placed.
void ArenaPlanner::PlaceTogether(std::vector<int> todo, std::vector<int> placed) {
  std::sort(placed.begin(), placed.end(),
            [this](int a, int b) { return slots_[a].offset < slots_[b].offset; });
  const size_t enough = std::max(high_water_, LowerBound());
  size_t best = std::numeric_limits<size_t>::max();
  std::vector<size_t> offsets(slots_.size(), kNowhere);
  // The largest first; of equals the one that comes to life first.
  std::stable_sort(todo.begin(), todo.end(), [this](int a, int b) {
    const Slot& x = slots_[a];
    const Slot& y = slots_[b];
    return x.size != y.size ? x.size > y.size : x.first < y.first;
  });
  Search(todo, placed, enough, &best, &offsets);
  if (best > enough) {
    // Those that live longest first.
    std::stable_sort(todo.begin(), todo.end(), [this](int a, int b) {
      return slots_[a].last - slots_[a].first > slots_[b].last - slots_[b].first;
    });
    Search(todo, placed, enough, &best, &offsets);
  }
  for (int index : todo) slots_[index].offset = offsets[index];
  high_water_ = std::max(high_water_, best);
}

// Tries orders that begin with this one; stops when `enough` is reached. Where one needs less than
// *best, that and the offsets are written.
void ArenaPlanner::Search(std::vector<int> todo, const std::vector<int>& placed, size_t enough,
                          size_t* best, std::vector<size_t>* offsets) {
  // Every try looks at pairs of tensors; large graphs get fewer.
  const size_t pairs = todo.size() * (todo.size() + placed.size());
  const size_t tries = std::clamp<size_t>(kMostPairs / pairs, 1, kMostTries);
  for (size_t i = 0; i < tries && (*best > enough); ++i) {
    const Layout layout = PlaceInOrder(todo, placed);
    if (layout.end < *best) {
      *best = layout.end;
      for (int index : todo) (*offsets)[index] = slots_[index].offset;
    }
    const auto top = todo.begin() + static_cast<ptrdiff_t>(layout.topmost);
    std::rotate(todo.begin() + static_cast<ptrdiff_t>(layout.topmost / 2), top, top + 1);
  }
}

// Gives every tensor of `todo` its offset.
ArenaPlanner::Layout ArenaPlanner::PlaceInOrder(const std::vector<int>& todo,
                                                std::vector<int> placed) {
  Layout layout;
  for (size_t i = 0; i < todo.size(); ++i) {
    const int index = todo[i];
    Slot& slot = slots_[index];
    slot.offset = FindGap(slot, placed);
    if (slot.offset + slot.size > layout.end) layout = {slot.offset + slot.size, i};
    const auto by_offset = [this](int a, int b) { return slots_[a].offset < slots_[b].offset; };
    placed.insert(std::upper_bound(placed.begin(), placed.end(), index, by_offset), index);
  }
  return layout;
}

size_t ArenaPlanner::FindGap(const Slot& slot, const std::vector<int>& placed) const {
  size_t candidate = 0;
  for (int other_index : placed) {
    const Slot& other = slots_[other_index];
    if (other.last < slot.first || slot.last < other.first) continue;
    if (other.offset >= candidate && other.offset - candidate >= slot.size) return candidate;
    candidate = std::max(candidate, AlignUp(other.offset + other.size));
  }
  return candidate;
}

size_t ArenaPlanner::LowerBound() const {
  const size_t positions = graph_->num_execution_nodes() + 1;
  std::vector<size_t> begins(positions, 0);
  std::vector<size_t> ends(positions, 0);  // of the position after the last
  for (const Slot& slot : slots_) {
    if (slot.size == 0 || slot.first < 0 || static_cast<size_t>(slot.first) >= positions) continue;
    if (slot.origin >= 0 && slot.offset == slots_[slot.origin].offset) continue;
    begins[slot.first] += AlignUp(slot.size);
    if (static_cast<size_t>(slot.last) + 1 < positions) ends[slot.last + 1] += AlignUp(slot.size);
  }
  size_t alive = 0;
  size_t most = 0;
  for (size_t i = 0; i < positions; ++i) {
    alive += begins[i] - ends[i];
    most = std::max(most, alive);
  }
  return most;
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
