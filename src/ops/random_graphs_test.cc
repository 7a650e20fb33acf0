// SPDX-License-Identifier: Apache-2.0
// Random graphs against the reference on the CPU and on every GPU engine, and there with fusion
// against without. TERN_RANDOM_GRAPHS=COUNT and TERN_RANDOM_SEED=FIRST choose how many and which,
// TERN_ONLY_ENGINE where; without a count, each backend gets the first few seeds. A failing graph
// is made small and written to random_SEED.tflite in the current folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/backends/backend_list.h"
#include "ops/testing/random_graph.h"
#include "ops/testing/reference_elementwise.h"
#include "ops/testing/seeds.h"
#include "ops/testing/shrink.h"

namespace tern::testing {
namespace {

constexpr uint64_t kSeeds = 200;
// Some drivers take a second for the programs of one graph.
constexpr uint64_t kSeedsOfABackend = 20;
constexpr uint64_t kSeedsOfVulkan = 6;  // its drivers are given the text of OpenGL ES
// An engine gets graphs in a row, which share programs.
constexpr uint64_t kGraphsPerTurn = 10;

// Returns the first deviation of a result; empty when there is none.
std::string Deviation(const RunResult& got, const std::vector<RefTensor>& want) {
  if (!got.error.empty()) return got.error;
  if (got.outputs.size() != want.size()) return "another number of outputs";
  for (size_t o = 0; o < want.size(); ++o) {
    const std::string where = FirstDeviation(got.outputs[o], want[o]);
    if (!where.empty()) return StrCat("output ", o, ", ", where);
  }
  return "";
}

// Compilers of real GPUs may make one rounding of a product and the sum behind it (OpenCL C and
// GLSL allow it) and see other pairs of these in a fused program: one graph of 400 differed in the
// last bit on an H200. Mesa's rasterizer and drivers of processors give the same bits.
bool RoundsTheSame(const Engine& engine) {
  const auto device = gpu::OpenDevice(engine.backend);
  if (!device.ok()) return true;
  const gpu::DeviceInfo& info = device->device->info();
  return info.device_class == gpu::DeviceClass::kCpu ||
         info.name.find("llvmpipe") != std::string::npos;
}

// Where two results differ, by their bits or by more than some roundings; empty where they do not.
std::string Difference(const RunResult& fused, const RunResult& apart, bool bits) {
  for (size_t o = 0; o < fused.outputs.size(); ++o) {
    const std::vector<uint8_t>&a = fused.outputs[o].bytes, &b = apart.outputs[o].bytes;
    if (a == b) continue;
    const std::vector<double> x = fused.outputs[o].numbers(), y = apart.outputs[o].numbers();
    const auto byte = std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
    size_t i = static_cast<size_t>(byte) / (a.size() / x.size());
    constexpr double kRoundings = 1e-5;
    const auto differs = [&](size_t n) {
      if (x[n] == y[n] || (std::isnan(x[n]) && std::isnan(y[n]))) return false;
      return !(std::fabs(x[n] - y[n]) <= kRoundings * std::max(1.0, std::fabs(y[n])));
    };
    while (!bits && i < x.size() && !differs(i)) ++i;
    if (i == x.size()) continue;
    return StrCat("output ", o, ", element ", i, ": ", x[i], ", without fusion ", y[i]);
  }
  return "";
}

// Runs the graph on an engine. Returns the first deviation; empty when there is none.
std::string Deviation(const ModelCase& c, const Engine& engine) {
  const std::vector<RefTensor> want = Evaluate(c, engine.half);
  if (want.empty()) return "the reference lacks an op";
  const RunResult got = RunModelCase(c, engine);
  std::string wrong = Deviation(got, want);
  if (!wrong.empty() || engine.half || !engine.on_gpu()) return wrong;
  // Fusion saves memory traffic and computes the same, as long as memory holds floats.
  Engine plain = engine;
  plain.fuse = false;
  const RunResult apart = RunModelCase(c, plain);
  wrong = Deviation(apart, want);
  if (!wrong.empty()) return StrCat("without fusion: ", wrong);
  return Difference(got, apart, RoundsTheSame(engine));
}

void CheckGraph(uint64_t seed, const Engine& engine) {
  const ModelCase c = MakeRandomGraph(seed);
  const std::string what = Deviation(c, engine);
  if (what.empty()) return;
  const ModelCase small =
      Shrink(c, [&](const ModelCase& part) { return !Deviation(part, engine).empty(); });
  const std::string file = WriteCase(StrCat("random_", seed), small);
  ADD_FAILURE() << "seed " << seed << " on " << engine.name << ": " << what << "\n"
                << file << ": " << Deviation(small, engine);
}

// An angle that may be any makes a sine that may be any, though both ends of it have the same sine.
TEST(Reference, ASineOverAPeriodHasNoNarrowBound) {
  RefTensor angle({1}), sine({1});
  angle.value = {0.4};
  angle.error = {2 * M_PI};
  ApplyRefFunction(*FindRefFunction(tflite::BuiltinOperator_SIN), angle, Rounding::F16(), sine);
  EXPECT_EQ(sine.error[0], 2);
  angle.error = {1e-3};
  ApplyRefFunction(*FindRefFunction(tflite::BuiltinOperator_SIN), angle, Rounding::F16(), sine);
  EXPECT_LT(sine.error[0], 2e-3);
}

void CheckOn(const std::vector<Engine>& engines, uint64_t seeds = kSeedsOfABackend) {
  if (engines.empty()) GTEST_SKIP() << "no such engine here";
  ForEachSeed(seeds, [&](uint64_t seed) {
    CheckGraph(seed, engines[seed / kGraphsPerTurn % engines.size()]);
  });
}

TEST(RandomGraphs, OnTheCpu) {
  ForEachSeed(kSeeds,
              [](uint64_t seed) { CheckGraph(seed, CpuEngines()[seed % CpuEngines().size()]); });
}

TEST(RandomGraphs, FitTheSmallestDevice) {
  ForEachSeed(kSeeds,
              [](uint64_t seed) { CheckSmallestDevice(MakeRandomGraph(seed), seed % 2 == 0); });
}

TEST(RandomGraphs, OnTheHost) { CheckOn(HostEngines()); }

TEST(RandomGraphs, OnOpenCl) { CheckOn(GpuEngines("opencl", {4, 16})); }

TEST(RandomGraphs, OnOpenGlEs) { CheckOn(GpuEngines("gles:min", {4})); }

TEST(RandomGraphs, OnVulkan) { CheckOn(GpuEngines("vulkan:min", {4}), kSeedsOfVulkan); }

}  // namespace
}  // namespace tern::testing
