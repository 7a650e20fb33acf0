// SPDX-License-Identifier: Apache-2.0
// GATHER: the entries of one axis that the indices name; with batch_dims the leading axes of both
// operands run together. GATHER_ND: the blocks that index vectors name along the leading axes.
#include <cstring>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/packed.h"
#include "ops/cpu_kit/strings.h"
#include "ops/cpu_registry.h"
#include "ops/gather/gather_rules.h"

namespace tern {
namespace {

Status CheckIndices(const TfLiteTensor* indices) {
  switch (indices->type) {
    case kTfLiteInt16:
    case kTfLiteInt32:
    case kTfLiteInt64:
      return OkStatus();
    default:
      return Unsupported("type ", TypeText(indices->type), " is not supported yet (indices)");
  }
}

// Output row i is the source row that row_of(i) gives; rows have `length` elements.
template <class RowOf>
Status CopyRows(const TfLiteTensor* source, int64_t count, int64_t length, TfLiteTensor* output,
                const RowOf& row_of) {
  if (output->type == kTfLiteString) {
    TERN_RETURN_IF_ERROR(CheckStrings(source, "input"));
    tflite::DynamicBuffer strings;
    for (int64_t n = 0; n < count; ++n) {
      TERN_ASSIGN_OR_RETURN(const int64_t row, row_of(n));
      for (int64_t i = 0; i < length; ++i) {
        TERN_RETURN_IF_ERROR(AddString(source, row * length + i, strings));
      }
    }
    return WriteStrings(strings, output);
  }
  TERN_RETURN_IF_ERROR(CheckData(source, "input"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  if (IsPacked(output->type)) {
    const std::vector<uint8_t> from = Unpacked(source);
    std::vector<uint8_t> to;
    for (int64_t n = 0; n < count; ++n) {
      TERN_ASSIGN_OR_RETURN(const int64_t row, row_of(n));
      to.insert(to.end(), from.begin() + row * length, from.begin() + (row + 1) * length);
    }
    WritePacked(to, output);
    return OkStatus();
  }
  const int64_t bytes = length * ElementBytes(output->type);
  for (int64_t n = 0; n < count; ++n) {
    TERN_ASSIGN_OR_RETURN(const int64_t row, row_of(n));
    if (bytes == 0) continue;
    std::memcpy(output->data.raw + n * bytes, source->data.raw_const + row * bytes,
                static_cast<size_t>(bytes));
  }
  return OkStatus();
}

class Gather : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "GATHER"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  int64_t MaxInputElements() const override { return kMaxTableElements; }
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  GatherShapes shapes_;
};

Status Gather::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  const TfLiteTensor *input = call.input(0), *indices = call.input(1);
  if (!IsPacked(input->type)) TERN_RETURN_IF_ERROR(CheckMovable(input, "input"));
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  TERN_RETURN_IF_ERROR(CheckIndices(indices));
  const auto& params = call.params<TfLiteGatherParams>();
  TERN_ASSIGN_OR_RETURN(
      shapes_, GatherShapesOf(ShapeOf(input), ShapeOf(indices), params.axis, params.batch_dims));
  return call.SetShape(call.output(0), shapes_.output);
}

Status Gather::Eval(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape indices, ReadIntegers(call.input(1), "indices"));
  const GatherShapes& s = shapes_;
  const auto row_of = [&](int64_t n) -> StatusOr<int64_t> {
    const int64_t block = n / s.count;  // batch * outer
    const int64_t index = indices[static_cast<size_t>(block / s.outer * s.count + n % s.count)];
    TERN_RETURN_IF_ERROR(CheckIndex(index, s.axis));
    return block * s.axis + index;
  };
  return CopyRows(call.input(0), s.batch * s.outer * s.count, s.inner, call.output(0), row_of);
}

class GatherNd : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "GATHER_ND"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }
};

Status GatherNd::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  const TfLiteTensor *input = call.input(0), *indices = call.input(1);
  TERN_RETURN_IF_ERROR(CheckMovable(input, "input"));
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  TERN_RETURN_IF_ERROR(CheckIndices(indices));
  if (Rank(input) < 1 || Rank(indices) < 1) {
    return Invalid("input and indices must have a rank (", Rank(input), ", ", Rank(indices), ")");
  }
  const int64_t depth = Dim(indices, Rank(indices) - 1);
  if (depth < 1 || depth > Rank(input)) {
    return Invalid("index vectors do not fit the input (length ", depth, ", rank ", Rank(input),
                   ")");
  }
  const Shape from = ShapeOf(input);
  Shape output = ShapeOf(indices);
  output.pop_back();
  output.insert(output.end(), from.begin() + depth, from.end());
  return call.SetShape(call.output(0), output);
}

Status GatherNd::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TERN_ASSIGN_OR_RETURN(const Shape indices, ReadIntegers(call.input(1), "indices"));
  const Shape from = ShapeOf(input);
  const auto depth = static_cast<size_t>(Dim(call.input(1), Rank(call.input(1)) - 1));
  int64_t length = 1;
  for (size_t i = depth; i < from.size(); ++i) length *= from[i];
  const auto row_of = [&](int64_t n) -> StatusOr<int64_t> {
    return RowAt(indices.data() + static_cast<size_t>(n) * depth, from, depth);
  };
  const auto count = static_cast<int64_t>(indices.size() / depth);
  return CopyRows(input, count, length, call.output(0), row_of);
}

}  // namespace

TfLiteRegistration GatherRegistration(OpForm form) { return MakeRegistration<Gather>(form); }
TfLiteRegistration GatherNdRegistration(OpForm form) { return MakeRegistration<GatherNd>(form); }

}  // namespace tern
