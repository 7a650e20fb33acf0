// SPDX-License-Identifier: Apache-2.0
// The order in which a reduction reads its input: always along the memory, whichever axes go.
#ifndef TERN_OPS_REDUCE_REDUCE_WALK_H_
#define TERN_OPS_REDUCE_REDUCE_WALK_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "cpu/sums.h"
#include "ops/op_kit.h"
#include "ops/reduce/reduce_rules.h"

namespace tern {

// Axes that follow each other and share their fate, as one.
struct JoinedAxis {
  int64_t size, stride;
  bool reduced;
};

// Offsets of all positions along some axes, the last of them fastest. Short lists are a table.
class OffsetList {
 public:
  OffsetList() = default;
  OffsetList(const std::vector<JoinedAxis>& axes, bool reduced);

  int64_t size() const { return size_; }
  int64_t operator[](int64_t i) const {
    return table_.empty() ? Computed(i) : table_[static_cast<size_t>(i)];
  }

 private:
  int64_t Computed(int64_t i) const;

  int64_t size_ = 0;
  std::vector<JoinedAxis> axes_;
  std::vector<int64_t> table_;
};

class ReduceWalk {
 public:
  ReduceWalk() = default;
  ReduceWalk(const Shape& input, const ReducedAxes& axes);

  // For each element of the output: combines, from `start` on, the elements that make it, and hands
  // the result to finish(position, combined).
  template <class Combined, class T, class Combine, class Finish>
  void Run(ThreadPool* pool, const T* in, Combined start, const Combine& combine,
           const Finish& finish) const {
    const int64_t cost = reduced_.size() * (run_is_kept_ ? 1 : run_);
    ParallelFor(pool, outputs_, cost, [&](int64_t begin, int64_t end) {
      std::vector<Combined> lines;
      while (begin < end) {
        if (!run_is_kept_) {
          finish(begin, OfRuns(in, kept_[begin], start, combine));
          ++begin;
          continue;
        }
        const int64_t column = begin % run_;
        const int64_t count = std::min({end - begin, run_ - column, kColumnsAtOnce});
        lines.assign(static_cast<size_t>(count), start);
        const int64_t first = kept_[begin / run_] + column;
        for (int64_t r = 0; r < reduced_.size(); ++r) {
          const T* line = in + first + reduced_[r];
          for (int64_t i = 0; i < count; ++i) lines[i] = combine(lines[i], line[i]);
        }
        for (int64_t i = 0; i < count; ++i) finish(begin + i, lines[i]);
        begin += count;
      }
    });
  }

  // Run for sums of floats, by the fast forms.
  template <class Finish>
  void RunSums(ThreadPool* pool, const SumForms& forms, const float* in,
               const Finish& finish) const {
    const int64_t cost = reduced_.size() * (run_is_kept_ ? 1 : run_) / 2;
    ParallelFor(pool, outputs_, cost, [&](int64_t begin, int64_t end) {
      std::vector<double> sums;
      while (begin < end) {
        if (!run_is_kept_) {
          double sum = 0;
          const float* first = in + kept_[begin];
          for (int64_t r = 0; r < reduced_.size(); ++r) sum += forms.row(first + reduced_[r], run_);
          finish(begin++, sum);
          continue;
        }
        const int64_t column = begin % run_;
        const int64_t count = std::min({end - begin, run_ - column, kColumnsAtOnce});
        sums.assign(static_cast<size_t>(count), 0.0);
        const float* first = in + kept_[begin / run_] + column;
        std::array<int64_t, kLinesAtOnce> offsets;
        for (int64_t r = 0; r < reduced_.size();) {
          int64_t lines = 0;
          while (lines < kLinesAtOnce && r < reduced_.size()) offsets[lines++] = reduced_[r++];
          forms.add_lines(first, offsets.data(), lines, count, sums.data());
        }
        for (int64_t i = 0; i < count; ++i) finish(begin + i, sums[i]);
        begin += count;
      }
    });
  }

 private:
  static constexpr int64_t kColumnsAtOnce = 512;

  template <class Combined, class T, class Combine>
  Combined OfRuns(const T* in, int64_t first, Combined combined, const Combine& combine) const {
    for (int64_t r = 0; r < reduced_.size(); ++r) {
      const T* from = in + first + reduced_[r];
      for (int64_t i = 0; i < run_; ++i) combined = combine(combined, from[i]);
    }
    return combined;
  }

  int64_t outputs_ = 0;
  int64_t run_ = 1;  // elements that lie side by side and are all kept, or all reduced
  bool run_is_kept_ = true;
  OffsetList kept_, reduced_;  // apart from the run
};

}  // namespace tern

#endif  // TERN_OPS_REDUCE_REDUCE_WALK_H_
