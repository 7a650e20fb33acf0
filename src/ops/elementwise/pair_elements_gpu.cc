// SPDX-License-Identifier: Apache-2.0
// One step for each operation: its text is the arithmetic of quantized_pairs.cc and arithmetic.h.
#include "ops/elementwise/pair_elements_gpu.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/str_cat.h"
#include "gpu/lower/lowering.h"
#include "ops/elementwise/pair_rules.h"
#include "ops/gpu_kit/element_steps_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

using elementwise::CommonScales;

struct Pair {
  QuantizedType a, b, out;
  bool scaled = true;  // else elements are plain numbers, and wrap
};

bool IsPairOperation(int builtin) {
  switch (builtin) {
    case kTfLiteBuiltinAdd:
    case kTfLiteBuiltinDiv:
    case kTfLiteBuiltinFloorDiv:
    case kTfLiteBuiltinFloorMod:
    case kTfLiteBuiltinMul:
    case kTfLiteBuiltinSquaredDifference:
    case kTfLiteBuiltinSub:
      return true;
    default:
      return false;
  }
}

// Elements without any scale are numbers that wrap; so are those of the floored operations,
// whatever scale they have.
bool IsScaled(const Graph& graph, const Node& node) {
  if (node.builtin_code == kTfLiteBuiltinFloorDiv || node.builtin_code == kTfLiteBuiltinFloorMod)
    return false;
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](TensorId id) {
    return graph.tensors[id].is_constant() || graph.tensors[id].affine() != nullptr;
  });
}

std::optional<Pair> PairOf(const Graph& graph, const Node& node) {
  if (node.inputs.size() != 2 || node.inputs[0] < 0 || node.inputs[1] < 0) return std::nullopt;
  const std::optional<QuantizedType> a = ElementsOf(graph.tensors[node.inputs[0]]),
                                     b = ElementsOf(graph.tensors[node.inputs[1]]);
  const std::optional<QuantizedType>& out = graph.MadeBy(node);
  if (!a || !b || !out || a->type != b->type) return std::nullopt;
  const bool narrows = node.builtin_code == kTfLiteBuiltinMul && a->type == kTfLiteInt16;
  if (out->type != a->type && !narrows) return std::nullopt;
  return Pair{*a, *b, *out, IsScaled(graph, node)};
}

// The largest magnitude of an element less its zero point.
int64_t MaxElementOf(TfLiteType type) { return type == kTfLiteInt16 ? 32768 : 255; }

bool IsHalf(const Multiplier& m) { return m.value == 1 << 30 && m.shift == 0; }

// An operand of a sum at the common scale; of the larger scale, that is half of it with guard bits.
std::string AtCommonScale(ElementStep& step, const std::string& element,
                          const Multiplier& multiplier, const CommonScales& scales, int64_t max) {
  if (IsHalf(multiplier))
    return StrCat("left_shifted(", element, ", ", step.Int(scales.guard_bits - 1), ")");
  const std::string moved =
      StrCat("left_shifted(", element, ", ", step.Int(scales.guard_bits), ")");
  return step.Requantized(moved, multiplier, max << scales.guard_bits);
}

std::string Combined(ElementStep& step, const Pair& p, const CommonScales& scales,
                     const char* sign) {
  const int64_t max = MaxElementOf(p.a.type);
  const std::string x = AtCommonScale(step, kElementOfV, scales.a, scales, max);
  const std::string y = AtCommonScale(step, kElementOfW, scales.b, scales, max);
  return StrCat("(", x, sign, y, ")");
}

// To the right, halves away from zero.
std::string Shifted(ElementStep& step, const std::string& element, int shift) {
  const std::string half = step.Int((int64_t{1} << shift) / 2), down = step.Int(shift);
  const std::string less = step.Int(shift > 0 ? 1 : 0);
  return StrCat("right_shifted(", element, " + ", half, " - sign_bit(", element, ") * ", less, ", ",
                down, ")");
}

std::string SumText(ElementStep& step, const Pair& p, bool subtract, bool powers_of_two) {
  const char* sign = subtract ? " - " : " + ";
  if (!p.scaled) return StrCat(kElementOfV, sign, kElementOfW);
  const Quantization a = ScaleOf(p.a), b = ScaleOf(p.b), out = ScaleOf(p.out);
  const bool wide = p.a.type == kTfLiteInt16;
  if (wide && powers_of_two) {
    if (const auto shifts = elementwise::ShiftsOfSum(a, b, out)) {
      return StrCat(Shifted(step, kElementOfV, shifts->a), sign,
                    Shifted(step, kElementOfW, shifts->b));
    }
  }
  const CommonScales scales = elementwise::SumScales(a, b, out, wide);
  const std::string sum = Combined(step, p, scales, sign);
  return step.Requantized(sum, scales.out, MaxElementOf(p.a.type) << scales.guard_bits);
}

// INT16 numbers in [-1, 1) give an 8-bit result.
std::string NarrowedProduct(ElementStep& step) {
  const std::string product = StrCat(kElementOfV, " * ", kElementOfW);
  const std::string high =
      StrCat("right_shifted(", product, " + ", step.Int(1 << 14), ", ", step.Int(15), ")");
  return Shifted(step, StrCat("min(", high, ", ", step.Int(INT16_MAX), ")"), 8);
}

std::string ProductText(ElementStep& step, const Pair& p) {
  if (p.out.type != p.a.type) return NarrowedProduct(step);
  const int64_t max = MaxElementOf(p.a.type);
  const std::string product = StrCat(kElementOfV, " * ", kElementOfW);
  if (!p.scaled) return product;
  return step.Requantized(
      product, elementwise::ProductScale(ScaleOf(p.a), ScaleOf(p.b), ScaleOf(p.out)), max * max);
}

std::string SquareText(ElementStep& step, const Pair& p) {
  const CommonScales scales = elementwise::SquareScales(ScaleOf(p.a), ScaleOf(p.b), ScaleOf(p.out));
  const std::string difference = Combined(step, p, scales, " - ");
  const int64_t max = MaxElementOf(p.a.type) << scales.guard_bits;
  return step.Requantized(StrCat(difference, " * ", difference), scales.out, max * max);
}

std::string QuotientText(ElementStep& step, const Pair& p) {
  const Multiplier m = elementwise::QuotientScale(ScaleOf(p.a), ScaleOf(p.b), ScaleOf(p.out));
  const std::string factor = step.Int(m.value), shift = step.Int(m.shift);
  return StrCat("fixed_quotient(", kElementOfV, ", ", kElementOfW, ", ", factor, ", ", shift, ")");
}

// Of elements as they are.
std::string FlooredText(ElementStep& step, const Pair& p, bool quotient) {
  const std::string v = StrCat("(", kElementOfV, " + ", step.Int(p.a.zero_point), ")");
  const std::string w = StrCat("(", kElementOfW, " + ", step.Int(p.b.zero_point), ")");
  return StrCat(quotient ? "floored_quotient(" : "floored_rest(", v, ", ", w, ")");
}

bool AddsPowersOfTwo(const Node& node) {
  return node.builtin_code == kTfLiteBuiltinAdd ? node.Get<TfLiteAddParams>().pot_scale_int16
                                                : node.Get<TfLiteSubParams>().pot_scale_int16;
}

std::string TextOf(ElementStep& step, const Pair& p, const Node& node) {
  switch (node.builtin_code) {
    case kTfLiteBuiltinAdd:
    case kTfLiteBuiltinSub:
      return SumText(step, p, node.builtin_code == kTfLiteBuiltinSub, AddsPowersOfTwo(node));
    case kTfLiteBuiltinMul:
      return ProductText(step, p);
    case kTfLiteBuiltinSquaredDifference:
      return SquareText(step, p);
    case kTfLiteBuiltinDiv:
      return QuotientText(step, p);
    default:
      return FlooredText(step, p, node.builtin_code == kTfLiteBuiltinFloorDiv);
  }
}

}  // namespace

bool PairsElements(const Graph& graph, const Node& node) {
  return IsPairOperation(node.builtin_code) && PairOf(graph, node).has_value();
}

Epilogue ElementPairSteps(const Graph& graph, const Node& node, TfLiteFusedActivation activation) {
  const Pair p = *PairOf(graph, node);
  ElementStep step(p.a, p.b, node.inputs[1]);
  const std::string text = TextOf(step, p, node);
  if (!p.scaled && p.a.type == p.out.type) {
    Epilogue epilogue = {step.FinishWrapped(text, p.out)};
    if (const auto clamp = ActivationStep(activation)) epilogue.push_back(*clamp);
    return epilogue;
  }
  return {step.Finish(text, ActivationRange(activation, p.out.type, ScaleOf(p.out)), p.out)};
}

}  // namespace tern::gpu
