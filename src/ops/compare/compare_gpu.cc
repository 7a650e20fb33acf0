// SPDX-License-Identifier: Apache-2.0
// Comparisons and logic on the GPU: fused steps that make BOOL values, the reals 0 and 1.
#include <algorithm>
#include <optional>
#include <string>

#include "base/multiplier.h"
#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"
#include "ops/elementwise/int64_gpu.h"
#include "ops/gpu_kit/element_steps_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

constexpr unsigned kNumbers = kFloats | kHalves | kInts;

struct CompareRow {
  int builtin;
  PairText text;
};

// One text serves all types: literals are those of the result.
constexpr PairText Relation(const char* text, unsigned types) {
  return {.reals = text, .ints = text, .types = types, .is_bool = true};
}
constexpr PairText Logic(const char* text) {
  return {.reals = text, .types = kBools, .is_bool = true};
}

constexpr CompareRow kCompareRows[] = {
    {kTfLiteBuiltinEqual, Relation("select_eq(v, w, splat(1.0), splat(0.0))", kNumbers | kBools)},
    {kTfLiteBuiltinNotEqual,
     Relation("select_eq(v, w, splat(0.0), splat(1.0))", kNumbers | kBools)},
    {kTfLiteBuiltinGreater, Relation("select_lt(w, v, splat(1.0), splat(0.0))", kNumbers)},
    {kTfLiteBuiltinGreaterEqual, Relation("select_le(w, v, splat(1.0), splat(0.0))", kNumbers)},
    {kTfLiteBuiltinLess, Relation("select_lt(v, w, splat(1.0), splat(0.0))", kNumbers)},
    {kTfLiteBuiltinLessEqual, Relation("select_le(v, w, splat(1.0), splat(0.0))", kNumbers)},
    {kTfLiteBuiltinLogicalAnd, Logic("min(v, w)")},
    {kTfLiteBuiltinLogicalOr, Logic("max(v, w)")},
};

// 16 bits are brought to one scale for equality alone, and without a scale nothing is.
bool ComparesElements(const Quantized& a, const Node& node) {
  const bool equality =
      node.builtin_code == kTfLiteBuiltinEqual || node.builtin_code == kTfLiteBuiltinNotEqual;
  return a.is_plain() || (a.type == kTfLiteInt16 && !equality);
}

// An operand as the CPU compares it: its element, or on the common scale, which has 8 more bits.
std::string Compared(const std::string& element, const Quantized& q, bool as_element,
                     ElementStep& step) {
  if (as_element) return StrCat(element, " + ", step.Int(q.zero_point));
  const int64_t most = q.type == kTfLiteInt16 ? 65535 : 255;
  const std::string more = StrCat(element, " * ", step.Int(256));
  return step.Requantized(more, MakeMultiplier(static_cast<double>(q.scale)), 256 * most);
}

// `text` with other operands in the places of v and w; neither letter occurs in it otherwise.
std::string WithOperands(const std::string& text, const std::string& v, const std::string& w) {
  std::string result;
  for (const char c : text) result += c == 'v' ? v : c == 'w' ? w : std::string(1, c);
  return result;
}

absl::StatusOr<ElementwiseChain> CompareSteps(const Graph& graph, const Node& node) {
  const auto row =
      std::find_if(std::begin(kCompareRows), std::end(kCompareRows),
                   [&](const CompareRow& r) { return r.builtin == node.builtin_code; });
  if (row == std::end(kCompareRows)) {
    return Because(Unsupported(Label(node), ": this is no comparison"), {Reason::kNoGpuForm});
  }
  absl::StatusOr<ElementwiseChain> steps = PairSteps(graph, node, row->text, kTfLiteActNone);
  if (!steps.ok()) return steps;
  const std::optional<Quantized> a = ElementsOf(graph.tensors[node.inputs[0]]),
                                 b = ElementsOf(graph.tensors[node.inputs[1]]);
  if (!a || !b) return steps;
  const bool as_elements = ComparesElements(*a, node);
  ElementStep step(*a, *b, node.inputs[1]);
  const std::string v = Compared(kElementOfV, *a, as_elements, step);
  const std::string w = Compared(kElementOfW, *b, as_elements, step);
  steps->front() = step.FinishReal(WithOperands(row->text.reals, v, w));
  return steps;
}

absl::Status LowerCompare(const Node& node, Lowering& lower) {
  if (TakesInt64s(node, lower)) return LowerInt64Pair(node, lower, kTfLiteActNone);
  return LowerSteps(node, lower, CompareSteps(lower.graph(), node));
}

absl::StatusOr<ElementwiseChain> NotSteps(const Graph& graph, const Node& node) {
  TERN_RETURN_IF_ERROR(CheckSingle(graph, node, kBools));
  return ElementwiseChain{{.expression = "splat(1.0) - v"}};
}

absl::Status LowerNot(const Node& node, Lowering& lower) {
  return LowerSteps(node, lower, NotSteps(lower.graph(), node));
}

GpuOp Comparison(unsigned types) { return ElementwiseOp(LowerCompare, CompareSteps, types); }

}  // namespace

GpuOp EqualGpu() { return Comparison(kNumbers | kInt64s | kBools); }
GpuOp NotEqualGpu() { return Comparison(kNumbers | kInt64s | kBools); }
GpuOp GreaterGpu() { return Comparison(kNumbers | kInt64s | kBools); }
GpuOp GreaterEqualGpu() { return Comparison(kNumbers | kInt64s | kBools); }
GpuOp LessGpu() { return Comparison(kNumbers | kInt64s | kBools); }
GpuOp LessEqualGpu() { return Comparison(kNumbers | kInt64s | kBools); }
GpuOp LogicalAndGpu() { return Comparison(kBools); }
GpuOp LogicalOrGpu() { return Comparison(kBools); }
GpuOp LogicalNotGpu() { return ElementwiseOp(LowerNot, NotSteps, kBools); }

}  // namespace tern::gpu
