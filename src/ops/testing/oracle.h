// SPDX-License-Identifier: Apache-2.0
// Expected values in double precision together with the error that float arithmetic may make: a sum
// of n terms may be off by 4 * sqrt(n) * 2^-24 times the sum of their magnitudes.
#ifndef TERN_OPS_TESTING_ORACLE_H_
#define TERN_OPS_TESTING_ORACLE_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "ops/cpu_kit/op_kit.h"

namespace tern::testing {

struct Expected {
  double value = 0;
  double magnitude = 0;
  int64_t terms = 0;

  void Add(double term) {
    value += term;
    magnitude += std::fabs(term);
    ++terms;
  }
  void Clamp(const FloatRange& range) {
    value = std::min(std::max(value, double{range.min}), double{range.max});
  }
  double Tolerance() const {
    return 4 * std::sqrt(static_cast<double>(terms)) * std::ldexp(magnitude, -24) + 1e-37;
  }
};

inline void ExpectClose(const std::vector<float>& got, const std::vector<Expected>& want,
                        const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], want[i].value, want[i].Tolerance()) << what << ", element " << i;
  }
}

// Reproducible values in [low, high).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Bits() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  int64_t Integer(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Bits() % static_cast<uint64_t>(high - low + 1));
  }
  std::vector<float> Floats(int64_t count, double low = -2, double high = 2) {
    std::vector<float> values(static_cast<size_t>(count));
    for (float& v : values) {
      v = static_cast<float>(low +
                             (high - low) * std::ldexp(static_cast<double>(Bits() >> 11), -53));
    }
    return values;
  }

 private:
  uint64_t state_;
};

// The ways in which each case is run.
struct Way {
  const char* name;
  OpForm form;
  int threads;
};
inline constexpr Way kWays[] = {{"plain", OpForm::kReference, 1},
                                {"fast", OpForm::kOptimized, 1},
                                {"fast, 2 threads", OpForm::kOptimized, 2}};

inline std::vector<int> Dims(const Shape& shape) {
  return std::vector<int>(shape.begin(), shape.end());
}

inline int64_t Count(const std::vector<int>& shape) {
  int64_t count = 1;
  for (const int size : shape) count *= size;
  return count;
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_ORACLE_H_
