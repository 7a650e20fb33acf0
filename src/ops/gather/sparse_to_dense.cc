// SPDX-License-Identifier: Apache-2.0
// SPARSE_TO_DENSE: indices (a number, [n], or [n, rank]), a shape, values (one, or one per index)
// and a default -> a tensor of that shape that holds the values at the indices.
#include <algorithm>

#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/gather/gather_rules.h"

namespace tern {
namespace {

enum SparseInput { kSparseIndices, kShape, kSparseValues, kDefault };

class SparseToDense : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SPARSE_TO_DENSE"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  using Numbers = Types<float, int32_t, int64_t, int8_t, uint8_t>;
};

// Coordinates of one index.
int64_t DepthOf(const TfLiteTensor* indices) { return Rank(indices) < 2 ? 1 : Dim(indices, 1); }

Status SetOutputShape(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const Shape shape, ReadIntegers(call.input(kShape), "shape"));
  const int64_t depth = DepthOf(call.input(kSparseIndices));
  if (static_cast<size_t>(depth) != shape.size()) {
    return Invalid("indices do not fit the shape (length ", depth, ", ", ShapeText(shape), ")");
  }
  return call.SetShape(call.output(0), shape);
}

Status CheckIndexType(const TfLiteTensor* t, const char* what) {
  return t->type == kTfLiteInt64 ? OkStatus() : CheckType(t, kTfLiteInt32, what);
}

Status SparseToDense::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(4, 4, 1));
  const TfLiteTensor *indices = call.input(kSparseIndices), *shape = call.input(kShape);
  const TfLiteTensor *values = call.input(kSparseValues), *fill = call.input(kDefault);
  TERN_RETURN_IF_ERROR(CheckIndexType(indices, "indices"));
  TERN_RETURN_IF_ERROR(CheckIndexType(shape, "shape"));
  TERN_RETURN_IF_ERROR(CheckRank(shape, 1, "shape"));
  if (!Numbers::Has(values->type)) {
    return Unsupported("type ", TypeText(values->type), " is not supported yet (values)");
  }
  TERN_RETURN_IF_ERROR(CheckSameType(values, call.output(0), "values and output"));
  TERN_RETURN_IF_ERROR(CheckSameType(values, fill, "values and default"));
  if (Rank(indices) > 2) return Invalid("indices have too high a rank (", Rank(indices), ", 2)");
  if (Elements(fill) != 1) {
    return Invalid("the default must be one number (", ShapeText(ShapeOf(fill)), ")");
  }
  const int64_t count = Rank(indices) == 0 ? 1 : Dim(indices, 0);
  if (Rank(values) != 0 && (Rank(values) != 1 || Dim(values, 0) != count)) {
    return Invalid("there must be one value, or one per index (", ShapeText(ShapeOf(values)), ", ",
                   count, ")");
  }
  if (IsConstant(shape)) return SetOutputShape(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

template <class T>
Status PlaceValues(const OpCall& call, const Shape& indices) {
  TfLiteTensor* output = call.output(0);
  const TfLiteTensor* values = call.input(kSparseValues);
  T* to = MutableData<T>(output);
  std::fill_n(to, Elements(output), *Data<T>(call.input(kDefault)));
  const Shape shape = ShapeOf(output);
  const auto depth = static_cast<size_t>(DepthOf(call.input(kSparseIndices)));
  // Without coordinates each index names the only element.
  const TfLiteTensor* list = call.input(kSparseIndices);
  const int64_t count = Rank(list) == 0 ? 1 : Dim(list, 0);
  for (int64_t i = 0; i < count; ++i) {
    TERN_ASSIGN_OR_RETURN(const int64_t at,
                          RowAt(indices.data() + i * static_cast<int64_t>(depth), shape, depth));
    to[at] = Data<T>(values)[Rank(values) == 0 ? 0 : i];
  }
  return OkStatus();
}

Status SparseToDense::Eval(const OpCall& call) {
  if (IsDynamic(call.output(0))) TERN_RETURN_IF_ERROR(SetOutputShape(call));
  TERN_ASSIGN_OR_RETURN(const Shape indices, ReadIntegers(call.input(kSparseIndices), "indices"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(kSparseValues), "values"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(kDefault), "default"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  Status status;
  Numbers::Dispatch(call.output(0)->type,
                    [&](auto number) { status = PlaceValues<decltype(number)>(call, indices); });
  return status;
}

}  // namespace

TfLiteRegistration SparseToDenseRegistration(OpForm form) {
  return MakeRegistration<SparseToDense>(form);
}

}  // namespace tern
