// SPDX-License-Identifier: Apache-2.0
// Traces: events become spans with names and times, one inside the other.
#include "cli/reports/trace.h"

#include <gtest/gtest.h>

#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using nlohmann::json;
using Type = tflite::Profiler::EventType;

// Returns the spans that are shown, without the lines that name process and thread.
std::vector<json> Spans(const Trace& trace) {
  std::vector<json> spans;
  const json text = json::parse(trace.Text());
  for (const json& event : text["traceEvents"]) {
    if (event["ph"] == "X") spans.push_back(event);
  }
  return spans;
}

TEST(TraceTest, EventsOfTheProfilerLieInsideEachOther) {
  int64_t now = 5000;
  Trace trace([&now] { return now += 1000; });
  const uint32_t run = trace.BeginEvent("Invoke", Type::DEFAULT, 0, 0);
  const uint32_t node = trace.BeginEvent("CONV_2D", Type::OPERATOR_INVOKE_EVENT, 7, 1);
  trace.EndEvent(run);  // not the innermost one: left alone
  trace.EndEvent(node);
  trace.EndEvent(run);
  const std::vector<json> spans = Spans(trace);
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0]["name"], "Invoke");
  EXPECT_EQ(spans[0]["cat"], "runtime");
  EXPECT_EQ(spans[0]["ts"], 0.0);
  EXPECT_EQ(spans[0]["dur"], 3.0);
  EXPECT_EQ(spans[1]["name"], "CONV_2D");
  EXPECT_EQ(spans[1]["cat"], "node");
  EXPECT_EQ(spans[1]["ts"], 1.0);
  EXPECT_EQ(spans[1]["dur"], 1.0);
  EXPECT_EQ(spans[1]["args"], json({{"node", 7}, {"subgraph", 1}}));
}

TEST(TraceTest, TakesWhatTheDelegateTells) {
  Trace trace;
  trace.AddReport("");
  trace.AddReport("{\"engine\": \"x\"}");
  trace.Add({"load", "start", 1000, 500});
  trace.AddReport(R"({"trace": {"init": [{"name": "compile", "start_ns": 4000, "ns": 250}],
                      "runs": [{"name": "wait", "start_ns": 9000, "ns": 2}],
                      "launches": [{"name": "CONV_2D #0", "start_ns": 9001, "ns": 1}]}})");
  const std::vector<json> spans = Spans(trace);
  ASSERT_EQ(spans.size(), 4u);
  EXPECT_EQ(spans[0]["name"], "load");
  EXPECT_EQ(spans[1]["name"], "compile");
  EXPECT_EQ(spans[1]["cat"], "start");
  EXPECT_EQ(spans[1]["ts"], 3.0);
  EXPECT_EQ(spans[1]["dur"], 0.25);
  EXPECT_EQ(spans[2]["cat"], "delegate");
  EXPECT_EQ(spans[2]["tid"], spans[1]["tid"]);
  EXPECT_EQ(spans[3]["name"], "CONV_2D #0");
  EXPECT_EQ(spans[3]["cat"], "launch");
  EXPECT_NE(spans[3]["tid"], spans[2]["tid"]);
}

TEST(TraceTest, AnEmptyTraceParsesAndNamesMayBeAnyBytes) {
  Trace trace;
  EXPECT_TRUE(json::parse(trace.Text())["traceEvents"].is_array());
  trace.Add({"\xFF\"\n", "start", 0, 0});
  EXPECT_EQ(Spans(trace).size(), 1u);
}

}  // namespace
}  // namespace tern::cli
