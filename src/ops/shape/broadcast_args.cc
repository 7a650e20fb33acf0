// SPDX-License-Identifier: Apache-2.0
// BROADCAST_ARGS: two shapes as vectors -> the shape that both broadcast to.
#include <algorithm>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class BroadcastArgs : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "BROADCAST_ARGS"; }
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    const TfLiteTensor *a = call.input(0), *b = call.input(1);
    if (a->type != kTfLiteInt32 && a->type != kTfLiteInt64) {
      return Unsupported("shapes must be INT32 or INT64 (", TypeText(a->type), ")");
    }
    TERN_RETURN_IF_ERROR(CheckSameType(a, b, "shapes"));
    TERN_RETURN_IF_ERROR(CheckSameType(a, call.output(0), "shapes and output"));
    TERN_RETURN_IF_ERROR(CheckRank(a, 1, "shape 0"));
    TERN_RETURN_IF_ERROR(CheckRank(b, 1, "shape 1"));
    return call.SetShape(call.output(0), {std::max(Dim(a, 0), Dim(b, 0))});
  }

  Status Eval(const OpCall& call) override {
    TfLiteTensor* output = call.output(0);
    TERN_ASSIGN_OR_RETURN(Shape a, ReadIntegers(call.input(0), "shape 0"));
    TERN_ASSIGN_OR_RETURN(Shape b, ReadIntegers(call.input(1), "shape 1"));
    TERN_RETURN_IF_ERROR(CheckData(output, "output"));
    if (a.size() < b.size()) a.swap(b);
    b.insert(b.begin(), a.size() - b.size(), 1);
    for (size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i] && a[i] != 1 && b[i] != 1) {
        return Invalid("the shapes do not broadcast (", ShapeText(a), ", ", ShapeText(b), ")");
      }
      const int64_t size = a[i] == 1 ? b[i] : a[i];
      if (output->type == kTfLiteInt64) {
        MutableData<int64_t>(output)[i] = size;
      } else {
        MutableData<int32_t>(output)[i] = static_cast<int32_t>(size);
      }
    }
    return OkStatus();
  }
};

}  // namespace

TfLiteRegistration BroadcastArgsRegistration(OpForm form) {
  return MakeRegistration<BroadcastArgs>(form);
}

}  // namespace tern
