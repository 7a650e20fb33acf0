// SPDX-License-Identifier: Apache-2.0
// Lists of nodes: what their entries name, and how they reach the delegate.
#include "gpu/partition/node_lists.h"

#include "base/status.h"
#include "delegate/testing/delegate_test.h"
#include "tensorflow/lite/delegates/gpu/node_lists.h"

namespace tern::delegate {
namespace {

using ::testing::ElementsAre;

std::vector<gpu::GraphTensor> NamedTensors(const std::vector<std::string>& names) {
  std::vector<gpu::GraphTensor> tensors(names.size());
  for (size_t i = 0; i < names.size(); ++i) tensors[i].name = names[i];
  return tensors;
}

gpu::Node NodeAt(int index, const std::string& op, std::vector<int> outputs) {
  gpu::Node node;
  node.index = index;
  node.op = op;
  node.outputs = std::move(outputs);
  return node;
}

std::string NamingOf(const char* list, const gpu::Node& node) {
  static const auto& tensors = *new std::vector<gpu::GraphTensor>(
      NamedTensors({"block_1/conv", "block_12/conv;block_12/relu", "head"}));
  const absl::StatusOr<gpu::NodeList> parsed = gpu::NodeList::Parse("tern_deny", list);
  return parsed.ok() ? std::string(parsed->Naming(tensors, node)) : "malformed";
}

TEST(NodeListTest, EntriesNameByIndexOperationAndName) {
  const gpu::Node node = NodeAt(12, "CONV_2D", {-1, 1, 99});
  EXPECT_EQ(NamingOf("", node), "");
  EXPECT_EQ(NamingOf("12", node), "12");
  EXPECT_EQ(NamingOf("1,2,13", node), "");
  EXPECT_EQ(NamingOf("3-7,12-12", node), "12-12");
  EXPECT_EQ(NamingOf("0-2147483647", node), "0-2147483647");
  EXPECT_EQ(NamingOf("op:CONV", node), "");
  EXPECT_EQ(NamingOf("op:ADD,op:CONV_2D", node), "op:CONV_2D");
  EXPECT_EQ(NamingOf("name:block_1/*", node), "");
  EXPECT_EQ(NamingOf("name:block_1?/*;*", node), "name:block_1?/*;*");
  EXPECT_EQ(NamingOf("name:*relu", node), "name:*relu");
}

TEST(NodeListTest, MalformedEntriesAreShown) {
  for (const char* entry : {"x", "-1", "7-3", "3-", "op:", "name:", "1 ", " 1", "99999999999",
                            "1.5", "3-7-9", "Op:ADD", "+1"}) {
    const absl::StatusOr<gpu::NodeList> list =
        gpu::NodeList::Parse("tern_deny", std::string("1,") + entry);
    ASSERT_FALSE(list.ok()) << entry;
    EXPECT_THAT(std::string(Message(list.status())),
                HasSubstr(std::string("tern_deny: malformed entry '") + entry + "'"));
  }
  EXPECT_FALSE(gpu::NodeList::Parse("tern_deny", ",").ok());
  EXPECT_FALSE(gpu::NodeList::Parse("tern_deny", "1,").ok());
  EXPECT_FALSE(gpu::NodeList::Parse("tern_deny", "1,,2").ok());
}

TEST(NodeListTest, DenyingGoesBeforeAllowing) {
  gpu::NodeLists lists;
  lists.allow = *gpu::NodeList::Parse("tern_allow", "0-5");
  lists.deny = *gpu::NodeList::Parse("tern_deny", "3");
  EXPECT_EQ(Message(lists.Check({}, NodeAt(2, "ADD", {}))), "");
  EXPECT_EQ(Message(lists.Check({}, NodeAt(3, "ADD", {}))), "denied by tern_deny '3'");
  EXPECT_EQ(Message(lists.Check({}, NodeAt(6, "ADD", {}))),
            "denied by tern_allow, which does not name it");
  EXPECT_EQ(Message(gpu::NodeLists().Check({}, NodeAt(6, "ADD", {}))), "");
}

TEST(NodeListTest, EntriesThatNameNothingAreReported) {
  const gpu::NodeList list = *gpu::NodeList::Parse("tern_deny", "0,4-6,op:CONV_2D,op:ADD,name:b*");
  EXPECT_THAT(list.NamingNothing(NamedTensors({"a"}), {NodeAt(0, "CONV_2D", {0})}),
              ElementsAre("tern_deny: '4-6' names no node of the main graph",
                          "tern_deny: 'op:ADD' names no node of the main graph",
                          "tern_deny: 'name:b*' names no node of the main graph"));
}

TEST(NodeListTest, OptionsOfThePluginHaveLists) {
  EXPECT_EQ(PluginDelegate({{"tern_deny", "op:ADD,7-3"}}), nullptr);
  EXPECT_THAT(PluginError(), HasSubstr("tern_deny: malformed entry '7-3'"));
  const Delegate delegate =
      PluginDelegate({{"tern_backend", "host"}, {"tern_deny", "op:ADD,op:MUL"}});
  if (delegate == nullptr) GTEST_SKIP() << PluginError();
  Session session(ThreeOpModel());
  ::testing::internal::CaptureStderr();
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  const std::string log = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("WARNING: tern_deny: 'op:MUL' names no node of the main graph"));
  EXPECT_THAT(log, ::testing::Not(HasSubstr("op code #0 ")));
  EXPECT_THAT(session.errors.text, HasSubstr("ADD: denied by tern_deny 'op:ADD'"));
  const nlohmann::json report = ReportOf(delegate);
  ASSERT_THAT(report["refused"], SizeIs(1));
  EXPECT_EQ(report["refused"][0]["reason"], "denied by tern_deny 'op:ADD'");
  EXPECT_EQ(report["warnings"],
            nlohmann::json::array({"tern_deny: 'op:MUL' names no node of the main graph"}));
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
}

TEST(NodeListTest, TheCFunctionReplacesListsUntilTheDelegateIsApplied) {
  const auto opened = gpu::OpenDevice("host");
  if (!opened.ok()) GTEST_SKIP() << "no host device here";
  const Delegate delegate = DelegateOver(DefaultOptions(), *opened);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(TfLiteGpuDelegateV2SetNodeLists(delegate.get(), "op:", nullptr), kTfLiteError);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("allow list: malformed entry 'op:'"));
  EXPECT_EQ(TfLiteGpuDelegateV2SetNodeLists(nullptr, "1", nullptr), kTfLiteError);
  EXPECT_EQ(TfLiteGpuDelegateV2SetNodeLists(delegate.get(), nullptr, "0"), kTfLiteOk);
  EXPECT_EQ(TfLiteGpuDelegateV2SetNodeLists(delegate.get(), "0-1", nullptr), kTfLiteOk);
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["delegated"], 2);
  EXPECT_EQ(TfLiteGpuDelegateV2SetNodeLists(delegate.get(), nullptr, nullptr), kTfLiteError);
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
}

}  // namespace
}  // namespace tern::delegate
