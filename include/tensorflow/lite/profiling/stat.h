// SPDX-License-Identifier: Apache-2.0
// Statistics of repeated measurements of one thing. An extension.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_STAT_H_
#define TERN_TENSORFLOW_LITE_PROFILING_STAT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace tflite {
namespace profiling {

class Stat {
 public:
  void Add(int64_t value) { values_.push_back(value); }

  int64_t count() const { return static_cast<int64_t>(values_.size()); }
  // All 0 while nothing was added.
  int64_t First() const { return values_.empty() ? 0 : values_.front(); }
  int64_t Last() const { return values_.empty() ? 0 : values_.back(); }
  int64_t Min() const;
  int64_t Max() const;
  int64_t Sum() const;
  double Mean() const;
  double Variance() const;
  int64_t Deviation() const;  // standard deviation, whole units
  // The value that `percent` of the sorted values lie before.
  int64_t Percentile(int percent) const;

  // "count=N first=.. curr=.. min=.. max=.. avg=.. std=..", shorter where all values are the same.
  std::string Text() const;
  // The same with " p5=.. median=.. p95=..".
  std::string TextWithPercentiles() const;

 private:
  std::vector<int64_t> values_;
};

}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_STAT_H_
