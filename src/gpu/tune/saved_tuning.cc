// SPDX-License-Identifier: Apache-2.0
// Layout: key, nodes with their parameters, each as base/byte_stream.h writes it.
#include "gpu/tune/saved_tuning.h"

#include <algorithm>
#include <iterator>

#include "base/byte_stream.h"
#include "base/status.h"
#include "gpu/plan/tuning_table.h"

namespace tern::gpu {
namespace {

absl::Status Foreign(const char* what) {
  return absl::DataLossError(StrCat("the saved choices ", what));
}

bool IsPossible(const NodeTuning& tuning) {
  return std::all_of(std::begin(kTuningParameters), std::end(kTuningParameters),
                     [&](const TuningParameter& one) {
                       return tuning.*one.value >= 1 && tuning.*one.value <= one.max;
                     });
}

}  // namespace

std::vector<uint8_t> SaveTuning(const SavedPlanKey& key, const TunedNodes& nodes) {
  ByteWriter to;
  key.WriteTo(to);
  to.List(nodes, [&](const auto& node) {
    to.Value(node.first);
    for (const TuningParameter& one : kTuningParameters) to.Value(node.second.*one.value);
  });
  return to.Take();
}

absl::StatusOr<TunedNodes> LoadTuning(std::span<const uint8_t> bytes, const SavedPlanKey& key) {
  ByteReader from(bytes);
  TERN_RETURN_IF_ERROR(key.Check(from));
  const auto nodes = from.List<TunedNodes::value_type>([&] {
    const int index = from.Value<int>();
    NodeTuning tuning;
    for (const TuningParameter& one : kTuningParameters) tuning.*one.value = from.Value<int>();
    return TunedNodes::value_type(index, tuning);
  });
  if (!from.Done()) return Foreign("end too early or too late");
  TunedNodes tuned;
  for (const auto& [index, tuning] : nodes) {
    if (!IsPossible(tuning)) return Foreign("have a value that no kernel is written for");
    tuned[index] = tuning;
  }
  return tuned;
}

}  // namespace tern::gpu
