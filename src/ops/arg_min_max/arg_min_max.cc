// SPDX-License-Identifier: Apache-2.0
// ARG_MAX and ARG_MIN: input, axis (one number, which may be computed) -> the position of the first
// largest or smallest element along the axis, INT32 or INT64.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "ops/arg_min_max/arg_min_max_rules.h"
#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

using Compared = Types<float, uint8_t, int8_t, int32_t>;

// BOOL values are compared as the bytes that they are.
TfLiteType NumberType(const TfLiteTensor* t) {
  return t->type == kTfLiteBool ? kTfLiteUInt8 : t->type;
}

template <class T>
bool IsNan([[maybe_unused]] T v) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(v);
  return false;
}

class ArgMinMax : public Op {
 public:
  ArgMinMax(OpForm form, bool largest) : Op(form), largest_(largest) {}
  const char* name() const override { return largest_ ? "ARG_MAX" : "ARG_MIN"; }
  bool flushes_subnormals() const override { return false; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  Status Plan(const OpCall& call);
  template <class T, class Index>
  void Search(const OpCall& call, ThreadPool* pool) const;

  bool largest_;
  SearchedAxis axis_;
};

Status ArgMinMax::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteType input = NumberType(call.input(0));
  if (!Compared::Has(input)) {
    return Unsupported("type ", TypeText(input), " is not supported (input)");
  }
  const TfLiteType axis = call.input(1)->type, output = call.output(0)->type;
  if (axis != kTfLiteInt32 && axis != kTfLiteInt64) {
    return Invalid("axis must be INT32 or INT64 (", TypeText(axis), ")");
  }
  if (output != kTfLiteInt32 && output != kTfLiteInt64) {
    return Invalid("output must be INT32 or INT64 (", TypeText(output), ")");
  }
  if (IsConstant(call.input(1))) return Plan(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status ArgMinMax::Plan(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const int64_t axis, ReadInteger(call.input(1), "axis"));
  TERN_ASSIGN_OR_RETURN(axis_, SearchedAxisOf(ShapeOf(call.input(0)), axis));
  return call.SetShape(call.output(0), axis_.output);
}

Status ArgMinMax::Eval(const OpCall& call) {
  if (!IsConstant(call.input(1))) TERN_RETURN_IF_ERROR(Plan(call));
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  ThreadPool* pool = Pool(call);
  Compared::Dispatch(NumberType(call.input(0)), [&](auto number) {
    Types<int32_t, int64_t>::Dispatch(call.output(0)->type, [&](auto index) {
      Search<decltype(number), decltype(index)>(call, pool);
    });
  });
  return OkStatus();
}

// The search along a line of `size` elements, `step` apart.
template <class T>
struct Line {
  const T* first;
  int64_t size, step;
  bool largest;

  T At(int64_t i) const { return first[i * step]; }
  bool Wins(T v, T best) const {
    return (largest ? v > best : v < best) || (IsNan(best) && !IsNan(v));
  }

  // The place of the best of the elements at begin, begin + stride and so on below `end`; NaN is
  // passed over.
  int64_t Scan(int64_t begin, int64_t end, int64_t stride) const {
    int64_t found = begin;
    T best = At(begin);
    for (int64_t i = begin + stride; i < end; i += stride) {
      if (!Wins(At(i), best)) continue;
      best = At(i);
      found = i;
    }
    return found;
  }

  // As the vectors of the reference find it: four scans side by side, each of every fourth element,
  // two of which meet in an order that shows where one found only NaN. Else it is one scan.
  int64_t ScanByFours() const {
    const int64_t whole = size / 4 * 4;
    int64_t found = 0;
    T best = At(0);
    if (whole > 0) {
      int64_t at[4];
      for (int64_t r = 0; r < 4; ++r) at[r] = Scan(r, whole, 4);
      const auto winner = [&](T v, T w) { return (largest ? v > w : v < w) ? v : w; };
      best = winner(winner(At(at[3]), At(at[2])), winner(At(at[1]), At(at[0])));
      int64_t first_equal = size;
      for (const int64_t i : at) {
        if (At(i) == best) first_equal = std::min(first_equal, i);
      }
      found = first_equal < size ? first_equal : 0;
    }
    for (int64_t i = whole; i < size; ++i) {
      if (!Wins(At(i), best)) continue;
      best = At(i);
      found = i;
    }
    return found;
  }
};

template <class T, class Index>
void ArgMinMax::Search(const OpCall& call, ThreadPool* pool) const {
  const T* in = Data<T>(call.input(0));
  Index* out = MutableData<Index>(call.output(0));
  const SearchedAxis axis = axis_;
  const bool largest = largest_;
  ParallelFor(pool, axis.outer * axis.inner, axis.size, [=](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) {
      const T* from = in + at / axis.inner * axis.size * axis.inner + at % axis.inner;
      const Line<T> line{from, axis.size, axis.inner, largest};
      const bool by_fours = std::is_floating_point_v<T> && axis.inner == 1;
      out[at] = static_cast<Index>(by_fours ? line.ScanByFours() : line.Scan(0, axis.size, 1));
    }
  });
}

template <bool largest>
class ArgBy : public ArgMinMax {
 public:
  explicit ArgBy(OpForm form) : ArgMinMax(form, largest) {}
};

}  // namespace

TfLiteRegistration ArgMaxRegistration(OpForm form) { return MakeRegistration<ArgBy<true>>(form); }
TfLiteRegistration ArgMinRegistration(OpForm form) { return MakeRegistration<ArgBy<false>>(form); }

}  // namespace tern
