// SPDX-License-Identifier: Apache-2.0
// Texts over ints that are known at launch.
#include "ops/gpu_kit/element_steps_gpu.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/str_cat.h"

namespace tern::gpu {
namespace {

// Limits of the word requantize.
constexpr int kMaxBits = 29;
constexpr int kMinShift = -29;

}  // namespace

std::optional<QuantizedType> ElementsOf(const GraphTensor& tensor) {
  if (!tensor.is_constant()) return tensor.quantized;
  const AffineQuantization* q = tensor.affine();
  const TfLiteType type = tensor.data_type();
  const bool narrow = type == kTfLiteInt8 || type == kTfLiteUInt8 || type == kTfLiteInt16;
  if (!narrow || q == nullptr || q->scales.size() != 1) return std::nullopt;
  if (!(q->scales[0] > 0) || !std::isnormal(q->scales[0])) return std::nullopt;
  return QuantizedType{type, q->scales[0], q->zero_point(0)};
}

std::string ElementStep::Int(int64_t value) {
  constexpr int64_t kLeast = INT32_MIN, kMost = INT32_MAX;
  step_.ints.push_back(static_cast<int>(std::clamp(value, kLeast, kMost)));
  return StrCat("isplat(i", step_.ints.size() - 1, ")");
}

std::string ElementStep::Requantized(const std::string& text, const Multiplier& multiplier,
                                     int64_t max) {
  const int left = std::max(multiplier.shift, 0);
  const bool small =
      left < kMaxBits && max < int64_t{1} << (kMaxBits - left) && multiplier.shift >= kMinShift;
  const std::string factor = Int(multiplier.value), shift = Int(multiplier.shift);
  return StrCat(small ? "requantize(" : "requantize_large(", text, ", ", factor, ", ", shift, ")");
}

EpilogueOp ElementStep::Finish(const std::string& text, const IntRange& range,
                               const QuantizedType& to) {
  const std::string min = Int(int64_t{range.min} - to.zero_point);
  const std::string max = Int(int64_t{std::max(range.min, range.max)} - to.zero_point);
  step_.c = to.scale;
  step_.expression = StrCat("from_islice(min(max(", text, ", ", min, "), ", max, ")) * splat(c)");
  return std::move(step_);
}

EpilogueOp ElementStep::FinishWrapped(const std::string& text, const QuantizedType& to) {
  const std::string bits = Int(to.type == kTfLiteInt16 ? 16 : 24), zero = Int(to.zero_point);
  step_.c = to.scale;
  step_.expression = StrCat("from_islice(right_shifted(left_shifted(", text, ", ", bits, "), ",
                            bits, ") - ", zero, ") * splat(c)");
  return std::move(step_);
}

EpilogueOp ElementStep::FinishReal(std::string text) {
  step_.expression = std::move(text);
  return std::move(step_);
}

}  // namespace tern::gpu
