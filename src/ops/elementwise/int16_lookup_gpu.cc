// SPDX-License-Identifier: Apache-2.0
// A table of results is a constant with a slice for each of its pieces.
#include "ops/elementwise/int16_lookup_gpu.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "ops/elementwise/int16_lookup_rules.h"
#include "ops/elementwise/row_function_gpu.h"
#include "ops/gpu_kit/int16_table_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

// A slice for each of the 255 pieces, like TableSlices.
std::vector<float> SigmoidSlices(int slice_width) {
  const std::array<int32_t, 256>& table = elementwise::SigmoidTable();
  const auto width = static_cast<size_t>(slice_width);
  std::vector<float> values((table.size() - 1) * width, 0.0f);
  for (size_t i = 0; i + 1 < table.size(); ++i) {
    values[i * width] = static_cast<float>(table[i]);
    values[i * width + 1] = static_cast<float>(table[i + 1] - table[i]);
  }
  return values;
}

absl::Status LowerSigmoid(const Node& node, Lowering& lower, const QuantizedType& from,
                          const QuantizedType& to) {
  const elementwise::SigmoidInput scaled = elementwise::ScaleToSigmoid(from.scale);
  constexpr int kMaxShift = 29;  // half a unit more than any product is an int
  if (from.zero_point != 0 || to.zero_point != 0 || scaled.shift > kMaxShift) {
    return lower.Unsupported(
        node, StrCat("INT16 with zero point ", from.zero_point, " and scale ", from.scale),
        {Reason::kQuantization});
  }
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Box box = out->box();
  const int unit = 1 << scaled.shift;
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::short_sigmoid);
  dispatch.Read("src", 0).Write("dst", 0);
  dispatch.ConstantValues("table", SigmoidSlices(lower.slice_width()));
  dispatch.Define("TANH", node.builtin_code == kTfLiteBuiltinTanh);
  dispatch.Float("inverse", 1 / from.scale).Float("scale", to.scale);
  dispatch.Int("multiplier", scaled.multiplier).Int("unit", unit).Int("nudge", unit / 2);
  dispatch.Int("below", unit > 1 ? 1 : 0);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace

bool MakesInt16Lookup(const Graph& graph, const Node& node) {
  if (!elementwise::HasInt16Lookup(node.builtin_code)) return false;
  if (node.inputs.size() != 1 || node.outputs.size() != 1 || node.inputs[0] < 0) return false;
  const auto is_short = [](const std::optional<QuantizedType>& q) {
    return q && q->type == kTfLiteInt16;
  };
  return is_short(graph.tensors[node.inputs[0]].quantized) && is_short(graph.MadeBy(node));
}

absl::Status LowerInt16Lookup(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, ShapeOf(*in)));
  const int builtin = node.builtin_code;
  const QuantizedType &from = *in->quantized, &to = *lower.graph().MadeBy(node);
  if (elementwise::IsSigmoid(builtin)) return LowerSigmoid(node, lower, from, to);
  const std::optional<RowFunction> function = RowFunction::Of(node);
  if (!function) return lower.Unsupported(node, "options are missing", {Reason::kOptions});
  const Int16Table table = elementwise::MakeInt16Lookup(builtin, {from.scale, from.zero_point},
                                                        {to.scale, to.zero_point}, *function);
  const Box box = out->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::short_curve);
  dispatch.Read("src", 0).Write("dst", 0);
  dispatch.ConstantValues("table", TableSlices(table, lower.slice_width()));
  dispatch.Float("inverse", 1 / from.scale);
  dispatch.Float("lift", static_cast<float>(from.zero_point - INT16_MIN));
  dispatch.Float("zero", static_cast<float>(to.zero_point)).Float("scale", to.scale);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace tern::gpu
