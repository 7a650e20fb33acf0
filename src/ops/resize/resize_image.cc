// SPDX-License-Identifier: Apache-2.0
// Operands and output size of resizing ops.
#include "ops/resize/resize_image.h"

namespace tern {

Status ResizeImage::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* input = call.input(0);
  const TfLiteTensor* size = call.input(1);
  if (!Takes(input->type)) {
    return Unsupported("type ", TypeText(input->type), " is not supported (input)");
  }
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 4, "input"));
  if (size->type != kTfLiteInt32 || Rank(size) != 1 || Dim(size, 0) != 2) {
    return Invalid("size must be two INT32 values (type ", TypeText(size->type), ", shape ",
                   ShapeText(ShapeOf(size)), ")");
  }
  TERN_RETURN_IF_ERROR(CheckOptions(call));
  if (Dim(input, 1) <= 0 || Dim(input, 2) <= 0) {
    return Invalid("input is empty (shape ", ShapeText(ShapeOf(input)), ")");
  }
  if (IsConstant(size)) return SetSize(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status ResizeImage::SetSize(const OpCall& call) const {
  TERN_ASSIGN_OR_RETURN(const Shape size, ReadIntegers(call.input(1), "size"));
  if (size[0] <= 0 || size[1] <= 0) {
    return Invalid("size must be positive (", ShapeText(size), ")");
  }
  const TfLiteTensor* input = call.input(0);
  return call.SetShape(call.output(0), {Dim(input, 0), size[0], size[1], Dim(input, 3)});
}

Status ResizeImage::Eval(const OpCall& call) {
  if (!IsConstant(call.input(1))) TERN_RETURN_IF_ERROR(SetSize(call));
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  return Resize(call);
}

}  // namespace tern
