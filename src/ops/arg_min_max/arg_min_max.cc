// SPDX-License-Identifier: Apache-2.0
// ARG_MAX and ARG_MIN: input, axis (one number, which may be computed) -> the position of the first
// largest or smallest element along the axis, INT32 or INT64.
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

// NaN is passed over; where there is nothing else, the position is 0. The reference does so along
// outer axes and for fewer than four elements; along the innermost axis the lanes of its vectors
// disagree beside a NaN, so that it may even find the position of one.
template <class T, class Index>
void ArgMinMax::Search(const OpCall& call, ThreadPool* pool) const {
  const T* in = Data<T>(call.input(0));
  Index* out = MutableData<Index>(call.output(0));
  const SearchedAxis axis = axis_;
  const bool largest = largest_;
  ParallelFor(pool, axis.outer * axis.inner, axis.size, [=](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) {
      const T* from = in + at / axis.inner * axis.size * axis.inner + at % axis.inner;
      T best = from[0];
      int64_t found = 0;
      for (int64_t i = 1; i < axis.size; ++i) {
        const T v = from[i * axis.inner];
        if ((largest ? v > best : v < best) || (IsNan(best) && !IsNan(v))) {
          best = v;
          found = i;
        }
      }
      out[at] = static_cast<Index>(found);
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
