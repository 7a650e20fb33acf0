// SPDX-License-Identifier: Apache-2.0
// One case for each row.
#include "ops/elementwise/row_function_gpu.h"

#include <cmath>

#include "ops/elementwise/unary_rules.h"
#include "ops/gpu_kit/element_results_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {

std::optional<RowFunction> RowFunction::Of(const Node& node) {
  RowFunction function{node.builtin_code, {}};
  bool known = false;
  switch (node.builtin_code) {
#define ELEMENTWISE_UNARY(builtin, name, parameters, ...)             \
  case kTfLiteBuiltin##name:                                          \
    known = elementwise::parameters(node.params, function.constants); \
    break;
#include "ops/elementwise/table.inc"
    default:
      break;
  }
  return known ? std::optional(function) : std::nullopt;
}

float RowFunction::operator()(float v) const {
  [[maybe_unused]] const float a = constants.a, b = constants.b;
  switch (builtin) {
#define ELEMENTWISE_UNARY(builtin, name, parameters, expression, ...) \
  case kTfLiteBuiltin##name:                                          \
    return expression;
#include "ops/elementwise/table.inc"
    default:
      return v;
  }
}

std::optional<std::vector<float>> RowResults(const Graph& graph, const Node& node) {
  if (node.inputs.size() != 1 || node.outputs.size() != 1) return std::nullopt;
  const std::optional<QuantizedType>& from = graph.tensors[node.inputs[0]].quantized;
  const std::optional<QuantizedType>& to = graph.tensors[node.outputs[0]].quantized;
  const std::optional<RowFunction> function = RowFunction::Of(node);
  if (!from || !to || to->type != from->type || !function) return std::nullopt;
  const elementwise::UnaryElements elements{from->type,
                                            {from->scale, from->zero_point},
                                            {to->scale, to->zero_point},
                                            TypeRange(from->type)};
  // The only operation on INT16 that neither lies on lines between points nor is computed with
  // integers alone.
  if (node.builtin_code == kTfLiteBuiltinSqrt)
    return ElementResults(*from, *to, elementwise::SquareRoot{elements});
  if (!IsByte(from)) return std::nullopt;
  if (node.builtin_code == kTfLiteBuiltinHardSwish &&
      !elementwise::HardSwish(elements).is_possible()) {
    return std::nullopt;
  }
  if (node.builtin_code == kTfLiteBuiltinNeg) {
    // The smallest element has no opposite and stays.
    return ElementResults(*from, *to, [](int32_t q) { return static_cast<int8_t>(-q); });
  }
  const ByteTable table =
      elementwise::UnaryTable(node.builtin_code, elements, *function, function->constants.a);
  return ElementResults(*from, *to, [&](int32_t q) -> int32_t {
    const uint8_t bits = table[static_cast<uint8_t>(q)];
    return to->type == kTfLiteUInt8 ? int32_t{bits} : static_cast<int8_t>(bits);
  });
}

}  // namespace tern::gpu
