// SPDX-License-Identifier: Apache-2.0
//
// Where in memory each tensor of a graph lives. Tensors whose lifetimes do not overlap share bytes;
// graph inputs and outputs stay alive over the whole run, variables over all runs. An output takes
// over the bytes of an input that nothing else reads where its operation works in place.
#ifndef TERN_RUNTIME_ARENA_PLANNER_H_
#define TERN_RUNTIME_ARENA_PLANNER_H_

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "base/offset_planner.h"
#include "runtime/arena.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/graph_info.h"

namespace tern {

class ArenaPlanner {
 public:
  // `graph` is owned. `allocator` may be null.
  ArenaPlanner(std::unique_ptr<tflite::GraphInfo> graph, const TfLiteAllocator* allocator);

  // Reads the lifetimes from the execution plan and forgets all places. To be called whenever the
  // plan, the graph's inputs or its outputs have changed. With `keep_all`, tensors live to the end
  // and no two share bytes.
  void PlanLifetimes(bool keep_all);

  // Gives a place to the tensors that come to life up to plan position `last` and writes the
  // address of every placed tensor into `TfLiteTensor::data`. Tensors placed by earlier calls keep
  // their place and content unless they grew. Returns kTfLiteError if there is no memory.
  TfLiteStatus Place(int last);

  // Forgets the places of tensors that come to life after plan position `position`.
  void ForgetAfter(int position);

  // Gives the shared memory back; variables keep theirs. `Reacquire` undoes it, without content.
  void ReleaseMemory();
  TfLiteStatus Reacquire();
  bool HasMemory() const { return has_memory_; }
  // Whether the data of a tensor lies in the shared memory.
  bool Holds(const TfLiteTensor& tensor) const;

  // Lifetime end of a tensor as plan position.
  static constexpr int kForever = std::numeric_limits<int>::max();
  int LastUse(int tensor) const;

  size_t shared_bytes() const { return shared_.capacity(); }
  // Returns the minimum size of the shared arena: the largest sum of tensors alive at one step.
  size_t LowerBound() const;
  size_t persistent_bytes() const { return persistent_.capacity(); }

  // Place in the shared arena.
  static constexpr size_t kNowhere = static_cast<size_t>(-1);
  size_t Offset(int tensor) const {
    return static_cast<size_t>(tensor) < slots_.size() ? slots_[tensor].offset : kNowhere;
  }

 private:
  struct Slot {
    int first = -1;  // plan positions; first < 0 means that nothing needs the tensor
    int last = -1;
    size_t offset = kNowhere;
    size_t size = 0;
    int origin = -1;  // the tensor whose bytes it takes over, which then live as long
  };

  void Use(int tensor, int position);
  void PlanTakeovers();
  bool CanTakeOver(int input, int output, int position, const std::vector<int>& readers) const;
  // Whether a tensor with an origin fits its place.
  bool TakesOver(size_t index) const;
  void AddTemporaries(int last);
  TfLiteStatus PlaceShared(int last);
  void PlaceTogether(std::vector<int> todo, const std::vector<int>& placed);
  Block BlockOf(int tensor) const;
  TfLiteStatus PlacePersistent();
  static char* AddressOf(const TfLiteTensor& tensor, const Arena& arena,
                         const std::vector<Slot>& slots, size_t index);
  void WriteAddresses();

  std::unique_ptr<tflite::GraphInfo> graph_;
  bool keep_all_ = false;
  Arena shared_;
  Arena persistent_;
  bool has_memory_ = false;
  int temporaries_end_ = 0;  // plan positions whose temporaries have been seen
  size_t high_water_ = 0;
  size_t persistent_end_ = 0;
  std::vector<Slot> slots_;             // by tensor, shared arena
  std::vector<Slot> persistent_slots_;  // by tensor, persistent arena
};

}  // namespace tern

#endif  // TERN_RUNTIME_ARENA_PLANNER_H_
