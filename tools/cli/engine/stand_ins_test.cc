// SPDX-License-Identifier: Apache-2.0
// Models that this program cannot run, explained all the same.
#include "cli/engine/stand_ins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/engine/engine.h"
#include "model/testing/model_builder.h"
#include "nlohmann/json.hpp"

namespace tern::cli {
namespace {

using nlohmann::json;
using tern::testing::ModelBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

EngineOptions Explaining() {
  EngineOptions options;
  options.engine = "null:gles-min";
  options.plan_only = true;
  options.list = true;
  options.allow_fallback = true;
  options.stand_ins = true;
  return options;
}

struct Reported {
  Report report;
  json decisions;  // by node of the primary subgraph

  std::string Code(int node) const { return decisions[static_cast<size_t>(node)]["code"]; }
  bool OnGpu(int node) const { return decisions[static_cast<size_t>(node)]["decision"] != "cpu"; }
};

Reported Explain(const ModelBuilder& model) {
  Reported reported;
  const std::vector<uint8_t> bytes = model.Finish();
  auto engine = Engine::OpenBytes(Bytes(bytes.begin(), bytes.end()), Explaining());
  EXPECT_TRUE(engine.ok()) << engine.status();
  if (!engine.ok()) return reported;
  const absl::Status prepared = (*engine)->Prepare();
  EXPECT_TRUE(prepared.ok()) << prepared;
  reported.report = (*engine)->MakeReport();
  reported.decisions = json::parse(ReportText(reported.report, {}))["decisions"];
  return reported;
}

int Relu(ModelBuilder& b, int x, const std::vector<int>& shape) {
  return b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor(shape)});
}

TEST(StandIns, UnknownOperationsLeaveTheOthersToBeDecided) {
  for (const auto& [name, need] : std::vector<std::pair<std::string, std::string>>{
           {"ShopWindowOp", "the application must register it"},
           {"FlexErf", "Flex delegate, which Tern does not have"},
           {"edgetpu-custom-op", "compiled for a Coral device"}}) {
    ModelBuilder b;
    const int x = Relu(b, b.Input({1, 4}), {1, 4});
    const int own = b.CustomOp(name, {x}, {b.Tensor({1, 6})});
    b.Output(b.Op(tflite::BuiltinOperator_TANH, {own}, {b.Tensor({1, 6})}));
    const Reported reported = Explain(b);
    ASSERT_THAT(reported.decisions, SizeIs(3));
    EXPECT_TRUE(reported.OnGpu(0)) << reported.decisions[0];
    EXPECT_EQ(reported.Code(1), "no-gpu-form");
    EXPECT_EQ(reported.decisions[1]["op"], name);
    EXPECT_TRUE(reported.OnGpu(2)) << reported.decisions[2];
    ASSERT_THAT(reported.report.needs, SizeIs(1));
    EXPECT_THAT(reported.report.needs[0], HasSubstr(name + ": "));
    EXPECT_THAT(reported.report.needs[0], HasSubstr(need));
    EXPECT_THAT(reported.report.plans, SizeIs(2));
    EXPECT_FALSE(reported.report.kernels.empty());
  }
}

TEST(StandIns, ShapesThatAreNotInTheFileAreSaidSo) {
  ModelBuilder b;
  const int own = b.CustomOp("Mystery", {b.Input({1, 4})}, {b.Tensor({})});
  const int after = Relu(b, own, {});
  b.Output(b.Op(tflite::BuiltinOperator_TANH, {after}, {b.Tensor({})}));
  b.Output(Relu(b, b.Input({1, 8}), {1, 8}));
  const Reported reported = Explain(b);
  ASSERT_THAT(reported.decisions, SizeIs(4));
  EXPECT_EQ(reported.Code(0), "no-gpu-form");
  EXPECT_EQ(reported.Code(1), "dynamic-shape");
  EXPECT_EQ(reported.decisions[1]["tensor"]["index"], own);
  EXPECT_EQ(reported.Code(2), "dynamic-shape");
  EXPECT_TRUE(reported.OnGpu(3)) << reported.decisions[3];
}

TEST(StandIns, ANodeThatCannotBePreparedIsReportedWithItsError) {
  ModelBuilder b;
  const int x = Relu(b, b.Input({1, 4}), {1, 4});
  tflite::AddOptionsT add;
  const int bad = b.Op(tflite::BuiltinOperator_ADD, {x, b.Const<float>({3}, {1, 2, 3})},
                       {b.Tensor({1, 4})}, add);
  b.Output(Relu(b, bad, {1, 4}));
  const Reported reported = Explain(b);
  ASSERT_THAT(reported.decisions, SizeIs(3));
  EXPECT_TRUE(reported.OnGpu(0));
  EXPECT_EQ(reported.Code(1), "operands");
  EXPECT_THAT(reported.decisions[1]["reason"].get<std::string>(),
              HasSubstr("its preparation fails: "));
  EXPECT_EQ(reported.decisions[1]["op"], "ADD");
  EXPECT_TRUE(reported.OnGpu(2));
  ASSERT_THAT(reported.report.needs, SizeIs(1));
  EXPECT_THAT(reported.report.needs[0], HasSubstr("ADD #1: it cannot run as it is: "));
}

TEST(StandIns, AVersionThatIsTooNewIsOne) {
  ModelBuilder b;
  b.SetOpVersion(99);
  const int x = Relu(b, b.Input({1, 4}), {1, 4});
  b.SetOpVersion(1);
  b.Output(Relu(b, x, {1, 4}));
  const Reported reported = Explain(b);
  ASSERT_THAT(reported.decisions, SizeIs(2));
  EXPECT_EQ(reported.Code(0), "no-gpu-form");
  EXPECT_EQ(reported.decisions[0]["version"], 99);
  EXPECT_TRUE(reported.OnGpu(1));
  EXPECT_THAT(reported.report.needs,
              ElementsAre("RELU #0: its version is newer than this runtime"));
}

TEST(StandIns, NodesInsideOtherGraphsHaveThem) {
  ModelBuilder b;
  const int x = b.Input({1, 4});
  const int condition = b.Const<bool>({1}, {true});
  tflite::IfOptionsT options;
  options.then_subgraph_index = 1;
  options.else_subgraph_index = 2;
  b.Output(b.Op(tflite::BuiltinOperator_IF, {condition, x}, {b.Tensor({1, 4})}, options));
  for (const char* name : {"then", "else"}) {
    b.AddSubgraph(name);
    const int y = b.CustomOp("Inner", {Relu(b, b.Input({1, 4}), {1, 4})}, {b.Tensor({1, 4})});
    b.Output(y);
  }
  const Reported reported = Explain(b);
  int inner = 0;
  for (const json& d : reported.decisions) {
    const bool is_inner = d["op"] == "Inner";
    EXPECT_EQ(d["code"] == "no-gpu-form", is_inner || d["op"] == "IF") << d;
    inner += is_inner ? 1 : 0;
  }
  EXPECT_EQ(inner, 2);
  EXPECT_THAT(reported.report.needs, SizeIs(1));
}

// A graph that no delegate sees in a run is reported as such, but for what else is known of a node.
TEST(StandIns, ShapesThatDependOnDataStayTheReasonOfTheOthers) {
  ModelBuilder b;
  const int own = b.CustomOp("Mystery", {b.Input({4})}, {b.Tensor({4})});
  b.Output(b.Op(tflite::BuiltinOperator_WHERE, {own}, {b.Tensor({}, tflite::TensorType_INT64)}));
  const Reported reported = Explain(b);
  ASSERT_THAT(reported.decisions, SizeIs(2));
  EXPECT_EQ(reported.Code(0), "no-gpu-form");
  EXPECT_EQ(reported.Code(1), "dynamic-shape");
  EXPECT_FALSE(reported.report.not_applied.empty());
  EXPECT_THAT(reported.report.needs, SizeIs(1));
}

TEST(StandIns, AModelThatRunsNeedsNone) {
  ModelBuilder b;
  b.Output(Relu(b, b.Input({1, 4}), {1, 4}));
  const Reported reported = Explain(b);
  EXPECT_THAT(reported.report.needs, IsEmpty());
  EXPECT_TRUE(reported.OnGpu(0));
}

}  // namespace
}  // namespace tern::cli
