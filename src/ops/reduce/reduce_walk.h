// SPDX-License-Identifier: Apache-2.0
// The order in which a reduction reads its input: always along the memory, whichever axes go.
#ifndef TERN_OPS_REDUCE_REDUCE_WALK_H_
#define TERN_OPS_REDUCE_REDUCE_WALK_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ops/op_kit.h"
#include "ops/reduce/reduce_rules.h"

namespace tern {

class ReduceWalk {
 public:
  ReduceWalk() = default;
  ReduceWalk(const Shape& input, const ReducedAxes& axes);

  // For each element of the output: combines, from `start` on, the elements that make it, and hands
  // the result to finish(position, combined).
  template <class Combined, class T, class Combine, class Finish>
  void Run(ThreadPool* pool, const T* in, Combined start, const Combine& combine,
           const Finish& finish) const {
    const auto cost = static_cast<int64_t>(reduced_.size()) * (run_is_kept_ ? 1 : run_);
    ParallelFor(pool, outputs_, cost, [&](int64_t begin, int64_t end) {
      std::vector<Combined> lines;
      while (begin < end) {
        if (!run_is_kept_) {
          finish(begin, OfRuns(in + kept_[begin], start, combine));
          ++begin;
          continue;
        }
        const int64_t column = begin % run_;
        const int64_t count = std::min({end - begin, run_ - column, kColumnsAtOnce});
        lines.assign(static_cast<size_t>(count), start);
        const T* from = in + kept_[begin / run_] + column;
        for (const int64_t offset : reduced_) {
          const T* line = from + offset;
          for (int64_t i = 0; i < count; ++i) lines[i] = combine(lines[i], line[i]);
        }
        for (int64_t i = 0; i < count; ++i) finish(begin + i, lines[i]);
        begin += count;
      }
    });
  }

 private:
  static constexpr int64_t kColumnsAtOnce = 512;

  template <class Combined, class T, class Combine>
  Combined OfRuns(const T* in, Combined combined, const Combine& combine) const {
    for (const int64_t offset : reduced_) {
      for (int64_t i = 0; i < run_; ++i) combined = combine(combined, in[offset + i]);
    }
    return combined;
  }

  int64_t outputs_ = 0;
  int64_t run_ = 1;  // elements that lie side by side and are all kept, or all reduced
  bool run_is_kept_ = true;
  std::vector<int64_t> kept_, reduced_;  // offsets, apart from the run
};

}  // namespace tern

#endif  // TERN_OPS_REDUCE_REDUCE_WALK_H_
