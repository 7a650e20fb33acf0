// SPDX-License-Identifier: Apache-2.0
// One line per tensor and dispatch, stable between runs.
#include "gpu/plan/print_plan.h"

#include "absl/strings/str_join.h"
#include "base/str_cat.h"
#include "gpu/desc/kernel_text.h"

namespace tern::gpu {
namespace {

const char* RoleName(Role role) {
  switch (role) {
    case Role::kInput:
      return "input";
    case Role::kOutput:
      return "output";
    case Role::kTemp:
      return "temp";
    case Role::kConstant:
      return "constant";
    case Role::kFlags:
      return "flags";
  }
  return "";
}

std::string PrintInt3(const Int3& v) { return StrCat(v[0], "x", v[1], "x", v[2]); }

// "640 bytes", "640 + 128 bytes" of two buffers.
std::string PrintBuffers(const std::vector<int64_t>& bytes) {
  return StrCat(bytes.empty() ? "0" : absl::StrJoin(bytes, " + "), " bytes");
}

std::string PrintDispatch(const Dispatch& d) {
  std::string line = StrCat("  ", d.label, ": ", KernelName(d.kernel), " grid ", PrintInt3(d.grid),
                            " group ", PrintInt3(d.group), "\n    ");
  for (const Binding& b : d.bindings) {
    if (b.role == BindingRole::kEpilogue) continue;
    if (b.role != BindingRole::kOperand) {
      line += StrCat(b.name, "=", b.tensor, " ", b.texels ? "as texels " : "");
      continue;
    }
    const char* access = b.access == Access::kRead ? "" : b.access == Access::kWrite ? ">" : "<>";
    line += StrCat(access, b.name, "=", b.tensor, "[", ToString(b.box), "] ",
                   b.elements ? "as elements " : "", b.texels ? "as texels " : "");
  }
  for (const ConstantView& v : d.views) line += StrCat(v.name, "@", v.first, " ");
  for (const Define& define : d.defines) line += StrCat(define.name, ":=", define.value, " ");
  for (const Uniform& u : d.uniforms) {
    line += u.is_float ? StrCat(u.name, "=", u.f, "f ") : StrCat(u.name, "=", u.i, " ");
  }
  line.back() = '\n';
  if (!d.fused.empty()) line += StrCat("    with ", absl::StrJoin(d.fused, ", "), "\n");
  for (const EpilogueOp& step : d.epilogue) {
    line += StrCat("    then v = ", step.expression);
    if (step.operand) {
      const Binding& w = d.bindings[static_cast<size_t>(*step.operand)];
      line += StrCat(", w = ", w.tensor, "[", ToString(w.box), "]", w.texels ? " as texels" : "");
    }
    if (step.from != step.to) line += step.to == Number::kInt ? ", to int" : ", to real";
    if (step.swapped) line += ", swapped";
    if (step.a != 0 || step.b != 0) line += StrCat(", a = ", step.a, ", b = ", step.b);
    if (step.c != 0) line += StrCat(", c = ", step.c);
    if (!step.ints.empty()) line += StrCat(", i = ", absl::StrJoin(step.ints, " "));
    if (step.optional || step.choice != 0) line += StrCat(", choice = ", step.choice);
    line += "\n";
  }
  return line;
}

}  // namespace

std::string PrintPlan(const Plan& plan) {
  std::string text = StrCat(
      "plan: ", plan.dispatches.size(), " dispatches, W = ", plan.tuning.slice_width, ", ",
      "weights ", PrecisionName(plan.storage.weights), ", activations ",
      PrecisionName(plan.storage.activations),
      plan.storage.sums == Precision::kF16 ? ", sums f16" : "", ", arena ",
      PrintBuffers(plan.arenas), ", constants ", PrintBuffers(plan.constants), "\ntensors:\n");
  for (size_t i = 0; i < plan.tensors.size(); ++i) {
    const PlanTensor& t = plan.tensors[i];
    text += StrCat("  ", i, ": ", RoleName(t.role), " ", ToString(t.desc), ", ", t.bytes, " bytes");
    if (t.inside >= 0) text += StrCat(" in ", t.inside);
    if (t.role == Role::kTemp || t.role == Role::kConstant) text += StrCat(" at ", t.offset);
    if (t.buffer > 0) text += StrCat(" of buffer ", t.buffer);
    text += StrCat("  ", t.name, "\n");
  }
  text += "dispatches:\n";
  for (const Dispatch& d : plan.dispatches) text += PrintDispatch(d);
  if (!plan.views.empty())
    text += StrCat("views of their inputs: ", absl::StrJoin(plan.views, ", "), "\n");
  return text;
}

}  // namespace tern::gpu
