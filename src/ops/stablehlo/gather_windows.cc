// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_GATHER: windows of one size, cut out of a tensor where index vectors say; starts are
// moved so that windows lie inside. STABLEHLO_SCATTER: the other way, windows of updates combined
// into a tensor; what lies outside is left out.
#include <cstring>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/stablehlo/body.h"
#include "ops/stablehlo/window_list.h"

namespace tern {
namespace {

// Calls visit(list element, index in the tensor) for each element of the list. With `sizes`, of
// windows, starts are moved so that windows lie inside.
template <class Visit>
void WalkWindows(const WindowList& list, const Shape& tensor, const Shape& indices,
                 const Shape& values, const Shape& list_shape, const Shape* sizes,
                 const Visit& visit) {
  const Shape index_strides = DenseStrides(indices);
  IndexWalk walk(list_shape);
  int64_t count = 1;
  for (const int64_t size : list_shape) count *= size;
  Shape at(tensor.size());
  for (int64_t i = 0; i < count; ++i, walk.Next()) {
    int64_t flat = 0;
    size_t batch = 0;
    for (size_t a = 0; a < indices.size(); ++a) {
      if (static_cast<int64_t>(a) == list.vector_axis) continue;
      while (Holds(list.window_axes, static_cast<int64_t>(batch))) ++batch;
      flat += walk.at()[batch++] * index_strides[a];
    }
    std::fill(at.begin(), at.end(), 0);
    for (size_t k = 0; k < list.start_axes.size(); ++k) {
      const auto axis = static_cast<size_t>(list.start_axes[k]);
      const bool scalar = list.vector_axis == static_cast<int64_t>(indices.size());
      const int64_t step = scalar ? 0 : index_strides[static_cast<size_t>(list.vector_axis)];
      at[axis] = values[static_cast<size_t>(flat + static_cast<int64_t>(k) * step)];
      if (sizes != nullptr) {
        at[axis] = std::clamp<int64_t>(at[axis], 0, tensor[axis] - (*sizes)[axis]);
      }
    }
    size_t window = 0;
    for (size_t axis = 0; axis < tensor.size(); ++axis) {
      if (Holds(list.missing_axes, static_cast<int64_t>(axis))) continue;
      const int64_t offset = walk.at()[static_cast<size_t>(list.window_axes[window++])];
      if (__builtin_add_overflow(at[axis], offset, &at[axis])) at[axis] = -1;
    }
    visit(i, at);
  }
}

class StablehloGather : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "STABLEHLO_GATHER"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
    TERN_RETURN_IF_ERROR(call.CheckParams());
    const auto& p = call.params<TfLiteStablehloGatherParams>();
    const Shape tensor = ShapeOf(call.input(0)), indices = ShapeOf(call.input(1));
    TERN_RETURN_IF_ERROR(CheckSameType(call.input(0), call.output(0), "operand and output"));
    if (ElementBytes(call.input(0)->type) == 0) {
      return Unsupported("type ", TypeText(call.input(0)->type), " is not supported yet (operand)");
    }
    if (call.input(1)->type != kTfLiteInt64) {
      TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteInt32, "indices"));
    }
    list_ = WindowListOf(p);
    sizes_ = ListOf(p.slice_sizes, p.num_slice_sizes);
    TERN_ASSIGN_OR_RETURN(const Shape output, GatheredShape(list_, sizes_, tensor, indices));
    return call.SetShape(call.output(0), output);
  }

  Status Eval(const OpCall& call) override {
    const TfLiteTensor* from = call.input(0);
    TfLiteTensor* to = call.output(0);
    TERN_RETURN_IF_ERROR(CheckData(from, "operand"));
    TERN_RETURN_IF_ERROR(CheckData(to, "output"));
    TERN_ASSIGN_OR_RETURN(const Shape values, ReadIntegers(call.input(1), "indices"));
    const Shape strides = DenseStrides(ShapeOf(from));
    const int64_t bytes = ElementBytes(from->type);
    WalkWindows(list_, ShapeOf(from), ShapeOf(call.input(1)), values, ShapeOf(to), &sizes_,
                [&](int64_t i, const Shape& at) {
                  std::memcpy(to->data.raw + i * bytes,
                              from->data.raw_const + FlatIndex(at, strides) * bytes,
                              static_cast<size_t>(bytes));
                });
    return OkStatus();
  }

  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  WindowList list_;
  Shape sizes_;
};

class StablehloScatter : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "STABLEHLO_SCATTER"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
    TERN_RETURN_IF_ERROR(call.CheckParams());
    const auto& p = call.params<TfLiteStablehloScatterParams>();
    const TfLiteTensor *input = call.input(0), *updates = call.input(2);
    TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "operand and output"));
    TERN_RETURN_IF_ERROR(CheckSameType(input, updates, "operand and updates"));
    if (call.input(1)->type != kTfLiteInt64) {
      TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteInt32, "indices"));
    }
    TERN_ASSIGN_OR_RETURN(how_, CombineOfSubgraph(call, p.update_computation_subgraph_index, true));
    TERN_RETURN_IF_ERROR(CheckCombine(how_, input->type));
    list_ = WindowListOf(p);
    TERN_RETURN_IF_ERROR(
        CheckUpdates(list_, ShapeOf(input), ShapeOf(call.input(1)), ShapeOf(updates)));
    return call.SetShape(call.output(0), ShapeOf(input));
  }

  Status Eval(const OpCall& call) override {
    const TfLiteTensor *input = call.input(0), *updates = call.input(2);
    TfLiteTensor* output = call.output(0);
    TERN_RETURN_IF_ERROR(CheckData(input, "operand"));
    TERN_RETURN_IF_ERROR(CheckData(updates, "updates"));
    TERN_RETURN_IF_ERROR(CheckData(output, "output"));
    TERN_ASSIGN_OR_RETURN(const Shape values, ReadIntegers(call.input(1), "indices"));
    if (output->bytes > 0) std::memcpy(output->data.raw, input->data.raw_const, output->bytes);
    const Shape shape = ShapeOf(input), strides = DenseStrides(shape);
    return WithType(input->type, [&](auto type) {
      using T = decltype(type);
      WalkWindows(list_, shape, ShapeOf(call.input(1)), values, ShapeOf(updates), nullptr,
                  [&](int64_t i, const Shape& at) {
                    for (size_t a = 0; a < at.size(); ++a) {
                      if (at[a] < 0 || at[a] >= shape[a]) return;
                    }
                    T& to = MutableData<T>(output)[FlatIndex(at, strides)];
                    to = Combined(how_, to, Data<T>(updates)[i]);
                  });
      return OkStatus();
    });
  }

 private:
  WindowList list_;
  Combine how_ = Combine::kAdd;
};

}  // namespace

TfLiteRegistration StablehloGatherRegistration(OpForm form) {
  return MakeRegistration<StablehloGather>(form);
}
TfLiteRegistration StablehloScatterRegistration(OpForm form) {
  return MakeRegistration<StablehloScatter>(form);
}

}  // namespace tern
