// SPDX-License-Identifier: Apache-2.0
// The one-operand rows of table.inc as CPU ops: any shape, same shape out.
#include <cmath>

#include "ops/cpu_registry.h"
#include "ops/elementwise/parameters.h"
#include "ops/op_kit.h"

namespace tern {
namespace {

class Unary : public Op {
 public:
  using Op::Op;
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 protected:
  virtual bool ReadOptions(const void* options) = 0;
  virtual void Apply(const float* in, float* out, int64_t count) const = 0;

  elementwise::Constants constants_;
};

Status Unary::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  if (!ReadOptions(call.node()->builtin_data)) return Invalid("options are missing");
  return call.SetShape(call.output(0), ShapeOf(call.input(0)));
}

Status Unary::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const float* in = Data<float>(call.input(0));
  float* out = MutableData<float>(call.output(0));
  ParallelFor(Pool(call), Elements(call.input(0)), 4,
              [&](int64_t begin, int64_t end) { Apply(in + begin, out + begin, end - begin); });
  return OkStatus();
}

}  // namespace

#define ELEMENTWISE_UNARY(builtin, Name, parameters, expression, gpu_text)  \
  namespace {                                                               \
  class Name##Op : public Unary {                                           \
   public:                                                                  \
    using Unary::Unary;                                                     \
    const char* name() const override { return #builtin; }                  \
                                                                            \
   protected:                                                               \
    bool ReadOptions(const void* options) override {                        \
      return elementwise::parameters(options, constants_);                  \
    }                                                                       \
    void Apply(const float* in, float* out, int64_t count) const override { \
      [[maybe_unused]] const float a = constants_.a, b = constants_.b;      \
      for (int64_t i = 0; i < count; ++i) {                                 \
        const float v = in[i];                                              \
        out[i] = expression;                                                \
      }                                                                     \
    }                                                                       \
  };                                                                        \
  }                                                                         \
  TfLiteRegistration Name##Registration(OpForm form) { return MakeRegistration<Name##Op>(form); }
#include "ops/elementwise/table.inc"

}  // namespace tern
