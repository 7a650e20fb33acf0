// SPDX-License-Identifier: Apache-2.0
// Sums over measurements.
#include "tensorflow/lite/profiling/stat.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "base/str_cat.h"

namespace tflite {
namespace profiling {

int64_t Stat::Min() const {
  return values_.empty() ? 0 : *std::min_element(values_.begin(), values_.end());
}

int64_t Stat::Max() const {
  return values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end());
}

int64_t Stat::Sum() const { return std::accumulate(values_.begin(), values_.end(), int64_t{0}); }

double Stat::Mean() const {
  return values_.empty() ? 0 : static_cast<double>(Sum()) / static_cast<double>(count());
}

double Stat::Variance() const {
  if (values_.empty()) return 0;
  const double mean = Mean();
  double sum = 0;
  for (const int64_t value : values_) {
    const double distance = static_cast<double>(value) - mean;
    sum += distance * distance;
  }
  return sum / static_cast<double>(count());
}

int64_t Stat::Deviation() const { return static_cast<int64_t>(std::sqrt(Variance())); }

int64_t Stat::Percentile(int percent) const {
  if (values_.empty()) return 0;
  std::vector<int64_t> sorted = values_;
  std::sort(sorted.begin(), sorted.end());
  const size_t place = sorted.size() * static_cast<size_t>(percent) / 100;
  return sorted[std::min(place, sorted.size() - 1)];
}

std::string Stat::Text() const {
  if (values_.empty()) return "count=0";
  std::ostringstream text;  // for its six digits of the mean
  text << "count=" << count();
  if (Min() == Max()) {
    text << " curr=" << Last() << (count() > 1 ? "(all same)" : "");
  } else {
    text << " first=" << First() << " curr=" << Last() << " min=" << Min() << " max=" << Max()
         << " avg=" << Mean() << " std=" << Deviation();
  }
  return text.str();
}

std::string Stat::TextWithPercentiles() const {
  return tern::StrCat(Text(), " p5=", Percentile(5), " median=", Percentile(50),
                      " p95=", Percentile(95));
}

}  // namespace profiling
}  // namespace tflite
