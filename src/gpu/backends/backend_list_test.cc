// SPDX-License-Identifier: Apache-2.0
// Invented and real devices that print kernels in a chosen language.
#include "gpu/backends/backend_list.h"

#include <gtest/gtest.h>

namespace tern::gpu {
namespace {

// Empty where it opens.
std::string WhyNot(const std::string& backend) {
  const absl::StatusOr<OpenedDevice> opened = OpenDevice(backend);
  return opened.ok() ? "" : std::string(opened.status().message());
}

TEST(BackendList, AnyLanguageForAnInventedDevice) {
  const std::pair<const char*, int> languages[] = {
      {"metal", 16}, {"opencl", 16}, {"glsl", 4}, {"vulkan", 4}};
  for (const auto& [language, width] : languages) {
    const absl::StatusOr<OpenedDevice> opened = OpenDevice(std::string("null:cpu16/") + language);
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_EQ(opened->device->info().name, "cpu16");
    EXPECT_EQ(opened->device->info().max_slice_width, width) << language;
  }
  EXPECT_EQ(WhyNot("null:cpu16"), "");
}

TEST(BackendList, InventedDevicesOfAnApiPrintItsLanguage) {
  const absl::StatusOr<OpenedDevice> opened = OpenDevice("null:mali-vulkan");
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(opened->device->language().Prelude({}).rfind("#version 430\n", 0), 0u);
}

TEST(BackendList, UnknownNamesAreReported) {
  EXPECT_EQ(WhyNot("null:cpu16/none").find("unknown language 'none' (known: "), 0u);
  EXPECT_EQ(WhyNot("null:toaster/metal").find("unknown null device 'toaster' (known: "), 0u);
  EXPECT_EQ(WhyNot("toaster").find("this build has no backend 'toaster' (it has "), 0u);
}

}  // namespace
}  // namespace tern::gpu
