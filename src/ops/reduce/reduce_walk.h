// SPDX-License-Identifier: Apache-2.0
// The order in which a reduction reads its input: always along the memory, whichever axes go.
#ifndef TERN_OPS_REDUCE_REDUCE_WALK_H_
#define TERN_OPS_REDUCE_REDUCE_WALK_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/tensor/window_axis.h"
#include "cpu/sums.h"
#include "ops/cpu_kit/op_kit.h"
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

  // Whether any element goes into each output.
  bool HasElements() const { return reduced_.size() * run_ > 0; }

  // For each element of the output: combines, from `start` on, the elements that make it, and hands
  // the result to finish(position, combined), or to finish(position, combined, first element),
  // which needs elements.
  template <class Combined, class T, class Combine, class Finish>
  void Run(ThreadPool* pool, const T* in, Combined start, const Combine& combine,
           const Finish& finish) const {
    const int64_t cost = reduced_.size() * run_;
    ParallelFor(pool, Blocks(), cost, [&](int64_t begin, int64_t end) {
      std::vector<Combined> lines;
      for (int64_t block = begin; block < end; ++block) {
        if (!run_is_kept_) {
          Hand(finish, block, OfRuns(in, kept_[block], start, combine), in, kept_[block]);
          continue;
        }
        const Columns columns = ColumnsOf(block);
        lines.assign(static_cast<size_t>(columns.count), start);
        for (int64_t r = 0; r < reduced_.size(); ++r) {
          const T* line = in + columns.offset + reduced_[r];
          for (int64_t i = 0; i < columns.count; ++i) lines[i] = combine(lines[i], line[i]);
        }
        for (int64_t i = 0; i < columns.count; ++i) {
          Hand(finish, columns.output + i, lines[i], in, columns.offset + i);
        }
      }
    });
  }

  // Run for sums of floats, by the optimized kernels.
  template <class Finish>
  void RunSums(ThreadPool* pool, const SumForms& forms, const float* in,
               const Finish& finish) const {
    if (!run_is_kept_) {
      ParallelFor(pool, outputs_, reduced_.size() * run_ / 2, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          double sum = 0;
          for (int64_t r = 0; r < reduced_.size(); ++r) {
            sum += forms.row(in + kept_[i] + reduced_[r], run_);
          }
          finish(i, sum);
        }
      });
      return;
    }
    // Stretches of lines are summed apart, in any number of threads alike.
    const int64_t stretches = std::max<int64_t>(1, CeilDiv(reduced_.size(), kLinesTogether));
    const int64_t cost = std::min(kLinesTogether, reduced_.size()) * run_ / 2;
    std::vector<double> partial(stretches == 1 ? 0 : static_cast<size_t>(stretches * outputs_));
    ParallelFor(pool, stretches * Blocks(), cost, [&](int64_t begin, int64_t end) {
      std::array<double, kColumnsAtOnce> own;
      for (int64_t i = begin; i < end; ++i) {
        const Columns columns = ColumnsOf(i / stretches);
        double* sums = stretches == 1 ? own.data()
                                      : partial.data() + i % stretches * outputs_ + columns.output;
        std::fill_n(sums, columns.count, 0.0);
        AddLines(forms, in, columns, i % stretches, sums);
        for (int64_t k = 0; k < columns.count && stretches == 1; ++k) {
          finish(columns.output + k, sums[k]);
        }
      }
    });
    for (int64_t i = 0; i < outputs_ && stretches > 1; ++i) {
      double sum = partial[i];
      for (int64_t k = 1; k < stretches; ++k) sum += partial[k * outputs_ + i];
      finish(i, sum);
    }
  }

 private:
  static constexpr int64_t kColumnsAtOnce = 512, kLinesTogether = 2048;

  // Neighbouring elements of a run that is kept: where the first ones to be combined lie, and the
  // results.
  struct Columns {
    int64_t offset, output, count;
  };
  // The number of blocks. A block is computed at once: columns, or one output.
  int64_t Blocks() const {
    return run_is_kept_ ? kept_.size() * CeilDiv(run_, kColumnsAtOnce) : outputs_;
  }
  Columns ColumnsOf(int64_t block) const {
    const int64_t blocks = CeilDiv(run_, kColumnsAtOnce);
    const int64_t run = block / blocks, first = block % blocks * kColumnsAtOnce;
    return {kept_[run] + first, run * run_ + first, std::min(kColumnsAtOnce, run_ - first)};
  }
  void AddLines(const SumForms& forms, const float* in, const Columns& columns, int64_t stretch,
                double* sums) const {
    const int64_t end = std::min(reduced_.size(), (stretch + 1) * kLinesTogether);
    std::array<int64_t, kLinesAtOnce> offsets;
    for (int64_t r = stretch * kLinesTogether; r < end;) {
      int64_t lines = 0;
      while (lines < kLinesAtOnce && r < end) offsets[lines++] = reduced_[r++];
      forms.add_lines(in + columns.offset, offsets.data(), lines, columns.count, sums);
    }
  }

  // `kept` is where the elements of the output lie; `in` may be null where there are none.
  template <class Finish, class Combined, class T>
  void Hand(const Finish& finish, int64_t output, Combined combined, const T* in,
            int64_t kept) const {
    if constexpr (std::is_invocable_v<Finish, int64_t, Combined, T>) {
      finish(output, combined, in[kept + reduced_[0]]);
    } else {
      finish(output, combined);
    }
  }

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
