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
  device.whole_texels = true;
  EXPECT_FALSE(TuningFor(device, 0).texels) << "its OpenCL";
  device = *NullDeviceInfo("adreno");
  Storage halves = {Precision::kF16, Precision::kF16, {}, Precision::kF16};
  EXPECT_TRUE(TuningFor(device, 0, halves).texels);
  device.whole_texels = true;
  EXPECT_FALSE(TuningFor(device, 0, halves).texels) << "sums of halves in OpenCL";
  halves.sums = Precision::kF32;
  EXPECT_TRUE(TuningFor(device, 0, halves).texels);
}

constexpr Box kBox = {1, 4, 4, 8};  // of 32 texels

// Whether a dispatch reads such a tensor by texels.
bool ReadsByTexels(const TensorDesc& desc, Role role = Role::kTemp, Access access = Access::kRead,
                   int64_t max_texels = 32) {
  DeviceInfo device;
  device.max_texel_buffers = 4;
  device.max_texels = max_texels;
  Plan plan;
  plan.tensors.resize(1);
  plan.tensors[0].desc = desc;
  plan.tensors[0].role = role;
  plan.tensors[0].bytes = desc.Bytes(4);
  plan.dispatches.resize(1);
  plan.dispatches[0].bindings = {{"src", 0, access, desc.box}};
  ReadByTexels(plan, device);
  return plan.dispatches[0].bindings[0].texels;
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
  Plan plan;
  plan.tensors = {tensor, long_one};
  plan.dispatches.resize(2);
  for (Dispatch& dispatch : plan.dispatches) {
    dispatch.bindings = {{"a", 1}, {"b", 0}, {"dst", 0, Access::kWrite}, {"c", 0}, {"d", 0}};
  }
  ReadByTexels(plan, device);
  for (const Dispatch& dispatch : plan.dispatches) {
    std::vector<bool> texels;
    for (const Binding& binding : dispatch.bindings) texels.push_back(binding.texels);
    EXPECT_EQ(texels, (std::vector<bool>{false, true, false, true, false}));
  }
}

// Buffers of 32 texels of floats, which are 64 of halves.
TEST(TexelBuffers, WholeBuffers) {
  DeviceInfo device;
  device.max_texel_buffers = 4;
  device.whole_texels = true;
  Plan plan;
  plan.arenas = {16 * 32, 16 * 33};
  plan.constants = {16 * 32};
  plan.tensors.resize(4);
  for (PlanTensor& tensor : plan.tensors) {
    tensor.desc = {{1, 2, 2, 8}, Layout::kSlices, Element::kFloat32};
    tensor.bytes = tensor.desc.Bytes(4);
  }
  plan.tensors[1].buffer = 1;
  plan.tensors[2].inside = 1;
  plan.tensors[3].role = Role::kConstant;
  plan.dispatches.resize(1);
  plan.dispatches[0].bindings = {{"a", 0}, {"b", 1}, {"c", 2}, {"d", 3}};
  const auto marked = [&](int64_t max_texels) {
    device.max_texels = max_texels;
    ReadByTexels(plan, device);
    std::vector<bool> texels;
    for (const Binding& binding : plan.dispatches[0].bindings) texels.push_back(binding.texels);
    return texels;
  };
  EXPECT_EQ(marked(32), (std::vector<bool>{true, false, false, true}));
  EXPECT_EQ(marked(33), (std::vector<bool>{true, true, true, true}));
  EXPECT_EQ(marked(31), (std::vector<bool>{false, false, false, false}));
  for (PlanTensor& tensor : plan.tensors) tensor.desc.element = Element::kFloat16;
  EXPECT_EQ(marked(64), (std::vector<bool>{true, false, false, true}));
}

}  // namespace
}  // namespace tern::gpu
