// SPDX-License-Identifier: Apache-2.0
// One walk over the execution plan.
#include "delegate/supported_nodes.h"

#include <optional>
#include <set>

#include "base/status.h"
#include "gpu/legalize/loops.h"
#include "gpu/legalize/order.h"
#include "gpu/legalize/states.h"

namespace tern::delegate {
namespace {

absl::Status CheckForm(const Snapshot& snapshot, const gpu::LoweringTable& table,
                       const gpu::Node& node) {
  if (table.Find(node) != nullptr || snapshot.graph().IsConstant(node) || gpu::IsLoop(node))
    return absl::OkStatus();
  return Annotate(Unsupported("this operation has no GPU form"), {Reason::kNoGpuForm});
}

}  // namespace

NodeSupport FindCandidates(const Snapshot& snapshot, const gpu::LoweringTable& table,
                           const gpu::NodeLists& lists) {
  const std::vector<bool> overwritten = gpu::FindOverwritten(snapshot.graph());
  const std::vector<std::string> replacing = gpu::FindReplacing(snapshot.graph(), table);
  const std::vector<gpu::GraphTensor>& tensors = snapshot.tensors();
  const auto check = [&](const gpu::Node& node) {
    TERN_RETURN_IF_ERROR(lists.Check(tensors, node));
    TERN_RETURN_IF_ERROR(CheckForm(snapshot, table, node));
    TERN_RETURN_IF_ERROR(gpu::CheckVariables(snapshot.graph(), table, replacing, node));
    TERN_RETURN_IF_ERROR(
        CheckTensors(*snapshot.context(), tensors, node, node.inputs, snapshot.quantized()));
    TERN_RETURN_IF_ERROR(gpu::CheckWrittenOnce(snapshot.graph(), overwritten, node));
    TERN_RETURN_IF_ERROR(gpu::CheckStates(snapshot.graph(), snapshot.uses(), table, node));
    return gpu::IsLoop(node) ? gpu::CheckLoop(snapshot.graph(), table, node) : absl::OkStatus();
  };
  NodeSupport result;
  for (const gpu::Node& node : snapshot.nodes()) {
    const absl::Status status = check(node);
    if (status.ok()) {
      result.supported.push_back(node.index);
      continue;
    }
    result.refused.push_back({node.index, node.builtin_code, node.op,
                              WithoutLabel(Message(status), node), false,
                              ReasonOfRefusal(status, snapshot, node)});
  }
  return result;
}

std::string WithoutLabel(std::string_view reason, const gpu::Node& node) {
  const std::string label = gpu::Label(node) + ": ";
  if (reason.substr(0, label.size()) == label) reason.remove_prefix(label.size());
  return std::string(reason);
}

RefusalReason ReasonOfRefusal(const absl::Status& status) {
  return RefusalReasonOf(status).value_or(
      RefusalReason{absl::IsResourceExhausted(status) ? Reason::kDeviceLimit : Reason::kShape});
}

RefusalReason ReasonOfRefusal(const absl::Status& status, const Snapshot& snapshot,
                              const gpu::Node& node) {
  RefusalReason refusal_reason = ReasonOfRefusal(status);
  const bool about_tensors = refusal_reason.reason == Reason::kShape ||
                             refusal_reason.reason == Reason::kTensorType ||
                             refusal_reason.reason == Reason::kQuantization;
  if (refusal_reason.tensor >= 0 || !about_tensors) return refusal_reason;
  const std::vector<gpu::GraphTensor>& tensors = snapshot.tensors();
  std::set<int> computed;
  for (const int id : node.inputs) {
    const bool exists = id >= 0 && static_cast<size_t>(id) < tensors.size();
    if (exists && !tensors[static_cast<size_t>(id)].is_constant()) computed.insert(id);
  }
  if (computed.size() == 1) refusal_reason.tensor = *computed.begin();
  return refusal_reason;
}

std::string RefusalText(const std::vector<Refusal>& refused, int delegated, int total) {
  if (refused.empty()) return "";
  std::set<std::string> lines;
  for (const Refusal& r : refused) {
    // A driver's log may have many lines; the report has them all.
    lines.insert(StrCat(r.op, ": ", r.reason.substr(0, r.reason.find('\n'))));
  }
  std::string text = "Following operations are not supported by GPU delegate:\n";
  for (const std::string& line : lines) text += line + "\n";
  if (delegated == 0) {
    return text + StrCat("No operations will run on the GPU, and all ", total,
                         " operations will run on the CPU.");
  }
  return text + StrCat(delegated, " operations will run on the GPU, and the remaining ",
                       total - delegated, " operations will run on the CPU.");
}

}  // namespace tern::delegate
