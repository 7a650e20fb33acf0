// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_GATHER: windows of one size, cut out of a tensor where index vectors say; starts are
// moved so that windows lie inside. STABLEHLO_SCATTER: the other way, windows of updates combined
// into a tensor; what lies outside is left out.
#include <cstring>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/stablehlo/body.h"

namespace tern {
namespace {

Shape ListOf(const int64_t* values, int count) { return Shape(values, values + count); }

bool Holds(const Shape& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Axes in rising order without repetition, each of a tensor of `rank`.
Status CheckAxes(const Shape& axes, size_t rank, bool sorted, const char* what) {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= static_cast<int64_t>(rank)) {
      return Invalid(what, " are out of range (", ShapeText(axes), ", rank ", rank, ")");
    }
    if (sorted && i > 0 && axes[i] <= axes[i - 1]) {
      return Invalid(what, " must rise (", ShapeText(axes), ")");
    }
    for (size_t j = 0; !sorted && j < i; ++j) {
      if (axes[i] == axes[j]) return Invalid(what, " repeat an axis (", ShapeText(axes), ")");
    }
  }
  return OkStatus();
}

// What both ops share: a tensor, windows in it, and a list of windows side by side: a tensor with
// `window_axes` for the position inside a window and the others for the window's number.
struct WindowList {
  Shape window_axes;  // of the list
  Shape
      missing_axes;  // of the tensor: windows have size 1 there, and the list has no axis for them
  Shape start_axes;  // of the tensor: what the numbers of an index vector stand for
  int64_t vector_axis;  // of the indices; their rank: each number is a vector

  // Shape of the window numbers.
  Shape BatchShape(const Shape& indices) const {
    Shape batch;
    for (size_t i = 0; i < indices.size(); ++i) {
      if (static_cast<int64_t>(i) != vector_axis) batch.push_back(indices[i]);
    }
    return batch;
  }
};

Status CheckList(const WindowList& list, const Shape& tensor, const Shape& indices,
                 size_t list_rank) {
  TERN_RETURN_IF_ERROR(CheckAxes(list.window_axes, list_rank, true, "window axes"));
  TERN_RETURN_IF_ERROR(CheckAxes(list.missing_axes, tensor.size(), true, "collapsed axes"));
  TERN_RETURN_IF_ERROR(CheckAxes(list.start_axes, tensor.size(), false, "start axes"));
  if (list.vector_axis < 0 || list.vector_axis > static_cast<int64_t>(indices.size())) {
    return Invalid("the index vector's axis is out of range (", list.vector_axis, ", rank ",
                   indices.size(), ")");
  }
  const bool scalar = list.vector_axis == static_cast<int64_t>(indices.size());
  const int64_t length = scalar ? 1 : indices[static_cast<size_t>(list.vector_axis)];
  if (length != static_cast<int64_t>(list.start_axes.size())) {
    return Invalid("index vectors do not fit the start axes (", length, ", ",
                   list.start_axes.size(), ")");
  }
  if (list.window_axes.size() + list.missing_axes.size() != tensor.size()) {
    return Invalid("window and collapsed axes do not make up the rank (", list.window_axes.size(),
                   ", ", list.missing_axes.size(), ", ", tensor.size(), ")");
  }
  return OkStatus();
}

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
    list_ = {ListOf(p.offset_dims, p.num_offset_dims),
             ListOf(p.collapsed_slice_dims, p.num_collapsed_slice_dims),
             ListOf(p.start_index_map, p.num_start_index_map), p.index_vector_dim};
    sizes_ = ListOf(p.slice_sizes, p.num_slice_sizes);
    if (sizes_.size() != tensor.size()) {
      return Invalid("there must be a window size per axis (", sizes_.size(), ", ", tensor.size(),
                     ")");
    }
    for (size_t i = 0; i < sizes_.size(); ++i) {
      const bool collapsed = Holds(list_.missing_axes, static_cast<int64_t>(i));
      if (sizes_[i] < 0 || sizes_[i] > tensor[i] || (collapsed && sizes_[i] != 1)) {
        return Invalid("a window size is out of range (", sizes_[i], ", axis of ", tensor[i], ")");
      }
    }
    const size_t batch_rank = indices.size() - (list_.vector_axis < Rank(call.input(1)) ? 1 : 0);
    const size_t rank = batch_rank + list_.window_axes.size();
    TERN_RETURN_IF_ERROR(CheckList(list_, tensor, indices, rank));
    const Shape batch = list_.BatchShape(indices);
    Shape output;
    size_t next = 0, window = 0;
    for (size_t i = 0; i < rank; ++i) {
      if (!Holds(list_.window_axes, static_cast<int64_t>(i))) {
        output.push_back(batch[next++]);
        continue;
      }
      while (Holds(list_.missing_axes, static_cast<int64_t>(window))) ++window;
      output.push_back(sizes_[window++]);
    }
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
    list_ = {ListOf(p.update_window_dims, p.num_update_window_dims),
             ListOf(p.inserted_window_dims, p.num_inserted_window_dims),
             ListOf(p.scatter_dims_to_operand_dims, p.num_scatter_dims_to_operand_dims),
             p.index_vector_dim};
    const Shape indices = ShapeOf(call.input(1)), list = ShapeOf(updates);
    TERN_RETURN_IF_ERROR(CheckList(list_, ShapeOf(input), indices, list.size()));
    const Shape batch = list_.BatchShape(indices);
    Shape rest;
    for (size_t i = 0; i < list.size(); ++i) {
      if (!Holds(list_.window_axes, static_cast<int64_t>(i))) rest.push_back(list[i]);
    }
    if (rest != batch) {
      return Invalid("updates and indices differ in shape (", ShapeText(rest), ", ",
                     ShapeText(batch), ")");
    }
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
