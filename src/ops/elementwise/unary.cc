// SPDX-License-Identifier: Apache-2.0
// The one-operand rows of table.inc as CPU ops: any shape, same shape out.
#include <cmath>

#include "cpu/xnn_elementwise.h"
#include "ops/cpu_registry.h"
#include "ops/elementwise/parameters.h"
#include "ops/op_kit.h"
#include "tensorflow/lite/builtin_ops.h"

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

  virtual bool is_sigmoid() const { return false; }

  elementwise::Constants constants_;

 private:
  bool EvalSigmoid(const OpCall& call, ThreadPool* pool);

  XnnOp sigmoid_;
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
  ThreadPool* pool = Pool(call);
  if (fast() && is_sigmoid() && EvalSigmoid(call, pool)) return OkStatus();
  const float* in = Data<float>(call.input(0));
  float* out = MutableData<float>(call.output(0));
  ParallelFor(pool, Elements(call.input(0)), 4,
              [&](int64_t begin, int64_t end) { Apply(in + begin, out + begin, end - begin); });
  return OkStatus();
}

// XNNPACK's sigmoid needs its input in a range, which loses nothing: beyond +-100 the result is 0
// or 1. It works in place on the limited copy, and may read a little past it.
bool Unary::EvalSigmoid(const OpCall& call, ThreadPool* pool) {
  const TfLiteTensor* output = call.output(0);
  const int64_t count = Elements(output);
  if (count == 0 || output->allocation_type != kTfLiteArenaRw) return false;
  if (!sigmoid_) sigmoid_ = CreateXnnSigmoid();
  if (!sigmoid_) return false;
  const float* in = Data<float>(call.input(0));
  float* out = MutableData<float>(call.output(0));
  ParallelFor(pool, count, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float v = in[i] < -100.0f ? -100.0f : in[i];
      out[i] = v > 100.0f ? 100.0f : v;
    }
  });
  return RunXnnSigmoid(sigmoid_, count, out, out, pool);
}

}  // namespace

#define ELEMENTWISE_UNARY(builtin, Name, parameters, expression, gpu_text)                      \
  namespace {                                                                                   \
  class Name##Op : public Unary {                                                               \
   public:                                                                                      \
    using Unary::Unary;                                                                         \
    const char* name() const override { return #builtin; }                                      \
                                                                                                \
   protected:                                                                                   \
    bool ReadOptions(const void* options) override {                                            \
      return elementwise::parameters(options, constants_);                                      \
    }                                                                                           \
    void Apply(const float* in, float* out, int64_t count) const override {                     \
      [[maybe_unused]] const float a = constants_.a, b = constants_.b;                          \
      for (int64_t i = 0; i < count; ++i) {                                                     \
        const float v = in[i];                                                                  \
        out[i] = expression;                                                                    \
      }                                                                                         \
    }                                                                                           \
    bool is_sigmoid() const override { return kTfLiteBuiltin##Name == kTfLiteBuiltinLogistic; } \
  };                                                                                            \
  }                                                                                             \
  TfLiteRegistration Name##Registration(OpForm form) { return MakeRegistration<Name##Op>(form); }
#include "ops/elementwise/table.inc"

}  // namespace tern
