// SPDX-License-Identifier: Apache-2.0
// Tuning parameters through bytes, and bytes that nobody saved.
#include "gpu/tune/saved_tuning.h"

#include <gtest/gtest.h>

#include <random>

#include "gpu/backends/null/null_device.h"

namespace tern::gpu {
namespace {

const DeviceInfo kMali = *NullDeviceInfo("mali");

TunedNodes SomeTuning() {
  TunedNodes nodes;
  nodes[3] = {.pixels = 2, .slices = 2};
  nodes[17] = {.depthwise_pixels = 1, .group_items = 128, .group_width = 4, .reduce_items = 64};
  return nodes;
}

TEST(SavedTuning, ComeBack) {
  const SavedPlanKey key(Plan(), kMali);
  for (const TunedNodes& nodes : {SomeTuning(), TunedNodes()}) {
    const auto loaded = LoadTuning(SaveTuning(key, nodes), key);
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    EXPECT_EQ(*loaded, nodes);
  }
}

TEST(SavedTuning, AreOfOnePlanOnOneDevice) {
  const SavedPlanKey key(Plan(), kMali);
  const std::vector<uint8_t> bytes = SaveTuning(key, SomeTuning());
  Plan other;
  other.arenas = {64};
  EXPECT_EQ(LoadTuning(bytes, SavedPlanKey(other, kMali)).status(),
            absl::DataLossError("what was saved is of another plan"));
  DeviceInfo updated = kMali;
  updated.driver += ", a later one";
  EXPECT_EQ(LoadTuning(bytes, SavedPlanKey(Plan(), updated)).status(),
            absl::DataLossError("what was saved is of another device, driver or build"));
}

TEST(SavedTuning, AnyBytesGiveAnErrorOrPossibleTuning) {
  const SavedPlanKey key(Plan(), kMali);
  const std::vector<uint8_t> good = SaveTuning(key, SomeTuning());
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(LoadTuning(std::span(good).first(size), key).ok()) << size;
  }
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::vector<uint8_t> bytes = good;
    for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips)
      bytes[random() % bytes.size()] ^= static_cast<uint8_t>(1u << random() % 8);
    const auto loaded = LoadTuning(bytes, key);
    if (!loaded.ok()) continue;
    for (const auto& [node, tuning] : *loaded) {
      EXPECT_GE(tuning.pixels, 1);
      EXPECT_LE(tuning.pixels * tuning.slices, 256);
      EXPECT_GE(tuning.reduce_items, 1);
    }
  }
}

}  // namespace
}  // namespace tern::gpu
