// SPDX-License-Identifier: Apache-2.0
// The comparison rule: |got - want| <= abs + rel * |want| for floats, a number of steps for
// integers, equality else.
#include <cmath>
#include <limits>

#include "absl/strings/str_format.h"
#include "cli/cases/case.h"

namespace tern::cli {
namespace {

struct Difference {
  double value = 0;
  double limit = 0;
};

Difference FloatDifference(double want, double got, Limit limit) {
  const double allowed = limit.abs + limit.rel * (std::isfinite(want) ? std::fabs(want) : 0.0);
  if (want == got || (std::isnan(want) && std::isnan(got))) return {0, allowed};
  const double d = std::fabs(want - got);
  return {std::isnan(d) ? std::numeric_limits<double>::infinity() : d, allowed};
}

// The distance in the complex plane, of numbers whose parts have this type.
Difference ComplexDifference(TfLiteType part, const uint8_t* want, int64_t i, const uint8_t* got,
                             int64_t j, Limit limit) {
  const double wr = ReadElement(part, want, 2 * i);
  const double wi = ReadElement(part, want, 2 * i + 1);
  const double gr = ReadElement(part, got, 2 * j);
  const double gi = ReadElement(part, got, 2 * j + 1);
  const double size = std::isfinite(wr) && std::isfinite(wi) ? std::hypot(wr, wi) : 0.0;
  const double allowed = limit.abs + limit.rel * size;
  const bool both_nan = (std::isnan(wr) || std::isnan(wi)) && (std::isnan(gr) || std::isnan(gi));
  if ((wr == gr && wi == gi) || both_nan) return {0, allowed};
  const double d = std::hypot(wr - gr, wi - gi);
  return {std::isnan(d) ? std::numeric_limits<double>::infinity() : d, allowed};
}

Difference IntegerDifference(const CaseOutput& output, int64_t i, const uint8_t* got, int64_t j,
                             Limit limit) {
  const int64_t w = ReadInteger(output.type, output.wanted.data(), i);
  const int64_t g = ReadInteger(output.type, got, j);
  const bool less =
      output.type == kTfLiteUInt64 ? static_cast<uint64_t>(w) < static_cast<uint64_t>(g) : w < g;
  const uint64_t distance = less ? static_cast<uint64_t>(g) - static_cast<uint64_t>(w)
                                 : static_cast<uint64_t>(w) - static_cast<uint64_t>(g);
  return {static_cast<double>(distance), limit.abs};
}

Difference ElementDifference(const CaseOutput& output, int64_t i, const uint8_t* got, int64_t j,
                             Limit limit) {
  if (output.type == kTfLiteComplex64 || output.type == kTfLiteComplex128) {
    const TfLiteType part = output.type == kTfLiteComplex64 ? kTfLiteFloat32 : kTfLiteFloat64;
    return ComplexDifference(part, output.wanted.data(), i, got, j, limit);
  }
  if (!IsFloat(output.type)) return IntegerDifference(output, i, got, j, limit);
  return FloatDifference(ReadElement(output.type, output.wanted.data(), i),
                         ReadElement(output.type, got, j), limit);
}

}  // namespace

Verdict Compare(const CaseOutput& output, const uint8_t* got, size_t bytes, Judge judge) {
  const size_t element = ElementBytes(output.type);
  if (element == 0) return {false, "a type without raw elements: " + TypeName(output.type)};
  const int64_t count = ElementCount(output.shape);
  if (bytes != element * static_cast<size_t>(count)) {
    return {false, absl::StrFormat("%d elements, expected %d", bytes / element, count)};
  }
  const std::optional<Limit>& limit = output.limits[static_cast<size_t>(judge)];
  if (!limit) return {false, "the case has no tolerance for this"};
  const int64_t judged = output.all ? count : static_cast<int64_t>(output.picked.size());
  int64_t wrong = 0;
  int64_t worst = -1;
  Difference worst_difference;
  for (int64_t i = 0; i < judged; ++i) {
    const int64_t j = output.all ? i : output.picked[static_cast<size_t>(i)];
    const Difference d = ElementDifference(output, i, got, j, *limit);
    if (!(d.value <= d.limit)) ++wrong;
    if (worst < 0 || d.value - d.limit > worst_difference.value - worst_difference.limit) {
      worst = i;
      worst_difference = d;
    }
  }
  if (worst < 0) return {true, "empty"};
  const int64_t at = output.all ? worst : output.picked[static_cast<size_t>(worst)];
  const double found = ReadElement(output.type, got, at);
  const double wanted = ReadElement(output.type, output.wanted.data(), worst);
  return {wrong == 0,
          absl::StrFormat("%d of %d wrong, worst %.3g (allowed %.3g) at %d: got %.9g, wanted %.9g",
                          wrong, judged, worst_difference.value, worst_difference.limit, at, found,
                          wanted),
          found, wanted, worst_difference.value};
}

Verdict CompareStrings(const CaseOutput& output, const std::vector<std::string>& got) {
  if (got.size() != output.strings.size()) {
    return {false, absl::StrFormat("%d strings, expected %d", got.size(), output.strings.size())};
  }
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] != output.strings[i]) {
      return {false,
              absl::StrFormat("string %d: got '%s', wanted '%s'", i, got[i], output.strings[i])};
    }
  }
  return {true, "equal"};
}

}  // namespace tern::cli
