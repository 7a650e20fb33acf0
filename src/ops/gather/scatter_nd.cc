// SPDX-License-Identifier: Apache-2.0
// SCATTER_ND: indices [..., depth] (INT32), updates [..., rest] and a shape -> zeros of that shape,
// to which each update is added where its index vector says.
#include <cstring>
#include <type_traits>

#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/gather/gather_rules.h"

namespace tern {
namespace {

class ScatterNd : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SCATTER_ND"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  using Numbers = Types<float, int8_t, uint8_t, int32_t, int64_t>;

  Status SetOutputShape(const OpCall& call) const;
};

// Integers wrap; what is true stays true.
template <class T>
void AddTo(T& to, const T& from) {
  if constexpr (std::is_same_v<T, StoredBool>) {
    to.byte = to.byte != 0 || from.byte != 0;
  } else if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    to = static_cast<T>(static_cast<uint64_t>(to) + static_cast<Unsigned>(from));
  } else {
    to += from;
  }
}

template <class T>
Status Scatter(const OpCall& call, const Shape& indices, int64_t length) {
  const T* from = Data<T>(call.input(1));
  T* to = MutableData<T>(call.output(0));
  const Shape shape = ShapeOf(call.output(0));
  const auto depth = static_cast<size_t>(Dim(call.input(0), Rank(call.input(0)) - 1));
  for (size_t first = 0; first < indices.size(); first += depth) {
    TERN_ASSIGN_OR_RETURN(const int64_t row, RowAt(&indices[first], shape, depth));
    for (int64_t i = 0; i < length; ++i) AddTo(to[row * length + i], *from++);
  }
  return OkStatus();
}

Status ScatterNd::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
  const TfLiteTensor *indices = call.input(0), *updates = call.input(1), *shape = call.input(2);
  TERN_RETURN_IF_ERROR(CheckType(indices, kTfLiteInt32, "indices"));
  TERN_RETURN_IF_ERROR(CheckType(shape, kTfLiteInt32, "shape"));
  TERN_RETURN_IF_ERROR(CheckSameType(updates, call.output(0), "updates and output"));
  if (!Numbers::Has(updates->type) && updates->type != kTfLiteBool) {
    return Unsupported("type ", TypeText(updates->type), " is not supported yet (updates)");
  }
  if (Rank(indices) < 1) return Invalid("indices must have a rank (0)");
  TERN_RETURN_IF_ERROR(CheckRank(shape, 1, "shape"));
  if (IsConstant(shape)) return SetOutputShape(call);
  MakeDynamic(call.output(0));
  return OkStatus();
}

Status ScatterNd::SetOutputShape(const OpCall& call) const {
  TERN_ASSIGN_OR_RETURN(const Shape output, ReadIntegers(call.input(2), "shape"));
  TERN_ASSIGN_OR_RETURN(const Shape want, UpdatesShape(ShapeOf(call.input(0)), output));
  if (ShapeOf(call.input(1)) != want) {
    return Invalid("the updates have the wrong shape (", ShapeText(ShapeOf(call.input(1))),
                   ", expected ", ShapeText(want), ")");
  }
  return call.SetShape(call.output(0), output);
}

Status ScatterNd::Eval(const OpCall& call) {
  TfLiteTensor* output = call.output(0);
  if (IsDynamic(output)) TERN_RETURN_IF_ERROR(SetOutputShape(call));
  TERN_ASSIGN_OR_RETURN(const Shape indices, ReadIntegers(call.input(0), "indices"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "updates"));
  TERN_RETURN_IF_ERROR(CheckData(output, "output"));
  if (output->bytes == 0) return OkStatus();
  std::memset(output->data.raw, 0, output->bytes);
  const Shape shape = ShapeOf(output);
  const auto depth = static_cast<size_t>(Dim(call.input(0), Rank(call.input(0)) - 1));
  int64_t length = 1;
  for (size_t i = depth; i < shape.size(); ++i) length *= shape[i];
  if (output->type == kTfLiteBool) return Scatter<StoredBool>(call, indices, length);
  Status status;
  Numbers::Dispatch(output->type, [&](auto number) {
    status = Scatter<decltype(number)>(call, indices, length);
  });
  return status;
}

}  // namespace

TfLiteRegistration ScatterNdRegistration(OpForm form) { return MakeRegistration<ScatterNd>(form); }

}  // namespace tern
