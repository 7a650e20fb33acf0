// SPDX-License-Identifier: Apache-2.0
// One decision per node, with what crosses and what it costs; and the same before a run as without
// one.
#include "delegate/explain.h"

#include "delegate/testing/delegate_test.h"
#include "delegate/testing/reason_models.h"
#include "tensorflow/lite/delegates/gpu/decisions.h"

namespace tern::delegate {
namespace {

using nlohmann::json;

constexpr int64_t kBytes = 1 * 4 * 4 * 8 * 4;  // of each tensor of SplitModel

// Returns the report of a delegate after it was applied.
json Reported(const Delegate& delegate, const std::vector<uint8_t>& model) {
  Session session(model);
  if (session.interpreter == nullptr) return session.errors.text;
  const TfLiteStatus status = session->ModifyGraphWithDelegate(delegate.get());
  const json report = ReportOf(delegate);
  return {
      {"status", status}, {"decisions", report["decisions"]}, {"crossings", report["crossings"]}};
}

TEST(Explain, TellsOfACutOnBothOfItsSides) {
  const Delegate delegate = PluginDelegate({{"tern_backend", "null:gles-min"},
                                            {"tern_plan_only", "1"},
                                            {"max_delegated_partitions", "8"}});
  const json reported = Reported(delegate, SplitModel());
  ASSERT_THAT(reported["decisions"], SizeIs(4)) << reported;
  const json& relu = reported["decisions"][0];
  EXPECT_EQ(relu["op"], "RELU");
  EXPECT_EQ(relu["decision"], "gpu");
  EXPECT_EQ(relu["subgraph"], 0);
  EXPECT_EQ(relu["version"], 1);
  EXPECT_EQ(relu["bytes_crossing"], kBytes);
  EXPECT_EQ(relu["multiply_adds"], 128);
  EXPECT_EQ(relu["bytes"], 2 * kBytes);
  const json& other = reported["decisions"][1];
  EXPECT_EQ(other["op"], "OnlyOnCpu");
  EXPECT_EQ(other["decision"], "cpu");
  EXPECT_EQ(other["code"], "no-gpu-form");
  EXPECT_EQ(other["reason"], "this operation has no GPU form");
  EXPECT_EQ(other["bytes_crossing"], 2 * kBytes);
  EXPECT_FALSE(other.contains("partition"));
  EXPECT_EQ(reported["decisions"][2]["bytes_crossing"], kBytes);
  EXPECT_EQ(reported["decisions"][2]["partition"], 0);
  EXPECT_EQ(reported["decisions"][3]["decision"], "folded");
  EXPECT_EQ(reported["decisions"][3]["bytes_crossing"], 0);
  int cuts = 0;
  for (const json& crossing : reported["crossings"]) {
    EXPECT_EQ(crossing["bytes"], kBytes);
    if (!crossing["cut"]) continue;
    ++cuts;
    const bool to_gpu = crossing["to"] == "gpu";
    EXPECT_EQ(crossing["writer"], to_gpu ? 1 : 0);
    EXPECT_EQ(crossing["readers"], json::array({to_gpu ? 2 : 1}));
  }
  EXPECT_EQ(cuts, 2);
  EXPECT_THAT(reported["crossings"], SizeIs(4));
}

TEST(Explain, APartThatWasNotTakenSaysSo) {
  const Delegate delegate =
      PluginDelegate({{"tern_backend", "null:gles-min"}, {"tern_plan_only", "1"}});
  const json reported = Reported(delegate, SplitModel());
  const json& relu = reported["decisions"][0];
  EXPECT_EQ(relu["code"], "partition-limit");
  EXPECT_EQ(relu["value"], 2);
  EXPECT_EQ(relu["limit"], 1);
  EXPECT_EQ(relu["reason"], "the graph has 2 parts for the GPU, and max_delegated_partitions is 1");
  EXPECT_EQ(reported["decisions"][2]["decision"], "gpu");
}

TEST(Explain, NamesTheTensorAsTheModelHasIt) {
  for (const testing::ReasonModel& model : testing::ReasonModels()) {
    if (model.reason != Reason::kQuantization && model.reason != Reason::kShape) continue;
    const Delegate delegate =
        PluginDelegate({{"tern_backend", "null:gles-min"}, {"tern_plan_only", "1"}});
    const json reported = Reported(delegate, model.bytes);
    const json& decision = reported["decisions"][0];
    ASSERT_TRUE(decision.contains("tensor")) << reported;
    EXPECT_EQ(decision["tensor"]["index"], 0);
    if (model.reason == Reason::kShape) {
      EXPECT_EQ(decision["value"], 17);
      EXPECT_EQ(decision["limit"], 16);
      EXPECT_THAT(decision["tensor"]["shape"], SizeIs(17));
    } else {
      EXPECT_EQ(decision["tensor"]["type"], "INT8");
      EXPECT_EQ(decision["tensor"]["name"], "x");
      EXPECT_EQ(decision["tensor"]["shape"], json::array({2, 4}));
    }
  }
}

// SOFTMAX of INT16: the lowering speaks of no tensor.
TEST(Explain, NamesTheOneTensorThatANodeComputesWith) {
  tern::testing::ModelBuilder b;
  const int x = b.Quantize(b.Input({4, 4}, tflite::TensorType_INT16, "x"), 1e-10f, 0);
  const int y = b.Quantize(b.Tensor({4, 4}, tflite::TensorType_INT16, "y"), 1.0f / 32768, 0);
  tflite::SoftmaxOptionsT options;
  options.beta = 1;
  b.Output(b.Op(tflite::BuiltinOperator_SOFTMAX, {x}, {y}, options));
  const Delegate delegate =
      PluginDelegate({{"tern_backend", "null:gles-min"}, {"tern_plan_only", "1"}});
  const json reported = Reported(delegate, b.Finish());
  ASSERT_THAT(reported["decisions"], SizeIs(1)) << reported;
  EXPECT_EQ(reported["decisions"][0]["code"], "quantization");
  EXPECT_EQ(reported["decisions"][0]["tensor"]["name"], "x");
}

TEST(Explain, NumbersTheGraphs) {
  for (const testing::ReasonModel& model : testing::ReasonModels()) {
    if (model.reason != Reason::kOperands) continue;  // a composite with its decomposition
    const Delegate delegate =
        PluginDelegate({{"tern_backend", "null:gles-min"}, {"tern_plan_only", "1"}});
    const json reported = Reported(delegate, model.bytes);
    ASSERT_THAT(reported["decisions"], SizeIs(2)) << reported;
    EXPECT_EQ(reported["decisions"][0]["subgraph"], 0);
    EXPECT_EQ(reported["decisions"][1]["subgraph"], 1);
    EXPECT_EQ(reported["decisions"][1]["op"], "L2_NORMALIZATION");
  }
}

TEST(Explain, PlanningOnlyChangesNothing) {
  const Delegate delegate =
      PluginDelegate({{"tern_backend", "null:gles-min"}, {"tern_plan_only", "1"}});
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
  EXPECT_THAT(session->execution_plan(), SizeIs(3));
  EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel()));
}

TEST(Explain, BeforeARunAndWithoutOneItIsTheSame) {
  const std::vector<std::string> backends = BackendsAtHand();
  if (backends.empty()) GTEST_SKIP() << "no device here";
  for (const char* partitions : {"1", "8"}) {
    for (const testing::ReasonModel& model : testing::ReasonModels()) {
      json reported[2];
      for (const int plan_only : {0, 1}) {
        testing::Pairs options = {{"tern_backend", backends.front()},
                                  {"tern_plan_only", plan_only == 1 ? "1" : "0"},
                                  {"tern_deny", model.deny},
                                  {"max_delegated_partitions", partitions}};
        if (!model.least_gain_us.empty()) {
          options.emplace_back("tern_least_gain_us", model.least_gain_us);
        }
        reported[plan_only] = Reported(PluginDelegate(options), model.bytes);
      }
      EXPECT_EQ(reported[0], reported[1]) << model.about;
    }
  }
}

TEST(Explain, TheStructsSayWhatTheReportSays) {
  const Delegate delegate =
      PluginDelegate({{"tern_backend", "null:gles-min"}, {"tern_plan_only", "1"}});
  const json reported = Reported(delegate, SplitModel());
  const TfLiteGpuNodeDecision* c = nullptr;
  // Reported()'s interpreter is gone; the decisions stay with the delegate.
  ASSERT_EQ(TfLiteGpuDelegateV2Decisions(delegate.get(), &c), reported["decisions"].size());
  const std::vector<GpuNodeDecision> all = GpuDecisions(delegate.get());
  ASSERT_THAT(all, SizeIs(4));
  for (size_t i = 0; i < all.size(); ++i) {
    const json& d = reported["decisions"][i];
    EXPECT_EQ(all[i].subgraph, d["subgraph"]);
    EXPECT_EQ(all[i].index, d["index"]);
    EXPECT_EQ(all[i].op, d["op"].get<std::string>());
    EXPECT_EQ(all[i].version, d["version"]);
    EXPECT_EQ(all[i].code, d["code"].get<std::string>());
    EXPECT_EQ(all[i].partition, d.value("partition", -1));
    EXPECT_EQ(all[i].bytes_crossing, d["bytes_crossing"]);
    EXPECT_EQ(all[i].multiply_adds, d["multiply_adds"]);
    EXPECT_EQ(all[i].bytes, d["bytes"]);
    EXPECT_EQ(all[i].value_and_limit.has_value(), d.contains("limit"));
  }
  EXPECT_EQ(all[0].value_and_limit, (std::pair<int64_t, int64_t>(2, 1)));
  EXPECT_EQ(all[0].tensor, std::nullopt);
}

TEST(Explain, AForeignDelegateHasNoDecisions) {
  TfLiteDelegate foreign{};
  const TfLiteGpuNodeDecision* c = reinterpret_cast<const TfLiteGpuNodeDecision*>(&foreign);
  EXPECT_EQ(TfLiteGpuDelegateV2Decisions(&foreign, &c), 0u);
  EXPECT_EQ(c, nullptr);
  EXPECT_EQ(TfLiteGpuDelegateV2Decisions(nullptr, nullptr), 0u);
  const Delegate unused = PluginDelegate({{"tern_backend", "null:gles-min"}});
  EXPECT_EQ(TfLiteGpuDelegateV2Decisions(unused.get(), &c), 0u);
  EXPECT_EQ(c, nullptr);
  EXPECT_THAT(GpuDecisions(unused.get()), IsEmpty());
}

}  // namespace
}  // namespace tern::delegate
