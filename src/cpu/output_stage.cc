// SPDX-License-Identifier: Apache-2.0
// Output stages one by one, as an oracle and where there is no kernel, and constants for kernels.
#include "cpu/output_stage.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "cpu/integer_kernels.h"

namespace tern {
namespace {

// Kernels read this many constants and sums past the last one.
constexpr size_t kSlack = 64;

// Only an INT64 bias is large enough to leave 64 bits.
int64_t SaturatingSum(int64_t a, int64_t b) {
  if (b > 0 && a > INT64_MAX - b) return INT64_MAX;
  if (b < 0 && a < INT64_MIN - b) return INT64_MIN;
  return a + b;
}

// Some sums of a row with what they lack.
template <class Sum, class To>
void Complete(const OutputStage& s, const Sum* sums, int64_t row, int64_t first, int64_t count,
              To* to) {
  const int64_t less = s.row_less == nullptr ? 0 : s.row_less[row];
  if (s.long_bias) {
    const int64_t* bias = static_cast<const int64_t*>(s.bias) + first;
    for (int64_t i = 0; i < count; ++i) {
      to[i] = static_cast<To>(SaturatingSum(sums[i] - less, bias[i]));
    }
  } else if (s.bias != nullptr) {
    const int32_t* bias = static_cast<const int32_t*>(s.bias) + first;
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<To>(sums[i] - less + bias[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<To>(sums[i] - less);
  }
}

template <class Scaled>
void StoreIntegers(const OutputStage& s, int64_t at, int64_t count, const Scaled& scaled) {
  const auto store = [&](auto* out) {
    for (int64_t i = 0; i < count; ++i) {
      out[at + i] = static_cast<std::remove_reference_t<decltype(*out)>>(
          std::clamp<int64_t>(int64_t{scaled(i)} + s.zero_point, s.range.min, s.range.max));
    }
  };
  switch (s.type) {
    case IntegerType::kUInt8:
      return store(static_cast<uint8_t*>(s.output));
    case IntegerType::kInt8:
      return store(static_cast<int8_t*>(s.output));
    case IntegerType::kInt16:
      return store(static_cast<int16_t*>(s.output));
  }
}

template <class Value>
void StoreFloats(const OutputStage& s, int64_t at, int64_t count, const Value& value) {
  float* out = static_cast<float*>(s.output) + at;
  for (int64_t i = 0; i < count; ++i) out[i] = s.float_range.Clamp(static_cast<float>(value(i)));
}

// Some complete sums of a row.
template <class Sum>
void StoreComplete(const OutputStage& s, const Sum* sums, int64_t row, int64_t first,
                   int64_t count) {
  const int64_t at = s.spread.At(row) * s.columns + first;
  const float row_scale = s.row_scales == nullptr ? 1 : s.row_scales[row / s.scale_rows];
  const float* bias = s.float_bias;
  const auto narrow = [&](int64_t i) { return static_cast<int32_t>(sums[i]); };
  const auto constant = [&](int64_t i) { return s.per_column ? first + i : 0; };
  switch (s.form) {
    case OutputStage::Form::kFixedPoint:
      if (s.wide) {
        return StoreIntegers(s, at, count, [&](int64_t i) {
          return ScaleWide(int64_t{sums[i]}, s.multipliers[constant(i)]);
        });
      }
      return StoreIntegers(s, at, count,
                           [&](int64_t i) { return Scale(narrow(i), s.multipliers[constant(i)]); });
    case OutputStage::Form::kReal:
      return StoreIntegers(s, at, count, [&](int64_t i) {
        const int64_t sum = s.wide ? int64_t{sums[i]} : int64_t{narrow(i)};
        return RoundToInt32(static_cast<double>(sum) * s.factors[constant(i)]);
      });
    case OutputStage::Form::kFloat:
      return StoreFloats(s, at, count, [&](int64_t i) {
        const float value = static_cast<float>(sums[i]) * (row_scale * s.scales[constant(i)]);
        return value + (bias == nullptr ? 0.0f : bias[first + i]);
      });
    case OutputStage::Form::kDouble:
      return StoreFloats(s, at, count, [&](int64_t i) {
        const double value = static_cast<double>(sums[i]) * row_scale * s.scales[constant(i)];
        return value + (bias == nullptr ? 0.0 : double{bias[first + i]});
      });
    case OutputStage::Form::kSums:
      if (s.wide) {
        std::copy_n(sums, count, static_cast<int64_t*>(s.output) + at);
      } else {
        for (int64_t i = 0; i < count; ++i) static_cast<int32_t*>(s.output)[at + i] = narrow(i);
      }
      return;
    case OutputStage::Form::kClamp:
      return;  // float products clamp their tiles themselves
  }
}

template <class T>
void Resize(std::vector<T>& values, size_t count) {
  values.assign(count + kSlack, T{});
}

}  // namespace

OutputStage OutputStage::Clamp(FloatRange range, float* output, int64_t columns) {
  OutputStage stage;
  stage.form = Form::kClamp;
  stage.float_range = range;
  stage.output = output;
  stage.columns = columns;
  return stage;
}

void OutputStage::SetFactors(std::vector<double> given) {
  per_column = given.size() > 1;
  factors = std::move(given);
  factors.resize(factors.size() + kSlack);
}

void OutputStage::SetMultipliers(std::vector<Multiplier> given) {
  per_column = true;
  multipliers = std::move(given);
  Arrays& f = arrays;
  for (auto* values : {&f.value, &f.left, &f.right, &f.fast_value, &f.fast_right}) {
    Resize(*values, multipliers.size());
  }
  Resize(f.fast_start, multipliers.size());
  f.any_left = false;
  for (size_t c = 0; c < multipliers.size(); ++c) {
    f.value[c] = multipliers[c].value;
    f.left[c] = std::max(0, multipliers[c].shift) & 31;
    f.right[c] = std::max(0, -multipliers[c].shift);
    f.any_left |= f.left[c] != 0;
  }
}

void OutputStage::ChooseFusedForms(int64_t max, const int32_t* start) {
  for (size_t c = 0; c < multipliers.size(); ++c) {
    const int64_t middle = start == nullptr ? 0 : start[c];
    const FastRequantization fast =
        FusedForm(multipliers[c], middle - max, middle + max, zero_point, range);
    arrays.fast_value[c] = fast.value;
    arrays.fast_right[c] = fast.right;
    arrays.fast_start[c] = fast.start;
  }
}

void OutputStage::UseKernel(bool wanted) {
  kernel = nullptr;
  const IntegerKernels* kernels = wanted && !wide ? GetIntegerKernels() : nullptr;
  if (kernels == nullptr) return;
  if (form == Form::kFixedPoint && !arrays.value.empty() && type != IntegerType::kInt16) {
    kernel = kernels->fixed_point;
  }
  if (form == Form::kReal) kernel = kernels->real;
  if (form == Form::kFloat) kernel = kernels->to_float;
}

template <class Sum>
void OutputStage::StoreRow(const Sum* sums, int64_t row, int64_t first, int64_t count) const {
  constexpr int64_t kMost = 512;
  if (bias == nullptr && row_less == nullptr) {
    if (kernel == nullptr) return StoreComplete(*this, sums, row, first, count);
    if constexpr (std::is_same_v<Sum, int32_t>) {
      return kernel(*this, {sums, 0, row, 1, first, count});
    }
  }
  for (int64_t done = 0; done < count; done += kMost) {
    const int64_t some = std::min(kMost, count - done), at = first + done;
    if (kernel == nullptr) {
      int64_t complete[kMost];
      Complete(*this, sums + done, row, at, some, complete);
      StoreComplete(*this, complete, row, at, some);
    } else {
      int32_t complete[kMost + kSlack];
      Complete(*this, sums + done, row, at, some, complete);
      std::fill_n(complete + some, kSlack, 0);
      kernel(*this, {complete, 0, row, 1, at, some});
    }
  }
}

template <class Sum>
void OutputStage::Store(const SumBlock<Sum>& b) const {
  if constexpr (std::is_same_v<Sum, int32_t>) {
    const bool complete = bias == nullptr && row_less == nullptr;
    if (kernel != nullptr && complete && spread.width == 0) return kernel(*this, b);
  }
  for (int64_t r = 0; r < b.rows; ++r) {
    StoreRow(b.sums + r * b.stride, b.first_row + r, b.first_column, b.columns);
  }
}

template void OutputStage::Store(const SumBlock<int32_t>& block) const;
template void OutputStage::Store(const SumBlock<int64_t>& block) const;

FastRequantization FusedForm(const Multiplier& multiplier, int64_t min, int64_t max,
                             int32_t zero_point, const IntRange& range) {
  constexpr int64_t kLimit = int64_t{1} << 29;
  const auto with = [](int32_t value, int32_t right, int32_t zero) {
    const int64_t start = (int64_t{1} << (right - 1)) + zero * (int64_t{1} << right);
    return FastRequantization{value, right, start * (int64_t{1} << 31) + (int64_t{1} << 30)};
  };
  if (multiplier.shift <= -1 && multiplier.shift >= -22 && min > -kLimit && max < kLimit) {
    return with(multiplier.value, -multiplier.shift, zero_point);
  }
  if (multiplier.shift <= 0 && min >= INT32_MIN && max <= INT32_MAX) {
    const auto result = [&](int64_t sum) {
      const int64_t scaled = Scale(static_cast<int32_t>(sum), multiplier);
      return static_cast<int32_t>(std::clamp<int64_t>(scaled + zero_point, range.min, range.max));
    };
    if (result(min) == result(max)) return with(0, 1, result(min));
  }
  return {0, 1, kNoFusedForm};
}

}  // namespace tern
