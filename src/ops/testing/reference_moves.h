// SPDX-License-Identifier: Apache-2.0
// The ops that move elements, on values with error bounds: for each element of a result the
// coordinates of the operand's element, straight from what the op means.
#ifndef TERN_OPS_TESTING_REFERENCE_MOVES_H_
#define TERN_OPS_TESTING_REFERENCE_MOVES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "ops/testing/reference_tensor.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

using RefIndex = std::vector<int64_t>;

// out[k] = in[from(k)] for every index k, or `fill` where from(k) is nothing.
template <class From>
void MoveBy(const RefTensor& in, RefTensor& out, const From& from, double fill = 0) {
  RefIndex index(out.shape.size(), 0);
  for (size_t i = 0; i < out.value.size(); ++i) {
    const std::optional<RefIndex> at = from(static_cast<const RefIndex&>(index));
    size_t flat = 0;
    for (size_t d = 0; at && d < in.shape.size(); ++d) flat = flat * in.shape[d] + (*at)[d];
    out.value[i] = at ? in.value[flat] : fill;
    out.error[i] = at ? in.error[flat] : 0;
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < out.shape[d]) break;
      index[d] = 0;
    }
  }
}

// Where entry e of a strided slice starts on an axis of n elements, and its step.
struct RefStep {
  int64_t start = 0, step = 1;
  bool drops = false;
};

inline std::vector<RefStep> StridedSteps(const RefTensor& in, const RefTensor& begin,
                                         const RefTensor& stride,
                                         const tflite::StridedSliceOptionsT& o,
                                         std::vector<bool>& added) {
  std::vector<RefStep> steps;
  const int entries = static_cast<int>(begin.value.size());
  int named = 0;
  for (int e = 0; e < entries; ++e) named += (o.new_axis_mask >> e & 1) == 0;
  for (int e = 0; e < entries; ++e) {
    if (o.ellipsis_mask >> e & 1) {
      const size_t whole = in.shape.size() - (named - 1);
      steps.insert(steps.end(), whole, RefStep());
      added.insert(added.end(), whole, false);
      continue;
    }
    added.push_back(o.new_axis_mask >> e & 1);
    if (added.back()) continue;
    const int64_t n = in.shape[steps.size()];
    RefStep s{static_cast<int64_t>(begin.value[e]), static_cast<int64_t>(stride.value[e]),
              (o.shrink_axis_mask >> e & 1) != 0};
    if (s.start < 0) s.start += n;
    s.start = std::clamp<int64_t>(s.start, s.step > 0 ? 0 : -1, s.step > 0 ? n : n - 1);
    if (o.begin_mask >> e & 1) s.start = s.step > 0 ? 0 : n - 1;
    steps.push_back(s);
  }
  added.insert(added.end(), in.shape.size() - steps.size(), false);
  steps.resize(in.shape.size());
  return steps;
}

inline int64_t Mirrored(int64_t at, int64_t size, bool with_edge) {
  if (at < 0) at = with_edge ? -at - 1 : -at;
  return at < size ? at : 2 * size - at - (with_edge ? 1 : 2);
}

// Axis of an option or an operand, counted from either end.
inline size_t RefAxis(int64_t axis, size_t rank) {
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
}

// Parts of `in` one after the other along an axis; without the axis when `drops`.
inline void RefParts(const RefTensor& in, size_t axis, bool drops, std::vector<RefTensor>& outs) {
  int64_t first = 0;
  for (RefTensor& out : outs) {
    MoveBy(in, out, [&](RefIndex k) {
      if (drops) k.insert(k.begin() + static_cast<long>(axis), 0);
      k[axis] += first;
      return std::optional(k);
    });
    first += drops ? 1 : out.shape[axis];
  }
}

// False when the op is none of these.
inline bool MoveElements(tflite::BuiltinOperator code, const tflite::OperatorT& op,
                         const std::vector<const RefTensor*>& in, std::vector<RefTensor>& outs) {
  RefTensor& out = outs[0];
  const RefTensor& x = *in[0];
  const auto number = [&](size_t i, size_t at) { return static_cast<int64_t>(in[i]->value[at]); };
  const size_t rank = x.shape.size();
  const auto padded = [&](RefIndex k) -> std::optional<RefIndex> {
    for (size_t d = 0; d < rank; ++d) {
      k[d] -= number(1, 2 * d);
      if (k[d] < 0 || k[d] >= x.shape[d]) return std::nullopt;
    }
    return k;
  };
  switch (code) {
    case tflite::BuiltinOperator_EXPAND_DIMS:
    case tflite::BuiltinOperator_SQUEEZE:
      Move(x, out);
      return true;
    case tflite::BuiltinOperator_ZEROS_LIKE:
      return true;
    case tflite::BuiltinOperator_FILL:
      MoveBy(*in[1], out, [](const RefIndex&) { return std::optional(RefIndex()); });
      return true;
    case tflite::BuiltinOperator_SLICE:
      MoveBy(x, out, [&](RefIndex k) {
        for (size_t d = 0; d < rank; ++d) k[d] += number(1, d);
        return std::optional(k);
      });
      return true;
    case tflite::BuiltinOperator_STRIDED_SLICE: {
      std::vector<bool> added;
      const std::vector<RefStep> steps =
          StridedSteps(x, *in[1], *in[3], Given(op.builtin_options.AsStridedSliceOptions()), added);
      MoveBy(x, out, [&](const RefIndex& k) -> std::optional<RefIndex> {
        RefIndex at;
        size_t next = 0;
        for (const bool is_new : added) {
          if (is_new) {
            ++next;
            continue;
          }
          const RefStep& s = steps[at.size()];
          at.push_back(s.drops ? s.start : s.start + k[next] * s.step);
          // Past the input where ends are lengths.
          if (at.back() < 0 || at.back() >= x.shape[at.size() - 1]) return std::nullopt;
          next += s.drops ? 0 : 1;
        }
        return at;
      });
      return true;
    }
    case tflite::BuiltinOperator_TRANSPOSE:
      MoveBy(x, out, [&](const RefIndex& k) {
        RefIndex at(rank);
        for (size_t d = 0; d < rank; ++d) at[RefAxis(number(1, d), rank)] = k[d];
        return std::optional(at);
      });
      return true;
    case tflite::BuiltinOperator_REVERSE_V2:
      MoveBy(x, out, [&](RefIndex k) {
        for (size_t i = 0; i < in[1]->value.size(); ++i) {
          const size_t d = RefAxis(number(1, i), rank);
          k[d] = x.shape[d] - 1 - k[d];
        }
        return std::optional(k);
      });
      return true;
    case tflite::BuiltinOperator_TILE:
      MoveBy(x, out, [&](RefIndex k) {
        for (size_t d = 0; d < rank; ++d) k[d] %= x.shape[d];
        return std::optional(k);
      });
      return true;
    case tflite::BuiltinOperator_BROADCAST_TO:
      for (size_t i = 0; i < out.value.size(); ++i) {
        out.value[i] = x.value[BroadcastAt(x, out, i)];
        out.error[i] = x.error[BroadcastAt(x, out, i)];
      }
      return true;
    case tflite::BuiltinOperator_SPLIT:
      RefParts(*in[1], RefAxis(number(0, 0), in[1]->shape.size()), false, outs);
      return true;
    case tflite::BuiltinOperator_SPLIT_V:
      RefParts(x, RefAxis(number(2, 0), rank), false, outs);
      return true;
    case tflite::BuiltinOperator_UNPACK:
      RefParts(x, RefAxis(Given(op.builtin_options.AsUnpackOptions()).axis, rank), true, outs);
      return true;
    case tflite::BuiltinOperator_PACK: {
      const size_t axis = RefAxis(Given(op.builtin_options.AsPackOptions()).axis, rank + 1);
      for (size_t i = 0; i < in.size(); ++i) {
        RefTensor each = out;
        each.shape[axis] = 1;
        each.value = in[i]->value;
        each.error = in[i]->error;
        RefIndex begin(rank + 1, 0);
        begin[axis] = static_cast<int64_t>(i);
        Place(each, begin, out);
      }
      return true;
    }
    case tflite::BuiltinOperator_PADV2:
      MoveBy(x, out, padded, in[2]->value[0]);
      return true;
    case tflite::BuiltinOperator_MIRROR_PAD: {
      const bool edge =
          Given(op.builtin_options.AsMirrorPadOptions()).mode == tflite::MirrorPadMode_SYMMETRIC;
      MoveBy(x, out, [&](RefIndex k) {
        for (size_t d = 0; d < rank; ++d) {
          k[d] = Mirrored(k[d] - number(1, 2 * d), x.shape[d], edge);
        }
        return std::optional(k);
      });
      return true;
    }
    case tflite::BuiltinOperator_DEPTH_TO_SPACE: {
      const int64_t block = Given(op.builtin_options.AsDepthToSpaceOptions()).block_size;
      MoveBy(x, out, [&](const RefIndex& k) {
        const int64_t cell = k[1] % block * block + k[2] % block;
        return std::optional(
            RefIndex{k[0], k[1] / block, k[2] / block, cell * out.shape[3] + k[3]});
      });
      return true;
    }
    case tflite::BuiltinOperator_SPACE_TO_DEPTH: {
      const int64_t block = Given(op.builtin_options.AsSpaceToDepthOptions()).block_size;
      MoveBy(x, out, [&](const RefIndex& k) {
        const int64_t cell = k[3] / x.shape[3];
        return std::optional(RefIndex{k[0], k[1] * block + cell / block,
                                      k[2] * block + cell % block, k[3] % x.shape[3]});
      });
      return true;
    }
    case tflite::BuiltinOperator_SPACE_TO_BATCH_ND:
    case tflite::BuiltinOperator_BATCH_TO_SPACE_ND: {
      const bool to_batch = code == tflite::BuiltinOperator_SPACE_TO_BATCH_ND;
      const size_t axes = rank - 2;
      const int64_t batch = to_batch ? x.shape[0] : out.shape[0];
      MoveBy(x, out, [&](RefIndex k) -> std::optional<RefIndex> {
        int64_t cell = k[0] / batch;  // of the block, when the result is the batch
        for (size_t d = axes; d-- > 0;) {
          const int64_t block = number(1, d), border = number(2, 2 * d);
          int64_t& at = k[d + 1];
          if (to_batch) {
            at = at * block + cell % block - border;
            cell /= block;
            if (at < 0 || at >= x.shape[d + 1]) return std::nullopt;
          } else {
            at += border;
          }
        }
        if (to_batch) {
          k[0] %= batch;
          return k;
        }
        for (size_t d = 0; d < axes; ++d) {
          cell = cell * number(1, d) + k[d + 1] % number(1, d);
          k[d + 1] /= number(1, d);
        }
        k[0] += cell * batch;
        return k;
      });
      return true;
    }
    case tflite::BuiltinOperator_GATHER: {
      const size_t axis = RefAxis(Given(op.builtin_options.AsGatherOptions()).axis, rank);
      const size_t own = in[1]->shape.size();
      std::vector<double> doubts;  // of the indices, for each result
      MoveBy(x, out, [&](RefIndex k) {
        size_t which = 0;
        for (size_t d = 0; d < own; ++d) which = which * in[1]->shape[d] + k[axis + d];
        doubts.push_back(in[1]->error[which]);
        k.erase(k.begin() + static_cast<long>(axis), k.begin() + static_cast<long>(axis + own));
        k.insert(k.begin() + static_cast<long>(axis), number(1, which));
        return std::optional(k);
      });
      for (size_t i = 0; i < doubts.size(); ++i) {
        if (doubts[i] != 0) out.error[i] = std::numeric_limits<double>::infinity();
      }
      return true;
    }
    case tflite::BuiltinOperator_GATHER_ND: {
      const auto depth = static_cast<size_t>(in[1]->shape.back());
      const size_t own = in[1]->shape.size() - 1;
      MoveBy(x, out, [&](const RefIndex& k) {
        size_t which = 0;
        for (size_t d = 0; d < own; ++d) which = which * in[1]->shape[d] + k[d];
        RefIndex at;
        for (size_t d = 0; d < depth; ++d) at.push_back(number(1, which * depth + d));
        at.insert(at.end(), k.begin() + static_cast<long>(own), k.end());
        return std::optional(at);
      });
      return true;
    }
    case tflite::BuiltinOperator_ONE_HOT: {
      const size_t axis =
          RefAxis(Given(op.builtin_options.AsOneHotOptions()).axis, out.shape.size());
      const double on = in[2]->value[0], off = in[3]->value[0];
      size_t i = 0;
      RefTensor places = out;
      MoveBy(x, places, [&](RefIndex k) {
        const int64_t place = k[axis];
        k.erase(k.begin() + static_cast<long>(axis));
        size_t flat = 0;
        for (size_t d = 0; d < rank; ++d) flat = flat * x.shape[d] + k[d];
        out.value[i] = static_cast<int64_t>(x.value[flat]) == place ? on : off;
        out.error[i++] = x.error[flat] == 0 ? 0 : std::fabs(on - off);
        return std::optional(k);
      });
      return true;
    }
    default:
      return false;
  }
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_REFERENCE_MOVES_H_
