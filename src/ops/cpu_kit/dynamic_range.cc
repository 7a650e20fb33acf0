// SPDX-License-Identifier: Apache-2.0
// Run-time quantization of activations, and products of what it gives.
#include "ops/cpu_kit/dynamic_range.h"

#include <algorithm>
#include <cmath>

#include "cpu/integer_kernels.h"
#include "ops/cpu_kit/integer_dot.h"

namespace tern {

StatusOr<WeightScales> ReadWeightScales(const TfLiteTensor* weights, int64_t channels, int axis) {
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(weights->quantization.params);
  if (weights->quantization.type != kTfLiteAffineQuantization || affine == nullptr ||
      affine->scale == nullptr) {
    return Invalid("weights of type ", TypeText(weights->type), " have no scale");
  }
  const int count = affine->scale->size;
  if (count != 1 && (count != channels || affine->quantized_dimension != axis)) {
    return Invalid("weights of type ", TypeText(weights->type), " need one scale or ", channels,
                   " along axis ", axis, " (", count, " along axis ", affine->quantized_dimension,
                   ")");
  }
  WeightScales result;
  result.first_only = count == 1;
  for (int64_t i = 0; i < channels; ++i) {
    result.scale.push_back(affine->scale->data[count == 1 ? 0 : i]);
    if (result.scale.back() != result.scale.front()) result.per_channel = true;
  }
  return result;
}

void UpdateScales(const TfLiteTensor* weights, WeightScales& scales) {
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(weights->quantization.params);
  if (weights->quantization.type != kTfLiteAffineQuantization || affine == nullptr ||
      affine->scale == nullptr || affine->scale->size == 0) {
    return;
  }
  const auto known = scales.first_only ? 1 : static_cast<size_t>(affine->scale->size);
  const size_t count = std::min(known, scales.scale.size());
  const float* given = affine->scale->data;
  std::fill(std::copy_n(given, count, scales.scale.begin()), scales.scale.end(), given[0]);
}

namespace {

// Quantized numbers are clamp(round(value * factor) + zero_point, low, high).
struct ItemQuantization {
  float scale = 1, factor = 0;
  int32_t zero_point = 0, low = -128;
};

ItemQuantization Symmetric(float low, float high) {
  const float range = std::max(std::fabs(low), std::fabs(high));
  if (range == 0) return {};
  return {range / 127.0f, 127.0f / range, 0, -127};
}

ItemQuantization AroundZeroPoint(float low, float high) {
  constexpr double kMin = -128, kMax = 127;
  const double bottom = std::min(0.0f, low), top = std::max(0.0f, high);
  if (bottom == top) return {};
  const double scale = (top - bottom) / (kMax - kMin);
  const double from_bottom = kMin - bottom / scale, from_top = kMax - top / scale;
  const bool bottom_is_closer = -kMin - bottom / scale < kMax + top / scale;
  const double zero_point =
      std::clamp(std::round(bottom_is_closer ? from_bottom : from_top), kMin, kMax);
  return {static_cast<float>(scale), 1.0f / static_cast<float>(scale),
          static_cast<int32_t>(zero_point), -128};
}

struct ValueRange {
  float low = 0, high = 0;
  bool finite = true;
};

ValueRange RangeOf(const float* values, int64_t size) {
  ValueRange range;
  if (size == 0) return range;
  if (const IntegerKernels* kernels = GetIntegerKernels()) {
    range.finite = kernels->float_range(values, size, &range.low, &range.high);
    return range;
  }
  range.low = range.high = values[0];
  for (int64_t i = 0; i < size; ++i) {
    range.low = std::min(range.low, values[i]);
    range.high = std::max(range.high, values[i]);
    range.finite &= std::isfinite(values[i]);
  }
  return range;
}

// The numbers relative to the zero point.
void QuantizeFloats(const float* values, int64_t size, const ItemQuantization& q, int16_t* to) {
  const int32_t low = q.low - q.zero_point, high = 127 - q.zero_point;
  if (const IntegerKernels* kernels = GetIntegerKernels()) {
    return kernels->quantize(values, size, q.factor, low, high, to);
  }
  for (int64_t i = 0; i < size; ++i) {
    to[i] = static_cast<int16_t>(std::clamp(std::round(values[i] * q.factor),
                                            static_cast<float>(low), static_cast<float>(high)));
  }
}

ValueRange JoinedRange(const float* values, int64_t size, ThreadPool* pool) {
  constexpr int64_t kPart = 16 * 1024;
  if (pool == nullptr || size < 2 * kPart) return RangeOf(values, size);
  std::vector<ValueRange> ranges(static_cast<size_t>(size / kPart));
  pool->RunParts(size / kPart, [&](int64_t part) {
    const int64_t begin = part * kPart;
    const int64_t end = part == size / kPart - 1 ? size : begin + kPart;
    ranges[static_cast<size_t>(part)] = RangeOf(values + begin, end - begin);
  });
  ValueRange all = ranges[0];
  for (const ValueRange& r : ranges) {
    all = {std::min(all.low, r.low), std::max(all.high, r.high), all.finite && r.finite};
  }
  return all;
}

// Finds what each item is quantized by, and calls make(item, item's quantization) or, where no
// scale represents the values, with null.
template <class Make>
void ForEachItem(const float* values, int64_t items, int64_t size, bool symmetric,
                 QuantizedItems& result, ThreadPool* pool, const Make& make) {
  result.scale.assign(static_cast<size_t>(items), 1.0f);
  result.zero_point.assign(static_cast<size_t>(items), 0);
  for (int64_t item = 0; item < items; ++item) {
    const ValueRange range = JoinedRange(values + item * size, size, pool);
    if (!range.finite) {
      result.scale[static_cast<size_t>(item)] = std::nanf("");
      make(item, nullptr);
      continue;
    }
    const ItemQuantization q =
        symmetric ? Symmetric(range.low, range.high) : AroundZeroPoint(range.low, range.high);
    result.scale[static_cast<size_t>(item)] = q.scale;
    result.zero_point[static_cast<size_t>(item)] = q.zero_point;
    make(item, &q);
  }
}

}  // namespace

void QuantizeItems(const float* values, int64_t items, int64_t size, bool symmetric,
                   QuantizedItems& result) {
  result.values.resize(static_cast<size_t>(items * size));
  ForEachItem(values, items, size, symmetric, result, nullptr,
              [&](int64_t item, const ItemQuantization* q) {
                int16_t* out = result.values.data() + item * size;
                if (q == nullptr) {
                  std::fill_n(out, size, int16_t{0});
                } else {
                  QuantizeFloats(values + item * size, size, *q, out);
                }
              });
}

void QuantizeItemsToBytes(const float* values, int64_t items, int64_t size, bool symmetric,
                          QuantizedItems& result, ThreadPool* pool) {
  result.bytes.resize(static_cast<size_t>(items * size));
  ForEachItem(
      values, items, size, symmetric, result, pool, [&](int64_t item, const ItemQuantization* q) {
        int8_t* out = result.bytes.data() + item * size;
        if (q == nullptr) {
          std::fill_n(out, size, int8_t{0});
          return;
        }
        ParallelFor(pool, size, 1, [&](int64_t begin, int64_t end) {
          GetIntegerKernels()->quantize_bytes(values + item * size + begin, end - begin, q->factor,
                                              q->low - q->zero_point, 127 - q->zero_point,
                                              q->zero_point, out + begin);
        });
      });
}

void QuantizedLeft::Set(const float* values, int64_t rows, int64_t depth, bool symmetric, bool fast,
                        ThreadPool* pool) {
  fast_ = fast;
  bytes_ = fast && SuitsByteDots(depth);
  rows_ = rows;
  depth_ = depth;
  if (bytes_) {
    QuantizeItemsToBytes(values, rows, depth, symmetric, items_, pool);
  } else {
    QuantizeItems(values, rows, depth, symmetric, items_);
  }
}

template <class F>
void QuantizedLeft::ForEachRun(const int8_t* weights, int64_t columns, ThreadPool* pool,
                               const F& finish) const {
  if (bytes_) {
    ForEachByteDotRun(
        rows_, columns, depth_, items_.bytes.data(),
        [&](int64_t row) { return items_.zero_point[row]; }, weights, pool, finish);
  } else {
    ForEachDotRun(rows_, columns, depth_, items_.values.data(), weights, fast_, pool, finish);
  }
}

void QuantizedLeft::Multiply(const int8_t* weights, OutputStage& stage, ThreadPool* pool) const {
  stage.row_scales = items_.scale.data();
  ForEachRun(weights, stage.columns, pool, [&](const auto& b) { stage.Store(b); });
}

void QuantizedLeft::AddProduct(const int8_t* weights, float scale, int64_t columns, float* to,
                               ThreadPool* pool) const {
  ForEachRun(weights, columns, pool, [&](const auto& b) {
    const float factor = items_.scale[b.first_row] * scale;
    float* row = to + b.first_row * columns + b.first_column;
    for (int64_t i = 0; i < b.columns; ++i) row[i] += static_cast<float>(b.sums[i]) * factor;
  });
}

}  // namespace tern
