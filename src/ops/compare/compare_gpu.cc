// SPDX-License-Identifier: Apache-2.0
// Comparisons and logic on the GPU: fused steps that make BOOL values, the reals 0 and 1.
#include <algorithm>
#include <optional>
#include <string>

#include "base/status.h"
#include "base/tensor/multiplier.h"
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

// Literals are those of the result. `floats` compares FLOAT32 and FLOAT16: by the order of the
// bits, as devices may take subnormal numbers for zero, and with what NaN gives, as compilers may
// assume that there is none.
constexpr PairText Relation(const char* text, const char* floats, unsigned types) {
  return {.reals = floats, .ints = text, .types = types, .is_bool = true};
}
#define TERN_RELATION(SELECT, V, W, YES, NO, OF_NAN)                                              \
#SELECT "(" #V ", " #W ", splat(" #YES "), splat(" #NO "))",                                    \
      "select_nan(v, splat(" #OF_NAN "), select_nan(w, splat(" #OF_NAN "), " #SELECT "(order(" #V \
      "), order(" #W "), splat(" #YES "), splat(" #NO "))))"
constexpr PairText Logic(const char* text) {
  return {.reals = text, .types = kBools, .is_bool = true};
}

constexpr CompareRow kCompareRows[] = {
    {kTfLiteBuiltinEqual,
     Relation(TERN_RELATION(select_eq, v, w, 1.0, 0.0, 0.0), kNumbers | kBools)},
    {kTfLiteBuiltinNotEqual,
     Relation(TERN_RELATION(select_eq, v, w, 0.0, 1.0, 1.0), kNumbers | kBools)},
    {kTfLiteBuiltinGreater, Relation(TERN_RELATION(select_lt, w, v, 1.0, 0.0, 0.0), kNumbers)},
    {kTfLiteBuiltinGreaterEqual, Relation(TERN_RELATION(select_le, w, v, 1.0, 0.0, 0.0), kNumbers)},
    {kTfLiteBuiltinLess, Relation(TERN_RELATION(select_lt, v, w, 1.0, 0.0, 0.0), kNumbers)},
    {kTfLiteBuiltinLessEqual, Relation(TERN_RELATION(select_le, v, w, 1.0, 0.0, 0.0), kNumbers)},
    {kTfLiteBuiltinLogicalAnd, Logic("min(v, w)")},
    {kTfLiteBuiltinLogicalOr, Logic("max(v, w)")},
};
#undef TERN_RELATION

// 16 bits are brought to one scale for equality alone, and without a scale nothing is.
bool ComparesElements(const QuantizedType& a, const Node& node) {
  const bool equality =
      node.builtin_code == kTfLiteBuiltinEqual || node.builtin_code == kTfLiteBuiltinNotEqual;
  return a.is_plain() || (a.type == kTfLiteInt16 && !equality);
}

// An operand as the CPU compares it: its element, or on the common scale, which has 8 more bits.
std::string Compared(const std::string& element, const QuantizedType& q, bool as_element,
                     ElementStep& step) {
  if (as_element) return StrCat(element, " + ", step.Int(q.zero_point));
  const int64_t max = q.type == kTfLiteInt16 ? 65535 : 255;
  const std::string more = StrCat(element, " * ", step.Int(256));
  return step.Requantized(more, MakeMultiplier(static_cast<double>(q.scale)), 256 * max);
}

// `text` with other operands in the places of v and w; neither letter occurs in it otherwise.
std::string WithOperands(const std::string& text, const std::string& v, const std::string& w) {
  std::string result;
  for (const char c : text) result += c == 'v' ? v : c == 'w' ? w : std::string(1, c);
  return result;
}

absl::StatusOr<Epilogue> CompareSteps(const Graph& graph, const Node& node) {
  const auto row =
      std::find_if(std::begin(kCompareRows), std::end(kCompareRows),
                   [&](const CompareRow& r) { return r.builtin == node.builtin_code; });
  if (row == std::end(kCompareRows)) {
    return Annotate(Unsupported(Label(node), ": this is no comparison"), {Reason::kNoGpuForm});
  }
  absl::StatusOr<Epilogue> steps = PairSteps(graph, node, row->text, kTfLiteActNone);
  if (!steps.ok()) return steps;
  if (graph.tensors[node.inputs[0]].type == kTfLiteBool && row->text.ints != nullptr)
    steps->front().expression = row->text.ints;
  const std::optional<QuantizedType> a = ElementsOf(graph.tensors[node.inputs[0]]),
                                     b = ElementsOf(graph.tensors[node.inputs[1]]);
  if (!a || !b) return steps;
  const bool as_elements = ComparesElements(*a, node);
  ElementStep step(*a, *b, node.inputs[1]);
  const std::string v = Compared(kElementOfV, *a, as_elements, step);
  const std::string w = Compared(kElementOfW, *b, as_elements, step);
  steps->front() = step.FinishReal(WithOperands(row->text.ints, v, w));
  return steps;
}

absl::Status LowerCompare(const Node& node, Lowering& lower) {
  if (TakesInt64s(node, lower)) return LowerInt64Pair(node, lower, kTfLiteActNone);
  return LowerSteps(node, lower, CompareSteps(lower.graph(), node));
}

absl::StatusOr<Epilogue> NotSteps(const Graph& graph, const Node& node) {
  TERN_RETURN_IF_ERROR(CheckSingle(graph, node, kBools));
  return Epilogue{{.expression = "splat(1.0) - v"}};
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
