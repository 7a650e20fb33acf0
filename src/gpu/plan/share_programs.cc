// SPDX-License-Identifier: Apache-2.0
// Dispatches are grouped by what shapes their text beside the last step. A group that is too large
// only makes texts longer than they need to be, so it may leave out what rarely differs.
#include "gpu/plan/share_programs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/str_cat.h"

namespace tern::gpu {
namespace {

constexpr char kNoStep[] = "v";
constexpr size_t kMostExpressions = 8;  // of a step

bool IsFree(const ElementwiseStep& step) {
  return !step.operand && step.from == Number::kReal && step.to == Number::kReal;
}

const Binding* Written(const Dispatch& dispatch) {
  const auto found = std::find_if(dispatch.bindings.begin(), dispatch.bindings.end(),
                                  [](const Binding& b) { return b.access != Access::kRead; });
  return found == dispatch.bindings.end() ? nullptr : &*found;
}

bool EndsFree(const Dispatch& dispatch) {
  return !dispatch.chain.empty() && IsFree(dispatch.chain.back());
}

// What is written is a real, so that a step may follow.
bool GivesReals(const std::vector<PlanTensor>& tensors, const Dispatch& dispatch) {
  const Binding* dst = Written(dispatch);
  return dst != nullptr && NumberOf(tensors[dst->tensor].desc.element) == Number::kReal;
}

std::string FormOf(const std::vector<PlanTensor>& tensors, const Dispatch& d, int slice_width) {
  std::string form = StrCat(static_cast<int>(d.kernel), " ", d.packed >= 0 ? "packed" : "");
  const auto add = [&](TensorId id, const Box& box) {
    const TensorDesc& desc = tensors[id].desc;
    form += StrCat(" ", static_cast<int>(desc.layout), "/", static_cast<int>(desc.element));
    if (desc.layout == Layout::kRows) form += StrCat("/", box.c % slice_width);
  };
  for (const Define& define : d.defines) form += StrCat(" ", define.name, "=", define.value);
  for (const LocalArray& array : d.locals) form += StrCat(" ", array.name, array.length);
  for (const Binding& b : d.bindings) add(b.tensor, b.box);
  if (d.constants >= 0) add(d.constants, {});
  const size_t steps = d.chain.size() - (EndsFree(d) ? 1 : 0);
  const Binding* dst = Written(d);
  for (size_t i = 0; i < steps; ++i) {
    const ElementwiseStep& step = d.chain[i];
    form += StrCat("; ", step.expression, step.swapped ? " swapped" : "");
    if (!step.operand) continue;
    const Box &from = d.chain_boxes[i], &to = dst->box;
    add(*step.operand, from);
    form += StrCat(" ", from.w == to.w, from.h == to.h, from.b == to.b, from.c == to.c);
  }
  return form;
}

std::string ExpressionOf(const Dispatch& dispatch) {
  return EndsFree(dispatch) ? dispatch.chain.back().expression : kNoStep;
}

// `choice` 0 is the first of them.
std::string OneOf(const std::set<std::string>& expressions) {
  std::string text;
  size_t i = 0;
  for (const std::string& expression : expressions) {
    if (i + 1 < expressions.size()) text += StrCat(kChoice, " == ", i, " ? ");
    text += StrCat("(", expression, ")");
    if (++i < expressions.size()) text += " : ";
  }
  return text;
}

void Share(const std::vector<Dispatch*>& group) {
  std::set<std::string> expressions;
  for (const Dispatch* dispatch : group) expressions.insert(ExpressionOf(*dispatch));
  if (expressions.size() < 2 || expressions.size() > kMostExpressions) return;
  const std::string all = OneOf(expressions);
  for (Dispatch* dispatch : group) {
    const auto own = expressions.find(ExpressionOf(*dispatch));
    if (!EndsFree(*dispatch)) {
      dispatch->chain.push_back({.expression = kNoStep});
      dispatch->chain_boxes.push_back({});
    }
    dispatch->chain.back().expression = all;
    dispatch->uniforms.push_back(
        {.name = kChoice, .i = static_cast<int>(std::distance(expressions.begin(), own))});
  }
}

}  // namespace

void SharePrograms(const std::vector<PlanTensor>& tensors, int slice_width,
                   std::vector<Dispatch>& dispatches) {
  std::map<std::string, std::vector<Dispatch*>> groups;
  for (Dispatch& dispatch : dispatches) {
    // Where the kernel reads nothing all work is in the chain: there is no text to share, and a
    // driver that refuses one expression should not take others with it.
    if (dispatch.bindings.size() > 1 && GivesReals(tensors, dispatch))
      groups[FormOf(tensors, dispatch, slice_width)].push_back(&dispatch);
  }
  for (const auto& [form, group] : groups) Share(group);
}

}  // namespace tern::gpu
