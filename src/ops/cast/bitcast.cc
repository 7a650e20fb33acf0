// SPDX-License-Identifier: Apache-2.0
// BITCAST: the same bytes as elements of another type. Smaller elements add a last axis, larger
// ones take one away.
#include <cstring>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Bitcast : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "BITCAST"; }
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
    const TfLiteTensor *input = call.input(0), *output = call.output(0);
    const int64_t from = ElementBytes(input->type), to = ElementBytes(output->type);
    if (from == 0 || to == 0) {
      return Unsupported("types ", TypeText(input->type), " and ", TypeText(output->type),
                         " are not supported");
    }
    Shape shape = ShapeOf(input);
    if (from > to) {
      shape.push_back(from / to);
    } else if (from < to) {
      if (shape.empty() || shape.back() != to / from) {
        return Invalid("the last axis must hold one element of the output (shape ",
                       ShapeText(shape), ", ", to / from, " expected)");
      }
      shape.pop_back();
    }
    return call.SetShape(call.output(0), shape);
  }

  Status Eval(const OpCall& call) override {
    const TfLiteTensor* input = call.input(0);
    TfLiteTensor* output = call.output(0);
    TERN_RETURN_IF_ERROR(CheckData(input, "input"));
    TERN_RETURN_IF_ERROR(CheckData(output, "output"));
    const int64_t bytes = Elements(output) * ElementBytes(output->type);
    if (bytes > 0) {
      std::memcpy(output->data.raw, input->data.raw_const, static_cast<size_t>(bytes));
    }
    return OkStatus();
  }
};

}  // namespace

TfLiteRegistration BitcastRegistration(OpForm form) { return MakeRegistration<Bitcast>(form); }

}  // namespace tern
