// SPDX-License-Identifier: Apache-2.0
// Reference of the landmark ops: points through a matrix, pixels from where a matrix says, and the
// matrix of a rectangle around landmarks. Their options are maps.
#ifndef TERN_OPS_TESTING_REFERENCE_LANDMARKS_H_
#define TERN_OPS_TESTING_REFERENCE_LANDMARKS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "flatbuffers/flexbuffers.h"
#include "ops/testing/reference_tensor.h"

namespace tern::testing {

// A number with its error.
struct Rough {
  double value = 0, error = 0;
};

inline Rough ElementOf(const RefTensor& t, size_t at) { return {t.value[at], t.error[at]}; }

// A number that an engine keeps as a float.
inline Rough Rounded(double v, const Rounding& rounding) {
  return {v, rounding.arithmetic * std::fabs(v)};
}

inline Rough SumOfProducts(const std::vector<std::pair<Rough, Rough>>& products,
                           const Rounding& rounding) {
  RefSum sum;
  for (const auto& [a, b] : products) sum.Add(a.value, a.error, b.value, b.error);
  if (!std::isfinite(sum.value)) return {0, std::numeric_limits<double>::infinity()};
  const double error = sum.error + rounding.Sum(static_cast<double>(sum.terms + 1), sum.magnitude);
  return {sum.value, std::isnan(error) ? std::numeric_limits<double>::infinity() : error};
}

// ---- TransformLandmarks

inline void TransformedLandmarks(const RefTensor& in, const RefTensor& matrix,
                                 const std::vector<uint8_t>& options, const Rounding& rounding,
                                 RefTensor& out) {
  int64_t dimensions = in.shape.size() == 3 ? in.shape[2] : 3;
  double scale = 1;
  if (in.shape.size() == 4 && !options.empty()) {
    const flexbuffers::Map map = flexbuffers::GetRoot(options).AsMap();
    if (!map["dimensions"].IsNull()) dimensions = map["dimensions"].AsInt64();
    if (!map["scale"].IsNull()) scale = map["scale"].AsDouble();
  }
  for (size_t i = 0; i < in.value.size(); ++i) {
    const size_t which = i % static_cast<size_t>(dimensions), first = i - which;
    Rough r = ElementOf(in, i);
    if (which < 2) {
      const auto m = [&](size_t column) { return ElementOf(matrix, 4 * which + column); };
      r = SumOfProducts(
          {{m(0), ElementOf(in, first)}, {m(1), ElementOf(in, first + 1)}, {m(3), {scale, 0}}},
          rounding);
    }
    out.value[i] = r.value;
    out.error[i] = r.error;
  }
}

// ---- TransformTensorBilinear

// A row of the matrix times (x, y, 0, 1), which count from `edge` before a pixel's centre.
inline Rough PlaceOf(const RefTensor& matrix, size_t row, double x, double y, double edge,
                     const Rounding& rounding) {
  const auto m = [&](size_t column) { return ElementOf(matrix, 4 * row + column); };
  const std::vector<std::pair<Rough, Rough>> products = {{m(0), {x, 0}}, {m(0), {edge, 0}},
                                                         {m(1), {y, 0}}, {m(1), {edge, 0}},
                                                         {m(3), {1, 0}}, {{edge, 0}, {-1, 0}}};
  Rough place = SumOfProducts(products, rounding);
  // Sums of short binary fractions have no rounding, so that the border can be met exactly.
  const bool exact = std::all_of(products.begin(), products.end(), [](const auto& p) {
    const double v = std::ldexp(p.first.value * p.second.value, 8);
    return p.first.error == 0 && v == std::floor(v) && std::fabs(v) < (1 << 20);
  });
  if (exact) place.error = 0;
  return place;
}

// The pixels of an axis that a place may lie between.
struct RefReach {
  RefReach(const Rough& place, int64_t size)
      : low(place.value - place.error), high(place.value + place.error), last(size - 1) {
    const auto pixel = [&](double v) {
      return static_cast<int64_t>(std::clamp(std::floor(v), 0.0, static_cast<double>(last)));
    };
    begin = pixel(low);
    end = std::min(pixel(high) + 1, last) + 1;
    from = pixel(place.value);
    part = std::clamp(place.value, 0.0, static_cast<double>(last)) - static_cast<double>(from);
  }
  bool Inside(double at) const { return at >= 0 && at <= static_cast<double>(last); }
  bool SurelyInside() const { return Inside(low) && Inside(high); }
  bool SurelyOutside() const { return high < 0 || low > static_cast<double>(last); }

  double low, high;
  int64_t last, begin, end;
  int64_t from;  // the pixel at or before the place
  double part;   // of the way to the next one
};

// Between four pixels, or 0 outside the image. As far as the place is uncertain, any pixel in reach
// may be the result; a place that is surely inside moves it no faster than neighbours differ.
inline Rough Interpolated(const RefTensor& in, int64_t c, const Rough& at_x, const Rough& at_y,
                          const Rounding& rounding) {
  const RefReach x(at_x, in.shape[2]), y(at_y, in.shape[1]);
  if (x.SurelyOutside() || y.SurelyOutside()) return {};
  const auto pixel = [&](int64_t row, int64_t column) {
    return ElementOf(in, in.At(0, std::min(row, y.last), std::min(column, x.last), c));
  };
  Rough result;
  if (x.Inside(at_x.value) && y.Inside(at_y.value)) {
    for (const int64_t k : {0, 1, 2, 3}) {
      const double share = (k % 2 == 0 ? 1 - x.part : x.part) * (k / 2 == 0 ? 1 - y.part : y.part);
      result.value += share * pixel(y.from + k / 2, x.from + k % 2).value;
    }
  }
  double low = std::numeric_limits<double>::infinity(), high = -low;
  double error = 0, magnitude = 0, slope_x = 0, slope_y = 0;
  for (int64_t row = y.begin; row < y.end; ++row) {
    for (int64_t column = x.begin; column < x.end; ++column) {
      const Rough p = pixel(row, column);
      low = std::min(low, p.value - p.error);
      high = std::max(high, p.value + p.error);
      error = std::max(error, p.error);
      magnitude = std::max(magnitude, std::fabs(p.value));
      slope_x = std::max(slope_x, std::fabs(pixel(row, column + 1).value - p.value));
      slope_y = std::max(slope_y, std::fabs(pixel(row + 1, column).value - p.value));
    }
  }
  const bool inside = x.SurelyInside() && y.SurelyInside();
  if (!inside) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  result.error = std::max(result.value - low, high - result.value);
  if (inside) {
    result.error = std::min(result.error, error + at_x.error * slope_x + at_y.error * slope_y);
  }
  result.error += 12 * rounding.arithmetic * magnitude;
  return result;
}

inline void TransformedImage(const RefTensor& in, const RefTensor& matrix,
                             const std::vector<uint8_t>& options, const Rounding& rounding,
                             RefTensor& out) {
  const bool from_edges = !flexbuffers::GetRoot(options).AsMap()["output_height"].IsNull();
  const double edge = from_edges ? 0.5 : 0;
  for (size_t i = 0; i < out.value.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i), c = at % out.shape[3], pixel = at / out.shape[3];
    const int64_t row = pixel / out.shape[2];
    const auto x = static_cast<double>(pixel % out.shape[2]), y = static_cast<double>(row);
    const Rough r = Interpolated(in, c, PlaceOf(matrix, 0, x, y, edge, rounding),
                                 PlaceOf(matrix, 1, x, y, edge, rounding), rounding);
    out.value[i] = r.value;
    out.error[i] = r.error;
  }
}

// ---- Landmarks2TransformMatrix

// The decoded options: the line to lay at an angle, the landmarks to surround, and the way from a
// pixel of the result to the picture. A pixel, counted from `middle`, is stretched by the size of
// the rectangle times `stretch`, turned back, made `outer` times as large, and moved to the centre
// of the rectangle times `centre`.
struct RefRectangle {
  explicit RefRectangle(const std::vector<uint8_t>& options) {
    const flexbuffers::Map map = flexbuffers::GetRoot(options).AsMap();
    const auto real = [&](const char* key) { return map[key].AsDouble(); };
    const auto list = [&](const char* key) {
      const flexbuffers::TypedVector from = map[key].AsTypedVector();
      std::vector<double> values;
      for (size_t i = 0; i < from.size(); ++i) values.push_back(from[i].AsDouble());
      return values;
    };
    left = map["left_rotation_idx"].AsUInt64();
    right = map["right_rotation_idx"].AsUInt64();
    half_turns = !map["landmarks_range"].IsNull();
    points = list(half_turns ? "subset" : "subset_idxs");
    if (!half_turns) {
      angle = real("target_rotation_radians");
      const double width = real("output_width"), height = real("output_height");
      x = {width / 2, real("scale_x") / width, 1, 1};
      y = {height / 2, real("scale_y") / height, 1, 1};
      return;
    }
    const double range = real("landmarks_range");
    const auto axis = [&](double in, double result) {
      const double from = (in - 1) / 2, to = (result - 1) / 2;
      return Axis{to, real("bbox_size_multiplier") / range / to, from, 2 * from / range};
    };
    const std::vector<double> in = list("input_hw"), result = list("output_hw");
    y = axis(in[0], result[0]);
    x = axis(in[1], result[1]);
  }

  struct Axis {
    double middle, stretch, outer, centre;
  };
  Axis x{}, y{};
  size_t left, right;
  std::vector<double> points;
  double angle = 0;
  bool half_turns;  // lines that point to the left are turned half a turn further
};

struct RefTurn {
  Rough c, s;
};

// The turn that lays the line at the angle; unknown where the line may have no direction.
inline RefTurn TurnOf(const RefTensor& in, const RefRectangle& r, const Rounding& rounding) {
  const auto difference = [&](size_t which) {
    if (r.left == r.right) return Rough{};
    const double d = in.value[3 * r.right + which] - in.value[3 * r.left + which];
    return Rough{d, in.error[3 * r.right + which] + in.error[3 * r.left + which] +
                        rounding.arithmetic * std::fabs(d)};
  };
  const Rough dx = difference(0), dy = difference(1);
  const double length = std::hypot(dx.value, dy.value), off = std::hypot(dx.error, dy.error);
  Rough unit_x{1, 0}, unit_y{0, 0};  // a line without length lies flat
  if (length > 0 || off > 0) {
    const bool known = length > 2 * off && length > 1e-30;
    const bool turned = r.half_turns && dx.value < 0;
    const bool which_half = !r.half_turns || dx.error == 0 || std::fabs(dx.value) > dx.error;
    const double sign = turned ? -1 : 1;
    const double error = known && which_half ? 2 * off / length + 32 * rounding.arithmetic
                                             : std::numeric_limits<double>::infinity();
    unit_x = {length > 0 ? sign * dx.value / length : 1, error};
    unit_y = {length > 0 ? sign * dy.value / length : 0, error};
  }
  const Rough c = Rounded(std::cos(r.angle), rounding), s = Rounded(std::sin(r.angle), rounding);
  const Rough back{-c.value, c.error};
  return {SumOfProducts({{c, unit_x}, {s, unit_y}}, rounding),
          SumOfProducts({{s, unit_x}, {back, unit_y}}, rounding)};
}

inline void MatrixOfLandmarks(const RefTensor& in, const std::vector<uint8_t>& options,
                              const Rounding& rounding, RefTensor& out) {
  const RefRectangle r(options);
  const RefTurn turn = TurnOf(in, r, rounding);
  const Rough back{-turn.s.value, turn.s.error}, one{1, 0}, minus{-1, 0};
  const auto sum = [&](const std::vector<std::pair<Rough, Rough>>& products) {
    return SumOfProducts(products, rounding);
  };
  const auto number = [&](double v) { return Rounded(v, rounding); };
  Rough low[2] = {{INFINITY, 0}, {INFINITY, 0}}, high[2] = {{-INFINITY, 0}, {-INFINITY, 0}};
  for (const double point : r.points) {
    const auto at = static_cast<size_t>(3 * point);
    const Rough x = ElementOf(in, at), y = ElementOf(in, at + 1);
    const Rough turned[2] = {sum({{x, turn.c}, {y, back}}), sum({{x, turn.s}, {y, turn.c}})};
    for (int d = 0; d < 2; ++d) {
      low[d].value = std::min(low[d].value, turned[d].value);
      high[d].value = std::max(high[d].value, turned[d].value);
      low[d].error = high[d].error = std::max(low[d].error, turned[d].error);
    }
  }
  Rough extent[2], middle[2];
  for (int d = 0; d < 2; ++d) {
    extent[d] = sum({{high[d], one}, {low[d], minus}});
    middle[d] = sum({{high[d], {0.5, 0}}, {low[d], {0.5, 0}}});
  }
  const Rough centre_x = sum({{turn.c, middle[0]}, {turn.s, middle[1]}});
  const Rough centre_y = sum({{turn.c, middle[1]}, {back, middle[0]}});
  const auto row = [&](const RefRectangle::Axis& to, const Rough& along_x, const Rough& along_y,
                       const Rough& centre) {
    const Rough a = sum({{sum({{number(to.outer * r.x.stretch), along_x}}), extent[0]}});
    const Rough b = sum({{sum({{number(to.outer * r.y.stretch), along_y}}), extent[1]}});
    const Rough moved =
        sum({{number(to.centre), centre}, {number(-r.x.middle), a}, {number(-r.y.middle), b}});
    return std::vector<Rough>{a, b, {}, moved};
  };
  std::vector<Rough> all = row(r.x, turn.c, turn.s, centre_x);
  const std::vector<Rough> second = row(r.y, back, turn.c, centre_y);
  all.insert(all.end(), second.begin(), second.end());
  for (const double v : {0, 0, 1, 0, 0, 0, 0, 1}) all.push_back({v, 0});
  for (size_t i = 0; i < all.size(); ++i) {
    out.value[i] = all[i].value;
    out.error[i] = all[i].error;
  }
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_REFERENCE_LANDMARKS_H_
