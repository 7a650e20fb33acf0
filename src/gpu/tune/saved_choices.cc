// SPDX-License-Identifier: Apache-2.0
// Layout: origin, plan, nodes with their choices, each as base/byte_stream.h writes it.
#include "gpu/tune/saved_choices.h"

#include <algorithm>
#include <utility>

#include "base/byte_stream.h"
#include "base/status.h"

namespace tern::gpu {
namespace {

absl::Status Foreign(const char* what) {
  return absl::DataLossError(StrCat("the saved choices ", what));
}

// Work-items larger than this only take time to print.
constexpr int kMostInItem = 16, kMostItems = 1 << 16;

bool IsPossible(const NodeTuning& tuning) {
  const auto& [pixels, slices, depthwise_pixels, group_items, group_width, reduce_items] = tuning;
  const auto within = [](int value, int most) { return value >= 1 && value <= most; };
  return within(pixels, kMostInItem) && within(slices, kMostInItem) &&
         within(depthwise_pixels, kMostInItem) && within(group_items, kMostItems) &&
         within(group_width, kMostItems) && within(reduce_items, kMostItems);
}

}  // namespace

std::vector<uint8_t> SaveChoices(const SavedPlanKey& key, const TunedNodes& nodes) {
  ByteWriter to;
  to.Bytes(key.origin);
  to.Bytes(key.plan);
  to.List(nodes, [&](const auto& node) {
    const auto& [pixels, slices, depthwise_pixels, group_items, group_width, reduce_items] =
        node.second;
    to.Value(node.first);
    for (const int value :
         {pixels, slices, depthwise_pixels, group_items, group_width, reduce_items}) {
      to.Value(value);
    }
  });
  return to.Take();
}

absl::StatusOr<TunedNodes> LoadChoices(std::span<const uint8_t> bytes, const SavedPlanKey& key) {
  ByteReader from(bytes);
  const std::span<const uint8_t> origin = from.Bytes(), plan = from.Bytes();
  if (!std::equal(origin.begin(), origin.end(), key.origin.begin(), key.origin.end()))
    return Foreign("are of another device, driver or build");
  if (!std::equal(plan.begin(), plan.end(), key.plan.begin(), key.plan.end()))
    return Foreign("are of another plan");
  const auto nodes = from.List<TunedNodes::value_type>([&] {
    const int index = from.Value<int>();
    NodeTuning tuning;
    auto& [pixels, slices, depthwise_pixels, group_items, group_width, reduce_items] = tuning;
    for (int* value :
         {&pixels, &slices, &depthwise_pixels, &group_items, &group_width, &reduce_items}) {
      *value = from.Value<int>();
    }
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
