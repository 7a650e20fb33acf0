// SPDX-License-Identifier: Apache-2.0
// For tests: the words of the dialect that promise something of NaN, infinities and subnormal
// numbers, on pairs of these.
#ifndef TERN_GPU_BACKENDS_CONFORMANCE_SPECIAL_CASES_H_
#define TERN_GPU_BACKENDS_CONFORMANCE_SPECIAL_CASES_H_

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gpu/backends/conformance/dialect_cases.h"

namespace tern::gpu::conformance {

struct SpecialWord {
  const char* expression;  // of v and w, with a = -1 and b = 2
  float (*value)(float v, float w);
};

inline const std::vector<SpecialWord>& SpecialWords() {
  static const auto& words = *new std::vector<SpecialWord>{
      {"between(v, splat(a), splat(b))",
       [](float v, float) { return v < -1.0f ? -1.0f : (v > 2.0f ? 2.0f : v); }},
      {"limited(v, splat(a), splat(b))",
       [](float v, float) { return v > -1.0f ? (v > 2.0f ? 2.0f : v) : -1.0f; }},
      {"larger(v, w)",
       [](float v, float w) { return std::isnan(v) || std::isnan(w) ? v + w : std::fmax(v, w); }},
      {"smaller(v, w)",
       [](float v, float w) { return std::isnan(v) || std::isnan(w) ? v + w : std::fmin(v, w); }},
      {"select_nan(v, splat(a), w)", [](float v, float w) { return std::isnan(v) ? -1.0f : w; }},
      {"is_nan(lane(v, 0)) ? splat(1.0) : splat(0.0)",
       [](float v, float) { return std::isnan(v) ? 1.0f : 0.0f; }},
      {"slice_of_bits(slice_bits(v))", [](float v, float) { return v; }},
      {"slice_of_bits(isplat(2143289344))",
       [](float, float) { return std::numeric_limits<float>::quiet_NaN(); }},
      {"select_lt(order(v), order(w), splat(1.0), splat(0.0))",
       [](float v, float w) {
         if (std::isnan(v)) return std::isnan(w) ? 0.0f : 1.0f;
         return v < w ? 1.0f : 0.0f;
       }},
      {"select_eq(order(v), order(w), splat(1.0), splat(0.0))",
       [](float v, float w) { return v == w || (std::isnan(v) && std::isnan(w)) ? 1.0f : 0.0f; }},
  };
  return words;
}

inline void RunSpecialCases(Device& device) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> numbers = {kNan,   -kNan,   kInfinity, -kInfinity, 0.0f,  -0.0f,
                                      3e-41f, -3e-41f, 1.4e-45f,  1.0f,       -1.0f, 1.5f,
                                      -7.0f,  3.4e38f, -3.4e38f,  1.2e-38f,   2.0f};
  const int count = static_cast<int>(numbers.size());
  const Box box = {1, count, count, 1};
  std::vector<float> first, second;
  for (const float v : numbers) {
    for (const float w : numbers) {
      first.push_back(v);
      second.push_back(w);
    }
  }
  for (const int width : SliceWidths(device)) {
    for (const SpecialWord& word : SpecialWords()) {
      SCOPED_TRACE(StrCat("W ", width, ", ", word.expression));
      KernelBench bench(device, width);
      const TensorId src = bench.Add({box, Layout::kSlices, Element::kFloat32}, first);
      const TensorId op = bench.Add({box, Layout::kSlices, Element::kFloat32}, second);
      const TensorId dst = bench.Add({box, Layout::kSlices, Element::kFloat32});
      Dispatch dispatch = ChainDispatch(src, dst, box, width);
      dispatch.epilogue = {{.expression = word.expression,
                            .a = -1.0f,
                            .b = 2.0f,
                            .operand = BindEpilogueOperand(op, box, dispatch)}};
      ASSERT_NO_FATAL_FAILURE(bench.Run(dispatch));
      const std::vector<float> got = bench.Rows(dst);
      for (size_t i = 0; i < got.size(); ++i) {
        const float want = word.value(first[i], second[i]);
        // Subnormal numbers may become zeros.
        const bool same = std::isnan(want) ? std::isnan(got[i])
                                           : got[i] == want || std::fabs(got[i] - want) < 1e-37f;
        ASSERT_TRUE(same) << first[i] << ", " << second[i] << ": " << got[i] << ", not " << want;
      }
    }
  }
}

}  // namespace tern::gpu::conformance

#endif  // TERN_GPU_BACKENDS_CONFORMANCE_SPECIAL_CASES_H_
