// SPDX-License-Identifier: Apache-2.0
// Nodes only ever join those in floats, so the rounds end.
#include "gpu/partition/half_guard.h"

#include <utility>

#include "base/status.h"

namespace tern::gpu {
namespace {

absl::Status PartFailed(const std::string& label, const absl::Status& why) {
  return WithPrefix(why, StrCat(label,
                                ": halves do not hold its results, and it cannot be computed "
                                "in floats"));
}

}  // namespace

absl::Status HalfGuard::Settle(std::unique_ptr<Executor>& executor,
                               const std::function<absl::Status(Executor&)>& run) {
  for (;;) {
    TERN_ASSIGN_OR_RETURN(const std::vector<int> bad, executor->Overflows());
    if (bad.empty()) return absl::OkStatus();
    std::vector<PromotedNode> promoted;
    for (const int d : bad) {
      const Dispatch& dispatch = executor->plan().dispatches[static_cast<size_t>(d)];
      if (floats_.insert(dispatch.node).second) promoted.push_back({dispatch.node, dispatch.label});
    }
    if (promoted.empty()) {
      const Dispatch& first = executor->plan().dispatches[static_cast<size_t>(bad.front())];
      return absl::InternalError(StrCat(first.label, ": still in halves"));
    }
    absl::StatusOr<std::unique_ptr<Executor>> next = build_(floats_);
    if (!next.ok()) return PartFailed(promoted.front().label, next.status());
    executor = *std::move(next);
    for (const PromotedNode& node : promoted) tell_(node);
    TERN_RETURN_IF_ERROR(run(*executor));
  }
}

}  // namespace tern::gpu
