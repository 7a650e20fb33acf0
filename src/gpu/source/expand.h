// SPDX-License-Identifier: Apache-2.0
// The structure of the dialect: @repeat, @if, $i and $(...). The result is plain text.
#ifndef TERN_GPU_SOURCE_EXPAND_H_
#define TERN_GPU_SOURCE_EXPAND_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/dispatch.h"

namespace tern::gpu {

// Expands the directives of a kernel text over the given names (W among them) and drops comments
// and empty lines. At most 4096 iterations of @repeat and 4 MB of text in all. Errors read
// «softmax.kernel:12: unknown name 'ROWS'».
absl::StatusOr<std::string> Expand(std::string_view kernel, std::string_view text,
                                   const std::vector<Define>& defines);

}  // namespace tern::gpu

#endif  // TERN_GPU_SOURCE_EXPAND_H_
