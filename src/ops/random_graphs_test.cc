// SPDX-License-Identifier: Apache-2.0
// Random graphs on the GPU engines against the reference, and with fusion against without.
// All run on the CPU; drivers take long to build so many programs, so some also run on one GPU
// engine each. TERN_RANDOM_GRAPHS=COUNT and TERN_RANDOM_SEED=FIRST choose how many and which,
// TERN_RANDOM_GPU=N that every N-th goes to the GPU, TERN_ONLY_ENGINE where. A failing graph is
// made small and written to random_SEED.tflite in the current folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "ops/testing/random_graph.h"
#include "ops/testing/shrink.h"

namespace tern::testing {
namespace {

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// What is wrong with the graph on an engine; empty when nothing is.
std::string Deviation(const ModelCase& c, const Engine& engine) {
  const std::vector<RefTensor> want = Evaluate(c, engine.half);
  if (want.empty()) return "the reference lacks an op";
  const RunResult got = RunModelCase(c, engine);
  if (!got.error.empty()) return got.error;
  if (got.outputs.size() != want.size()) return "another number of outputs";
  for (size_t o = 0; o < want.size(); ++o) {
    const std::string where = FirstDeviation(got.outputs[o], want[o]);
    if (!where.empty()) return StrCat("output ", o, ", ", where);
  }
  if (engine.half || !engine.on_gpu()) return "";
  // Fusion saves memory traffic and changes no number, as long as memory holds floats.
  Engine plain = engine;
  plain.fuse = false;
  const RunResult apart = RunModelCase(c, plain);
  if (!apart.error.empty()) return StrCat("without fusion: ", apart.error);
  for (size_t o = 0; o < want.size(); ++o) {
    if (apart.outputs[o].bytes != got.outputs[o].bytes)
      return StrCat("output ", o, " differs without fusion");
  }
  return "";
}

void CheckGraph(uint64_t seed, const Engine& engine) {
  const ModelCase c = MakeRandomGraph(seed);
  const std::string what = Deviation(c, engine);
  if (what.empty()) return;
  const ModelCase small =
      Shrink(c, [&](const ModelCase& part) { return !Deviation(part, engine).empty(); });
  const std::string file = StrCat("random_", seed, ".tflite");
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(small.bytes.data()),
             static_cast<std::streamsize>(small.bytes.size()));
  ADD_FAILURE() << "seed " << seed << " on " << engine.name << ": " << what << "\n"
                << file << ": " << Deviation(small, engine);
}

TEST(RandomGraphs, AgreeWithTheReference) {
  if (DriverEngines().empty()) GTEST_SKIP() << "no GPU driver here";
  const uint64_t first = FromEnvironment("TERN_RANDOM_SEED", 1);
  const uint64_t count = FromEnvironment("TERN_RANDOM_GRAPHS", 200);
  const uint64_t every = std::max<uint64_t>(FromEnvironment("TERN_RANDOM_GPU", 10), 1);
  std::printf("graphs %llu to %llu\n", static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(first + count - 1));
  for (uint64_t seed = first; seed < first + count; ++seed) {
    CheckGraph(seed, CpuEngines()[0]);
    CheckSmallestDevice(MakeRandomGraph(seed), seed % 2 == 0);
    if (seed % every != 0) continue;
    // One engine each, in turn: many graphs find more than many engines.
    CheckGraph(seed, DriverEngines()[seed / every % DriverEngines().size()]);
  }
}

}  // namespace
}  // namespace tern::testing
