// SPDX-License-Identifier: Apache-2.0
// The validation layer of Khronos, synchronization included, says nothing about all that the
// backend does. It writes its messages into a file.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/shared_library.h"
#include "base/testing/sanitizers.h"
#include "gpu/backends/conformance/buffers_cases.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/conformance/dialect_cases.h"
#include "gpu/backends/conformance/pipelines_cases.h"
#include "gpu/backends/conformance/texels_cases.h"
#include "gpu/backends/vulkan/testing/app_vulkan.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/backends/vulkan/vk_device.h"
#include "gpu/backends/vulkan/vk_device_info.h"

namespace tern::gpu {
namespace {

constexpr char kLayer[] = "VK_LAYER_KHRONOS_validation";

bool HasLayer() {
  absl::StatusOr<SharedLibrary> library = SharedLibrary::Open(VulkanLibraryNames().front());
  if (!library.ok()) return false;
  library->KeepLoaded();
  PFN_vkEnumerateInstanceLayerProperties list = nullptr;
  if (!library->Load("vkEnumerateInstanceLayerProperties", &list)) return false;
  uint32_t count = 0;
  list(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  list(&count, layers.data());
  for (const VkLayerProperties& layer : layers) {
    if (std::string(layer.layerName) == kLayer) return true;
  }
  return false;
}

// Instances that are made meanwhile have the layer.
class Validation {
 public:
  Validation()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                ("tern_validation_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "vk_layer_settings.txt")
        << "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n"
        << "khronos_validation.report_flags = error,warn,perf\n"
        << "khronos_validation.log_filename = " << (folder_ / "log").string() << "\n"
        << "khronos_validation.enables = "
           "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT\n";
    setenv("VK_LAYER_SETTINGS_PATH", folder_.c_str(), 1);
    setenv("VK_INSTANCE_LAYERS", kLayer, 1);
  }
  ~Validation() {
    unsetenv("VK_LAYER_SETTINGS_PATH");
    unsetenv("VK_INSTANCE_LAYERS");
    std::filesystem::remove_all(folder_);
  }

  std::string Messages() const {
    std::ostringstream text;
    text << std::ifstream(folder_ / "log").rdbuf();
    return text.str();
  }

 private:
  const std::filesystem::path folder_;
};

void UseAll(const VulkanFunctions& functions, bool minimum) {
  VulkanOptions options;
  options.minimum = minimum;
  auto device = OpenVulkanDevice(functions, options);
  ASSERT_TRUE(device.ok()) << device.status();
  conformance::RunBufferRoundTrips(**device);
  conformance::RunBufferRanges(**device);
  conformance::RunBinaries(**device);
  conformance::RunProgramsAtOnce(**device);
  conformance::RunIds(**device);
  conformance::RunOrder(**device);
  conformance::RunRanges(**device);
  conformance::RunTimes(**device, true);
  conformance::RunQueues(**device);
  conformance::RunThreads(**device);
  conformance::RunLocalCases(**device);
  if ((*device)->info().max_texel_buffers == 0) return;
  conformance::RunTexelOrder(**device);
  conformance::RunTexelNeighbours(**device);
  conformance::RunTexelCopies(**device);
}

// A device over one of an application, with a buffer of it.
void UseShared() {
  const auto app = testing::AppVulkan::Create();
  ASSERT_TRUE(app.ok()) << app.status();
  const auto device = OpenSharedVulkan((*app)->Shared());
  ASSERT_TRUE(device.ok()) << device.status();
  conformance::RunOrder(**device);
  const auto buffer = (*app)->NewBuffer({1, 2, 3, 4, 5});
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  const auto range =
      (*device)->Import({reinterpret_cast<uintptr_t>((*buffer)->get()), (*buffer)->bytes()});
  ASSERT_TRUE(range.ok()) << range.status();
  float values[5] = {};
  ASSERT_TRUE((*device)->Download(*range, values, sizeof(values)).ok());
  EXPECT_EQ(values[4], 5.0f);
}

// One test: the layer reads its settings once.
TEST(VulkanValidation, TheLayerIsSilent) {
  if (tern::testing::kAddressSanitizer)
    GTEST_SKIP() << "the layer keeps memory, and is unloaded before its allocations get names";
  if (!HasLayer())
    GTEST_SKIP() << "no validation layer here (Debian package "
                    "vulkan-validationlayers)";
  const auto functions = LoadVulkanFunctions(VulkanLibraryNames());
  ASSERT_TRUE(functions.ok()) << functions.status();
  if (!OpenVulkanDevice(*functions, {}).ok()) GTEST_SKIP() << "no Vulkan device here";
  const Validation validation;
  // Each instance clears the file.
  for (const bool minimum : {false, true}) {
    UseAll(*functions, minimum);
    EXPECT_EQ(validation.Messages(), "");
  }
  UseShared();
  EXPECT_EQ(validation.Messages(), "");

  // It speaks where there is something to say.
  const auto instance = VulkanInstance::Create(*functions).value();
  const auto context =
      VulkanContext::Create(instance, ListVulkanDevices(*instance).value()[0], false).value();
  VkBufferCreateInfo empty = {};
  empty.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  (void)MakeVulkan<BufferHandle>(context, &VulkanFunctions::CreateBuffer, empty, "vkCreateBuffer");
  EXPECT_NE(validation.Messages().find("VUID-VkBufferCreateInfo-size"), std::string::npos)
      << validation.Messages();
}

}  // namespace
}  // namespace tern::gpu
