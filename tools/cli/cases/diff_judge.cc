// SPDX-License-Identifier: Apache-2.0
#include "cli/cases/diff_judge.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tern::cli {

DiffRule MakeDiffRule(bool half, double tolerance, double steps) {
  return {half, tolerance >= 0 ? tolerance : half ? 0x1p-10 : 0x1p-16, steps >= 0 ? steps : 2};
}

CaseOutput WantedOf(const TfLiteTensor& tensor) {
  CaseOutput wanted;
  wanted.name = tensor.name == nullptr ? "" : tensor.name;
  wanted.type = tensor.type;
  wanted.shape = ShapeOf(tensor);
  const auto* data = reinterpret_cast<const uint8_t*>(tensor.data.raw_const);
  if (data != nullptr) wanted.wanted.assign(data, data + tensor.bytes);
  return wanted;
}

double LargestOf(const CaseOutput& wanted) {
  const int64_t parts = wanted.type == kTfLiteComplex64 || wanted.type == kTfLiteComplex128 ? 2 : 1;
  const TfLiteType part = wanted.type == kTfLiteComplex64    ? kTfLiteFloat32
                          : wanted.type == kTfLiteComplex128 ? kTfLiteFloat64
                                                             : wanted.type;
  double largest = 0;
  for (int64_t i = 0; i < ElementCount(wanted.shape) * parts; ++i) {
    const double v = std::fabs(ReadElement(part, wanted.wanted.data(), i));
    if (std::isfinite(v)) largest = std::max(largest, v);
  }
  return largest;
}

Limit LimitOf(const DiffRule& rule, const CaseOutput& wanted, bool quantized, double movement,
              size_t nodes) {
  const auto times = static_cast<double>(nodes);
  if (wanted.type == kTfLiteBool) return {movement, 0};
  if (quantized) return {times * rule.steps, 0};
  const double moved = std::isfinite(movement) ? movement * (rule.half ? 4 : 0x1p-11) : 0;
  if (!IsFloat(wanted.type)) return {std::floor(moved), 0};
  return {moved + times * rule.share * LargestOf(wanted), 0};
}

std::string DifferenceText(const CaseOutput& wanted, double difference) {
  if (!IsFloat(wanted.type)) {
    return absl::StrFormat("%g step%s", difference, difference == 1 ? "" : "s");
  }
  const double largest = LargestOf(wanted);
  if (difference == 0 || largest == 0) return absl::StrFormat("%.1e", difference);
  return absl::StrFormat("%.1e", difference / largest);
}

DiffResult DiffTensor(const CaseOutput& wanted, const TfLiteTensor& got, Limit limit) {
  DiffResult result;
  const auto* data = reinterpret_cast<const uint8_t*>(got.data.raw_const);
  if (got.type != wanted.type || ShapeOf(got) != wanted.shape) {
    result.verdict.text =
        absl::StrCat(TypeName(got.type), " ", ShapeText(ShapeOf(got)), ", wanted ",
                     TypeName(wanted.type), " ", ShapeText(wanted.shape));
  } else if (data == nullptr && got.bytes > 0) {
    result.verdict.text = "the output has no data";
  } else {
    CaseOutput judged = wanted;
    judged.limits.fill(limit);
    result.verdict = Compare(judged, data, got.bytes, Judge::kGpu);
  }
  result.difference = result.verdict.difference;
  result.text = DifferenceText(wanted, result.difference);
  return result;
}

std::string Cause(const Verdict& verdict, const DiffRule& rule, double operand) {
  if (rule.half && std::fabs(verdict.wanted) > kLargestHalf) {
    return absl::StrFormat("%g is beyond half precision (%g)", verdict.wanted, kLargestHalf);
  }
  if (rule.half && operand > kLargestHalf) {
    return absl::StrFormat("an operand of %g is beyond half precision (%g)", operand, kLargestHalf);
  }
  if (std::isfinite(verdict.wanted) && !std::isfinite(verdict.got)) {
    return absl::StrCat(std::isnan(verdict.got) ? "NaN" : "Inf", " where the CPU has a number");
  }
  return "";
}

}  // namespace tern::cli
