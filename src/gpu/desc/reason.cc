// SPDX-License-Identifier: Apache-2.0
// The cause is a payload of the status: four or two numbers as text.
#include "gpu/desc/reason.h"

#include <cinttypes>
#include <cstdio>
#include <string>

#include "absl/strings/cord.h"
#include "base/str_cat.h"

namespace tern {
namespace {

constexpr char kPayload[] = "tern/cause";

}  // namespace

absl::Status Because(absl::Status status, const Cause& cause) {
  if (status.ok()) return status;
  Cause all = CauseOf(status).value_or(cause);
  if (all.tensor < 0) all.tensor = cause.tensor;
  if (!all.bound) all.bound = cause.bound;
  std::string text = StrCat(static_cast<int>(all.reason), " ", all.tensor);
  if (all.bound) text += StrCat(" ", all.bound->value, " ", all.bound->limit);
  status.SetPayload(kPayload, absl::Cord(text));
  return status;
}

std::optional<Cause> CauseOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kPayload);
  if (!payload) return std::nullopt;
  int reason = 0;
  Cause cause;
  Bound bound;
  const int read = std::sscanf(std::string(*payload).c_str(), "%d %d %" SCNd64 " %" SCNd64, &reason,
                               &cause.tensor, &bound.value, &bound.limit);
  cause.reason = static_cast<Reason>(reason);
  if (read == 4) cause.bound = bound;
  return cause;
}

}  // namespace tern
