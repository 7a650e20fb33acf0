// SPDX-License-Identifier: Apache-2.0
// ADD_N: the sum of any number of tensors of one shape, FLOAT32 or INT32, from the first on.
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/elementwise/arithmetic.h"

namespace tern {
namespace {

class AddN : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "ADD_N"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  template <class T>
  void Sum(const OpCall& call);
};

Status AddN::Prepare(const OpCall& call) {
  if (call.inputs() < 2) return Invalid("at least 2 inputs are needed (", call.inputs(), ")");
  TERN_RETURN_IF_ERROR(call.CheckOperands(call.inputs(), call.inputs(), 1));
  const TfLiteTensor* first = call.input(0);
  if (first->type != kTfLiteFloat32 && first->type != kTfLiteInt32) {
    return Unsupported("type ", TypeText(first->type), " is not supported yet (input)");
  }
  for (int i = 1; i < call.inputs(); ++i) {
    TERN_RETURN_IF_ERROR(CheckSameType(first, call.input(i), "inputs"));
    if (ShapeOf(call.input(i)) != ShapeOf(first)) {
      return Invalid("inputs must have one shape (", ShapeText(ShapeOf(first)), ", input ", i,
                     " has ", ShapeText(ShapeOf(call.input(i))), ")");
    }
  }
  TERN_RETURN_IF_ERROR(CheckSameType(first, call.output(0), "inputs and output"));
  return call.SetShape(call.output(0), ShapeOf(first));
}

template <class T>
void AddN::Sum(const OpCall& call) {
  T* out = MutableData<T>(call.output(0));
  ParallelFor(Pool(call), Elements(call.output(0)), call.inputs(), [&](int64_t begin, int64_t end) {
    const T *a = Data<T>(call.input(0)), *b = Data<T>(call.input(1));
    for (int64_t i = begin; i < end; ++i) out[i] = elementwise::Plus(a[i], b[i]);
    for (int n = 2; n < call.inputs(); ++n) {
      const T* more = Data<T>(call.input(n));
      for (int64_t i = begin; i < end; ++i) out[i] = elementwise::Plus(out[i], more[i]);
    }
  });
}

Status AddN::Eval(const OpCall& call) {
  for (int i = 0; i < call.inputs(); ++i) TERN_RETURN_IF_ERROR(CheckData(call.input(i), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  if (call.output(0)->type == kTfLiteFloat32) {
    Sum<float>(call);
  } else {
    Sum<int32_t>(call);
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration AddNRegistration(OpForm form) { return MakeRegistration<AddN>(form); }

}  // namespace tern
