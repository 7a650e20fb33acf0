// SPDX-License-Identifier: Apache-2.0
// The result file, byte by byte.
#include "benchmark_model/result.h"

#include <gtest/gtest.h>

#include "api/profiling/proto_message.h"

namespace tern::tools {
namespace {

TEST(BenchmarkResultTest, HasTheFieldsOfTheMessage) {
  BenchmarkResult result;
  result.name = "mine";
  result.init_us = 7000;
  for (const int us : {4000, 6000}) result.warmup_us.Add(us);
  for (const int us : {1000, 3000}) result.us.Add(us);
  result.init_kb = 10;
  result.overall_kb = -20;
  result.peak_mb = 1.5f;
  result.model_mb = 2.5;
  result.input_bytes = 1 << 20;

  ProtoMessage latency, memory, other, want;
  float values[] = {2, 1, 3, 1, 0, 0, 0, 7, 4, 5};
  values[4] = static_cast<float>(result.us.Percentile(50)) / 1000;
  values[5] = static_cast<float>(result.us.Percentile(5)) / 1000;
  values[6] = static_cast<float>(result.us.Percentile(95)) / 1000;
  for (int i = 0; i < 10; ++i) latency.AddFloat(i + 1, values[i]);
  memory.AddInt(1, 10);
  memory.AddInt(2, -20);
  memory.AddFloat(3, 1.5f);
  other.AddFloat(1, 2.5f);
  other.AddInt(2, 2);
  other.AddInt(3, 2);
  other.AddFloat(4, 500);  // two MiB in four milliseconds
  want.AddBytes(1, "mine");
  want.AddMessage(2, latency);
  want.AddMessage(3, memory);
  want.AddMessage(4, other);
  EXPECT_EQ(ResultMessage(result), want.bytes());
}

TEST(BenchmarkResultTest, LeavesOutWhatWasNotMeasured) {
  ProtoMessage latency, memory, other, want;
  latency.AddFloat(8, 0);
  memory.AddInt(1, 0);
  memory.AddInt(2, 0);
  other.AddFloat(1, 0);
  other.AddInt(2, 0);
  other.AddInt(3, 0);
  want.AddBytes(1, "");
  want.AddMessage(2, latency);
  want.AddMessage(3, memory);
  want.AddMessage(4, other);
  EXPECT_EQ(ResultMessage(BenchmarkResult()), want.bytes());
}

}  // namespace
}  // namespace tern::tools
