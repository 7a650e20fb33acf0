// SPDX-License-Identifier: Apache-2.0
// Reference of ops that sum or choose along axes: matrix products, reductions, running sums.
#ifndef TERN_OPS_TESTING_REFERENCE_SUMS_H_
#define TERN_OPS_TESTING_REFERENCE_SUMS_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ops/testing/reference_tensor.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

// Rows of the input times weights [units, depth].
inline void FullyConnectedRows(const RefTensor& in, const RefTensor& weights, const RefTensor* bias,
                               const Rounding& rounding, RefTensor& out) {
  const int64_t units = weights.shape[0], depth = weights.shape[1];
  if (depth == 0) return;
  for (size_t at = 0; at < out.value.size(); ++at) {
    const int64_t row = static_cast<int64_t>(at) / units, unit = static_cast<int64_t>(at) % units;
    RefSum sum;
    for (int64_t i = 0; i < depth; ++i) {
      const size_t a = row * depth + i, b = unit * depth + i;
      sum.Add(in.value[a], in.error[a], weights.value[b], weights.error[b]);
    }
    AddBias(bias, unit, sum);
    sum.Write(rounding, out, at);
  }
}

// Where an element of the input goes when the marked axes are reduced.
inline size_t ReducedAt(const RefTensor& in, const std::vector<bool>& reduced, size_t at) {
  int64_t rest = static_cast<int64_t>(at), to = 0, stride = 1;
  for (size_t d = in.shape.size(); d-- > 0;) {
    const int64_t index = rest % in.shape[d];
    rest /= in.shape[d];
    if (reduced[d]) continue;
    to += index * stride;
    stride *= in.shape[d];
  }
  return static_cast<size_t>(to);
}

inline void Reduce(tflite::BuiltinOperator code, const RefTensor& in, const RefTensor& axes,
                   const Rounding& rounding, RefTensor& out) {
  const auto rank = static_cast<int64_t>(in.shape.size());
  std::vector<bool> reduced(in.shape.size(), false);
  for (const double axis : axes.value) {
    if (rank > 0) reduced[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = true;
  }
  constexpr double kLimit = std::numeric_limits<float>::max();
  std::vector<RefSum> sums(out.value.size());
  std::vector<double> high(sums.size(), -INFINITY), low(sums.size(), INFINITY),
      first(sums.size(), 0), product(sums.size(), 1), relative(sums.size(), 0),
      error(sums.size(), 0), growth(sums.size(), 1);
  for (size_t i = 0; i < in.value.size(); ++i) {
    const size_t to = ReducedAt(in, reduced, i);
    const double v = in.value[i];
    if (sums[to].terms == 0) first[to] = v;
    sums[to].Add(v, in.error[i], 1, 0);
    high[to] = std::max(high[to], v);  // passes over NaN
    low[to] = std::min(low[to], v);
    product[to] *= v;
    growth[to] *= std::max(std::fabs(v), 1.0);
    relative[to] += in.error[i] / std::max(std::fabs(v), 1e-30) + 2 * rounding.arithmetic;
    error[to] = std::max(error[to], in.error[i]);
  }
  const bool max = code == tflite::BuiltinOperator_REDUCE_MAX;
  for (size_t o = 0; o < sums.size(); ++o) {
    switch (code) {
      case tflite::BuiltinOperator_REDUCE_MAX:
      case tflite::BuiltinOperator_REDUCE_MIN:
        out.value[o] = max ? high[o] : low[o];
        if (sums[o].terms == 0) {
          out.value[o] = max ? -kLimit : kLimit;
        } else if (out.value[o] == (max ? -INFINITY : INFINITY)) {
          out.value[o] = first[o];
        }
        out.error[o] = error[o];
        break;
      case tflite::BuiltinOperator_REDUCE_PROD:
        out.value[o] = product[o];
        out.error[o] = std::fabs(product[o]) * std::expm1(relative[o]);
        // A part of the product may lie below the smallest float.
        out.error[o] += growth[o] * std::numeric_limits<float>::min();
        break;
      default:
        sums[o].Write(rounding, out, o);
        if (code != tflite::BuiltinOperator_MEAN) break;
        out.value[o] /= static_cast<double>(sums[o].terms);
        out.error[o] /= static_cast<double>(sums[o].terms);
        out.error[o] += 2 * rounding.arithmetic * std::fabs(out.value[o]);
    }
  }
}

// Whether some, or all, of the reduced BOOL values hold.
inline void ReduceBools(bool all, const RefTensor& in, const RefTensor& axes, RefTensor& out) {
  RefTensor counted = in;  // those that decide: false ones of `all`, true ones of the other
  for (double& v : counted.value) v = (v != 0) != all ? 1 : 0;
  RefTensor certain = counted, possible = counted, some = out;
  for (size_t i = 0; i < in.value.size(); ++i) {
    certain.value[i] = in.error[i] == 0 ? counted.value[i] : 0;
    possible.value[i] = in.error[i] == 0 ? counted.value[i] : 1;
    certain.error[i] = possible.error[i] = 0;
  }
  Reduce(tflite::BuiltinOperator_REDUCE_MAX, counted, axes, {0, 0}, out);
  Reduce(tflite::BuiltinOperator_REDUCE_MAX, certain, axes, {0, 0}, some);
  RefTensor max = out;
  Reduce(tflite::BuiltinOperator_REDUCE_MAX, possible, axes, {0, 0}, max);
  for (size_t o = 0; o < out.value.size(); ++o) {
    const bool decided = out.value[o] > 0;
    out.value[o] = decided != all ? 1 : 0;
    out.error[o] = some.value[o] == max.value[o] ? 0 : 1;
  }
}

inline void RunningSum(const RefTensor& in, int64_t axis, bool exclusive, bool reverse,
                       const Rounding& rounding, RefTensor& out) {
  int64_t inner = 1;
  if (axis < 0) axis += static_cast<int64_t>(in.shape.size());
  for (size_t d = axis + 1; d < in.shape.size(); ++d) inner *= in.shape[d];
  const int64_t size = in.shape[axis], step = reverse ? -1 : 1;
  for (size_t at = 0; at < out.value.size(); ++at) {
    const int64_t place = static_cast<int64_t>(at) / inner % size;
    RefSum sum;
    for (int64_t k = reverse ? size - 1 : 0; k != place + (exclusive ? 0 : step); k += step) {
      const size_t from = at + (k - place) * inner;
      sum.Add(in.value[from], in.error[from], 1, 0);
    }
    sum.Write(rounding, out, at);
  }
}

// Batches of matrices, broadcast; a transposed operand has its last two axes swapped.
inline void MatrixProducts(const RefTensor& a, const RefTensor& b, bool transpose_a,
                           bool transpose_b, const Rounding& rounding, RefTensor& out) {
  const auto size = [](const RefTensor& t, size_t from_end) {
    return t.shape[t.shape.size() - from_end];
  };
  const int64_t depth = size(a, transpose_a ? 2 : 1);
  const int64_t rows = size(out, 2), columns = size(out, 1);
  const auto matrix = [&](const RefTensor& t, int64_t batch) {
    int64_t at = 0, stride = size(t, 1) * size(t, 2);
    for (size_t i = 3; i <= out.shape.size(); ++i) {
      const int64_t index = batch % size(out, i), own = i <= t.shape.size() ? size(t, i) : 1;
      batch /= size(out, i);
      if (own != 1) at += index * stride;
      stride *= own;
    }
    return at;
  };
  for (size_t at = 0; at < out.value.size(); ++at) {
    const int64_t o = static_cast<int64_t>(at), row = o / columns % rows, column = o % columns;
    const int64_t from_a = matrix(a, o / columns / rows), from_b = matrix(b, o / columns / rows);
    RefSum sum;
    for (int64_t k = 0; k < depth; ++k) {
      const size_t p = from_a + (transpose_a ? k * rows + row : row * depth + k);
      const size_t q = from_b + (transpose_b ? column * depth + k : k * columns + column);
      sum.Add(a.value[p], a.error[p], b.value[q], b.error[q]);
    }
    sum.Write(rounding, out, at);
  }
}

// False for other ops.
inline bool SumElements(tflite::BuiltinOperator code, const tflite::OperatorT& op,
                        const std::vector<const RefTensor*>& in, const Rounding& rounding,
                        RefTensor& out) {
  switch (code) {
    case tflite::BuiltinOperator_FULLY_CONNECTED:
      FullyConnectedRows(*in[0], *in[1], in.size() > 2 ? in[2] : nullptr, rounding, out);
      return true;
    case tflite::BuiltinOperator_MEAN:
    case tflite::BuiltinOperator_SUM:
    case tflite::BuiltinOperator_REDUCE_MAX:
    case tflite::BuiltinOperator_REDUCE_MIN:
    case tflite::BuiltinOperator_REDUCE_PROD:
      Reduce(code, *in[0], *in[1], rounding, out);
      return true;
    case tflite::BuiltinOperator_REDUCE_ANY:
    case tflite::BuiltinOperator_REDUCE_ALL:
      ReduceBools(code == tflite::BuiltinOperator_REDUCE_ALL, *in[0], *in[1], out);
      return true;
    case tflite::BuiltinOperator_CUMSUM: {
      const auto& o = Given(op.builtin_options.AsCumsumOptions());
      RunningSum(*in[0], static_cast<int64_t>(in[1]->value[0]), o.exclusive, o.reverse, rounding,
                 out);
      return true;
    }
    case tflite::BuiltinOperator_BATCH_MATMUL: {
      const auto& o = Given(op.builtin_options.AsBatchMatMulOptions());
      MatrixProducts(*in[0], *in[1], o.adj_x, o.adj_y, rounding, out);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_REFERENCE_SUMS_H_
