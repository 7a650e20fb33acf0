// SPDX-License-Identifier: Apache-2.0
// Every reason comes out of a model, as in docs/reasons.md. TERN_UPDATE_DOCS=1 writes it.
#include <set>

#include "base/str_cat.h"
#include "delegate/testing/delegate_test.h"
#include "delegate/testing/reason_models.h"
#include "gpu/testing/faulty_device.h"
#include "ops/testing/current_document.h"
#include "tensorflow/lite/delegates/gpu/decisions.h"

namespace tern::delegate {
namespace {

using gpu::FaultyDevice;
using testing::ReasonModel;
using testing::ReasonModels;
using testing::Trouble;

// Builds programs that do nothing, so that what comes after them can fail.
class Builder : public FaultyDevice {
 public:
  using FaultyDevice::FaultyDevice;
  absl::StatusOr<std::shared_ptr<gpu::Pipeline>> Compile(const gpu::ProgramSource&) override {
    return std::make_shared<gpu::Pipeline>();
  }
};

Delegate DelegateWith(const ReasonModel& model) {
  const Trouble trouble = model.trouble;
  DelegateOptions options = DefaultOptions();
  options.lists.deny = *gpu::NodeList::Parse("tern_deny", model.deny);
  options.lists.slower.insert(model.slower.begin(), model.slower.end());
  if (!model.least_gain_us.empty()) options.least_gain_us = std::stoll(model.least_gain_us);
  options.plan_only = trouble == Trouble::kNone || trouble == Trouble::kOneBuffer;
  const auto inner = gpu::OpenDevice("null:gles-min")->device;
  auto device = trouble == Trouble::kNoMemory ? std::make_shared<Builder>(inner)
                                              : std::make_shared<FaultyDevice>(inner);
  if (trouble == Trouble::kOneBuffer) device->own_info().max_buffers = 1;
  if (trouble == Trouble::kLost) device->Lose();
  return DelegateOver(options, Opened(device));
}

class ReasonsTest : public ::testing::TestWithParam<ReasonModel> {};

TEST_P(ReasonsTest, ComesOutOfItsModel) {
  const ReasonModel& model = GetParam();
  const Delegate delegate = DelegateWith(model);
  Session session(model.bytes);
  ASSERT_NE(session.interpreter, nullptr) << session.errors.text;
  const TfLiteStatus status = session->ModifyGraphWithDelegate(delegate.get());
  if (!model.shown) {
    EXPECT_EQ(status, kTfLiteApplicationError);
    EXPECT_THAT(GpuDecisions(delegate.get()), IsEmpty());
    return;
  }
  ASSERT_EQ(status, kTfLiteOk) << session.errors.text;
  const std::vector<GpuNodeDecision> decisions = GpuDecisions(delegate.get());
  ASSERT_GT(decisions.size(), static_cast<size_t>(model.node)) << session.errors.text;
  const GpuNodeDecision& decision = decisions[static_cast<size_t>(model.node)];
  EXPECT_EQ(decision.code, RowOf(model.reason).code) << decision.text;
  EXPECT_EQ(decision.reason, static_cast<int>(model.reason));
  EXPECT_EQ(decision.decision, RowOf(model.reason).decision);
  EXPECT_EQ(decision.suggestion, RowOf(model.reason).suggestion);
  EXPECT_EQ(decision.partition >= 0, decision.decision != kTfLiteGpuDecisionCpu);
}

INSTANTIATE_TEST_SUITE_P(All, ReasonsTest, ::testing::ValuesIn(ReasonModels()),
                         [](const auto& given) {
                           return std::string(RowOf(given.param.reason).name);
                         });

// The check needs no device. The test calls it directly, because the runtime shows no delegate such
// a graph.
TEST(Reasons, ADynamicTensorIsNamedWhereItIsShown) {
  TfLiteTensor tensors[2] = {};
  const tflite::IntArrayUniquePtr shape = tflite::BuildTfLiteArray<int>({4});
  for (TfLiteTensor& tensor : tensors) {
    tensor.type = kTfLiteFloat32;
    tensor.dims = shape.get();
  }
  tensors[1].allocation_type = kTfLiteDynamic;
  TfLiteContext context{};
  context.tensors = tensors;
  context.tensors_size = 2;
  gpu::Node node;
  node.inputs = {0};
  node.outputs = {1};
  const absl::Status status =
      CheckTensors(context, std::vector<gpu::GraphTensor>(2), node, {}, true);
  EXPECT_EQ(RefusalReasonOf(status), (RefusalReason{Reason::kDynamicShape, 1})) << status;
}

constexpr char kPath[] = "docs/reasons.md";

constexpr char kHead[] = R"(# Why a node does not run on the GPU

What `code` says in the decisions of the GPU delegate ([explain.md](explain.md)): in `tern explain`, in the report of
`tern run --report`, and in `TfLiteGpuNodeDecision`. The numbers are those of `TfLiteGpuReason`. Each stands here with a model
that has it; `delegate_test` runs all of them. `TERN_UPDATE_DOCS=1 delegate_test --gtest_filter='Reasons*'` writes this page.

)";

std::string Document() {
  std::string text = kHead;
  const auto section = [&](TfLiteGpuDecision decision, const char* title) {
    const bool on_cpu = decision == kTfLiteGpuDecisionCpu;
    text +=
        StrCat("## ", title, "\n\n| number | code | because |", on_cpu ? " what to change |" : "",
               " for example |\n|---|---|---|", on_cpu ? "---|" : "", "---|\n");
    for (const ReasonModel& model : ReasonModels()) {
      const ReasonRow& row = RowOf(model.reason);
      if (row.decision != decision) continue;
      text += StrCat("| ", static_cast<int>(model.reason), " | `", row.code, "` | ", row.meaning,
                     " | ", on_cpu ? StrCat(row.suggestion, " | ") : "", model.about, " |\n");
    }
    text += "\n";
  };
  section(kTfLiteGpuDecisionGpu, "On the GPU: `gpu`");
  section(kTfLiteGpuDecisionFolded, "In a part on the GPU, without a launch of its own: `folded`");
  section(kTfLiteGpuDecisionCpu, "On the CPU: `cpu`");
  text.pop_back();
  return text;
}

TEST(Reasons, EachHasAModelAndACodeOfItsOwn) {
  std::set<Reason> with_model;
  for (const ReasonModel& model : ReasonModels()) with_model.insert(model.reason);
  std::set<std::string> codes;
  for (size_t i = 0; i < ReasonRows().size(); ++i) {
    const ReasonRow& row = ReasonRows()[i];
    EXPECT_EQ(with_model.count(static_cast<Reason>(i)), 1u) << row.code;
    EXPECT_TRUE(codes.insert(row.code).second) << row.code;
    EXPECT_EQ(std::string(row.suggestion).empty(), row.decision != kTfLiteGpuDecisionCpu);
    const auto reason = static_cast<TfLiteGpuReason>(i);
    EXPECT_STREQ(TfLiteGpuDelegateV2ReasonCode(reason), row.code);
    EXPECT_STREQ(TfLiteGpuDelegateV2ReasonMeaning(reason), row.meaning);
    EXPECT_STREQ(TfLiteGpuDelegateV2ReasonSuggestion(reason), row.suggestion);
  }
  // The last is the largest number that the bits of the enumerators hold.
  for (const int none : {static_cast<int>(ReasonRows().size()), 31}) {
    EXPECT_EQ(TfLiteGpuDelegateV2ReasonCode(static_cast<TfLiteGpuReason>(none)), nullptr);
    EXPECT_EQ(TfLiteGpuDelegateV2ReasonMeaning(static_cast<TfLiteGpuReason>(none)), nullptr);
    EXPECT_EQ(TfLiteGpuDelegateV2ReasonSuggestion(static_cast<TfLiteGpuReason>(none)), nullptr);
  }
}

TEST(Reasons, TheDocumentIsCurrent) { tern::testing::ExpectCurrent(kPath, Document()); }

}  // namespace
}  // namespace tern::delegate
