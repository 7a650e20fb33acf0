// SPDX-License-Identifier: Apache-2.0
// Shapes and data of ops with two broadcast operands.
#include "ops/elementwise/pairwise.h"

namespace tern {

Status Pairwise::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(Check(call));
  const Shape a = ShapeOf(call.input(0)), b = ShapeOf(call.input(1));
  TERN_ASSIGN_OR_RETURN(const Shape shape, BroadcastShape(a, b));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), shape));
  walk_ = BroadcastWalk({a, b}, shape);
  return OkStatus();
}

Status Pairwise::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "first input"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "second input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  return Run(call, Pool(call));
}

Status TakeOneType(const OpCall& call) {
  const TfLiteType a = call.input(0)->type, b = call.input(1)->type;
  if (a != b) return Invalid("operands must have one type (", TypeText(a), ", ", TypeText(b), ")");
  call.output(0)->type = a;
  return OkStatus();
}

}  // namespace tern
