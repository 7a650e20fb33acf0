// SPDX-License-Identifier: Apache-2.0
// Which devices and which bindings read by texels.
#include "gpu/plan/texel_buffers.h"

#include <gtest/gtest.h>

#include <vector>

#include "gpu/backends/null/null_device.h"
#include "gpu/plan/tuning_table.h"

namespace tern::gpu {
namespace {

TEST(TexelBuffers, TheTuningTableSaysWhichDevices) {
  const auto texels = [](const char* name) { return TuningFor(*NullDeviceInfo(name), 0).texels; };
  for (const char* adreno : {"adreno", "adreno-vulkan"}) EXPECT_TRUE(texels(adreno));
  for (const char* other : {"gles-min", "mali", "videocore", "amd"})
    EXPECT_FALSE(texels(other)) << other;
  DeviceInfo device = *NullDeviceInfo("adreno");
  device.vendor = "freedreno";
  EXPECT_TRUE(TuningFor(device, 0).texels);
  device.max_texel_buffers = 0;
  EXPECT_FALSE(TuningFor(device, 0).texels) << "its driver has none";
  device = *NullDeviceInfo("mali");
  EXPECT_FALSE(TuningFor(device, 0).texels);
  device.name = "llvmpipe (LLVM 15.0.6, 256 bits)";
  EXPECT_TRUE(TuningFor(device, 0).texels);
}

constexpr Box kBox = {1, 4, 4, 8};  // of 32 texels

// Whether a dispatch reads such a tensor by texels.
bool ReadsByTexels(const TensorDesc& desc, Role role = Role::kTemp, Access access = Access::kRead,
                   int64_t max_texels = 32) {
  DeviceInfo device;
  device.max_texel_buffers = 4;
  device.max_texels = max_texels;
  PlanTensor tensor;
  tensor.desc = desc;
  tensor.role = role;
  tensor.bytes = desc.Bytes(4);
  std::vector<Dispatch> dispatches(1);
  dispatches[0].bindings = {{"src", 0, access, desc.box}};
  ReadByTexels({tensor}, device, dispatches);
  return dispatches[0].bindings[0].texels;
}

TEST(TexelBuffers, WholeSlicesThatAreOurs) {
  for (const Element element :
       {Element::kFloat32, Element::kFloat16, Element::kInt32, Element::kWhole, Element::kByte}) {
    const TensorDesc slices = {kBox, Layout::kSlices, element};
    EXPECT_TRUE(ReadsByTexels(slices));
    EXPECT_TRUE(ReadsByTexels(slices, Role::kConstant));
    EXPECT_TRUE(ReadsByTexels({{1, 1, 1, 128}, Layout::kVector, element}, Role::kConstant));
    EXPECT_FALSE(ReadsByTexels({kBox, Layout::kRows, element}));
    EXPECT_FALSE(ReadsByTexels(slices, Role::kInput));
    EXPECT_FALSE(ReadsByTexels(slices, Role::kOutput));
    EXPECT_FALSE(ReadsByTexels(slices, Role::kTemp, Access::kWrite));
    EXPECT_FALSE(ReadsByTexels(slices, Role::kTemp, Access::kReadWrite));
    EXPECT_FALSE(ReadsByTexels(slices, Role::kTemp, Access::kRead, 31)) << "too few texels";
  }
  const TensorDesc nibbles = {{1, 1, 1, 128}, Layout::kVector, Element::kNibble};
  EXPECT_FALSE(ReadsByTexels(nibbles, Role::kConstant)) << "a byte has two";
}

TEST(TexelBuffers, AsManyAsTheDeviceHas) {
  DeviceInfo device;
  device.max_texel_buffers = 2;
  device.max_texels = 32;
  PlanTensor tensor;
  tensor.desc = {kBox, Layout::kSlices, Element::kFloat16};
  tensor.bytes = tensor.desc.Bytes(4);
  PlanTensor long_one = tensor;
  long_one.bytes *= 2;
  std::vector<Dispatch> dispatches(2);
  for (Dispatch& dispatch : dispatches) {
    dispatch.bindings = {{"a", 1}, {"b", 0}, {"dst", 0, Access::kWrite}, {"c", 0}, {"d", 0}};
  }
  ReadByTexels({tensor, long_one}, device, dispatches);
  for (const Dispatch& dispatch : dispatches) {
    std::vector<bool> texels;
    for (const Binding& binding : dispatch.bindings) texels.push_back(binding.texels);
    EXPECT_EQ(texels, (std::vector<bool>{false, true, false, true, false}));
  }
}

}  // namespace
}  // namespace tern::gpu
