// SPDX-License-Identifier: Apache-2.0
// Texel buffers, which are images of whole buffers: every promise of devices with them, limits of
// the driver, and failures.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "base/status.h"
#include "gpu/backends/conformance/texels_cases.h"
#include "gpu/backends/opencl/cl_device.h"
#include "gpu/backends/opencl/testing/faulty_cl.h"

namespace tern::gpu {
namespace {

using conformance::RecordSlices;

ClFunctions real;

class ClTexels : public ::testing::Test {
 protected:
  void SetUp() override {
    auto functions = LoadClFunctions(ClLibraryNames());
    if (!functions.ok()) GTEST_SKIP() << functions.status();
    real = *functions;
    auto device = OpenClDevice(real, "");
    if (!device.ok()) GTEST_SKIP() << "OpenCL device: " << device.status();
    device_ = *device;
    if (device_->info().max_texel_buffers == 0) GTEST_SKIP() << "the device has no images";
  }

  std::shared_ptr<Device> device_;
};

TEST_F(ClTexels, Order) { conformance::RunTexelOrder(*device_); }
TEST_F(ClTexels, Neighbours) { conformance::RunTexelNeighbours(*device_); }
TEST_F(ClTexels, Limits) { conformance::RunTexelLimits(*device_); }
TEST_F(ClTexels, Copies) { conformance::RunTexelCopies(*device_); }

TEST_F(ClTexels, OneImageForAllRangesOfABuffer) {
  const auto device = OpenClDevice(FaultyCl::Wrap(real, -1, CL_SUCCESS), "");
  ASSERT_TRUE(device.ok()) << device.status();
  const int64_t part = (*device)->info().buffer_alignment;
  const auto pipeline = (*device)->Compile(conformance::TexelsProgram(**device, Element::kFloat32));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const BufferRange all = conformance::NewRange(**device, 4 * part);
  const int before = FaultyCl::alive();
  std::vector<Launch> launches;
  for (int i = 0; i < 3; ++i) {
    const BufferRange from = {all.buffer, i * part, part}, to = {all.buffer, 3 * part, part};
    launches.push_back({"part", *pipeline, {from, to}, {4, 1}, {4, 1, 1}, {8, 1, 1}});
  }
  auto commands = (*device)->Record(launches);
  ASSERT_TRUE(commands.ok()) << commands.status();
  EXPECT_EQ(FaultyCl::alive() - before, 4) << "three kernels and an image";
  commands->reset();
  EXPECT_EQ(FaultyCl::alive(), before);
}

cl_int CL_API_CALL NoImages(cl_device_id id, cl_device_info what, size_t size, void* value,
                            size_t* needed) {
  const cl_int code = real.GetDeviceInfo(id, what, size, value, needed);
  const cl_bool none = CL_FALSE;
  if (what == CL_DEVICE_IMAGE_SUPPORT && value != nullptr) std::memcpy(value, &none, sizeof(none));
  return code;
}

TEST_F(ClTexels, DevicesWithout) {
  ClFunctions functions = real;
  functions.GetDeviceInfo = &NoImages;
  const auto device = OpenClDevice(functions, "");
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->info().max_texel_buffers, 0);
  conformance::RunOrder(**device);
}

cl_int CL_API_CALL Few(cl_device_id id, cl_device_info what, size_t size, void* value,
                       size_t* needed) {
  const cl_int code = real.GetDeviceInfo(id, what, size, value, needed);
  const size_t texels = 1 << 16;  // less than any driver may say
  if (what == CL_DEVICE_IMAGE_MAX_BUFFER_SIZE && value != nullptr)
    std::memcpy(value, &texels, sizeof(texels));
  return code;
}

TEST_F(ClTexels, AsLongAsTheDeviceHas) {
  ClFunctions functions = real;
  functions.GetDeviceInfo = &Few;
  const auto device = OpenClDevice(functions, "");
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->info().max_texels, 1 << 16);
  EXPECT_TRUE((*device)->info().whole_texels);
  EXPECT_EQ(RecordSlices(**device, 1 << 16).status(), absl::OkStatus());
  EXPECT_EQ(RecordSlices(**device, (1 << 16) + 1).status().message(),
            "slices: too many texels (65537, limit 65536)");
}

}  // namespace
}  // namespace tern::gpu
