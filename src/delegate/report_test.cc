// SPDX-License-Identifier: Apache-2.0
// The report is JSON whatever names a model carries.
#include "delegate/report.h"

#include <gtest/gtest.h>

#include "nlohmann/json.hpp"

namespace tern::delegate {
namespace {

TEST(ReportTest, SumsGraphsAndListsRefusals) {
  AppliedGraph first;
  first.nodes = 3;
  first.delegated = 2;
  first.partitions = 1;
  const int programs[3] = {};
  first.programs = {&programs[0], &programs[1]};
  first.gpu_bytes = int64_t{5} << 32;
  first.refused = {{7, 32, "Odd\"Op", "tensor 'a\\b\n\t\x01' has type INT8"}};
  AppliedGraph second;
  second.nodes = 10;
  second.delegated = 10;
  second.partitions = 2;
  second.programs = {&programs[1], &programs[2]};
  second.dispatches = 6;
  second.arena_bytes = 100;
  const std::string text = ReportJson(
      {"host", "host: first choice", "a \"device\"", "driver", "f16", 8}, {first, second});
  const nlohmann::json report = nlohmann::json::parse(text, nullptr, false);
  ASSERT_TRUE(report.is_object()) << text;
  EXPECT_EQ(report["engine"], "host");
  EXPECT_EQ(report["choice"], "host: first choice");
  EXPECT_EQ(report["device"], "a \"device\"");
  EXPECT_EQ(report["precision"], "f16");
  EXPECT_EQ(report["slice_width"], 8);
  EXPECT_EQ(report["nodes"], 13);
  EXPECT_EQ(report["delegated"], 12);
  EXPECT_EQ(report["partitions"], 3);
  EXPECT_EQ(report["programs"], 3);
  EXPECT_EQ(report["dispatches"], 6);
  EXPECT_EQ(report["gpu_bytes"], int64_t{5} << 32);
  EXPECT_EQ(report["arena_bytes"], 100);
  ASSERT_EQ(report["refused"].size(), 1u);
  EXPECT_EQ(report["refused"][0]["node"], 7);
  EXPECT_EQ(report["refused"][0]["op"], "Odd\"Op");
  EXPECT_EQ(report["refused"][0]["reason"], "tensor 'a\\b\n\t\x01' has type INT8");
}

TEST(ReportTest, TimesAreSummedByPhase) {
  AppliedGraph first, second;
  first.init = {{Phase::kRead, 0, 3000}, {Phase::kCompile, 5000, 2000000}};
  first.init_nanos = 2500000;
  second.init = {{Phase::kRead, 9000000, 4000}};
  second.init_nanos = 5000;
  const nlohmann::json report =
      nlohmann::json::parse(ReportJson({}, {first, second}, {7000, false, {}}));
  const nlohmann::json& init = report["init"];
  EXPECT_EQ(init.size(), kStartPhases + 2);
  EXPECT_EQ(init["read_us"], 7);
  EXPECT_EQ(init["compile_us"], 2000);
  EXPECT_EQ(init["upload_us"], 0);
  EXPECT_EQ(init["total_us"], 2505);
  EXPECT_EQ(init["first_run_us"], 7);
  EXPECT_FALSE(report.contains("trace"));
  const nlohmann::json traced = nlohmann::json::parse(ReportJson(
      {}, {first, second},
      {7000, true, {{{Phase::kWait, 20000000, 8}}, {{"a \"b\"", "softmax", 20000001, 6}}}}));
  EXPECT_EQ(traced["trace"]["init"].size(), 3u);
  EXPECT_EQ(traced["trace"]["init"][1],
            nlohmann::json({{"name", "compile"}, {"start_ns", 5000}, {"ns", 2000000}}));
  EXPECT_EQ(traced["trace"]["runs"],
            nlohmann::json::array({{{"name", "wait"}, {"start_ns", 20000000}, {"ns", 8}}}));
  EXPECT_EQ(traced["trace"]["launches"],
            nlohmann::json::array(
                {{{"name", "a \"b\""}, {"kernel", "softmax"}, {"start_ns", 20000001}, {"ns", 6}}}));
}

TEST(ReportTest, AnEmptyReportParses) { EXPECT_TRUE(nlohmann::json::accept(ReportJson({}, {}))); }

TEST(ReportTest, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(JsonText("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x90\xA6"),
            "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x90\xA6");
  EXPECT_EQ(JsonText("a\xFFz\xC3"), "a?z?");
  EXPECT_EQ(JsonText("\xC0\x80"), "??");            // overlong
  EXPECT_EQ(JsonText("\xED\xA0\x80"), "???");       // surrogate
  EXPECT_EQ(JsonText("\xF5\x80\x80\x80"), "????");  // beyond the last code point
}

}  // namespace
}  // namespace tern::delegate
