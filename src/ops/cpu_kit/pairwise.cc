// SPDX-License-Identifier: Apache-2.0
// Shapes and data of ops with two broadcast operands.
#include "ops/cpu_kit/pairwise.h"

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

int Pairwise::RepeatedOperand() const {
  const size_t axes = walk_.sizes.size();
  if (axes < 2) return -1;
  const auto& last = walk_.steps[axes - 1];
  const auto& next = walk_.steps[axes - 2];
  const int64_t period = walk_.sizes[axes - 1];
  if (last[0] != 1 || last[1] != 1 || 2 * period > kLongRow || walk_.sizes[axes - 2] < 4) return -1;
  for (const int n : {0, 1}) {
    if (next[n] == 0 && next[1 - n] == period) return n;
  }
  return -1;
}

Status TakeOneType(const OpCall& call) {
  const TfLiteType a = call.input(0)->type, b = call.input(1)->type;
  if (a != b) return Invalid("operands must have one type (", TypeText(a), ", ", TypeText(b), ")");
  call.output(0)->type = a;
  return OkStatus();
}

}  // namespace tern
