// SPDX-License-Identifier: Apache-2.0
// Models with states, run three times with other inputs on the CPU and on GPU engines.
#ifndef TERN_OPS_TESTING_THREE_RUNS_H_
#define TERN_OPS_TESTING_THREE_RUNS_H_

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/model_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {

// All outputs of each of three runs; the inputs are other ones each time. Empty when the engine
// does not take the graph.
inline std::vector<float> RunThrice(const std::vector<uint8_t>& bytes, const Engine& engine) {
  ModelRunner runner(bytes, engine);
  std::vector<float> results;
  for (uint64_t run = 0; run < 3 && runner.error().empty(); ++run) {
    std::vector<std::vector<float>> inputs;
    for (size_t i = 0; i < runner.inputs(); ++i) {
      inputs.push_back(
          Random(10 * run + i).Floats(static_cast<int64_t>(runner.Elements(i)), -2, 2));
    }
    for (const Values& output : runner.Continue(inputs)) {
      const std::vector<float> values = output.floats();
      results.insert(results.end(), values.begin(), values.end());
    }
  }
  EXPECT_EQ(runner.error(), "") << engine.name;
  return results;
}

inline void CheckThriceOn(const Engine& engine, const std::vector<uint8_t>& bytes,
                          const std::vector<float>& want, int terms) {
  SCOPED_TRACE(engine.name);
  const std::vector<float> got = RunThrice(bytes, engine);
  ASSERT_EQ(got.size(), want.size());
  // Of sums whose terms' factors are rounded.
  const float step = 4 * std::sqrt(static_cast<float>(terms)) * (engine.half ? 0x1p-12f : 0x1p-23f);
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], want[i], step * (1 + std::fabs(want[i]))) << i;
  }
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_THREE_RUNS_H_
