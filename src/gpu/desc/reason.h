// SPDX-License-Identifier: Apache-2.0
// Why a node does not run on the GPU, as a value that travels within a status.
#ifndef TERN_GPU_DESC_REASON_H_
#define TERN_GPU_DESC_REASON_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"

namespace tern {

enum class Reason {
#define REASON(name, code, where, meaning, suggestion) k##name,
#include "gpu/desc/reason_list.inc"
#undef REASON
};

// A number that does not do, and the minimum or maximum that would.
struct Bound {
  int64_t value = 0;
  int64_t limit = 0;
  friend bool operator==(const Bound&, const Bound&) = default;
};

struct RefusalReason {
  Reason reason = Reason::kShape;
  int tensor = -1;  // the one that it is about, where it is about one
  std::optional<Bound> bound = std::nullopt;
  friend bool operator==(const RefusalReason&, const RefusalReason&) = default;
};

// Adds a refusal reason to a status. A status that has one keeps it and only gets a missing tensor
// or bound: the first reason is the best. An ok status stays.
absl::Status Annotate(absl::Status status, const RefusalReason& refusal_reason);
std::optional<RefusalReason> RefusalReasonOf(const absl::Status& status);

}  // namespace tern

#endif  // TERN_GPU_DESC_REASON_H_
