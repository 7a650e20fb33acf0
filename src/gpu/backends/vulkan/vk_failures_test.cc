// SPDX-License-Identifier: Apache-2.0
// Every call of the driver fails once, with every code that means trouble; a lost device; drivers
// that are missing or talk nonsense; a missing compiler; forked children.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/conformance/device_programs.h"
#include "gpu/backends/conformance/pipelines_cases.h"
#include "gpu/backends/vulkan/testing/faulty_vk.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/backends/vulkan/vk_device.h"
#include "gpu/backends/vulkan/vk_error.h"

namespace tern::gpu {
namespace {

using conformance::Contains;
using conformance::ScaleProgram;
using conformance::ScaleWords;

TEST(VulkanLibrary, MissingLibraryIsAnError) {
  auto functions = LoadVulkanFunctions({"libno_such_vulkan.so.7", "/no/such/libvulkan.so"});
  ASSERT_FALSE(functions.ok());
  EXPECT_TRUE(Contains(functions.status(), "libno_such_vulkan.so.7")) << functions.status();
  EXPECT_TRUE(Contains(functions.status(), "/no/such/libvulkan.so")) << functions.status();
  EXPECT_FALSE(LoadVulkanFunctions({}).ok());
}

TEST(VulkanLibrary, MissingFunctionIsAnError) {
  auto functions = LoadVulkanFunctions({"libm.so.6"});
  ASSERT_FALSE(functions.ok());
  EXPECT_TRUE(Contains(functions.status(), "vkEnumerateInstanceVersion")) << functions.status();
}

TEST(VulkanError, Names) {
  EXPECT_EQ(VulkanResultName(VK_ERROR_DEVICE_LOST), "VK_ERROR_DEVICE_LOST");
  EXPECT_EQ(VulkanResultName(static_cast<VkResult>(-9999)), "Vulkan error -9999");
  EXPECT_TRUE(VulkanStatus(VK_SUCCESS, "x").ok());
  EXPECT_TRUE(VulkanStatus(VK_INCOMPLETE, "x").ok());
  EXPECT_EQ(VulkanStatus(VK_ERROR_OUT_OF_DEVICE_MEMORY, "x").code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(VulkanStatus(VK_ERROR_INCOMPATIBLE_DRIVER, "x").code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(VulkanStatus(VK_ERROR_UNKNOWN, "x").code(), absl::StatusCode::kInternal);
}

class VulkanFaults : public testing::Test {
 protected:
  void SetUp() override {
    auto functions = LoadVulkanFunctions(VulkanLibraryNames());
    if (!functions.ok()) GTEST_SKIP() << "Vulkan device: " << functions.status();
    real_ = *functions;
    auto device = OpenVulkanDevice(real_, {});
    if (!device.ok()) GTEST_SKIP() << "Vulkan device: " << device.status();
    name_ = (*device)->info().name;
    device->reset();
    live_ = LiveVulkanObjects();
  }

  VulkanOptions Options(bool minimum = false) const {
    VulkanOptions options;
    options.device = name_;
    options.minimum = minimum;
    return options;
  }

  // Everything that the backend can do, once, and on no other device when this one fails.
  absl::Status UseAll(const VulkanFunctions& functions, bool minimum) const {
    TERN_ASSIGN_OR_RETURN(const std::shared_ptr<Device> device,
                          OpenVulkanDevice(functions, Options(minimum)));
    TERN_ASSIGN_OR_RETURN(const std::shared_ptr<Pipeline> pipeline,
                          device->Compile(ScaleProgram(*device)));
    TERN_ASSIGN_OR_RETURN(const ProgramBinary binary, pipeline->Binary());
    TERN_ASSIGN_OR_RETURN(const std::shared_ptr<Pipeline> loaded,
                          device->Load(ScaleProgram(*device), binary));
    const int64_t part = device->info().buffer_alignment;
    TERN_ASSIGN_OR_RETURN(const std::shared_ptr<Buffer> buffer, device->CreateBuffer(2 * part));
    const BufferRange from = {buffer, 0, part}, to = {buffer, part, part};
    std::vector<float> values;
    values.resize(part / 4, 2.0f);
    TERN_RETURN_IF_ERROR(device->Upload(from, values.data(), part));
    const int count = static_cast<int>(values.size());
    const Launch launch = {"scale",       loaded,   {from, to}, ScaleWords(count, 2.0f, 1),
                           {count, 1, 1}, {1, 1, 1}};
    TERN_ASSIGN_OR_RETURN(const std::unique_ptr<Commands> commands, device->Record({launch}));
    TERN_RETURN_IF_ERROR(device->Submit(*commands));
    TERN_RETURN_IF_ERROR(device->Wait());
    TERN_RETURN_IF_ERROR(device->RunTimed(*commands).status());
    TERN_RETURN_IF_ERROR(device->Download(to, values.data(), part));
    for (const float value : values) {
      if (value != 5.0f) return absl::DataLossError(StrCat("wrong (", value, ")"));
    }
    return absl::OkStatus();
  }

  VulkanFunctions real_;
  std::string name_;
  int live_ = 0;
};

TEST_F(VulkanFaults, EveryCallFailsOnce) {
  std::set<std::string> failed;
  for (const bool minimum : {false, true}) {
    const absl::Status fine = UseAll(FaultyVk::Wrap(real_, -1, VK_SUCCESS), minimum);
    ASSERT_TRUE(fine.ok()) << fine;
    EXPECT_EQ(LiveVulkanObjects(), live_);
    const int calls = FaultyVk::calls();
    for (const VkResult code : {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST}) {
      for (int call = 0; call < calls; ++call) {
        const absl::Status status = UseAll(FaultyVk::Wrap(real_, call, code), minimum);
        const std::string name = FaultyVk::failed();
        SCOPED_TRACE(StrCat("call ", call, ", ", name, ", ", VulkanResultName(code)));
        EXPECT_EQ(LiveVulkanObjects(), live_);
        if (status.ok()) {
          EXPECT_EQ(name, "vkGetFenceStatus") << "it counts as not finished";
        } else {
          EXPECT_TRUE(Contains(status, name) && Contains(status, VulkanResultName(code))) << status;
          failed.insert(name);
        }
      }
    }
  }
  for (const char* name : {"vkEnumerateInstanceVersion",
                           "vkCreateInstance",
                           "vkEnumeratePhysicalDevices",
                           "vkCreateDevice",
                           "vkQueueSubmit",
                           "vkCreateFence",
                           "vkWaitForFences",
                           "vkCreateBuffer",
                           "vkAllocateMemory",
                           "vkBindBufferMemory",
                           "vkMapMemory",
                           "vkCreateShaderModule",
                           "vkCreateDescriptorSetLayout",
                           "vkCreateDescriptorPool",
                           "vkAllocateDescriptorSets",
                           "vkCreatePipelineLayout",
                           "vkCreatePipelineCache",
                           "vkGetPipelineCacheData",
                           "vkCreateComputePipelines",
                           "vkCreateCommandPool",
                           "vkAllocateCommandBuffers",
                           "vkBeginCommandBuffer",
                           "vkEndCommandBuffer",
                           "vkCreateQueryPool",
                           "vkGetQueryPoolResults"}) {
    EXPECT_EQ(failed.count(name), 1u) << name;
  }
}

// A device that is lost stays lost; another one may be opened.
TEST_F(VulkanFaults, ALostDevice) {
  VulkanFunctions faulty = real_;
  faulty.QueueSubmit = [](VkQueue, uint32_t, const VkSubmitInfo*, VkFence) {
    return VK_ERROR_DEVICE_LOST;
  };
  auto device = OpenVulkanDevice(faulty, Options());
  ASSERT_TRUE(device.ok()) << device.status();
  const BufferRange range = conformance::NewRange(**device, 64);
  auto pipeline = (*device)->Compile(ScaleProgram(**device));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  auto commands =
      (*device)->Record({{"l", *pipeline, {range, range}, ScaleWords(1, 1, 1), {1, 1, 1}}});
  ASSERT_TRUE(commands.ok()) << commands.status();
  EXPECT_FALSE((*device)->lost());
  const absl::Status status = (*device)->Submit(**commands);
  EXPECT_EQ(status.message(), "vkQueueSubmit: VK_ERROR_DEVICE_LOST");
  EXPECT_TRUE((*device)->lost());
  char data[64] = {};
  for (const absl::Status& after :
       {(*device)->Wait(), (*device)->Upload(range, data, 64), (*device)->Download(range, data, 64),
        (*device)->Submit(**commands), (*device)->CreateBuffer(64).status(),
        (*device)->Compile(ScaleProgram(**device)).status()}) {
    EXPECT_EQ(after.message(), "the Vulkan device is lost");
  }
  EXPECT_TRUE(OpenVulkanDevice(real_, Options()).ok());
}

TEST_F(VulkanFaults, ARunIsOneSubmission) {
  auto device = OpenVulkanDevice(FaultyVk::Wrap(real_, -1, VK_SUCCESS), Options());
  ASSERT_TRUE(device.ok()) << device.status();
  auto pipeline = (*device)->Compile(ScaleProgram(**device));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const BufferRange range = conformance::NewRange(**device, 400);
  const Launch launch = {"l", *pipeline, {range, range}, ScaleWords(100, 1, 1), {100, 1, 1}};
  auto commands = (*device)->Record(std::vector<Launch>(50, launch));
  ASSERT_TRUE(commands.ok()) << commands.status();
  std::vector<float> values(100);
  for (int run = 1; run <= 20; ++run) {
    ASSERT_TRUE((*device)->Upload(range, values.data(), range.bytes).ok());
    ASSERT_TRUE((*device)->Submit(**commands).ok());
    ASSERT_TRUE((*device)->Download(range, values.data(), range.bytes).ok());
    EXPECT_EQ(FaultyVk::submissions(), run);
    EXPECT_EQ(values[7], static_cast<float>(50 * run));
  }
}

TEST_F(VulkanFaults, WithoutAClockNothingIsTimed) {
  static VulkanFunctions real;
  real = real_;
  VulkanFunctions clockless = real_;
  clockless.GetPhysicalDeviceQueueFamilyProperties = [](VkPhysicalDevice device, uint32_t* count,
                                                        VkQueueFamilyProperties* families) {
    real.GetPhysicalDeviceQueueFamilyProperties(device, count, families);
    for (uint32_t i = 0; families != nullptr && i < *count; ++i) families[i].timestampValidBits = 0;
  };
  auto device = OpenVulkanDevice(clockless, Options());
  ASSERT_TRUE(device.ok()) << device.status();
  conformance::RunTimes(**device, false);
}

TEST_F(VulkanFaults, WithoutMemoryForTheHostNothingIsAllocated) {
  VulkanFunctions without = real_;
  without.GetPhysicalDeviceMemoryProperties = [](VkPhysicalDevice,
                                                 VkPhysicalDeviceMemoryProperties* memory) {
    *memory = {};
    memory->memoryTypeCount = 1;
    memory->memoryTypes[0].propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  };
  auto device = OpenVulkanDevice(without, Options());
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->CreateBuffer(1000).status().message(),
            "a buffer of 1000 bytes: the Vulkan device has no memory of the kind that is needed");
}

// Texts need the compiler; saved programs do not.
TEST_F(VulkanFaults, WithoutACompilerSavedProgramsRun) {
  auto with = OpenVulkanDevice(real_, Options());
  ASSERT_TRUE(with.ok()) << with.status();
  auto built = (*with)->Compile(ScaleProgram(**with));
  ASSERT_TRUE(built.ok()) << built.status();
  const auto binary = (*built)->Binary();
  ASSERT_TRUE(binary.ok()) << binary.status();
  VulkanOptions options = Options();
  options.compilers = {"libno_such_compiler.so", "libm.so.6"};
  auto without = OpenVulkanDevice(real_, options);
  ASSERT_TRUE(without.ok()) << without.status();
  const absl::Status status = (*without)->Compile(ScaleProgram(**without)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(Contains(status,
                       "Vulkan: no compiler for programs that are not saved (cannot open "
                       "libno_such_compiler.so: "))
      << status;
  EXPECT_TRUE(Contains(status, "libm.so.6 has no function TernGlslToSpirv")) << status;
  auto loaded = (*without)->Load(ScaleProgram(**without), *binary);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(conformance::Scaled(**without, *loaded), std::vector<float>(100, 7.0f));
}

// The child exits with 0 when every call was refused without reaching the driver.
TEST_F(VulkanFaults, ForkedChildrenGetErrors) {
  auto device = OpenVulkanDevice(FaultyVk::Wrap(real_, -1, VK_SUCCESS), Options());
  ASSERT_TRUE(device.ok()) << device.status();
  auto pipeline = (*device)->Compile(ScaleProgram(**device));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  auto buffer = (*device)->CreateBuffer(64);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  const BufferRange range = {*buffer, 0, 64};
  const Launch launch = {"l", *pipeline, {range, range}, ScaleWords(1, 1, 1), {1, 1, 1}, {1, 1, 1}};
  auto commands = (*device)->Record({launch});
  ASSERT_TRUE(commands.ok()) << commands.status();
  const int calls = FaultyVk::calls();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    char data[64] = {};
    bool refused = !(*device)->CreateBuffer(64).ok() && !(*device)->Upload(range, data, 64).ok() &&
                   !(*device)->Download(range, data, 64).ok() &&
                   !(*device)->Compile(ScaleProgram(**device)).ok() &&
                   !(*device)->Load(ScaleProgram(**device), {}).ok() &&
                   !(*pipeline)->Binary().ok() && !(*device)->Record({launch}).ok() &&
                   !(*device)->Submit(**commands).ok() && !(*device)->Wait().ok();
    commands->reset();
    buffer->reset();
    device->reset();
    refused = refused && FaultyVk::calls() == calls;
    _exit(refused ? 0 : 1);
  }
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0) << state;
  EXPECT_TRUE((*device)->Submit(**commands).ok());
  EXPECT_TRUE((*device)->Wait().ok());
}

}  // namespace
}  // namespace tern::gpu
