// SPDX-License-Identifier: Apache-2.0
// CONCATENATION: tensors of one type and rank joined along one axis. UINT8 inputs take on the
// output's scale and zero point; constant scalars make a vector.
#include <algorithm>
#include <array>

#include "cpu/byte_rows.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_kit/region.h"
#include "ops/cpu_registry.h"
#include "ops/movement/concatenation_rules.h"

namespace tern {
namespace {

class Concatenation : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "CONCATENATION"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  // The elements of an input as the output holds them, one byte each or as they are.
  const void* ElementsOf(const TfLiteTensor* input, const TfLiteTensor* output);

  std::vector<Region> regions_;
  std::vector<uint8_t> bytes_, packed_;  // of one input, and of an output of INT4
};

bool SameNumbers(const TfLiteTensor* a, const TfLiteTensor* b) {
  return a->params.scale == b->params.scale && a->params.zero_point == b->params.zero_point;
}

Status CheckQuantization(const TfLiteTensor* input, const TfLiteTensor* output) {
  if (input->type == kTfLiteInt16 &&
      (input->params.zero_point != 0 || output->params.zero_point != 0)) {
    return Invalid("zero points of INT16 must be 0 (", input->params.zero_point, ", ",
                   output->params.zero_point, ")");
  }
  const bool scaled = input->type == kTfLiteUInt8 && output->params.scale > 0;
  if (input->type != kTfLiteInt8 && (input->type != kTfLiteUInt8 || scaled)) return OkStatus();
  if (SameNumbers(input, output)) return OkStatus();
  return Invalid("inputs must have the output's scale and zero point (", input->params.scale, ", ",
                 input->params.zero_point, "; ", output->params.scale, ", ",
                 output->params.zero_point, ")");
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
  if (ElementBytes(first->type) == 0 && first->type != kTfLiteInt4) {
    return Unsupported("type ", TypeText(first->type), " is not supported yet (input)");
  }
  if (call.output(0)->type != first->type) {
    return Invalid("the output must have the inputs' type (", TypeText(call.output(0)->type), ", ",
                   TypeText(first->type), ")");
  }
  const bool scalars = Rank(first) == 0 && AllConstant(call);
  const int rank = scalars ? 1 : Rank(first);
  if (params.axis < -rank || params.axis >= rank) {
    return Invalid("axis is out of range (", params.axis, ", rank ", rank, ")");
  }
  const size_t axis = static_cast<size_t>(params.axis < 0 ? params.axis + rank : params.axis);
  std::vector<Shape> shapes;
  Shape output = scalars ? Shape{1} : ShapeOf(first);
  output[axis] = 0;
  for (int i = 0; i < call.inputs(); ++i) {
    const TfLiteTensor* input = call.input(i);
    if (input->type != first->type) {
      return Invalid("inputs must have one type (", TypeText(first->type), ", ",
                     TypeText(input->type), ")");
    }
    TERN_RETURN_IF_ERROR(CheckQuantization(input, call.output(0)));
    Shape rest = scalars && Rank(input) == 0 ? Shape{1} : ShapeOf(input);
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

const void* Concatenation::ElementsOf(const TfLiteTensor* input, const TfLiteTensor* output) {
  const auto count = static_cast<size_t>(Elements(input));
  const auto* from = Data<uint8_t>(input);
  if (input->type == kTfLiteInt4) {
    bytes_.resize(count);
    for (size_t i = 0; i < count; ++i) bytes_[i] = from[i / 2] >> (i % 2 * 4) & 15;
    return bytes_.data();
  }
  if (input->type != kTfLiteUInt8 || SameNumbers(input, output)) return from;
  const Realigning realigning({input->params.scale, input->params.zero_point},
                              {output->params.scale, output->params.zero_point});
  std::array<uint8_t, 256> table;
  for (int q = 0; q < 256; ++q) table[q] = static_cast<uint8_t>(realigning(q));
  bytes_.resize(count);
  MapBytes(table.data(), from, bytes_.data(), static_cast<int64_t>(count));
  return bytes_.data();
}

Status CheckElements(const TfLiteTensor* t, const char* what) {
  if (t->type != kTfLiteInt4) return CheckData(t, what);
  const int64_t need = (Elements(t) + 1) / 2;
  if (need == 0) return OkStatus();
  if (t->data.raw == nullptr) return Invalid(what, " has no data");
  if (static_cast<int64_t>(t->bytes) >= need) return OkStatus();
  return Invalid(what, " holds too few bytes (", t->bytes, ", needed ", need, ")");
}

Status Concatenation::Eval(const OpCall& call) {
  TfLiteTensor* output = call.output(0);
  TERN_RETURN_IF_ERROR(CheckElements(output, "output"));
  const bool packed = output->type == kTfLiteInt4;
  const int64_t bytes = packed ? 1 : ElementBytes(output->type);
  const auto count = static_cast<size_t>(Elements(output));
  packed_.resize(packed ? count : 0);
  void* to = packed ? static_cast<void*>(packed_.data()) : output->data.raw;
  for (const Region& region : regions_) {
    const TfLiteTensor* input = call.input(region.source);
    TERN_RETURN_IF_ERROR(CheckElements(input, "input"));
    CopyRegion(region, ElementsOf(input, output), to, bytes, Pool(call));
  }
  for (size_t i = 0; i < packed_.size(); i += 2) {
    const int high = i + 1 < count ? packed_[i + 1] << 4 : 0;
    MutableData<uint8_t>(output)[i / 2] = static_cast<uint8_t>(packed_[i] | high);
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration ConcatenationRegistration(OpForm form) {
  return MakeRegistration<Concatenation>(form);
}

}  // namespace tern
