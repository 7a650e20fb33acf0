// SPDX-License-Identifier: Apache-2.0
// MATRIX_DIAG and MATRIX_SET_DIAG on the GPU.
#include <algorithm>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/matrix_diag/matrix_diag_rules.h"

namespace tern::gpu {
namespace {

// The element 0, as on the CPU, whatever it stands for.
void Fill(const GraphTensor& output, DispatchBuilder& dispatch) {
  if (output.number() == Number::kInt) {
    dispatch.Int("fill", 0);
  } else {
    const std::optional<QuantizedType>& q = output.quantized;
    dispatch.Float("fill", q ? q->scale * static_cast<float>(-q->zero_point) : 0.0f);
  }
}

absl::Status EmitDiagonal(const Node& node, Lowering& lower, const Shape& matrices,
                          DispatchBuilder dispatch) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, matrices));
  const int64_t rows = matrices[matrices.size() - 2];
  const Box box = output->box();
  dispatch.Write("dst", 0);
  dispatch.Int("rows", rows).Int("count", std::min(rows, matrices.back()));
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

absl::Status LowerMatrixDiag(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const StatusOr<Shape> matrices = DiagonalMatrices(ShapeOf(*input));
  if (!matrices.ok()) return lower.Unsupported(node, Message(matrices.status()));
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::matrix_diag);
  dispatch.Define("SET", 0).Read("diagonal", 0);
  Fill(*output, dispatch);
  return EmitDiagonal(node, lower, *matrices, std::move(dispatch));
}

absl::Status LowerMatrixSetDiag(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* diagonal, lower.Input(node, 1));
  const Status fits = CheckDiagonal(ShapeOf(*input), ShapeOf(*diagonal));
  if (!fits.ok()) return lower.Unsupported(node, Message(fits));
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::matrix_diag);
  dispatch.Define("SET", 1).Read("src", 0).Read("diagonal", 1);
  return EmitDiagonal(node, lower, ShapeOf(*input), std::move(dispatch));
}

// The CPU takes no BOOL.
constexpr unsigned kNumberTypes = kAllTypes & ~unsigned{kBools};

}  // namespace

GpuOp MatrixDiagGpu() {
  return {.lower = LowerMatrixDiag,
          .traits = {.types = kNumberTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}
GpuOp MatrixSetDiagGpu() {
  return {.lower = LowerMatrixSetDiag,
          .traits = {.types = kNumberTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
