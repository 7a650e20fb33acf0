// SPDX-License-Identifier: Apache-2.0
// RESHAPE: the same elements in another shape, which comes from a second input (rank 1, INT32) or
// from the options. Messages begin with TensorFlow Lite's words, for programs that look for them.
#include <algorithm>
#include <cstring>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Reshape : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "RESHAPE"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  Status SetNewShape(const OpCall& call) const;
};

// The shape operand, or null when the options give the shape.
const TfLiteTensor* ShapeOperand(const OpCall& call) {
  const TfLiteTensor* shape = call.input(1);
  if (shape == nullptr || shape->type != kTfLiteInt32 || Rank(shape) != 1) return nullptr;
  return shape;
}

StatusOr<Shape> WantedShape(const OpCall& call) {
  const TfLiteTensor* operand = ShapeOperand(call);
  if (operand != nullptr) return ReadIntegers(operand, "shape");
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const auto& params = call.params<TfLiteReshapeParams>();
  const int count = params.num_dimensions;
  if (count < 0 || count > TFLITE_RESHAPE_PARAMS_MAX_DIMENSION_COUNT) {
    return Invalid("the new shape has too many sizes (", count, ")");
  }
  // Old converters wrote a scalar's shape as one zero.
  if (count == 1 && params.shape[0] == 0) return Shape();
  return Shape(params.shape, params.shape + count);
}

// The product of the sizes that are neither 0 nor unknown; INT64_MAX where it is larger.
int64_t KnownProduct(const Shape& shape) {
  int64_t product = 1;
  for (const int64_t size : shape) {
    if (size > 0 && __builtin_mul_overflow(product, size, &product)) return INT64_MAX;
  }
  return product;
}

bool HasZero(const Shape& shape) { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

// Puts the size that makes the counts agree in place of a -1.
Status FillUnknownSize(const Shape& input, Shape& shape) {
  const auto unknown = std::find(shape.begin(), shape.end(), -1);
  for (auto size = shape.begin(); size != shape.end(); ++size) {
    if (*size < -1) {
      return Invalid("output shape contains negative dimension (", ShapeText(shape), ")");
    }
    if (*size != -1 || size == unknown) continue;
    return Invalid("stretch_dim != -1 (", unknown - shape.begin(),
                   " != -1): two sizes are unknown (", ShapeText(shape), ")");
  }
  if (unknown == shape.end()) return OkStatus();
  const bool empty = HasZero(input) && !HasZero(shape);
  *unknown = empty ? 0 : KnownProduct(input) / KnownProduct(shape);
  if (*unknown <= kMaxElements) return OkStatus();
  return TooLarge("inferred reshape dimension overflowed (", ShapeText(shape), ", limit ",
                  kMaxElements, ")");
}

Status Reshape::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 2, 1));
  if (call.output(0)->type != call.input(0)->type) {
    return Invalid("the output must have the input's type (", TypeText(call.output(0)->type), ", ",
                   TypeText(call.input(0)->type), ")");
  }
  const TfLiteTensor* operand = ShapeOperand(call);
  // Converters leave the shape of a scalar, which has no sizes, without a buffer.
  const bool empty = operand != nullptr && !IsDynamic(operand) && Elements(operand) == 0;
  const bool known = operand == nullptr || IsConstant(operand) || empty;
  if (known && call.input(0)->type != kTfLiteString) return SetNewShape(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status Reshape::SetNewShape(const OpCall& call) const {
  TERN_ASSIGN_OR_RETURN(Shape shape, WantedShape(call));
  const Shape input = ShapeOf(call.input(0));
  TERN_RETURN_IF_ERROR(FillUnknownSize(input, shape));
  const int64_t have = HasZero(input) ? 0 : KnownProduct(input);
  const int64_t want = HasZero(shape) ? 0 : KnownProduct(shape);
  if (have != want) {
    return Invalid("num_input_elements != num_output_elements (", have, " != ", want,
                   "): the number of elements differs (", ShapeText(input), ", ", ShapeText(shape),
                   ")");
  }
  return call.SetShape(call.output(0), shape);
}

Status Reshape::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TfLiteTensor* output = call.output(0);
  if (IsDynamic(output)) TERN_RETURN_IF_ERROR(SetNewShape(call));
  const size_t bytes = input->bytes;
  if (output->type == kTfLiteString) {
    // A string tensor's size in bytes follows from its contents, not from its shape.
    if (TfLiteTensorRealloc(bytes, output) != kTfLiteOk) return TooLarge("no memory for strings");
    output->bytes = bytes;
  }
  if (bytes == 0) return OkStatus();
  if (output->bytes != bytes || input->data.raw == nullptr || output->data.raw == nullptr) {
    return Invalid("the tensors differ in size (", bytes, ", ", output->bytes, " bytes)");
  }
  if (output->data.raw != input->data.raw) {
    std::memcpy(output->data.raw, input->data.raw_const, bytes);
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration ReshapeRegistration(OpForm form) { return MakeRegistration<Reshape>(form); }

}  // namespace tern
