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
  const auto get = [&](const ProgramSource& source) {
    const PreparedProgram program = {TextHash(source), source, {}};
    return programs.GetAll({&program, 1}).front().pipeline;
  };
  std::vector<std::thread> threads;
  std::vector<std::shared_ptr<Pipeline>> built(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      auto pipeline = get(i % 2 == 0 ? ScaleProgram(device) : IdsProgram(device));
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
  EXPECT_FALSE(get(Program(device, none, "  no_such_name = 1;\n")).ok());
  EXPECT_EQ(programs.builds(), 2);
  built[1] = built[3] = nullptr;
  programs.DropUnused();
  EXPECT_TRUE(get(ScaleProgram(device)).ok());
  EXPECT_EQ(programs.builds(), 2);
  EXPECT_TRUE(get(IdsProgram(device)).ok());
  EXPECT_EQ(programs.builds(), 3);
}

// Numbers that a launch of ScaleProgram makes.
inline std::vector<float> Scaled(Device& device, const std::shared_ptr<Pipeline>& pipeline) {
  constexpr int kCount = 100;
  const BufferRange a = NewRange(device, kCount * 4), b = NewRange(device, kCount * 4);
  Fill(device, a, 2.0f);
  Fill(device, b, 0.0f);
  auto commands = device.Record(
      {{"scale", pipeline, {a, b}, ScaleWords(kCount, 3.0f, 1), {kCount, 1, 1}, {8, 1, 1}}});
  EXPECT_TRUE(commands.ok()) << commands.status();
  if (!commands.ok()) return {};
  EXPECT_TRUE(device.Submit(**commands).ok());
  EXPECT_TRUE(device.Wait().ok());
  return Floats(device, b);
}

// A program that is loaded from its binary, without its text, computes the same.
inline void RunBinaries(Device& device) {
  const ProgramSource source = ScaleProgram(device);
  auto built = device.Compile(source);
  ASSERT_TRUE(built.ok()) << built.status();
  const std::vector<float> wanted(100, 7.0f);
  ASSERT_EQ(Scaled(device, *built), wanted);
  const auto binary = (*built)->Binary();
  if (!binary.ok()) {
    EXPECT_EQ(binary.status().code(), absl::StatusCode::kUnimplemented) << binary.status();
    GTEST_SKIP() << binary.status();
  }
  ASSERT_NE(binary->bytes, nullptr);
  EXPECT_FALSE(binary->bytes->empty());
  built->reset();
  ProgramSource without_text = source;
  without_text.text.clear();
  auto loaded = device.Load(without_text, *binary);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(Scaled(device, *loaded), wanted);
  // A loaded program gives its binary, too.
  const auto again = (*loaded)->Binary();
  ASSERT_TRUE(again.ok()) << again.status();
  loaded = device.Load(without_text, *again);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(Scaled(device, *loaded), wanted);
}

// Programs of one call, one of which no driver takes: the others work, also from their binaries.
inline void RunProgramsAtOnce(Device& device) {
  Signature none;
  const std::vector<ProgramSource> bad = {ScaleProgram(device), IdsProgram(device),
                                          Program(device, none, "  no_such_name = 1;\n")};
  const Device::Pipelines two = device.CompileAll(bad);
  ASSERT_EQ(two.size(), 3u);
  ASSERT_TRUE(two[0].ok() && two[1].ok()) << two[0].status() << two[1].status();
  EXPECT_TRUE(Contains(two[2].status(), "no_such_name")) << two[2].status();
  const std::vector<float> wanted(100, 7.0f);
  EXPECT_EQ(Scaled(device, *two[0]), wanted);

  const std::vector<ProgramSource> good(bad.begin(), bad.begin() + 2);
  const Device::Pipelines built = device.CompileAll(good);
  ASSERT_TRUE(built[0].ok() && built[1].ok()) << built[0].status() << built[1].status();
  EXPECT_EQ(Scaled(device, *built[0]), wanted);
  std::vector<ProgramBinary> binaries;
  for (const auto& pipeline : built) {
    const auto binary = (*pipeline)->Binary();
    if (!binary.ok()) GTEST_SKIP() << binary.status();
    binaries.push_back(*binary);
  }
  const Device::Pipelines loaded = device.LoadAll(good, binaries);
  ASSERT_TRUE(loaded[0].ok() && loaded[1].ok()) << loaded[0].status() << loaded[1].status();
  EXPECT_EQ(Scaled(device, *loaded[0]), wanted);
  // Each is the program that it was.
  auto other = device.Load(good[0], binaries[1]);
  if (other.ok()) {
    EXPECT_EQ(device.info().api, "gles");  // does not tell what a program takes
  }
}

// Bytes that no driver made give an error, after which the device works.
inline void RunForeignBinaries(Device& device) {
  const ProgramSource source = ScaleProgram(device);
  const auto nothing = std::make_shared<std::vector<uint8_t>>();
  const auto noise = std::make_shared<std::vector<uint8_t>>(1000, uint8_t{0xA5});
  for (const ProgramBinary& binary :
       {ProgramBinary(), ProgramBinary{0, 0, nothing}, ProgramBinary{0, 0, noise},
        ProgramBinary{0x875F, 1, noise}}) {
    EXPECT_FALSE(device.Load(source, binary).ok()) << binary.format;
  }
  auto built = device.Compile(source);
  ASSERT_TRUE(built.ok()) << built.status();
  EXPECT_EQ(Scaled(device, *built), std::vector<float>(100, 7.0f));
}

}  // namespace tern::gpu::conformance

#endif  // TERN_GPU_BACKENDS_CONFORMANCE_PIPELINES_CASES_H_
