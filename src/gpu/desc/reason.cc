// SPDX-License-Identifier: Apache-2.0
// The refusal reason is a payload of the status: four or two numbers as text.
#include "gpu/desc/reason.h"

#include <cinttypes>
#include <cstdio>
#include <string>

#include "absl/strings/cord.h"
#include "base/str_cat.h"

namespace tern {
namespace {

constexpr char kPayload[] = "tern/reason";

}  // namespace

absl::Status Annotate(absl::Status status, const RefusalReason& refusal_reason) {
  if (status.ok()) return status;
  RefusalReason all = RefusalReasonOf(status).value_or(refusal_reason);
  if (all.tensor < 0) all.tensor = refusal_reason.tensor;
  if (!all.bound) all.bound = refusal_reason.bound;
  std::string text = StrCat(static_cast<int>(all.reason), " ", all.tensor);
  if (all.bound) text += StrCat(" ", all.bound->value, " ", all.bound->limit);
  status.SetPayload(kPayload, absl::Cord(text));
  return status;
}

std::optional<RefusalReason> RefusalReasonOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kPayload);
  if (!payload) return std::nullopt;
  int reason = 0;
  RefusalReason refusal_reason;
  Bound bound;
  const int read = std::sscanf(std::string(*payload).c_str(), "%d %d %" SCNd64 " %" SCNd64, &reason,
                               &refusal_reason.tensor, &bound.value, &bound.limit);
  refusal_reason.reason = static_cast<Reason>(reason);
  if (read == 4) refusal_reason.bound = bound;
  return refusal_reason;
}

}  // namespace tern
