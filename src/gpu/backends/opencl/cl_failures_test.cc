// SPDX-License-Identifier: Apache-2.0
// Every call of the driver fails once, with every code that means trouble; drivers that are missing
// or talk nonsense; forked children.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "gpu/backends/conformance/device_programs.h"
#include "gpu/backends/conformance/texels_cases.h"
#include "gpu/backends/opencl/cl_device.h"
#include "gpu/backends/opencl/cl_device_info.h"
#include "gpu/backends/opencl/cl_error.h"
#include "gpu/backends/opencl/testing/faulty_cl.h"
#include "gpu/languages/opencl_language.h"

namespace tern::gpu {
namespace {

using conformance::Contains;
using conformance::ScaleProgram;
using conformance::ScaleWords;

TEST(ClLibrary, MissingLibraryIsAnError) {
  auto functions = LoadClFunctions({"libno_such_opencl.so.7", "/no/such/libOpenCL.so"});
  ASSERT_FALSE(functions.ok());
  EXPECT_TRUE(Contains(functions.status(), "libno_such_opencl.so.7")) << functions.status();
  EXPECT_TRUE(Contains(functions.status(), "/no/such/libOpenCL.so")) << functions.status();
  EXPECT_FALSE(LoadClFunctions({}).ok());
}

TEST(ClLibrary, MissingFunctionIsAnError) {
  // Any library that is no OpenCL library.
  auto functions = LoadClFunctions({"libm.so.6"});
  ASSERT_FALSE(functions.ok());
  EXPECT_TRUE(Contains(functions.status(), "clGetPlatformIDs")) << functions.status();
}

TEST(ClError, Names) {
  EXPECT_EQ(ClErrorName(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES");
  EXPECT_EQ(ClErrorName(CL_INVALID_VALUE), "CL_INVALID_VALUE");
  EXPECT_EQ(ClErrorName(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
  EXPECT_EQ(ClErrorName(-9999), "OpenCL error -9999");
  EXPECT_TRUE(ClStatus(CL_SUCCESS, "clFlush").ok());
  EXPECT_EQ(ClStatus(CL_OUT_OF_HOST_MEMORY, "x").code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ClStatus(-1001, "x").code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ClStatus(CL_INVALID_KERNEL, "x").code(), absl::StatusCode::kInternal);
}

// ---- drivers without a device or with nonsense for answers

cl_int CL_API_CALL NoPlatforms(cl_uint, cl_platform_id*, cl_uint* count) {
  *count = 0;
  return CL_SUCCESS;
}

cl_int CL_API_CALL OnePlatform(cl_uint, cl_platform_id* platforms, cl_uint* count) {
  platforms[0] = reinterpret_cast<cl_platform_id>(8);
  *count = 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL NoDevices(cl_platform_id, cl_device_type, cl_uint, cl_device_id*, cl_uint*) {
  return CL_DEVICE_NOT_FOUND;
}

cl_int CL_API_CALL AllOnes(cl_device_id, cl_device_info, size_t size, void* value, size_t* needed) {
  if (value != nullptr) std::memset(value, 0xFF, size);
  if (needed != nullptr) *needed = SIZE_MAX;
  return CL_SUCCESS;
}

cl_int CL_API_CALL AllZero(cl_device_id, cl_device_info, size_t size, void* value, size_t* needed) {
  if (value != nullptr) std::memset(value, 0, size);
  if (needed != nullptr) *needed = 0;
  return CL_SUCCESS;
}

cl_int CL_API_CALL NoAnswer(cl_device_id, cl_device_info, size_t, void*, size_t*) {
  return CL_INVALID_DEVICE;
}

cl_int CL_API_CALL NoPlatformText(cl_platform_id, cl_platform_info, size_t, void*, size_t*) {
  return CL_INVALID_PLATFORM;
}

TEST(ClDeviceList, NoPlatformOrDeviceIsAnError) {
  ClFunctions cl;
  cl.GetPlatformIDs = &NoPlatforms;
  auto device = OpenClDevice(cl, "");
  ASSERT_FALSE(device.ok());
  EXPECT_TRUE(Contains(device.status(), "no device")) << device.status();
  cl.GetPlatformIDs = &OnePlatform;
  cl.GetDeviceIDs = &NoDevices;
  device = OpenClDevice(cl, "");
  ASSERT_FALSE(device.ok());
  EXPECT_TRUE(Contains(device.status(), "CL_DEVICE_NOT_FOUND")) << device.status();
}

TEST(ClDeviceInfo, AbsurdLimitsAreClamped) {
  for (const auto answer : {&AllOnes, &AllZero, &NoAnswer}) {
    ClFunctions cl;
    cl.GetDeviceInfo = answer;
    cl.GetPlatformInfo = &NoPlatformText;
    const DeviceInfo info = ReadClDeviceInfo(cl, nullptr);
    EXPECT_GE(info.compute_units, 1);
    EXPECT_GE(info.native_vector_width, 1);
    EXPECT_LE(info.native_vector_width, 16);
    EXPECT_GE(info.max_buffers, 4);
    EXPECT_LE(info.max_buffers, 64);
    EXPECT_GE(info.max_group_items, 1);
    EXPECT_LE(info.max_group_items, 4096);
    for (const int size : info.max_group) {
      EXPECT_GE(size, 1);
      EXPECT_LE(size, info.max_group_items);
    }
    EXPECT_GE(info.local_memory_bytes, 0);
    EXPECT_LE(info.local_memory_bytes, 16 << 20);
    EXPECT_GE(info.max_buffer_bytes, 1 << 20);
    EXPECT_LE(info.max_buffer_bytes, int64_t{1} << 40);
    EXPECT_GE(info.buffer_alignment, 64);
    EXPECT_LE(info.buffer_alignment, 1 << 16);
    EXPECT_EQ(info.buffer_alignment & (info.buffer_alignment - 1), 0);
  }
}

// ---- a real driver that fails

class ClFaults : public testing::Test {
 protected:
  void SetUp() override {
    auto functions = LoadClFunctions(ClLibraryNames());
    if (!functions.ok()) GTEST_SKIP() << "OpenCL device: " << functions.status();
    real_ = *functions;
    auto device = OpenClDevice(real_, "");
    if (!device.ok()) GTEST_SKIP() << "OpenCL device: " << device.status();
    name_ = (*device)->info().name;
  }

  // Everything that the backend can do, once, and on no other device when this one fails.
  absl::Status UseAll(const ClFunctions& functions) const {
    TERN_ASSIGN_OR_RETURN(const std::shared_ptr<Device> device, OpenClDevice(functions, name_));
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
    if (device->info().max_texel_buffers > 0) {
      TERN_ASSIGN_OR_RETURN(
          const std::shared_ptr<Pipeline> texels,
          device->Compile(conformance::TexelsProgram(*device, Element::kFloat32)));
      const Launch reads = {"texels", texels, {from, to}, {1, 1}, {1, 1, 1}, {1, 1, 1}};
      TERN_ASSIGN_OR_RETURN(const std::unique_ptr<Commands> reading, device->Record({reads}));
      TERN_RETURN_IF_ERROR(device->Submit(*reading));  // not waited for
    }
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

  ClFunctions real_;
  std::string name_;
};

TEST_F(ClFaults, NothingLeaksWithoutFaults) {
  const absl::Status status = UseAll(FaultyCl::Wrap(real_, -1, CL_SUCCESS));
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(FaultyCl::alive(), 0);
}

TEST_F(ClFaults, EveryCallFailsOnce) {
  ASSERT_TRUE(UseAll(FaultyCl::Wrap(real_, -1, CL_SUCCESS)).ok());
  const int calls = FaultyCl::calls();
  std::set<std::string> failed;
  for (const cl_int code : {CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, CL_INVALID_COMMAND_QUEUE,
                            CL_MEM_OBJECT_ALLOCATION_FAILURE}) {
    for (int call = 0; call < calls; ++call) {
      const absl::Status status = UseAll(FaultyCl::Wrap(real_, call, code));
      const std::string name = FaultyCl::failed();
      SCOPED_TRACE(StrCat("call ", call, ", ", name, ", ", ClErrorName(code)));
      EXPECT_EQ(FaultyCl::alive(), 0);
      // Queries about the device may go unanswered, and so may a platform beside the one with the
      // device; commands that end wait twice. Everything else is reported.
      if (!status.ok()) {
        EXPECT_TRUE(Contains(status, ClErrorName(code)) || Contains(status, "no device")) << status;
        failed.insert(name);
      } else {
        EXPECT_TRUE(name == "clWaitForEvents" || name == "clGetDeviceInfo" ||
                    name == "clGetPlatformInfo" || name == "clGetDeviceIDs" || name.empty())
            << name;
      }
    }
  }
  // Releases never fail here, these queries may, and the log is asked for after a failed build.
  const std::set<std::string> others = {"clGetPlatformInfo", "clGetDeviceInfo",
                                        "clGetProgramBuildInfo"};
#define TERN_CL_NAME(function) "cl" #function,
  for (const std::string name : {TERN_CL_FUNCTIONS(TERN_CL_NAME)}) {
#undef TERN_CL_NAME
    if (name.starts_with("clRelease") || others.count(name) > 0) continue;
    EXPECT_EQ(failed.count(name), 1u) << name;
  }
}

TEST_F(ClFaults, BuildErrorsCarryTheLog) {
  auto device = OpenClDevice(FaultyCl::Wrap(real_, -1, CL_SUCCESS), "");
  ASSERT_TRUE(device.ok()) << device.status();
  ProgramSource source;
  source.text = "__kernel void tern_main() { there_is_no_such_thing = 1; }\n";
  auto pipeline = (*device)->Compile(source);
  ASSERT_FALSE(pipeline.ok());
  EXPECT_TRUE(Contains(pipeline.status(), "CL_BUILD_PROGRAM_FAILURE")) << pipeline.status();
  EXPECT_TRUE(Contains(pipeline.status(), "there_is_no_such_thing")) << pipeline.status();
  EXPECT_EQ(FaultyCl::alive(), 2) << "context and queue";
}

// The binary of another program has another number of arguments.
TEST_F(ClFaults, BinariesOfOtherProgramsAreRefused) {
  auto device = OpenClDevice(FaultyCl::Wrap(real_, -1, CL_SUCCESS), "");
  ASSERT_TRUE(device.ok()) << device.status();
  auto other = (*device)->Compile(conformance::IdsProgram(**device));
  ASSERT_TRUE(other.ok()) << other.status();
  const auto binary = (*other)->Binary();
  if (!binary.ok()) GTEST_SKIP() << binary.status();
  auto loaded = (*device)->Load(ScaleProgram(**device), *binary);
  ASSERT_FALSE(loaded.ok());
  EXPECT_TRUE(Contains(loaded.status(), "takes 2 arguments, 7 expected")) << loaded.status();
  other->reset();
  EXPECT_EQ(FaultyCl::alive(), 2) << "context and queue";
}

// An empty binary is refused, although a driver might take it.
TEST_F(ClFaults, DriversWithoutBinariesSaySo) {
  ClFunctions none = FaultyCl::Wrap(real_, -1, CL_SUCCESS);
  none.GetProgramInfo = [](cl_program, cl_program_info, size_t size, void* value, size_t*) {
    std::memset(value, 0, size);
    return cl_int{CL_SUCCESS};
  };
  auto device = OpenClDevice(none, "");
  ASSERT_TRUE(device.ok()) << device.status();
  auto pipeline = (*device)->Compile(ScaleProgram(**device));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  EXPECT_EQ((*pipeline)->Binary().status().code(), absl::StatusCode::kUnimplemented);
}

TEST_F(ClFaults, ChoiceOfDevice) {
  auto all = ListClDevices(real_);
  ASSERT_TRUE(all.ok());
  EXPECT_TRUE(OpenClDevice(real_, "0").ok());
  std::string upper = (*all)[0].name;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  EXPECT_TRUE(OpenClDevice(real_, upper).ok());
  for (const char* wrong : {"99", "no such device"}) {
    auto device = OpenClDevice(real_, wrong);
    ASSERT_FALSE(device.ok());
    EXPECT_TRUE(Contains(device.status(), (*all)[0].name)) << device.status();
  }
}

// The child exits with 0 when every call was refused without reaching the driver.
TEST_F(ClFaults, ForkedChildrenGetErrors) {
  auto device = OpenClDevice(FaultyCl::Wrap(real_, -1, CL_SUCCESS), "");
  ASSERT_TRUE(device.ok());
  auto pipeline = (*device)->Compile(ScaleProgram(**device));
  ASSERT_TRUE(pipeline.ok());
  auto buffer = (*device)->CreateBuffer(64);
  ASSERT_TRUE(buffer.ok());
  const BufferRange range = {*buffer, 0, 64};
  const Launch launch = {"l", *pipeline, {range, range}, ScaleWords(1, 1, 1), {1, 1, 1}, {1, 1, 1}};
  auto commands = (*device)->Record({launch});
  ASSERT_TRUE(commands.ok()) << commands.status();
  const int calls = FaultyCl::calls(), alive = FaultyCl::alive();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    char data[64] = {};
    bool refused = !(*device)->CreateBuffer(64).ok() && !(*device)->Upload(range, data, 64).ok() &&
                   !(*device)->Download(range, data, 64).ok() &&
                   !(*device)->Compile(ScaleProgram(**device)).ok() &&
                   !(*device)->LoadAll({{ScaleProgram(**device)}}, {{ProgramBinary()}})[0].ok() &&
                   !(*pipeline)->Binary().ok() && !(*device)->Record({launch}).ok() &&
                   !(*device)->Submit(**commands).ok() && !(*device)->Wait().ok() &&
                   (*device)->NewQueue() == nullptr;
    commands->reset();
    buffer->reset();
    refused = refused && FaultyCl::calls() == calls && FaultyCl::alive() == alive;
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
