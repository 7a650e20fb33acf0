// SPDX-License-Identifier: Apache-2.0
// CUMSUM: input, axis (one number) -> sums of all elements up to each one along the axis, without
// itself when exclusive, from the end when reverse.
#include <type_traits>

#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Cumsum : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "CUMSUM"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  using Numbers = Types<float, int32_t, int64_t>;

  template <class T>
  void Sum(const OpCall& call, size_t axis, ThreadPool* pool) const;
};

StatusOr<size_t> AxisIn(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const int64_t axis, ReadInteger(call.input(1), "axis"));
  return AxisOf(axis, static_cast<size_t>(Rank(call.input(0))));
}

Status Cumsum::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* input = call.input(0);
  if (!Numbers::Has(input->type)) {
    return Unsupported("type ", TypeText(input->type), " is not supported (input)");
  }
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteInt32, "axis"));
  if (IsConstant(call.input(1))) TERN_RETURN_IF_ERROR(AxisIn(call).status());
  return call.SetShape(call.output(0), ShapeOf(input));
}

Status Cumsum::Eval(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const size_t axis, AxisIn(call));
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  ThreadPool* pool = Pool(call);
  Numbers::Dispatch(call.input(0)->type,
                    [&](auto number) { Sum<decltype(number)>(call, axis, pool); });
  return OkStatus();
}

// Integers wrap.
template <class T>
void Cumsum::Sum(const OpCall& call, size_t axis, ThreadPool* pool) const {
  using Total = std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>;
  const auto& params = call.params<TfLiteCumsumParams>();
  const T* in = Data<T>(call.input(0));
  T* out = MutableData<T>(call.output(0));
  const Shape shape = ShapeOf(call.input(0));
  const int64_t size = shape[axis], inner = DenseStrides(shape)[axis];
  const bool reverse = params.reverse, exclusive = params.exclusive;
  ParallelFor(pool, Elements(call.output(0)) / size, size, [=](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      const int64_t first = line / inner * size * inner + line % inner;
      Total total{0};
      for (int64_t i = 0; i < size; ++i) {
        const int64_t at = first + (reverse ? size - 1 - i : i) * inner;
        const auto v = static_cast<Total>(in[at]);
        if (exclusive) out[at] = static_cast<T>(total);
        total += v;
        if (!exclusive) out[at] = static_cast<T>(total);
      }
    }
  });
}

}  // namespace

TfLiteRegistration CumsumRegistration(OpForm form) { return MakeRegistration<Cumsum>(form); }

}  // namespace tern
