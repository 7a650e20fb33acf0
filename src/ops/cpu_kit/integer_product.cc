// SPDX-License-Identifier: Apache-2.0
// sum((x - zero x) * (w - zero w)) = sum((x - zero x) * w) - zero w * sum(x - zero x).
#include "ops/cpu_kit/integer_product.h"

#include <span>
#include <utility>

#include "ops/cpu_kit/integer_dot.h"
#include "ops/cpu_kit/packed.h"
#include "ops/cpu_kit/quantized.h"

namespace tern {
namespace {

// The kernel takes a zero point of 8 bits.
bool SuitsBytes(const LeftView& left, const IntegerWeights& weights) {
  return left.type == IntegerType::kInt8 && weights.type == IntegerType::kInt8 &&
         weights.zero_point == 0 && left.zero_point >= -128 && left.zero_point <= 127 &&
         SuitsByteDots(left.shape.Depth());
}

bool RunPacked(const LeftView& left, const IntegerMatrix& matrix, OutputStage& stage,
               ThreadPool* pool) {
  const void* bias = std::exchange(stage.bias, nullptr);
  const std::vector<int32_t> starts =
      SumStarts(matrix.sums(), static_cast<const int32_t*>(bias), MatrixZeroPoint(matrix, left));
  stage.starts = starts.data();
  const bool done = MatMul{left, matrix, stage}.Run(pool);
  stage.bias = bias;
  return done;
}

// Integers relative to their zero point, in `memory` where they are not so already.
const int16_t* Offsets(const LeftView& left, std::vector<int16_t>& memory) {
  if (left.type == IntegerType::kInt16) return static_cast<const int16_t*>(left.data);
  memory.resize(static_cast<size_t>(left.shape.OutPixels() * left.shape.Depth()));
  const auto count = static_cast<int64_t>(memory.size());
  if (left.type == IntegerType::kInt8) {
    Relative(static_cast<const int8_t*>(left.data), count, left.zero_point, memory.data());
  } else {
    Relative(static_cast<const uint8_t*>(left.data), count, left.zero_point, memory.data());
  }
  return memory.data();
}

}  // namespace

IntegerWeights IntegerWeightsOf(const TfLiteTensor* t, int32_t zero_point) {
  const IntegerType type = IsPacked(t->type) ? IntegerType::kInt8 : IntegerTypeOf(t->type);
  return {t->data.raw, type, zero_point, IsConstant(t), {t->data.raw, t->bytes}, t->type};
}

const IntegerMatrix* IntegerProduct::Pack(const LeftView& left, const IntegerWeights& weights,
                                          ThreadPool* pool) {
  constexpr int64_t kRowsWorthPacking = 6;
  const int64_t columns = left.shape.OutChannels(), depth = left.shape.Depth();
  if (!weights.constant || weights.type == IntegerType::kInt16 ||
      left.type == IntegerType::kInt16 || left.shape.OutPixels() < kRowsWorthPacking ||
      columns * depth == 0) {
    return nullptr;
  }
  const bool is_unsigned = weights.type == IntegerType::kUInt8;
  const int64_t parameters[] = {columns, depth, is_unsigned ? 1 : 0, weights.format,
                                weights.zero_point};
  const std::span<const WeightBytes> bytes(&weights.bytes, weights.bytes.data == nullptr ? 0 : 1);
  return matrix_.Get(/*constant=*/true, bytes, parameters, [&] {
    return IntegerMatrix::Pack(
        {weights.data, is_unsigned, 1, columns, depth, false, false, weights.zero_point}, pool);
  });
}

void IntegerProduct::Run(const IntegerMatrix* packed, bool fast, const LeftView& left,
                         const IntegerWeights& weights, OutputStage& stage, ThreadPool* pool) {
  const int64_t rows = left.shape.OutPixels(), depth = left.shape.Depth();
  stage.row_less = nullptr;
  if (packed != nullptr && RunPacked(left, *packed, stage, pool)) return;
  const auto store = [&](const auto& sums) { stage.Store(sums); };
  if (fast && SuitsBytes(left, weights)) {
    return ForEachByteDotRun(
        rows, stage.columns, depth, static_cast<const int8_t*>(left.data),
        [&](int64_t) { return left.zero_point; }, static_cast<const int8_t*>(weights.data), pool,
        store);
  }
  std::vector<int16_t> memory;
  const int16_t* offsets = Offsets(left, memory);
  std::vector<int64_t> less(static_cast<size_t>(weights.zero_point == 0 ? 0 : rows));
  for (size_t r = 0; r < less.size(); ++r) {
    const int64_t at = static_cast<int64_t>(r) * depth;
    less[r] = weights.zero_point * IntegerSum(offsets + at, depth);
  }
  if (!less.empty()) stage.row_less = less.data();
  const auto run = [&](const auto* w) {
    ForEachDotRun(rows, stage.columns, depth, offsets, w, fast, pool, store);
  };
  switch (weights.type) {
    case IntegerType::kInt8:
      return run(static_cast<const int8_t*>(weights.data));
    case IntegerType::kUInt8:
      return run(static_cast<const uint8_t*>(weights.data));
    case IntegerType::kInt16:
      return run(static_cast<const int16_t*>(weights.data));
  }
}

void IntegerProduct::Sums(const IntegerMatrix* packed, bool fast, const LeftView& left,
                          const IntegerWeights& weights, const void* bias, int32_t* sums,
                          ThreadPool* pool) {
  OutputStage stage;
  stage.bias = bias;
  stage.output = sums;
  stage.columns = left.shape.OutChannels();
  Run(packed, fast, left, weights, stage, pool);
}

}  // namespace tern
