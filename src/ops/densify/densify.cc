// SPDX-License-Identifier: Apache-2.0
// DENSIFY: a sparse constant -> all of its elements, those that are not stored 0. Constants that
// are dense already are copied.
#include <cstring>

#include "base/tensor/sparse_tensor.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Densify : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "DENSIFY"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return IsConstant(call.input(0)); }
};

Status Densify::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  const TfLiteTensor* input = call.input(0);
  if (ElementBytes(input->type) == 0) {
    return Unsupported("type ", TypeText(input->type), " is not supported (input)");
  }
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  if (!IsConstant(input)) return Invalid("input must be a constant");
  return call.SetShape(call.output(0), ShapeOf(input));
}

template <class T>
Status Expand(const TfLiteTensor* input, TfLiteTensor* output) {
  TERN_ASSIGN_OR_RETURN(const std::vector<T> dense, DenseElements<T>(input, "input"));
  std::memcpy(output->data.raw, dense.data(), dense.size() * sizeof(T));
  return OkStatus();
}

Status Densify::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TfLiteTensor* output = call.output(0);
  if (Elements(output) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  if (!IsSparse(input)) {
    TERN_RETURN_IF_ERROR(CheckData(input, "input"));
    std::memcpy(output->data.raw, input->data.raw,
                static_cast<size_t>(Elements(input) * ElementBytes(input->type)));
    return OkStatus();
  }
  switch (ElementBytes(input->type)) {
    case 1:
      return Expand<uint8_t>(input, output);
    case 2:
      return Expand<uint16_t>(input, output);
    case 4:
      return Expand<uint32_t>(input, output);
    case 8:
      return Expand<uint64_t>(input, output);
    default:
      return Unsupported("type ", TypeText(input->type), " is not supported (input)");
  }
}

}  // namespace

TfLiteRegistration DensifyRegistration(OpForm form) { return MakeRegistration<Densify>(form); }

}  // namespace tern
