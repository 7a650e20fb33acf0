// SPDX-License-Identifier: Apache-2.0
// Random graphs on the GPU engines against the reference, and with fusion against without.
// TERN_RANDOM_GRAPHS=COUNT and TERN_RANDOM_SEED=FIRST choose how many and which.
#include <gtest/gtest.h>

#include <cstdlib>

#include "ops/testing/random_graph.h"

namespace tern::testing {
namespace {

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Fusion saves memory traffic and changes no number, as long as memory holds floats.
void CheckFusion(const ModelCase& c, Engine engine) {
  SCOPED_TRACE(StrCat(c.name, " on ", engine.name, " without fusion"));
  const RunResult fused = RunModelCase(c, engine);
  engine.fuse = false;
  const RunResult plain = RunModelCase(c, engine);
  ASSERT_EQ(plain.error, "");
  ASSERT_EQ(fused.outputs.size(), plain.outputs.size());
  for (size_t o = 0; o < plain.outputs.size(); ++o) {
    EXPECT_TRUE(fused.outputs[o].bytes == plain.outputs[o].bytes) << "output " << o;
  }
}

TEST(RandomGraphs, AgreeWithTheReference) {
  if (DriverEngines().empty()) GTEST_SKIP() << "no GPU driver here";
  const uint64_t first = FromEnvironment("TERN_RANDOM_SEED", 1);
  const uint64_t count = FromEnvironment("TERN_RANDOM_GRAPHS", 30);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const ModelCase c = MakeRandomGraph(seed);
    const std::vector<RefTensor> f32 = Evaluate(c, false), f16 = Evaluate(c, true);
    ASSERT_FALSE(f32.empty());
    CheckModelOn(c, f32, CpuEngines()[0]);
    CheckSmallestDevice(c, seed % 2 == 1);
    // One engine each, in turn: many graphs find more than many engines.
    const Engine& engine = DriverEngines()[seed % DriverEngines().size()];
    CheckModelOn(c, engine.half ? f16 : f32, engine);
    if (!engine.half) CheckFusion(c, engine);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tern::testing
