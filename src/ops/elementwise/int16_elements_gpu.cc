// SPDX-License-Identifier: Apache-2.0
// Texts of the functions in unary_rules.h.
#include "ops/elementwise/int16_elements_gpu.h"

#include <string>

#include "base/str_cat.h"
#include "ops/elementwise/row_function_gpu.h"
#include "ops/elementwise/unary_rules.h"
#include "ops/gpu_kit/element_steps_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

constexpr int64_t kMost = 65535;  // of an element less its zero point

bool IsOperation(int builtin) {
  switch (builtin) {
    case kTfLiteBuiltinAbs:
    case kTfLiteBuiltinLeakyRelu:
    case kTfLiteBuiltinNeg:
    case kTfLiteBuiltinRelu:
    case kTfLiteBuiltinRelu0To1:
    case kTfLiteBuiltinRelu6:
    case kTfLiteBuiltinReluN1To1:
      return true;
    default:
      return false;
  }
}

// The operands of the CPU's arithmetic, as text.
struct Texts {
  ElementStep step;
  QuantizedType out;

  EpilogueOp operator()(const elementwise::Absolute& f) {
    const std::string size =
        StrCat("max(", kElementOfV, ", ", step.Int(0), " - ", kElementOfV, ")");
    return step.Finish(f.same ? size : step.Requantized(size, f.multiplier, kMost), f.e.range, out);
  }
  EpilogueOp operator()(const elementwise::Clamped& f) {
    return step.Finish(step.Requantized(kElementOfV, f.multiplier, kMost), f.limits, out);
  }
  EpilogueOp operator()(const elementwise::LeakyRelu& f) {
    const std::string zero = step.Int(0), sign = step.Int(f.falls ? -1 : 1);
    const std::string negative = step.Requantized(kElementOfV, f.negative, kMost);
    const std::string positive = step.Requantized(kElementOfV, f.positive, kMost);
    return step.Finish(StrCat("select_lt(", kElementOfV, ", ", zero, ", ", negative, " * ", sign,
                              ", ", positive, ")"),
                       f.e.range, out);
  }
  EpilogueOp operator()(const elementwise::SquareRoot&) { return {}; }  // has results
};

}  // namespace

bool MakesInt16Elements(const Graph& graph, const Node& node) {
  if (!IsOperation(node.builtin_code) || node.inputs.size() != 1 || node.inputs[0] < 0)
    return false;
  const std::optional<QuantizedType>&from = graph.tensors[node.inputs[0]].quantized,
        &to = graph.MadeBy(node);
  return from && to && from->type == kTfLiteInt16 && to->type == kTfLiteInt16;
}

std::optional<Epilogue> Int16ElementOps(const Graph& graph, const Node& node) {
  const GraphTensor& in = graph.tensors[node.inputs[0]];
  const QuantizedType &from = *in.quantized, &to = *graph.MadeBy(node);
  const std::optional<RowFunction> function = RowFunction::Of(node);
  if (!function) return std::nullopt;
  ElementStep step(from);
  // The smallest element has no opposite and stays.
  if (node.builtin_code == kTfLiteBuiltinNeg) {
    const std::string zero = step.Int(-int64_t{from.zero_point});
    return Epilogue{step.FinishWrapped(StrCat(zero, " - ", kElementOfV), to)};
  }
  if (node.builtin_code == kTfLiteBuiltinAbs && in.affine() == nullptr) {
    const std::string zero = step.Int(0);
    return Epilogue{
        step.FinishWrapped(StrCat("max(", kElementOfV, ", ", zero, " - ", kElementOfV, ")"), to)};
  }
  const elementwise::UnaryElements elements{kTfLiteInt16, ScaleOf(from), ScaleOf(to),
                                            TypeRange(kTfLiteInt16)};
  Epilogue epilogue;
  elementwise::WithIntegers(node.builtin_code, elements, function->constants.a, [&](const auto& f) {
    epilogue.push_back(Texts{std::move(step), to}(f));
  });
  return epilogue;
}

}  // namespace tern::gpu
