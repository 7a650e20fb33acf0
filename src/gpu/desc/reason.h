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

// A number that does not do, and the least or the most that would.
struct Bound {
  int64_t value = 0;
  int64_t limit = 0;
  friend bool operator==(const Bound&, const Bound&) = default;
};

struct Cause {
  Reason reason = Reason::kShape;
  int tensor = -1;  // the one that it is about, where it is about one
  std::optional<Bound> bound = std::nullopt;
  friend bool operator==(const Cause&, const Cause&) = default;
};

// The same status with its cause. One that has a cause already keeps that, but for a tensor or a
// bound that it lacks: who knows the reason first knows it best. An ok status stays as it is.
absl::Status Because(absl::Status status, const Cause& cause);
std::optional<Cause> CauseOf(const absl::Status& status);

}  // namespace tern

#endif  // TERN_GPU_DESC_REASON_H_
