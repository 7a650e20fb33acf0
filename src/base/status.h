// SPDX-License-Identifier: Apache-2.0
// Status values used inside the library, and the two macros that pass errors on.
// Texts follow one form: «op #index: what (value, limit)».
#ifndef TERN_BASE_STATUS_H_
#define TERN_BASE_STATUS_H_

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/str_cat.h"

namespace tern {

using absl::Status;
using absl::StatusOr;

// The text of a status.
inline std::string_view Message(const Status& status) {
  return {status.message().data(), status.message().size()};
}

inline Status OkStatus() { return absl::OkStatus(); }

// An invalid-argument status whose text is the parts joined, e.g. Invalid("stride ", stride).
template <typename... Parts>
Status Invalid(const Parts&... parts) {
  return absl::InvalidArgumentError(StrCat(parts...));
}

// For something legal that this code does not do.
template <typename... Parts>
Status Unsupported(const Parts&... parts) {
  return absl::UnimplementedError(StrCat(parts...));
}

// For a size or count beyond a limit.
template <typename... Parts>
Status TooLarge(const Parts&... parts) {
  return absl::ResourceExhaustedError(StrCat(parts...));
}

// For what the application has stopped.
template <typename... Parts>
Status Cancelled(const Parts&... parts) {
  return absl::CancelledError(StrCat(parts...));
}

// For what the surroundings (files, drivers, the system) refused.
template <typename... Parts>
Status Unavailable(const Parts&... parts) {
  return absl::UnavailableError(StrCat(parts...));
}

// «CONV_2D #3: what».
inline std::string OpText(std::string_view op, int index, std::string_view what) {
  return StrCat(op, " #", index, ": ", what);
}

template <typename... Parts>
Status OpError(std::string_view op, int index, const Parts&... what) {
  return absl::InvalidArgumentError(OpText(op, index, StrCat(what...)));
}

// Puts «prefix: » before the text of a status; an ok status stays ok.
inline Status WithPrefix(const Status& status, std::string_view prefix) {
  if (status.ok()) return status;
  return Status(status.code(), StrCat(prefix, ": ", Message(status)));
}

inline Status WithOp(const Status& status, std::string_view op, int index) {
  return WithPrefix(status, StrCat(op, " #", index));
}

}  // namespace tern

#define TERN_STATUS_JOIN_(a, b) a##b
#define TERN_STATUS_NAME_(a, b) TERN_STATUS_JOIN_(a, b)

// Returns from the surrounding function when `expression` (a Status) is an error.
#define TERN_RETURN_IF_ERROR(expression)         \
  do {                                           \
    ::tern::Status tern_status_ = (expression);  \
    if (!tern_status_.ok()) return tern_status_; \
  } while (false)

#define TERN_ASSIGN_OR_RETURN_(temporary, target, expression) \
  auto temporary = (expression);                              \
  if (!temporary.ok()) return temporary.status();             \
  target = std::move(temporary).value()

// TERN_ASSIGN_OR_RETURN(auto x, F()): x gets the value of F(), or the function returns its error.
#define TERN_ASSIGN_OR_RETURN(target, ...) \
  TERN_ASSIGN_OR_RETURN_(TERN_STATUS_NAME_(tern_status_or_, __LINE__), target, (__VA_ARGS__))

#endif  // TERN_BASE_STATUS_H_
