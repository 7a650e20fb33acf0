// SPDX-License-Identifier: Apache-2.0
// Drivers that fail: no crash, one status, and the CPU's result stays at hand.
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "delegate/testing/delegate_test.h"
#include "gpu/testing/faulty_device.h"

namespace tern::delegate {
namespace {

using gpu::FaultyDevice;

class FaultsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<gpu::OpenedDevice> opened = gpu::OpenDevice("host");
    if (!opened.ok()) GTEST_SKIP() << "no host device here";
    inner_ = opened->device;
  }

  struct Faulty {
    std::shared_ptr<FaultyDevice> device;
    Delegate delegate;
  };
  Faulty Make(int partitions = 1, bool fuse = true) const {
    auto device = std::make_shared<FaultyDevice>(inner_);
    DelegateOptions options = DefaultOptions();
    options.documented.max_delegated_partitions = partitions;
    options.compile.fuse = fuse;
    return {device, DelegateOver(options, Opened(device))};
  }

  std::shared_ptr<gpu::Device> inner_;
};

TEST_F(FaultsTest, AnyFailingCallBeforeTheFirstRunLeavesTheNodesToTheCpu) {
  const std::vector<float> expected = CpuResult(SplitModel());
  int calls = 0;
  {
    const Faulty good = Make(2);
    Session session(SplitModel());
    ASSERT_EQ(session->ModifyGraphWithDelegate(good.delegate.get()), kTfLiteOk);
    ASSERT_EQ(ReportOf(good.delegate)["delegated"], 3);
    calls = good.device->calls();
  }
  ASSERT_GT(calls, 2);
  for (int n = 0; n < calls; ++n) {
    const Faulty faulty = Make(2);
    faulty.device->FailCall(n);
    Session session(SplitModel());
    ASSERT_EQ(session->ModifyGraphWithDelegate(faulty.delegate.get()), kTfLiteOk) << n;
    EXPECT_LT(ReportOf(faulty.delegate)["delegated"], 3) << n;
    EXPECT_THAT(session.errors.text, HasSubstr("injected failure")) << n;
    EXPECT_THAT(session.Run(), CloseTo(expected)) << n;
  }
}

TEST_F(FaultsTest, ACompilerThatNeverWorksLeavesEverythingToTheCpu) {
  const Faulty faulty = Make(5);
  faulty.device->FailAlways("Compile");
  Session session(SplitModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(faulty.delegate.get()), kTfLiteOk);
  EXPECT_THAT(session->execution_plan(), SizeIs(4));
  EXPECT_EQ(ReportOf(faulty.delegate)["delegated"], 0);
  EXPECT_THAT(ReportOf(faulty.delegate)["refused"], SizeIs(4));
  EXPECT_EQ(session.Run(), CpuResult(SplitModel()));
}

TEST_F(FaultsTest, AProgramThatTheDriverRejectsLeavesOnlyItsNodeToTheCpu) {
  const std::vector<int> shape = {1, 4, 4, 8};
  tern::testing::ModelBuilder b;
  int t = b.Input(shape);
  for (const auto op : {tflite::BuiltinOperator_RELU, tflite::BuiltinOperator_LOGISTIC,
                        tflite::BuiltinOperator_RELU6, tflite::BuiltinOperator_RELU}) {
    t = b.Op(op, {t}, {b.Tensor(shape)});
  }
  b.Output(t);
  const std::vector<uint8_t> model = b.Finish();
  for (const int partitions : {1, 2}) {
    const Faulty faulty = Make(partitions, /*fuse=*/false);
    faulty.device->FailPrograms("exp(");  // only LOGISTIC has it
    Session session(model);
    ASSERT_EQ(session->ModifyGraphWithDelegate(faulty.delegate.get()), kTfLiteOk);
    const nlohmann::json report = ReportOf(faulty.delegate);
    EXPECT_EQ(report["delegated"], 1 + partitions);
    EXPECT_EQ(report["partitions"], partitions);
    ASSERT_THAT(report["refused"], SizeIs(1));
    EXPECT_EQ(report["refused"][0]["node"], 1);
    EXPECT_EQ(report["refused"][0]["op"], "LOGISTIC");
    EXPECT_TRUE(report["refused"][0].value("failed", false));
    EXPECT_THAT(report["refused"][0]["reason"].get<std::string>(), HasSubstr("more of the log"));
    EXPECT_TRUE(session.errors.Has("LOGISTIC: ")) << session.errors.text;
    EXPECT_THAT(session.Run(), CloseTo(CpuResult(model)));
  }
}

TEST_F(FaultsTest, AFailingRunIsAnErrorAndTheNextRunWorks) {
  const Faulty faulty = Make();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(faulty.delegate.get()), kTfLiteOk);
  ASSERT_EQ(ReportOf(faulty.delegate)["delegated"], 3);
  const std::vector<float> expected = CpuResult(ThreeOpModel());
  faulty.device->FailCall(-1);
  ASSERT_THAT(session.Run(), CloseTo(expected));
  const int calls = faulty.device->calls();
  for (int n = 0; n < calls; ++n) {
    faulty.device->FailCall(n);
    session.errors.text.clear();
    EXPECT_THAT(session.Run(), IsEmpty()) << n;
    EXPECT_THAT(session.errors.text, HasSubstr("TfLiteGpuDelegate Invoke: "));
    EXPECT_THAT(session.errors.text, HasSubstr("injected failure"));
    faulty.device->FailCall(-1);
    EXPECT_THAT(session.Run(), CloseTo(expected)) << n;
  }
  EXPECT_EQ(session->RemoveAllDelegates(), kTfLiteOk);
  EXPECT_EQ(session.Run(), expected);
}

TEST_F(FaultsTest, ASecondThreadInTheSameInterpreterIsTurnedAway) {
  const Faulty faulty = Make();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(faulty.delegate.get()), kTfLiteOk);
  ASSERT_EQ(ReportOf(faulty.delegate)["delegated"], 3);
  std::mutex mutex;
  std::condition_variable changed;
  bool inside = false, go_on = false;
  faulty.device->OnSubmit([&] {
    std::unique_lock lock(mutex);
    inside = true;
    changed.notify_all();
    changed.wait(lock, [&] { return go_on; });
  });
  const auto* node = session->node_and_registration(session->execution_plan()[0]);
  TfLiteContext* const context = session->primary_subgraph().context();
  auto* const raw = const_cast<TfLiteNode*>(&node->first);
  TfLiteStatus first = kTfLiteError;
  std::thread thread([&] { first = node->second.invoke(context, raw); });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return inside; });
  }
  EXPECT_EQ(node->second.invoke(context, raw), kTfLiteError);
  EXPECT_THAT(session.errors.text, HasSubstr("another thread is running this interpreter"));
  {
    const std::lock_guard lock(mutex);
    go_on = true;
  }
  changed.notify_all();
  thread.join();
  EXPECT_EQ(first, kTfLiteOk);
}

TEST_F(FaultsTest, AForkedChildIsTurnedAway) {
  const Faulty faulty = Make();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(faulty.delegate.get()), kTfLiteOk);
  ASSERT_EQ(ReportOf(faulty.delegate)["delegated"], 3);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    const TfLiteStatus status = session->Invoke();
    session.interpreter.reset();
    _exit(status == kTfLiteError ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
}

TEST_F(FaultsTest, TensorsOfAnotherSizeAreRefusedInsteadOfOverrun) {
  const Faulty faulty = Make();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(faulty.delegate.get()), kTfLiteOk);
  ASSERT_EQ(ReportOf(faulty.delegate)["delegated"], 3);
  TfLiteTensor* const out = session->output_tensor(0);
  const size_t bytes = out->bytes;
  out->bytes = 16;
  EXPECT_EQ(session->Invoke(), kTfLiteError);
  EXPECT_THAT(session.errors.text, HasSubstr("has 16 bytes, 512 expected"));
  out->bytes = bytes;
  char* const data = out->data.raw;
  out->data.raw = nullptr;
  const auto* node = session->node_and_registration(session->execution_plan()[0]);
  EXPECT_EQ(node->second.invoke(session->primary_subgraph().context(),
                                const_cast<TfLiteNode*>(&node->first)),
            kTfLiteError);
  EXPECT_THAT(session.errors.text, HasSubstr("has no memory"));
  out->data.raw = data;
  EXPECT_THAT(session.Run(), SizeIs(128));
}

}  // namespace
}  // namespace tern::delegate
