// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL on the GPU. Operands that lie transposed, or whose batches the kernel's box cannot
// broadcast, are copied into place first.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/status.h"
#include "ops/batch_matmul/batch_matmul_rules.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

struct MatrixOperand {
  int number;
  const char* name;
  bool transposed;
  int64_t rows, columns;
  const Shape& steps;  // through its matrices, by batch axis
};

Box MatrixBox(const Shape& batch, int64_t rows, int64_t columns) {
  std::vector<int> dims(batch.begin(), batch.end());
  dims.push_back(static_cast<int>(rows));
  dims.push_back(static_cast<int>(columns));
  return BoxOf(dims);
}

// Binds the operand, or a copy of it, with rows as pixels.
absl::Status BindOperand(const Node& node, Lowering& lower, const MatrixOperand& o,
                         const Shape& batch, DispatchBuilder& dispatch) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Input(node, o.number));
  const Box all = MatrixBox(batch, 1, 1);
  const Box own = tensor->box();
  const bool broadcasts = (own.b == 1 || own.b == all.b) && (own.h == 1 || own.h == all.h);
  if (!o.transposed && broadcasts) {
    dispatch.Read(o.name, o.number);
    return absl::OkStatus();
  }
  View view;
  Shape copied;
  const int64_t size = o.rows * o.columns;
  for (size_t d = 0; d < batch.size(); ++d) {
    // Repeated matrices are copied once where that is enough.
    const int64_t extent = broadcasts && o.steps[d] == 0 ? 1 : batch[d];
    view.Add(extent, o.steps[d] * size);
    copied.push_back(extent);
  }
  view.Add(o.rows, o.transposed ? 1 : o.columns);
  view.Add(o.columns, o.transposed ? o.rows : 1);
  const TensorId temp = lower.Temp(StrCat(Label(node), " ", o.name),
                                   MatrixBox(copied, o.rows, o.columns), Layout::kSlices);
  TERN_RETURN_IF_ERROR(EmitGatherToTemp(node, lower, {o.number}, ViewGather(view), temp));
  dispatch.ReadTemp(o.name, temp);
  return absl::OkStatus();
}

// The CPU's own, like the reference, knows one scale for a whole right side of integers, and 0
// where there are several.
bool CountsAsZero(const GraphTensor& left, const GraphTensor& right) {
  const AffineQuantization* q = right.affine();
  const bool of_integers = left.quantized.has_value() || right.type == kTfLiteInt8;
  return right.is_constant() && of_integers && q != nullptr && q->scales.size() > 1;
}

// Of INT8, runtime tensor or constant.
std::optional<QuantizedType> BytesOf(const GraphTensor& tensor) {
  if (!tensor.is_constant()) {
    const bool bytes = tensor.quantized && tensor.quantized->type == kTfLiteInt8;
    return bytes ? tensor.quantized : std::nullopt;
  }
  const AffineQuantization* q = tensor.affine();
  if (tensor.type != kTfLiteFloat32 || tensor.stored != kTfLiteInt8 || q == nullptr ||
      !q->is_single() || !std::isnormal(q->scales[0])) {
    return std::nullopt;
  }
  return QuantizedType{kTfLiteInt8, q->scales[0], q->zero_points[0]};
}

// Sums of INT32 are those of products of elements, whatever these stand for.
absl::Status AddZero(const Node& node, const Lowering& lower, const char* name,
                     const GraphTensor& tensor, DispatchBuilder& dispatch) {
  const std::optional<QuantizedType> q = BytesOf(tensor);
  if (!q) {
    return lower.Unsupported(
        node, StrCat("sums of INT32 of '", tensor.name, "', which is not INT8 with one scale"),
        {Reason::kQuantization});
  }
  dispatch.Float(name, static_cast<float>(q->zero_point));
  return absl::OkStatus();
}

bool MakesSums(const Graph& graph, const Node& node, TensorId id) {
  const auto bytes = [&](TensorId of) { return of >= 0 && BytesOf(graph.tensors[of]); };
  return graph.tensors[id].type == kTfLiteInt32 && node.outputs.size() == 1 &&
         id == node.outputs[0] && node.inputs.size() == 2 && bytes(node.inputs[0]) &&
         bytes(node.inputs[1]);
}

// The depth of an operand without elements counts as none.
ElementRule SummedElementsOf(const Graph& graph, const Node& node) {
  if (node.inputs.size() < 2 || node.inputs[1] < 0) return Rounded{};
  const GraphTensor &left = graph.tensors[node.inputs[0]], &right = graph.tensors[node.inputs[1]];
  const bool adjoint = node.Get<TfLiteBatchMatMulParams>().adj_x;
  if (left.dims.size() < 2 || CountsAsZero(left, right)) return Rounded{};
  return SummedProducts{.bias = -1,
                        .products = std::max(left.dims[left.dims.size() - (adjoint ? 2 : 1)], 1),
                        .wide = left.quantized && left.quantized->type == kTfLiteInt16,
                        .float_product = true,
                        .sums = graph.tensors[node.outputs[0]].type == kTfLiteInt32};
}

absl::Status LowerBatchMatmul(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* left, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* right, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const auto& params = node.Get<TfLiteBatchMatMulParams>();
  const StatusOr<MatmulShapes> shapes =
      MatmulShapesOf(ShapeOf(*left), ShapeOf(*right), params.adj_x, params.adj_y);
  if (!shapes.ok()) return lower.Unsupported(node, Message(shapes.status()));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, shapes->output));
  const Box out = output->box();
  const bool sums = output->number() == Number::kInt;
  if (out.elements() == 0 || shapes->depth == 0 || (!sums && CountsAsZero(*left, *right))) {
    return EmitGather(node, lower, 0, {{out.elements()}, {0}, {0}, {0}}, Outside::kFill, 0);
  }
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::batch_matmul);
  const Shape& batch = shapes->batch;
  TERN_RETURN_IF_ERROR(BindOperand(
      node, lower, {0, "left", params.adj_x, shapes->rows, shapes->depth, shapes->left_steps},
      batch, dispatch));
  TERN_RETURN_IF_ERROR(BindOperand(
      node, lower, {1, "right", params.adj_y, shapes->depth, shapes->columns, shapes->right_steps},
      batch, dispatch));
  const int pixels = std::min(lower.tuning().pixels, out.w);
  const bool finish = node.requantization && !sums;
  dispatch.Write("dst", 0).Define("PIXELS", pixels);
  dispatch.Define("FINISH", finish).Define("ELEMENTS", sums);
  if (finish) dispatch.Requantize(lower.Slices(out.c), out.c);
  if (sums) {
    dispatch.IntSums();
    TERN_RETURN_IF_ERROR(AddZero(node, lower, "zero_of_left", *left, dispatch));
    TERN_RETURN_IF_ERROR(AddZero(node, lower, "zero_of_right", *right, dispatch));
  }
  return dispatch
      .Grid((int64_t{out.w} + pixels - 1) / pixels, lower.Slices(out.c), int64_t{out.h} * out.b)
      .Emit();
}

}  // namespace

GpuOp BatchMatmulGpu() {
  return {
      .lower = LowerBatchMatmul,
      .traits = {.takes_ints = MakesSums, .elements = SummedElementsOf, .takes_epilogue = true}};
}

}  // namespace tern::gpu
