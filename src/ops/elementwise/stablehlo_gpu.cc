// SPDX-License-Identifier: Apache-2.0
// STABLEHLO operations of two operands of one shape on the GPU: rows of table.inc under other
// names, and for BOOL the logic that the function is there.
#include <algorithm>

#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

struct StablehloRow {
  int builtin;
  int same_as;        // row of table.inc; -1: none, for BOOL alone
  const char* bools;  // text over 0 and 1
  // The order of stored values is that of real values, so quantized operands need no conversion.
  bool moves_elements = false;
};

constexpr StablehloRow kStablehloRows[] = {
    {kTfLiteBuiltinStablehloAdd, kTfLiteBuiltinAdd, "max(v, w)"},
    {kTfLiteBuiltinStablehloAnd, -1, "min(v, w)"},
    {kTfLiteBuiltinStablehloMaximum, kTfLiteBuiltinMaximum, "max(v, w)", true},
    {kTfLiteBuiltinStablehloMinimum, kTfLiteBuiltinMinimum, "min(v, w)", true},
    {kTfLiteBuiltinStablehloMultiply, kTfLiteBuiltinMul, "min(v, w)"},
};

const StablehloRow& RowOf(int builtin) {
  return *std::find_if(std::begin(kStablehloRows), std::end(kStablehloRows),
                       [&](const StablehloRow& row) { return row.builtin == builtin; });
}

absl::StatusOr<Epilogue> StablehloSteps(const Graph& graph, const Node& node) {
  const StablehloRow& row = RowOf(node.builtin_code);
  PairText text;
  text.types = 0;
  if (row.same_as >= 0) text = TextOfRow(row.same_as);
  text.same_shapes = true;
  for (const TensorId id : node.inputs) {
    if (id < 0) continue;  // an error of the steps
    const GraphTensor& operand = graph.tensors[static_cast<size_t>(id)];
    if (operand.quantized && !row.moves_elements) {
      return Annotate(
          Unsupported(
              Label(node), ": '", operand.name,
              "' is quantized, and elements are combined as they are, whatever they stand for"),
          {Reason::kQuantization, id});
    }
    if (operand.type != kTfLiteBool) continue;
    text.reals = row.bools;
    text.types = kBools;
  }
  return PairSteps(graph, node, text, kTfLiteActNone);
}

absl::Status LowerStablehlo(const Node& node, Lowering& lower) {
  return LowerSteps(node, lower, StablehloSteps(lower.graph(), node));
}

GpuOp Stablehlo(int builtin) {
  const StablehloRow& row = RowOf(builtin);
  const unsigned types = row.same_as < 0 ? 0 : TextOfRow(row.same_as).types;
  // INT64 has halves to carry between.
  GpuOp op = ElementwiseOp(LowerStablehlo, StablehloSteps, (types & ~kInt64s) | kBools);
  if (row.moves_elements) op.traits.elements = Always<Moved{}>;
  return op;
}

}  // namespace

GpuOp StablehloAddGpu() { return Stablehlo(kTfLiteBuiltinStablehloAdd); }
GpuOp StablehloAndGpu() { return Stablehlo(kTfLiteBuiltinStablehloAnd); }
GpuOp StablehloMaximumGpu() { return Stablehlo(kTfLiteBuiltinStablehloMaximum); }
GpuOp StablehloMinimumGpu() { return Stablehlo(kTfLiteBuiltinStablehloMinimum); }
GpuOp StablehloMultiplyGpu() { return Stablehlo(kTfLiteBuiltinStablehloMultiply); }

}  // namespace tern::gpu
