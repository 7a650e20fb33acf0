// SPDX-License-Identifier: Apache-2.0
// CONCATENATION: tensors of one type and rank joined along one axis.
#include "ops/cpu_registry.h"
#include "ops/movement/region.h"
#include "ops/op_kit.h"

namespace tern {
namespace {

class Concatenation : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "CONCATENATION"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  std::vector<Region> regions_;
};

// 8-bit values are comparable only when they share scale and zero point.
Status CheckQuantization(const TfLiteTensor* input, const TfLiteTensor* output) {
  if (input->type != kTfLiteUInt8 && input->type != kTfLiteInt8) return OkStatus();
  if (input->params.scale == output->params.scale &&
      input->params.zero_point == output->params.zero_point) {
    return OkStatus();
  }
  return Unsupported("inputs with a scale other than the output's are not supported yet (",
                     input->params.scale, ", ", output->params.scale, ")");
}

Status Concatenation::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  if (call.inputs() < 1) return Invalid("there are no inputs");
  TERN_RETURN_IF_ERROR(call.CheckOperands(call.inputs(), call.inputs(), 1));
  const auto& params = call.params<TfLiteConcatenationParams>();
  if (params.activation != kTfLiteActNone) {
    return Unsupported("a fused activation is not supported (", static_cast<int>(params.activation),
                       ")");
  }
  const TfLiteTensor* first = call.input(0);
  if (ElementBytes(first->type) == 0) {
    return Unsupported("type ", TypeText(first->type), " is not supported yet (input)");
  }
  if (call.output(0)->type != first->type) {
    return Invalid("the output must have the inputs' type (", TypeText(call.output(0)->type), ", ",
                   TypeText(first->type), ")");
  }
  const int rank = Rank(first);
  if (params.axis < -rank || params.axis >= rank) {
    return Invalid("axis is out of range (", params.axis, ", rank ", rank, ")");
  }
  const size_t axis = static_cast<size_t>(params.axis < 0 ? params.axis + rank : params.axis);
  std::vector<Shape> shapes;
  Shape output = ShapeOf(first);
  output[axis] = 0;
  for (int i = 0; i < call.inputs(); ++i) {
    const TfLiteTensor* input = call.input(i);
    if (input->type != first->type) {
      return Invalid("inputs must have one type (", TypeText(first->type), ", ",
                     TypeText(input->type), ")");
    }
    TERN_RETURN_IF_ERROR(CheckQuantization(input, call.output(0)));
    Shape rest = ShapeOf(input);
    if (rest.size() != output.size()) {
      return Invalid("inputs must have one rank (", ShapeText(ShapeOf(first)), ", ",
                     ShapeText(rest), ")");
    }
    shapes.push_back(rest);
    output[axis] += rest[axis];
    rest[axis] = output[axis];
    if (rest != output) {
      return Invalid("inputs may differ along the axis only (", ShapeText(ShapeOf(first)), ", ",
                     ShapeText(shapes.back()), ", axis ", axis, ")");
    }
  }
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), output));
  regions_ = ConcatenationRegions(shapes, axis);
  return OkStatus();
}

Status Concatenation::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const int64_t bytes = ElementBytes(call.output(0)->type);
  for (const Region& region : regions_) {
    const TfLiteTensor* input = call.input(region.source);
    TERN_RETURN_IF_ERROR(CheckData(input, "input"));
    CopyRegion(region, input->data.raw_const, call.output(0)->data.raw, bytes);
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration ConcatenationRegistration(OpForm form) {
  return MakeRegistration<Concatenation>(form);
}

}  // namespace tern
