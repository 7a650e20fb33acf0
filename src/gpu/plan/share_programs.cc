// SPDX-License-Identifier: Apache-2.0
// Dispatches are grouped by what shapes their text beside the epilogue. A group that is too large
// only makes texts longer than they need to be, so it may leave out what rarely differs.
#include "gpu/plan/share_programs.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include "base/str_cat.h"

namespace tern::gpu {
namespace {

constexpr size_t kMaxExpressions = 8;  // in an epilogue that takes more than its own

// An epilogue op of several dispatches.
struct Slot {
  std::string form;                   // what shapes its text beside the expression
  std::set<std::string> expressions;  // one of them counts
  const EpilogueOp* step = nullptr;
  Binding operand;  // of a step that has one
  Box to;           // what was written
  bool optional = false;
};

constexpr int kNone = -1;

struct Member {
  Dispatch* dispatch;
  std::vector<int> steps;  // its own step for each slot, or kNone
};

struct Family {
  std::vector<Slot> slots;
  std::vector<Member> members;
};

const Binding* Written(const Dispatch& dispatch) {
  const auto found = std::find_if(dispatch.bindings.begin(), dispatch.bindings.end(),
                                  [](const Binding& b) { return b.access != Access::kRead; });
  return found == dispatch.bindings.end() ? nullptr : &*found;
}

// Returns true if the written tensor and all values of the epilogue are reals.
bool IsReal(const std::vector<PlanTensor>& tensors, const Dispatch& dispatch) {
  const Binding* dst = Written(dispatch);
  return dst != nullptr && NumberOf(tensors[dst->tensor].desc.element) == Number::kReal &&
         std::all_of(dispatch.epilogue.begin(), dispatch.epilogue.end(), [](const EpilogueOp& s) {
           return s.from == Number::kReal && s.to == Number::kReal;
         });
}

// Where the kernel reads nothing all work is in the epilogue: a driver that refuses one expression
// should not take others with it.
bool TakesExpressions(const Dispatch& dispatch) {
  return std::any_of(dispatch.bindings.begin(), dispatch.bindings.end(), [](const Binding& b) {
    return b.role == BindingRole::kOperand && b.access != Access::kWrite;
  });
}

// Axes along which an operand has the extent of what is written.
std::string SameAxes(const Box& from, const Box& to) {
  return StrCat(from.w == to.w, from.h == to.h, from.b == to.b, from.c == to.c);
}

std::string FormOf(const TensorDesc& desc, const Box& box, int slice_width) {
  std::string form =
      StrCat(" ", static_cast<int>(desc.layout), "/", static_cast<int>(desc.element));
  if (desc.layout == Layout::kRows) form += StrCat("/", box.c % slice_width);
  return form;
}

std::string FormOf(const std::vector<PlanTensor>& tensors, const Dispatch& d, int slice_width) {
  std::string form = StrCat(static_cast<int>(d.kernel), " ", static_cast<int>(d.finish),
                            static_cast<int>(d.sums), d.half_sums);
  for (const Define& define : d.defines) form += StrCat(" ", define.name, "=", define.value);
  for (const LocalArray& array : d.locals) form += StrCat(" ", array.name, array.length);
  for (const Binding& b : d.bindings) {
    if (b.role == BindingRole::kEpilogue) continue;
    form += StrCat(" ", b.name, FormOf(tensors[b.tensor].desc, b.box, slice_width));
    if (b.elements) form += " elements";
  }
  return form;
}

class Sharing {
 public:
  Sharing(const std::vector<PlanTensor>& tensors, int slice_width)
      : tensors_(tensors), slice_width_(slice_width) {}

  void Share(std::vector<Dispatch*> group);

 private:
  std::string StepForm(const Dispatch& dispatch, size_t i) const;
  // The steps in the order of the slots; further ones without an operand may follow these. Nothing
  // if they do not fit.
  std::optional<std::vector<int>> Match(const Family& family, const Dispatch& dispatch,
                                        bool same_expressions) const;
  // A tensor that `dispatch` reads anyway and that a slot's text fits to.
  std::optional<Binding> StandIn(const Dispatch& dispatch, const Slot& slot) const;
  void Join(Family& family, Dispatch& dispatch, std::vector<int> steps) const;
  void Place(Dispatch& dispatch, std::vector<Family>& families) const;
  void Rewrite(const Family& family) const;

  const std::vector<PlanTensor>& tensors_;
  int slice_width_;
};

std::string Sharing::StepForm(const Dispatch& dispatch, size_t i) const {
  const EpilogueOp& step = dispatch.epilogue[i];
  if (!step.operand) return "";
  const Binding& operand = dispatch.bindings[static_cast<size_t>(*step.operand)];
  const std::string form = FormOf(tensors_[operand.tensor].desc, operand.box, slice_width_);
  if (step.lookup) return StrCat("lookup", form);
  return StrCat(step.swapped ? "swapped" : "", step.zeros_behind ? "zeros behind" : "", form, " ",
                SameAxes(operand.box, Written(dispatch)->box));
}

std::optional<Binding> Sharing::StandIn(const Dispatch& dispatch, const Slot& slot) const {
  if (slot.step->lookup || slot.step->zeros_behind) return std::nullopt;
  const TensorDesc& wanted = tensors_[slot.operand.tensor].desc;
  if (wanted.layout != Layout::kSlices) return std::nullopt;
  const Box &from = slot.operand.box, &to = Written(dispatch)->box;
  const auto extent = [](int size, int other, int own) { return size == other ? own : 1; };
  const Box box = {extent(from.b, slot.to.b, to.b), extent(from.h, slot.to.h, to.h),
                   extent(from.w, slot.to.w, to.w), extent(from.c, slot.to.c, to.c)};
  if (SameAxes(box, to) != SameAxes(from, slot.to)) return std::nullopt;
  std::optional<Binding> found;
  for (const Binding& b : dispatch.bindings) {
    const TensorDesc& desc = tensors_[b.tensor].desc;
    const bool fits = desc.layout == wanted.layout && desc.element == wanted.element;
    if (b.access == Access::kRead && fits)
      found = Binding{.name = b.name, .tensor = b.tensor, .box = box};
  }
  return found;
}

std::optional<std::vector<int>> Sharing::Match(const Family& family, const Dispatch& dispatch,
                                               bool same_expressions) const {
  const Epilogue& epilogue = dispatch.epilogue;
  std::vector<int> steps;
  size_t next = 0, expressions = 0;
  for (const Slot& slot : family.slots) {
    const bool fits = next < epilogue.size() && StepForm(dispatch, next) == slot.form;
    const bool known = fits && slot.expressions.count(epilogue[next].expression) != 0;
    const bool taken = known || (fits && !same_expressions);
    expressions += slot.expressions.size() + (taken && !known ? 1 : 0);
    steps.push_back(taken ? static_cast<int>(next++) : kNone);
    if (!taken && slot.step->operand && !StandIn(dispatch, slot)) return {};
  }
  for (; next < epilogue.size(); ++next) {
    if (same_expressions || epilogue[next].operand) return {};
    steps.push_back(static_cast<int>(next));
    ++expressions;
  }
  if (!same_expressions && expressions > kMaxExpressions) return {};
  return steps;
}

void Sharing::Join(Family& family, Dispatch& dispatch, std::vector<int> steps) const {
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool added = i == family.slots.size();
    if (added) family.slots.emplace_back().optional = !family.members.empty();
    Slot& slot = family.slots[i];
    if (steps[i] == kNone) {
      slot.optional = true;
      continue;
    }
    const EpilogueOp& own = dispatch.epilogue[steps[i]];
    slot.expressions.insert(own.expression);
    if (!added) continue;
    slot.form = StepForm(dispatch, steps[i]);
    slot.step = &own;
    if (own.operand) slot.operand = dispatch.bindings[static_cast<size_t>(*own.operand)];
    slot.to = Written(dispatch)->box;
  }
  family.members.push_back({&dispatch, std::move(steps)});
}

void Sharing::Place(Dispatch& dispatch, std::vector<Family>& families) const {
  for (const bool same_expressions : {true, false}) {
    if (!same_expressions && !TakesExpressions(dispatch)) break;
    for (Family& family : families) {
      if (auto steps = Match(family, dispatch, same_expressions)) {
        Join(family, dispatch, *std::move(steps));
        return;
      }
    }
  }
  std::vector<int> own(dispatch.epilogue.size());
  std::iota(own.begin(), own.end(), 0);
  Join(families.emplace_back(), dispatch, std::move(own));
}

// `choice` 0 is the first of them.
std::string OneOf(const std::set<std::string>& expressions) {
  if (expressions.size() == 1) return *expressions.begin();
  std::string text;
  size_t i = 0;
  for (const std::string& expression : expressions) {
    if (i + 1 < expressions.size()) text += StrCat(kChoice, " == ", i, " ? ");
    text += StrCat("(", expression, ")");
    if (++i < expressions.size()) text += " : ";
  }
  return text;
}

void Sharing::Rewrite(const Family& family) const {
  // Slots point into the old ones.
  std::vector<std::vector<std::pair<EpilogueOp, std::optional<Binding>>>> made;
  for (const Member& member : family.members) {
    auto& epilogue = made.emplace_back();
    for (size_t i = 0; i < family.slots.size(); ++i) {
      const Slot& slot = family.slots[i];
      const int own = i < member.steps.size() ? member.steps[i] : kNone;
      EpilogueOp step;
      std::optional<Binding> operand;
      if (own != kNone) {
        step = member.dispatch->epilogue[own];
        if (step.operand) operand = member.dispatch->bindings[static_cast<size_t>(*step.operand)];
        const auto at = slot.expressions.find(step.expression);
        step.choice = static_cast<int>(std::distance(slot.expressions.begin(), at));
      } else {
        step.choice = kNone;
        step.swapped = slot.step->swapped;
        if (slot.step->operand) operand = StandIn(*member.dispatch, slot);
      }
      step.expression = OneOf(slot.expressions);
      step.optional = slot.optional;
      epilogue.emplace_back(std::move(step), std::move(operand));
    }
  }
  for (size_t i = 0; i < made.size(); ++i) {
    Dispatch& dispatch = *family.members[i].dispatch;
    dispatch.epilogue.clear();
    std::erase_if(dispatch.bindings,
                  [](const Binding& b) { return b.role == BindingRole::kEpilogue; });
    for (auto& [step, operand] : made[i]) {
      if (operand) step.operand = BindEpilogueOperand(operand->tensor, operand->box, dispatch);
      dispatch.epilogue.push_back(std::move(step));
    }
  }
}

void Sharing::Share(std::vector<Dispatch*> group) {
  // Epilogues with the most operands first, then the longest: others find their ops among these.
  const auto rank = [](const Dispatch* d) {
    return std::pair(d->bindings.size(), d->epilogue.size());
  };
  std::stable_sort(group.begin(), group.end(),
                   [&](const Dispatch* a, const Dispatch* b) { return rank(a) > rank(b); });
  std::vector<Family> families;
  for (Dispatch* dispatch : group) Place(*dispatch, families);
  for (const Family& family : families) Rewrite(family);
}

}  // namespace

void SharePrograms(const std::vector<PlanTensor>& tensors, int slice_width,
                   std::vector<Dispatch>& dispatches) {
  std::map<std::string, std::vector<Dispatch*>> groups;
  for (Dispatch& dispatch : dispatches) {
    if (IsReal(tensors, dispatch)) {
      groups[FormOf(tensors, dispatch, slice_width)].push_back(&dispatch);
    }
  }
  Sharing sharing(tensors, slice_width);
  for (const auto& [form, group] : groups) sharing.Share(group);
}

}  // namespace tern::gpu
