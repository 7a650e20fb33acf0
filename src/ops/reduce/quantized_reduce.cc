// SPDX-License-Identifier: Apache-2.0
// Sums are taken of the stored numbers; the zero point, the ratio of the scales and, in a mean, the
// division are applied to them at once.
#include "ops/reduce/quantized_reduce.h"

#include <algorithm>
#include <cmath>

#include "ops/reduce/mean_rules.h"

namespace tern {
namespace {

struct Scales {
  Quantization in, out;
  IntRange range;
};

StatusOr<Scales> ScalesOf(const OpCall& call) {
  Scales scales;
  TERN_ASSIGN_OR_RETURN(scales.in, QuantizationOf(call.input(0), "input"));
  TERN_ASSIGN_OR_RETURN(scales.out, QuantizationOf(call.output(0), "output"));
  scales.range = TypeRange(call.output(0)->type);
  return scales;
}

template <class T>
void SumOrMean(const OpCall& call, bool mean, const Scales& s, const ReduceWalk& walk,
               int64_t count, ThreadPool* pool) {
  T* out = MutableData<T>(call.output(0));
  const Multiplier m = SumMultiplier(s.in, s.out, mean, count);
  walk.Run(
      pool, Data<T>(call.input(0)), int64_t{0}, [](int64_t sum, T v) { return sum + v; },
      [&](int64_t at, int64_t sum) {
        const int64_t real = sum - s.in.zero_point * count;
        const int64_t scaled = int64_t{Scale(static_cast<int32_t>(real), m)} + s.out.zero_point;
        out[at] = static_cast<T>(std::clamp<int64_t>(scaled, s.range.min, s.range.max));
      });
}

// Of one factor: its own scale, and its share of the output's.
Multiplier FactorMultiplier(const Scales& s, int64_t count) {
  const double root =
      std::pow(double{s.out.scale}, 1.0 / static_cast<double>(std::max<int64_t>(count, 1)));
  return MakeMultiplier(double{s.in.scale} / root);
}

// Each factor but the first shrinks the product by its share of the scales.
template <class T>
void Product(const OpCall& call, const Scales& s, const ReduceWalk& walk, int64_t count,
             ThreadPool* pool) {
  struct Factors {
    int64_t product = 0;
    bool any = false;
  };
  T* out = MutableData<T>(call.output(0));
  const Multiplier m = FactorMultiplier(s, count);
  walk.Run(
      pool, Data<T>(call.input(0)), Factors{},
      [&](Factors f, T v) {
        const int64_t real = int64_t{v} - s.in.zero_point;
        return Factors{f.any ? ScaleWide(f.product * real, m) : real, true};
      },
      [&](int64_t at, const Factors& f) {
        const int64_t one = std::llround(1.0 / double{s.out.scale});
        const int64_t scaled = (f.any ? ScaleWide(f.product, m) : one) + s.out.zero_point;
        out[at] = static_cast<T>(std::clamp<int64_t>(scaled, s.range.min, s.range.max));
      });
}

template <class T>
Status ReduceTyped(const OpCall& call, Reduction kind, const ReduceWalk& walk, int64_t count,
                   ThreadPool* pool) {
  TERN_ASSIGN_OR_RETURN(const Scales scales, ScalesOf(call));
  if (kind == Reduction::kProduct) {
    Product<T>(call, scales, walk, count, pool);
  } else {
    SumOrMean<T>(call, kind == Reduction::kMean, scales, walk, count, pool);
  }
  return OkStatus();
}

}  // namespace

Status CheckReduceScales(const OpCall& call) { return ScalesOf(call).status(); }

Status CheckProductScales(const OpCall& call, int64_t count) {
  if (count == 0) return OkStatus();  // a product of nothing is 1
  TERN_ASSIGN_OR_RETURN(const Scales scales, ScalesOf(call));
  return CheckWideMultiplier(FactorMultiplier(scales, count));
}

Status ReduceQuantized(const OpCall& call, Reduction kind, const ReduceWalk& walk, int64_t count,
                       ThreadPool* pool) {
  switch (call.input(0)->type) {
    case kTfLiteInt8:
      return ReduceTyped<int8_t>(call, kind, walk, count, pool);
    case kTfLiteUInt8:
      return ReduceTyped<uint8_t>(call, kind, walk, count, pool);
    default:
      return ReduceTyped<int16_t>(call, kind, walk, count, pool);
  }
}

}  // namespace tern
