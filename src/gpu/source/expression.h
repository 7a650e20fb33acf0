// SPDX-License-Identifier: Apache-2.0
// Integer expressions of the dialect's directives.
#ifndef TERN_GPU_SOURCE_EXPRESSION_H_
#define TERN_GPU_SOURCE_EXPRESSION_H_

#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace tern::gpu {

// Values by name: the defines of a dispatch and the variables of open @repeat blocks.
using Names = std::map<std::string, int, std::less<>>;

// Decimal literals, names, + - * / %, comparisons, && || !, parentheses, with the precedence and
// division of C; imin(a, b) and imax(a, b). Both sides of && and || are evaluated. Unknown names,
// division by zero and values beyond 32 bits are errors.
absl::StatusOr<int> Evaluate(std::string_view expression, const Names& names);

}  // namespace tern::gpu

#endif  // TERN_GPU_SOURCE_EXPRESSION_H_
