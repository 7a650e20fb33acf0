// SPDX-License-Identifier: Apache-2.0
// For tests: what every device promises about building programs.
#ifndef TERN_GPU_BACKENDS_CONFORMANCE_PIPELINES_CASES_H_
#define TERN_GPU_BACKENDS_CONFORMANCE_PIPELINES_CASES_H_

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "gpu/backends/conformance/device_programs.h"
#include "gpu/device/program_cache.h"

namespace tern::gpu::conformance {

// The error names what is wrong, and is not the whole output of a driver.
inline void RunBadProgram(Device& device) {
  Signature signature;
  signature.buffers = {{"dst", Element::kFloat32, true}};
  auto pipeline = device.Compile(Program(device, signature, "  no_such_name = 1;\n"));
  ASSERT_FALSE(pipeline.ok());
  const std::string text(pipeline.status().message());
  EXPECT_NE(text.find("no_such_name"), std::string::npos) << text;
  EXPECT_LT(text.size(), 20000u);
  EXPECT_TRUE(device.Compile(ScaleProgram(device)).ok()) << "the device stays usable";
}

// Threads that want the same text wait for one build.
inline void RunProgramCache(Device& device) {
  ProgramCache programs(&device);
  std::vector<std::thread> threads;
  std::vector<std::shared_ptr<Pipeline>> built(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      auto pipeline = programs.Get(i % 2 == 0 ? ScaleProgram(device) : IdsProgram(device));
      if (pipeline.ok()) built[i] = *pipeline;
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_NE(built[0], nullptr);
  ASSERT_NE(built[1], nullptr);
  EXPECT_EQ(built[0], built[2]);
  EXPECT_EQ(built[1], built[3]);
  EXPECT_NE(built[0], built[1]);
  EXPECT_EQ(programs.builds(), 2);
  Signature none;
  EXPECT_FALSE(programs.Get(Program(device, none, "  no_such_name = 1;\n")).ok());
  EXPECT_EQ(programs.builds(), 2);
}

}  // namespace tern::gpu::conformance

#endif  // TERN_GPU_BACKENDS_CONFORMANCE_PIPELINES_CASES_H_
