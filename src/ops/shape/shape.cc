// SPDX-License-Identifier: Apache-2.0
// SHAPE: the sizes of the input's axes. RANK: their number. Both are known before any run.
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class ShapeOp : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SHAPE"; }
  bool IsFolded(const OpCall&) const override { return true; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    const TfLiteType type = call.params<TfLiteShapeParams>().out_type;
    if (type != kTfLiteInt32 && type != kTfLiteInt64) {
      return Unsupported("out_type must be INT32 or INT64 (", TypeText(type), ")");
    }
    if (call.output(0)->type != type) {
      return Invalid("the output must have the type out_type (", TypeText(call.output(0)->type),
                     ", ", TypeText(type), ")");
    }
    return call.SetShape(call.output(0), {Rank(call.input(0))});
  }

  Status Eval(const OpCall& call) override {
    TfLiteTensor* output = call.output(0);
    TERN_RETURN_IF_ERROR(CheckData(output, "output"));
    for (int i = 0; i < Rank(call.input(0)); ++i) {
      const int64_t size = Dim(call.input(0), i);
      if (output->type == kTfLiteInt64) {
        MutableData<int64_t>(output)[i] = size;
      } else {
        MutableData<int32_t>(output)[i] = static_cast<int32_t>(size);
      }
    }
    return OkStatus();
  }
};

class RankOp : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "RANK"; }
  bool IsFolded(const OpCall&) const override { return true; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt32, "output"));
    return call.SetShape(call.output(0), {});
  }

  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
    *MutableData<int32_t>(call.output(0)) = Rank(call.input(0));
    return OkStatus();
  }
};

}  // namespace

TfLiteRegistration ShapeRegistration(OpForm form) { return MakeRegistration<ShapeOp>(form); }
TfLiteRegistration RankRegistration(OpForm form) { return MakeRegistration<RankOp>(form); }

}  // namespace tern
