// SPDX-License-Identifier: Apache-2.0
// Reports of the delegate are read, and nothing of them is lost in the file.
#include "cli/reports/report.h"

#include <gtest/gtest.h>

#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using nlohmann::json;

constexpr char kReported[] = R"({"device": "D", "precision": "f16", "nodes": 4, "delegated": 2,
    "partitions": 1, "programs": 7, "plans": ["p"], "new_field": [1],
    "refused": [{"node": 1, "op": "ADD", "reason": "too large"},
                {"node": 3, "op": "SUB", "reason": "no memory", "failed": true}]})";

TEST(ReportTest, ReadsTheDelegatesReport) {
  Report report;
  report.choice = "opencl: asked for";
  ReadDelegateReport(kReported, &report);
  EXPECT_EQ(report.device, "D");
  EXPECT_EQ(report.choice, "opencl: asked for");
  EXPECT_EQ(report.delegated, 2);
  EXPECT_EQ(report.plans, std::vector<std::string>{"p"});
  EXPECT_TRUE(report.kernels.empty());
  ASSERT_EQ(report.refused.size(), 2u);
  EXPECT_EQ(report.refused[0].Text(), "ADD #1: too large");
  EXPECT_EQ(report.FirstFailed(), &report.refused[1]);
}

TEST(ReportTest, TextThatIsNoReportChangesNothing) {
  Report report;
  report.nodes = 5;
  ReadDelegateReport("{", &report);
  ReadDelegateReport("[1]", &report);
  EXPECT_EQ(report.nodes, 5);
  EXPECT_TRUE(report.delegate.empty());
  EXPECT_EQ(report.FirstFailed(), nullptr);
}

TEST(ReportTest, TheFileHoldsFiguresAndTheWholeReport) {
  Report report;
  report.engine = "opencl";
  ReadDelegateReport(kReported, &report);
  Figures figures;
  figures.min_ms = 1.5;
  figures.arena_bytes = 64;
  figures.arena_lower_bound = 60;
  const json text = json::parse(ReportText(report, figures));
  EXPECT_EQ(text["engine"], "opencl");
  EXPECT_EQ(text["min_ms"], 1.5);
  EXPECT_EQ(text["arena_bytes"], 64);
  EXPECT_EQ(text["arena_lower_bound"], 60);
  EXPECT_EQ(text["programs"], 7);
  EXPECT_EQ(text["new_field"], json::array({1}));
  EXPECT_EQ(text["refused"][1]["failed"], true);
  EXPECT_FALSE(text.contains("not_applied"));
  EXPECT_EQ(json::parse(ReportText({}, {}))["refused"], json::array());
}

TEST(ReportTest, TheSummaryTellsWhereTheModelRuns) {
  Report report;
  report.engine = "cpu";
  report.device = "A processor";
  report.precision = "f32";
  report.nodes = 31;
  EXPECT_EQ(SummaryLine(report), "cpu on A processor: 31 nodes");
  report.choice = "cpu: no usable GPU";
  EXPECT_EQ(SummaryLine(report),
            "cpu on A processor: 31 nodes; no GPU engine here, `tern devices` tells why");
  report.engine = "opencl";
  report.delegated = 31;
  report.partitions = 1;
  EXPECT_EQ(SummaryLine(report), "opencl on A processor, f32: 31 of 31 nodes on the GPU in 1 part");
  report.delegated = 30;
  report.partitions = 2;
  EXPECT_EQ(
      SummaryLine(report),
      "opencl on A processor, f32: 30 of 31 nodes on the GPU in 2 parts; tern explain tells of "
      "the others");
}

}  // namespace
}  // namespace tern::cli
