// SPDX-License-Identifier: Apache-2.0
// For tests: the user's memory in place of a plan's inputs and outputs.
#ifndef TERN_GPU_TESTING_IO_CASES_H_
#define TERN_GPU_TESTING_IO_CASES_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/backends/conformance/device_programs.h"
#include "gpu/compile.h"
#include "gpu/device/executor.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu::conformance {

// sum = a + b and positive = max(sum, 0), all of 1 x 3 x 5 x channels.
inline absl::StatusOr<std::unique_ptr<Executor>> MakeSum(const std::shared_ptr<Device>& device,
                                                         ProgramCache& programs, int channels,
                                                         IoMemory given) {
  const std::vector<int> dims = {1, 3, 5, channels};
  GraphBuilder b;
  const TensorId x = b.Input(dims), y = b.Input(dims);
  const TensorId sum = b.Op(kTfLiteBuiltinAdd, "ADD", {x, y}, dims, TfLiteAddParams());
  b.Output(sum).Output(b.Op(kTfLiteBuiltinRelu, "RELU", {sum}, dims, 0));
  TERN_ASSIGN_OR_RETURN(const Compiled made,
                        Compile(b.graph(), device->info(), GpuLoweringTable(), {}));
  return Executor::Create(made.plan, made.constants(), device, programs,
                          {.given = std::move(given)});
}

inline int64_t SumBytes(int channels) { return int64_t{4} * 3 * 5 * channels; }

inline std::vector<float> Ramp(int count, float factor, float start) {
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) values[i] = factor * static_cast<float>(i) + start;
  return values;
}

// Makes memory of the user with this many bytes.
using MakeMemory = std::function<BufferRange(int64_t bytes)>;

inline MakeMemory OwnMemory(const std::shared_ptr<Device>& device) {
  return [device](int64_t bytes) { return NewRange(*device, bytes); };
}

// Every set of the user's inputs and outputs: bit 0 and 1 the inputs, 2 and 3 the outputs.
inline void RunGivenMemory(const std::shared_ptr<Device>& device, const MakeMemory& make) {
  ProgramCache programs(device.get());
  for (const int channels : {1, 3, 4, 9}) {
    const int count = 15 * channels;
    const int64_t bytes = SumBytes(channels);
    const std::vector<float> in[2] = {Ramp(count, 1.0f, -20.0f), Ramp(count, -0.5f, 3.0f)};
    std::vector<float> want[2];
    for (int i = 0; i < count; ++i) {
      want[0].push_back(in[0][i] + in[1][i]);
      want[1].push_back(std::max(want[0].back(), 0.0f));
    }
    for (int mine = 0; mine < 16; ++mine) {
      SCOPED_TRACE(StrCat("channels ", channels, ", given ", mine));
      IoMemory given;
      for (int i = 0; i < 2; ++i) {
        // One exactly as long as the tensor, one longer.
        if ((mine >> i & 1) != 0) given[Input(i)] = make(bytes + 12 * i);
        if ((mine >> i & 4) != 0) given[Output(i)] = make(bytes + 20 * i);
      }
      auto executor = MakeSum(device, programs, channels, given);
      ASSERT_TRUE(executor.ok()) << executor.status();
      EXPECT_EQ((*executor)->gpu_bytes() < 4 * bytes, mine != 0);
      for (int i = 0; i < 2; ++i) {
        EXPECT_EQ((*executor)->given().count(Input(i)) != 0, (mine >> i & 1) != 0);
        EXPECT_EQ((*executor)->given().count(Output(i)) != 0, (mine >> i & 4) != 0);
        const absl::Status written = (*executor)->given().count(Input(i)) != 0
                                         ? device->Upload(given[Input(i)], in[i].data(), bytes)
                                         : (*executor)->io().Write(Input(i), in[i].data(), bytes);
        ASSERT_TRUE(written.ok()) << written;
      }
      const absl::Status ran = (*executor)->Run();
      ASSERT_TRUE(ran.ok()) << ran;
      for (int i = 0; i < 2; ++i) {
        std::vector<float> got(count);
        const absl::Status read = (*executor)->given().count(Output(i)) != 0
                                      ? device->Download(given[Output(i)], got.data(), bytes)
                                      : (*executor)->io().Read(Output(i), got.data(), bytes);
        ASSERT_TRUE(read.ok()) << read;
        EXPECT_EQ(got, want[i]) << i;
      }
    }
  }
}

// Writing beyond the tensor would change what the user keeps behind it.
inline void RunGivenMemoryKeepsTheRest(const std::shared_ptr<Device>& device,
                                       const MakeMemory& make) {
  ProgramCache programs(device.get());
  const int channels = 3;
  const int64_t bytes = SumBytes(channels);
  const BufferRange whole = make(bytes + 8);
  Fill(*device, whole, 77.0f);
  IoMemory given;
  given[Output(1)] = whole;
  auto executor = MakeSum(device, programs, channels, given);
  ASSERT_TRUE(executor.ok()) << executor.status();
  const std::vector<float> ones(bytes / 4, 1.0f);
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE((*executor)->io().Write(Input(i), ones.data(), bytes).ok());
  ASSERT_TRUE((*executor)->Run().ok());
  std::vector<float> want(bytes / 4, 2.0f);
  want.insert(want.end(), 2, 77.0f);
  EXPECT_EQ(Floats(*device, whole), want);
}

inline void RunGivenMemoryRefusals(const std::shared_ptr<Device>& device) {
  ProgramCache programs(device.get());
  const int64_t bytes = SumBytes(4);
  const int64_t step = std::max<int64_t>(device->info().buffer_alignment, 256);
  const BufferRange both = NewRange(*device, 2 * step);
  const BufferRange low = {both.buffer, 0, bytes}, high = {both.buffer, step, bytes};
  const auto refusal = [&](IoMemory given) {
    return std::string(MakeSum(device, programs, 4, std::move(given)).status().message());
  };
  EXPECT_EQ(refusal({{Output(1), {both.buffer, 0, bytes - 4}}}),
            "output 1 needs 240 bytes, its memory has 236");
  EXPECT_EQ(refusal({{Input(0), {nullptr, 0, 0}}}), "input 0 needs 240 bytes, its memory has 0");
  EXPECT_EQ(refusal({{Input(2), low}}), "there is no input 2 (2 in all)");
  EXPECT_EQ(refusal({{Input(-1), low}}), "there is no input -1 (2 in all)");
  EXPECT_EQ(refusal({{Input(1), low}, {Output(0), low}}),
            "output 0 shares its memory with another input or output");
  EXPECT_EQ(refusal({{Output(0), low}, {Output(1), low}}),
            "output 0 shares its memory with another input or output");
  // Inputs may be one, and parts of one buffer are different memories.
  EXPECT_EQ(refusal({{Input(0), low}, {Input(1), low}, {Output(0), high}}), "");
}

}  // namespace tern::gpu::conformance

#endif  // TERN_GPU_TESTING_IO_CASES_H_
