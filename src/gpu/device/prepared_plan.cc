// SPDX-License-Identifier: Apache-2.0
// From dispatches to texts, and which of them are equal.
#include "gpu/device/prepared_plan.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/status.h"
#include "gpu/source/write_source.h"

namespace tern::gpu {

Hash128 TextHash(const ProgramSource& source) {
  return HashBulk128(source.text.data(), source.text.size());
}

bool HasWork(const Dispatch& dispatch) {
  return dispatch.grid[0] > 0 && dispatch.grid[1] > 0 && dispatch.grid[2] > 0;
}

absl::StatusOr<PreparedPlan> PreparePlan(const Plan& plan, const DeviceInfo& device,
                                         const Language& language) {
  PreparedPlan prepared;
  std::unordered_map<std::string, size_t> known;
  for (size_t d = 0; d < plan.dispatches.size(); ++d) {
    if (!HasWork(plan.dispatches[d])) continue;
    TERN_ASSIGN_OR_RETURN(Source source, WriteSource(plan, plan.dispatches[d], device, language));
    const auto [place, is_new] = known.emplace(source.text, prepared.programs.size());
    prepared.launches.push_back(
        {d, place->second, std::move(source.buffers), std::move(source.uniform_words)});
    if (!is_new) continue;
    PreparedProgram program;
    program.source = {std::move(source.text), std::move(source.signature), source.has_barrier};
    program.text = TextHash(program.source);
    prepared.programs.push_back(std::move(program));
  }
  return prepared;
}

}  // namespace tern::gpu
