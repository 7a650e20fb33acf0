// SPDX-License-Identifier: Apache-2.0
// Elementwise ops on values with error bounds. Functions of one number are followed at both ends of
// its interval, so that steps and steep slopes widen the bound by what they really cost.
#ifndef TERN_OPS_TESTING_REFERENCE_ELEMENTWISE_H_
#define TERN_OPS_TESTING_REFERENCE_ELEMENTWISE_H_

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "ops/testing/reference_tensor.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

inline void Clamp(tflite::ActivationFunctionType activation, RefTensor& t) {
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  if (activation == tflite::ActivationFunctionType_RELU) low = 0;
  if (activation == tflite::ActivationFunctionType_RELU6) low = 0, high = 6;
  if (activation == tflite::ActivationFunctionType_RELU_N1_TO_1) low = -1, high = 1;
  for (double& v : t.value) v = std::min(std::max(v, low), high);
}

// A function with the rounding that an engine's form of it may add: so many units in the last place
// of the result, and an absolute error in units of one.
struct RefFunction {
  std::function<double(double)> value;
  double units = 4;
  double absolute = 0;
  double reach = std::numeric_limits<double>::infinity();  // no error is larger
  bool is_periodic = false;
};

inline const RefFunction* FindRefFunction(tflite::BuiltinOperator code) {
  using tflite::BuiltinOperator;
  static const auto& functions = *new std::vector<std::pair<BuiltinOperator, RefFunction>>{
      {tflite::BuiltinOperator_ABS, {[](double v) { return std::fabs(v); }, 0}},
      {tflite::BuiltinOperator_NEG, {[](double v) { return -v; }, 0}},
      {tflite::BuiltinOperator_SQUARE, {[](double v) { return v * v; }}},
      {tflite::BuiltinOperator_FLOOR, {[](double v) { return std::floor(v); }, 0}},
      {tflite::BuiltinOperator_CEIL, {[](double v) { return std::ceil(v); }, 0}},
      {tflite::BuiltinOperator_ROUND, {[](double v) { return std::nearbyint(v); }, 0}},
      {tflite::BuiltinOperator_SIGN,
       {[](double v) { return v > 0   ? 1.0
                              : v < 0 ? -1.0
                                      : v * 0.0; }, 0}},
      {tflite::BuiltinOperator_EXP, {[](double v) { return std::exp(v); }, 64}},
      {tflite::BuiltinOperator_LOG, {[](double v) { return std::log(v); }, 32, 32}},
      {tflite::BuiltinOperator_SQRT, {[](double v) { return std::sqrt(v); }, 8}},
      {tflite::BuiltinOperator_RSQRT, {[](double v) { return 1 / std::sqrt(v); }, 8}},
      {tflite::BuiltinOperator_SIN, {[](double v) { return std::sin(v); }, 16, 64, 2, true}},
      {tflite::BuiltinOperator_COS, {[](double v) { return std::cos(v); }, 16, 64, 2, true}},
      {tflite::BuiltinOperator_TANH, {[](double v) { return std::tanh(v); }, 32, 8, 2}},
      {tflite::BuiltinOperator_ELU, {[](double v) { return v < 0 ? std::expm1(v) : v; }, 32, 8}},
      {tflite::BuiltinOperator_GELU,
       {[](double v) { return v / 2 * std::erfc(-v * M_SQRT1_2); }, 32, 2}},
      {tflite::BuiltinOperator_HARD_SWISH,
       {[](double v) { return v * std::clamp(v + 3, 0.0, 6.0) / 6; }, 16, 4}},
      {tflite::BuiltinOperator_RELU_0_TO_1, {[](double v) { return std::clamp(v, 0.0, 1.0); }, 0}},
      {tflite::BuiltinOperator_RELU_N1_TO_1,
       {[](double v) { return std::clamp(v, -1.0, 1.0); }, 0}},
  };
  for (const auto& [op, function] : functions) {
    if (op == code) return &function;
  }
  return nullptr;
}

inline void ApplyRefFunction(const RefFunction& f, const RefTensor& in, const Rounding& rounding,
                             RefTensor& out) {
  for (size_t i = 0; i < out.value.size(); ++i) {
    const double v = in.value[i], e = in.error[i];
    out.value[i] = f.value(v);
    // A slope between the ends may be steeper than what the ends show.
    double spread = e == 0 ? 0
                           : 1.5 * std::max(std::fabs(f.value(v - e) - out.value[i]),
                                            std::fabs(f.value(v + e) - out.value[i]));
    // The ends may be periods apart; no slope of theirs is above 1.
    if (f.is_periodic && e > 1) spread = e;
    const double own =
        rounding.arithmetic * (f.units * (std::fabs(out.value[i]) + 1e-30) + f.absolute);
    out.error[i] = std::min(spread + own, f.reach);
    if (!std::isfinite(out.error[i]) || !std::isfinite(out.value[i]))
      out.error[i] = std::numeric_limits<double>::infinity();
  }
}

// A BOOL value: what the numbers say, and 1 for an error where they are too close to say.
inline void WriteBool(bool value, bool certain, RefTensor& out, size_t at) {
  out.value[at] = value ? 1 : 0;
  out.error[at] = certain ? 0 : 1;
}

// False when the op is none of these. Fused activations are the caller's.
inline bool Combines(tflite::BuiltinOperator code) {
  static const auto& codes = *new std::set<tflite::BuiltinOperator>{
      tflite::BuiltinOperator_SUB,         tflite::BuiltinOperator_SQUARED_DIFFERENCE,
      tflite::BuiltinOperator_DIV,         tflite::BuiltinOperator_MAXIMUM,
      tflite::BuiltinOperator_MINIMUM,     tflite::BuiltinOperator_PRELU,
      tflite::BuiltinOperator_LESS,        tflite::BuiltinOperator_LESS_EQUAL,
      tflite::BuiltinOperator_GREATER,     tflite::BuiltinOperator_GREATER_EQUAL,
      tflite::BuiltinOperator_EQUAL,       tflite::BuiltinOperator_NOT_EQUAL,
      tflite::BuiltinOperator_LOGICAL_AND, tflite::BuiltinOperator_LOGICAL_OR,
      tflite::BuiltinOperator_LOGICAL_NOT, tflite::BuiltinOperator_SELECT,
      tflite::BuiltinOperator_SELECT_V2,   tflite::BuiltinOperator_POW,
      tflite::BuiltinOperator_ATAN2,       tflite::BuiltinOperator_FLOOR_DIV,
      tflite::BuiltinOperator_FLOOR_MOD};
  return codes.count(code) != 0;
}

// A quotient with its error. Where the divisor may be 0, nothing is promised.
inline void Quotient(const double* v, const double* e, double unit, double& value, double& error) {
  value = v[0] / v[1];
  const double min = std::fabs(v[1]) - e[1];
  error = min <= 0 ? std::numeric_limits<double>::infinity()
                   : (e[0] + std::fabs(value) * e[1]) / min + 8 * unit * std::fabs(value);
}

// Rounded down; a step may lie between what the quotient may be.
inline void FloorQuotient(const double* v, const double* e, double unit, double& value,
                          double& error) {
  Quotient(v, e, unit, value, error);
  const double low = std::floor(value - error), high = std::floor(value + error);
  value = std::floor(value);
  error = std::max(value - low, high - value);
}

// Computes the remainder of FloorQuotient.
inline void FloorRest(const double* v, const double* e, double unit, double& value, double& error) {
  if (std::isinf(v[1]) && std::isfinite(v[0])) {
    value = v[0] == 0 || (v[0] < 0) == (v[1] < 0) ? v[0] : v[1];
    error = e[0];
    return;
  }
  FloorQuotient(v, e, unit, value, error);
  const double whole = value;
  value = v[0] - whole * v[1];
  if (error != 0) {
    error = std::fabs(v[1]) + e[1];
  } else {
    error = e[0] + std::fabs(whole) * e[1] + 8 * unit * (std::fabs(v[0]) + std::fabs(whole * v[1]));
  }
}

// Of a positive base.
inline void Power(const double* v, const double* e, double unit, double& value, double& error) {
  value = std::pow(v[0], v[1]);
  const double min = v[0] - e[0], log = std::fabs(std::log(v[0]));
  const double relative =
      (std::fabs(v[1]) + e[1]) * e[0] / min + log * e[1] + 64 * unit * (1 + std::fabs(v[1]) * log);
  error =
      min <= 0 ? std::numeric_limits<double>::infinity() : std::fabs(value) * std::expm1(relative);
}

// Of v[0] over v[1]. The angle jumps where the left half of the plane meets the axis, and there the
// sign of a zero counts.
inline void Angle(const double* v, const double* e, double unit, double& value, double& error) {
  value = std::atan2(v[0], v[1]);
  const double reach = e[0] + e[1], length = std::hypot(v[0], v[1]);
  const bool may_jump = std::fabs(v[0]) <= e[0] && v[1] <= e[1];
  error = may_jump || length <= 2 * reach ? 2 * M_PI : 2 * reach / length;
  error = std::min(error, 2 * M_PI) + 32 * unit * (std::fabs(value) + 1);
}

inline bool CombineElements(tflite::BuiltinOperator code, const std::vector<const RefTensor*>& in,
                            const Rounding& rounding, RefTensor& out) {
  if (!Combines(code)) return false;
  for (size_t i = 0; i < out.value.size(); ++i) {
    double v[3] = {}, e[3] = {};
    for (size_t k = 0; k < std::min<size_t>(in.size(), 3); ++k) {
      const size_t at = BroadcastAt(*in[k], out, i);
      v[k] = in[k]->value[at];
      e[k] = in[k]->error[at];
    }
    const double unit = rounding.arithmetic;
    const bool apart = e[0] + e[1] == 0 || std::fabs(v[0] - v[1]) > e[0] + e[1];
    double& value = out.value[i];
    double& error = out.error[i];
    switch (code) {
      case tflite::BuiltinOperator_SUB:
        value = v[0] - v[1];
        error = e[0] + e[1] + unit * std::fabs(value);
        break;
      case tflite::BuiltinOperator_SQUARED_DIFFERENCE: {
        const double d = v[0] - v[1], off = e[0] + e[1] + unit * std::fabs(d);
        value = d * d;
        error = 2 * std::fabs(d) * off + off * off + unit * value;
        break;
      }
      case tflite::BuiltinOperator_DIV:
        Quotient(v, e, unit, value, error);
        if (unit != 0) break;
        value = std::trunc(value);  // integers
        if (error != 0) error += 1;
        break;
      case tflite::BuiltinOperator_FLOOR_DIV:
        FloorQuotient(v, e, unit, value, error);
        break;
      case tflite::BuiltinOperator_FLOOR_MOD:
        FloorRest(v, e, unit, value, error);
        break;
      case tflite::BuiltinOperator_POW:
        Power(v, e, unit, value, error);
        break;
      case tflite::BuiltinOperator_ATAN2:
        Angle(v, e, unit, value, error);
        break;
      case tflite::BuiltinOperator_MAXIMUM:
      case tflite::BuiltinOperator_MINIMUM:
        value =
            code == tflite::BuiltinOperator_MAXIMUM ? std::max(v[0], v[1]) : std::min(v[0], v[1]);
        if (std::isnan(v[0]) || std::isnan(v[1])) value = v[0] + v[1];
        error = std::max(e[0], e[1]);
        break;
      case tflite::BuiltinOperator_PRELU:
        value = v[0] < 0 ? v[0] * v[1] : v[0];
        error = e[0] * std::max(1.0, std::fabs(v[1]) + e[1]) + (std::fabs(v[0]) + e[0]) * e[1] +
                2 * unit * std::fabs(value);
        break;
      case tflite::BuiltinOperator_LESS:
        WriteBool(v[0] < v[1], apart, out, i);
        break;
      case tflite::BuiltinOperator_LESS_EQUAL:
        WriteBool(v[0] <= v[1], apart, out, i);
        break;
      case tflite::BuiltinOperator_GREATER:
        WriteBool(v[0] > v[1], apart, out, i);
        break;
      case tflite::BuiltinOperator_GREATER_EQUAL:
        WriteBool(v[0] >= v[1], apart, out, i);
        break;
      case tflite::BuiltinOperator_EQUAL:
        WriteBool(v[0] == v[1], apart, out, i);
        break;
      case tflite::BuiltinOperator_NOT_EQUAL:
        WriteBool(v[0] != v[1], apart, out, i);
        break;
      case tflite::BuiltinOperator_LOGICAL_AND:
        WriteBool(v[0] != 0 && v[1] != 0, e[0] + e[1] == 0, out, i);
        break;
      case tflite::BuiltinOperator_LOGICAL_OR:
        WriteBool(v[0] != 0 || v[1] != 0, e[0] + e[1] == 0, out, i);
        break;
      case tflite::BuiltinOperator_LOGICAL_NOT:
        WriteBool(v[0] == 0, e[0] == 0, out, i);
        break;
      default:
        value = v[0] != 0 ? v[1] : v[2];
        error = v[0] != 0 ? e[1] : e[2];
        if (e[0] != 0) error = std::fabs(v[1] - v[2]) + e[1] + e[2];
    }
  }
  return true;
}

// A number as another type. BOOL values come from what is certainly not zero.
inline void CastElements(const RefTensor& in, tflite::TensorType to, RefTensor& out) {
  for (size_t i = 0; i < out.value.size(); ++i) {
    const double v = in.value[i], e = in.error[i];
    if (to == tflite::TensorType_BOOL) {
      WriteBool(v != 0, e == 0 || std::fabs(v) > e, out, i);
    } else if (to == tflite::TensorType_FLOAT32) {
      out.value[i] = v;
      out.error[i] = e + std::fabs(v) * std::ldexp(1, -24);
    } else {
      out.value[i] = std::trunc(v);
      out.error[i] = std::max(std::fabs(std::trunc(v - e) - out.value[i]),
                              std::fabs(std::trunc(v + e) - out.value[i]));
      // Near the limits of INT32, in steps that follow, and of NaN.
      if (!(std::fabs(v) + e <= 1e9)) {
        out.value[i] = 0;
        out.error[i] = std::numeric_limits<double>::infinity();
      }
    }
  }
}

// Scaled to length 1 along the last axis.
inline void L2Normalize(const RefTensor& in, const Rounding& rounding, RefTensor& out) {
  const size_t channels = in.shape.empty() ? 1 : static_cast<size_t>(in.shape.back());
  for (size_t first = 0; first < in.value.size(); first += channels) {
    double squares = 0, off = 0;
    for (size_t c = first; c < first + channels; ++c) {
      squares += in.value[c] * in.value[c];
      off += 2 * std::fabs(in.value[c]) * in.error[c] + in.error[c] * in.error[c];
    }
    const double length = std::sqrt(squares);
    const double relative = (off / std::max(squares, 1e-30)) +
                            rounding.Sum(static_cast<double>(channels), 1) +
                            16 * rounding.arithmetic;
    for (size_t c = first; c < first + channels; ++c) {
      out.value[c] = in.value[c] / std::max(length, 1e-6);
      out.error[c] = in.error[c] / std::max(length, 1e-6) + 2 * relative * std::fabs(out.value[c]);
      if (relative > 0.2 || length < 1e-3) out.error[c] = std::numeric_limits<double>::infinity();
    }
  }
}

// Times (bias + alpha * the sum of squares of channels at most `radius` away) ^ -beta.
inline void NormalizeLocally(const RefTensor& in,
                             const tflite::LocalResponseNormalizationOptionsT& o,
                             const Rounding& rounding, RefTensor& out) {
  const auto channels = static_cast<int64_t>(in.shape.back());
  for (size_t i = 0; i < in.value.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i) % channels;
    double squares = 0, off = 0;
    for (int64_t c = std::max<int64_t>(at - o.radius, 0);
         c <= std::min<int64_t>(at + o.radius, channels - 1); ++c) {
      const size_t from = i + static_cast<size_t>(c - at);
      squares += in.value[from] * in.value[from];
      off += 2 * std::fabs(in.value[from]) * in.error[from] + in.error[from] * in.error[from];
    }
    const double base = o.bias + o.alpha * squares, factor = std::pow(base, -o.beta);
    const double relative = o.beta * (o.alpha * off / base + rounding.Sum(2 * o.radius + 2, 1)) +
                            (16 + 8 * std::fabs(std::log(base))) * rounding.arithmetic;
    out.value[i] = in.value[i] * factor;
    out.error[i] = (in.error[i] * factor + 2 * relative * std::fabs(out.value[i])) * (1 + relative);
    if (relative > 0.2) out.error[i] = std::numeric_limits<double>::infinity();
  }
}

// Operands of one shape, each added to the sum of those before it.
inline void AddAll(const std::vector<const RefTensor*>& inputs, const Rounding& rounding,
                   RefTensor& out) {
  for (size_t i = 0; i < out.value.size(); ++i) {
    double magnitude = 0;
    for (const RefTensor* input : inputs) {
      out.value[i] += input->value[i];
      out.error[i] += input->error[i];
      magnitude += std::fabs(input->value[i]);
    }
    out.error[i] += rounding.Sum(static_cast<double>(inputs.size()), magnitude);
  }
}

// The logarithm of softmax over the last axis.
inline void LogSoftmax(const RefTensor& in, const Rounding& rounding, RefTensor& out) {
  const size_t channels = static_cast<size_t>(in.shape.back());
  for (size_t first = 0; first < in.value.size(); first += channels) {
    double highest = in.value[first], worst = 0, total = 0;
    for (size_t c = first; c < first + channels; ++c) {
      highest = std::max(highest, in.value[c]);
      worst = std::max(worst, in.error[c]);
    }
    for (size_t c = first; c < first + channels; ++c) total += std::exp(in.value[c] - highest);
    for (size_t c = first; c < first + channels; ++c) {
      out.value[c] = in.value[c] - highest - std::log(total);
      out.error[c] = 2 * worst + rounding.arithmetic * 32 *
                                     (std::fabs(out.value[c]) + std::fabs(highest) + 4 +
                                      std::sqrt(static_cast<double>(channels)));
    }
  }
}

// The place of the largest of value(0) to value(size - 1); NaN is passed over.
// Along the last axis four searches stand side by side, each of every fourth place of whole fours.
// Two meet as x > y ? x : y, which gives y beside NaN. All lost, the place is 0.
template <class Value>
int64_t PlaceOfLargest(int64_t size, bool last_axis, const Value& value) {
  const auto beats = [](double v, double best) {
    return v > best || (std::isnan(best) && !std::isnan(v));
  };
  const int64_t whole = last_axis ? size / 4 * 4 : 0;
  std::vector<double> best(4, std::nan(""));
  std::vector<int64_t> at = {0, 1, 2, 3};
  for (int64_t k = 0; k < whole; ++k) {
    const auto lane = static_cast<size_t>(k % 4);
    if (!beats(value(k), best[lane])) continue;
    best[lane] = value(k);
    at[lane] = k;
  }
  const auto meet = [](double x, double y) { return x > y ? x : y; };
  double max = meet(meet(best[3], best[2]), meet(best[1], best[0]));
  int64_t place = size;
  for (size_t lane = 0; lane < 4; ++lane) {
    if (best[lane] == max) place = std::min(place, at[lane]);
  }
  if (place == size) place = 0;
  for (int64_t k = whole; k < size; ++k) {
    if (!beats(value(k), max)) continue;
    max = value(k);
    place = k;
  }
  return place;
}

// Where the extreme of an axis lies; anything may be right where two are too close.
inline void ArgExtreme(const RefTensor& in, int64_t axis, bool largest, RefTensor& out) {
  if (axis < 0) axis += static_cast<int64_t>(in.shape.size());
  int64_t inner = 1;
  for (size_t d = axis + 1; d < in.shape.size(); ++d) inner *= in.shape[d];
  const int64_t size = in.shape[axis];
  for (size_t o = 0; o < out.value.size(); ++o) {
    const auto at = static_cast<int64_t>(o);
    const int64_t first = at / inner * inner * size + at % inner;
    const auto element = [&](int64_t k) { return static_cast<size_t>(first + k * inner); };
    const int64_t best = PlaceOfLargest(size, inner == 1, [&](int64_t k) {
      return largest ? in.value[element(k)] : -in.value[element(k)];
    });
    const auto better = [&](int64_t k, int64_t than) {
      const double d = in.value[element(k)] - in.value[element(than)];
      return largest ? d : -d;
    };
    out.value[o] = static_cast<double>(best);
    for (int64_t k = 0; k < size; ++k) {
      const double slack = in.error[element(k)] + in.error[element(best)];
      if (k != best && slack > 0 && better(best, k) <= slack)
        out.error[o] = std::numeric_limits<double>::infinity();
    }
  }
}

// The largest of each row and their places; equal numbers keep their order.
inline void LargestOfRows(const RefTensor& in, RefTensor& values, RefTensor& places) {
  const int64_t size = in.shape.back(), count = values.shape.back();
  if (count == 0) return;
  std::vector<int64_t> order(static_cast<size_t>(size));
  for (size_t row = 0; row < values.value.size() / static_cast<size_t>(count); ++row) {
    const auto at = [&](int64_t k) {
      return row * static_cast<size_t>(size) + static_cast<size_t>(k);
    };
    double worst = 0;
    for (int64_t k = 0; k < size; ++k) {
      order[static_cast<size_t>(k)] = k;
      worst = std::max(worst, in.error[at(k)]);
    }
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {  // NaN last
      const double v = in.value[at(a)], w = in.value[at(b)];
      return v > w || (std::isnan(w) && !std::isnan(v));
    });
    for (int64_t k = 0; k < count; ++k) {
      const size_t out = row * static_cast<size_t>(count) + static_cast<size_t>(k);
      values.value[out] = in.value[at(order[static_cast<size_t>(k)])];
      values.error[out] = worst;
      places.value[out] = static_cast<double>(order[static_cast<size_t>(k)]);
      for (const int64_t other : {k - 1, k + 1}) {
        if (other < 0 || other >= size || worst == 0) continue;
        const double apart =
            std::fabs(in.value[at(order[static_cast<size_t>(other)])] - values.value[out]);
        if (apart <= 2 * worst) places.error[out] = std::numeric_limits<double>::infinity();
      }
    }
  }
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_REFERENCE_ELEMENTWISE_H_
