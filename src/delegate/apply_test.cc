// SPDX-License-Identifier: Apache-2.0
// The delegate on interpreters: what it takes, what it leaves, and that results stay the same.
#include <cstdlib>
#include <thread>

#include "delegate/testing/delegate_test.h"

namespace tern::delegate {
namespace {

class ApplyTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!gpu::OpenDevice(GetParam()).ok()) GTEST_SKIP() << "no " << GetParam() << " device here";
  }
  Delegate Make(testing::Pairs more = {}) const {
    more.emplace_back("tern_backend", GetParam());
    return PluginDelegate(more);
  }
};

TEST_P(ApplyTest, AWholeModelRunsWithoutFurtherAllocation) {
  const Delegate delegate = Make();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  ASSERT_NE(session->typed_input_tensor<float>(0), nullptr);
  EXPECT_THAT(session->execution_plan(), SizeIs(1));
  const std::vector<float> expected = CpuResult(ThreeOpModel());
  ASSERT_THAT(expected, SizeIs(128));
  EXPECT_THAT(session.Run(), CloseTo(expected));
  EXPECT_THAT(session.Run(), CloseTo(expected));
  EXPECT_EQ(session->AllocateTensors(), kTfLiteOk);
  EXPECT_THAT(session.Run(), CloseTo(expected));
}

TEST_P(ApplyTest, TheReportCountsWhatRuns) {
  const Delegate delegate = Make({{"tern_precision", "f16"}});
  EXPECT_EQ(ReportOf(delegate)["nodes"], 0);
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  const nlohmann::json report = ReportOf(delegate);
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report["engine"], GetParam());
  EXPECT_NE(report["device"], "");
  EXPECT_EQ(report["precision"], "f16");
  EXPECT_GE(report["slice_width"], 4);
  EXPECT_EQ(report["nodes"], 3);
  EXPECT_EQ(report["delegated"], 3);
  EXPECT_EQ(report["partitions"], 1);
  EXPECT_THAT(report["refused"], SizeIs(0));
  EXPECT_GE(report["programs"], 1);
  EXPECT_GE(report["dispatches"], 1);
  EXPECT_GT(report["gpu_bytes"], 0);
}

TEST_P(ApplyTest, TheReportTellsWhereTheTimeOfTheStartWent) {
  const Delegate delegate = Make();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  nlohmann::json init = ReportOf(delegate)["init"];
  EXPECT_EQ(init["first_run_us"], 0);
  int64_t sum = 0;
  for (const auto& [key, us] : init.items()) sum += key == "total_us" ? 0 : us.get<int64_t>();
  EXPECT_LE(sum, init["total_us"]);
  // Other tests of the process may have built them before.
  if (ReportOf(delegate)["programs_compiled"] > 0) {
    EXPECT_GT(init["compile_us"], 0);
  }
  EXPECT_GT(init["check_us"], 0);
  ASSERT_FALSE(session.Run().empty());
  init = ReportOf(delegate)["init"];
  const int64_t first = init["first_run_us"];
  EXPECT_GT(first, 0);
  ASSERT_FALSE(session.Run().empty());
  EXPECT_EQ(ReportOf(delegate)["init"]["first_run_us"], first);
  EXPECT_FALSE(ReportOf(delegate).contains("trace"));
}

TEST_P(ApplyTest, ATraceHasEachPhaseOfEachRun) {
  const Delegate delegate = Make({{"tern_trace", "1"}});
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  for (int i = 0; i < 3; ++i) ASSERT_FALSE(session.Run().empty());
  const nlohmann::json trace = ReportOf(delegate)["trace"];
  ASSERT_EQ(trace["runs"].size(), 12u);
  int64_t end = 0;  // one after another, without overlap
  for (const char* part : {"init", "runs"}) {
    for (const nlohmann::json& span : trace[part]) {
      EXPECT_GE(span["start_ns"], end) << span;
      end = span["start_ns"].get<int64_t>() + span["ns"].get<int64_t>();
    }
  }
  const char* const names[] = {"inputs", "submit", "wait", "outputs"};
  for (size_t i = 0; i < 12; ++i) EXPECT_EQ(trace["runs"][i]["name"], names[i % 4]);
  // Each launch of each run, within it.
  const size_t dispatches = ReportOf(delegate)["dispatches"];
  ASSERT_EQ(trace["launches"].size(), 3 * dispatches);
  for (size_t i = 0; i < 3 * dispatches; ++i) {
    const nlohmann::json &launch = trace["launches"][i],
                         &submit = trace["runs"][i / dispatches * 4 + 1];
    const int64_t end = launch["start_ns"].get<int64_t>() + launch["ns"].get<int64_t>();
    EXPECT_LE(end, submit["start_ns"].get<int64_t>() + submit["ns"].get<int64_t>()) << launch;
    EXPECT_GE(launch["ns"], 0) << launch;
    EXPECT_EQ(launch["name"], trace["launches"][i % dispatches]["name"]);
    EXPECT_NE(launch["name"], "");
  }
}

TEST_P(ApplyTest, TheLargerSideOfAnUnknownOperationIsTaken) {
  const Delegate delegate = Make();
  Session session(SplitModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_THAT(session->execution_plan(), SizeIs(3));  // RELU, OnlyOnCpu, two nodes on the GPU
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(SplitModel())));
  const nlohmann::json report = ReportOf(delegate);
  EXPECT_EQ(report["nodes"], 4);
  EXPECT_EQ(report["delegated"], 2);
  ASSERT_THAT(report["refused"], SizeIs(1));
  EXPECT_EQ(report["refused"][0]["node"], 1);
  EXPECT_EQ(report["refused"][0]["op"], "OnlyOnCpu");
  EXPECT_FALSE(report["refused"][0].contains("failed"));
  EXPECT_THAT(session.errors.text,
              HasSubstr("Following operations are not supported by GPU delegate:\nOnlyOnCpu: "));
  EXPECT_THAT(session.errors.text, HasSubstr("2 operations will run on the GPU, and the remaining "
                                             "2 operations will run on the CPU."));
}

// The kernel reads the low halves of INT64 indices, and what is computed may need the high ones:
// that keeps the reader on the CPU, not what it reads.
TEST_P(ApplyTest, IndicesThatAreComputedKeepTheirReaderAlone) {
  tern::testing::ModelBuilder b;
  const int x = b.Input({3, 4}, tflite::TensorType_INT64);
  const int made = b.Tensor({3, 4}, tflite::TensorType_INT64);
  b.Op(tflite::BuiltinOperator_MUL, {x, x}, {made}, tflite::MulOptionsT());
  const int depth = b.Const<int32_t>({}, {5});
  const int on = b.Const<float>({}, {1}), off = b.Const<float>({}, {0});
  b.Output(b.Op(tflite::BuiltinOperator_ONE_HOT, {made, depth, on, off}, {b.Tensor({3, 4, 5})},
                tflite::OneHotOptionsT()));
  const Delegate delegate = Make();
  Session session(b.Finish());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  const nlohmann::json report = ReportOf(delegate);
  EXPECT_EQ(report["delegated"], 1);
  ASSERT_THAT(report["refused"], SizeIs(1));
  EXPECT_EQ(report["refused"][0]["op"], "ONE_HOT");
}

TEST_P(ApplyTest, BothSidesAreTakenWhenTwoPartitionsAreAllowed) {
  const Delegate delegate = Make({{"max_delegated_partitions", "2"}});
  Session session(SplitModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_THAT(session->execution_plan(), SizeIs(3));
  EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
  EXPECT_EQ(ReportOf(delegate)["partitions"], 2);
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(SplitModel())));
}

TEST_P(ApplyTest, AProgramOfSeveralPartitionsCountsOnce) {
  const std::vector<int> shape = {1, 4, 4, 8};
  tern::testing::ModelBuilder b;
  int t = b.Op(tflite::BuiltinOperator_RELU, {b.Input(shape)}, {b.Tensor(shape)});
  t = b.CustomOp("OnlyOnCpu", {t}, {b.Tensor(shape)});
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {t}, {b.Tensor(shape)}));
  const std::vector<uint8_t> model = b.Finish();
  const Delegate delegate = Make({{"max_delegated_partitions", "2"}});
  Session first(model), second(model);
  for (const Session* session : {&first, &second}) {
    ASSERT_EQ((*session)->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    EXPECT_EQ(ReportOf(delegate)["programs"], 1);
  }
  EXPECT_EQ(ReportOf(delegate)["partitions"], 4);
}

TEST_P(ApplyTest, ANewInputShapeMakesNewKernels) {
  const Delegate delegate = Make({{"max_delegated_partitions", "9"}});
  for (const auto& bytes : {ThreeOpModel(), SplitModel()}) {
    Session session(bytes);
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    for (const std::vector<int>& shape :
         {std::vector<int>{2, 5, 3, 7}, std::vector<int>{1, 1, 1, 1},
          std::vector<int>{1, 4, 4, 8}}) {
      ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], shape), kTfLiteOk);
      ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
      EXPECT_GE(ReportOf(delegate)["delegated"], 3);
      EXPECT_THAT(session.Run(), CloseTo(CpuResult(bytes, shape)));
    }
  }
}

TEST_P(ApplyTest, WithoutFusionTheResultIsTheSame) {
  const Delegate delegate = Make({{"tern_fuse", "0"}});
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_EQ(ReportOf(delegate)["dispatches"], 3);
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
}

std::vector<uint8_t> BytesModel() {
  tern::testing::ModelBuilder b;
  const int x = b.Input({1, 8}, tflite::TensorType_INT8, "codes");
  b.Quantize(x, 0.5f, 3);
  const int y = b.Tensor({8}, tflite::TensorType_INT8);
  b.Quantize(y, 0.5f, 3);
  const int shape = b.Const<int32_t>({1}, {8});
  b.Output(b.Op(tflite::BuiltinOperator_RESHAPE, {x, shape}, {y}));
  return b.Finish();
}

TEST_P(ApplyTest, QuantizedTensorsRunOnTheGpu) {
  const Delegate delegate = Make();
  Session session(BytesModel());
  ASSERT_NE(session.interpreter, nullptr) << session.errors.text;
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_EQ(ReportOf(delegate)["delegated"], 1);
  const std::vector<int8_t> bytes = {-128, -1, 0, 1, 3, 50, 126, 127};
  std::copy(bytes.begin(), bytes.end(), session->typed_input_tensor<int8_t>(0));
  ASSERT_EQ(session->Invoke(), kTfLiteOk);
  const int8_t* got = session->typed_output_tensor<int8_t>(0);
  EXPECT_EQ(std::vector<int8_t>(got, got + 8), bytes);
}

TEST_P(ApplyTest, WithoutEnableQuantQuantizedTensorsStayOnTheCpuAndAreNamed) {
  const Delegate delegate = Make({{"experimental_flags", "0"}});
  Session session(BytesModel());
  ASSERT_NE(session.interpreter, nullptr) << session.errors.text;
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  const nlohmann::json report = ReportOf(delegate);
  EXPECT_EQ(report["delegated"], 0);
  ASSERT_THAT(report["refused"], SizeIs(1));
  EXPECT_EQ(report["refused"][0]["reason"], "tensor 'codes' has type INT8");
  // Applied with zero nodes, the graph is allocated all the same.
  ASSERT_NE(session->typed_input_tensor<int8_t>(0), nullptr);
  EXPECT_EQ(session->Invoke(), kTfLiteOk);
}

// A sum is written over the graph input, and the new value read on.
std::vector<uint8_t> OverwritingModel() {
  tern::testing::ModelBuilder b;
  const int x = b.Input({1, 2, 2, 32}, tflite::TensorType_FLOAT32, "x");
  const int y = b.Op(tflite::BuiltinOperator_TANH, {x}, {b.Tensor({1, 2, 2, 32})});
  const int doubled =
      b.Op(tflite::BuiltinOperator_ADD, {y, y}, {b.Tensor({1, 2, 2, 32})}, tflite::AddOptionsT());
  b.Op(tflite::BuiltinOperator_ADD, {x, doubled},
       {b.Tensor({1, 2, 2, 32}, tflite::TensorType_FLOAT32, "sum")}, tflite::AddOptionsT());
  b.Op(tflite::BuiltinOperator_TANH, {doubled}, {x});
  b.Output(b.Op(tflite::BuiltinOperator_MUL, {x, doubled}, {b.Tensor({1, 2, 2, 32})},
                tflite::MulOptionsT()));
  return b.Finish();
}

TEST_P(ApplyTest, TensorsThatAreWrittenTwiceStayOnTheCpu) {
  const Delegate delegate = Make();
  Session session(OverwritingModel());
  ASSERT_NE(session.interpreter, nullptr) << session.errors.text;
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  const nlohmann::json report = ReportOf(delegate);
  EXPECT_EQ(report["delegated"], 1);
  ASSERT_THAT(report["refused"], SizeIs(4));
  EXPECT_EQ(report["refused"][0]["reason"], "tensor 'x' is written more than once");
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(OverwritingModel())));
}

TEST_P(ApplyTest, MemoryOfTheApplicationIsUsed) {
  const Delegate delegate = Make();
  Session session(ThreeOpModel());
  constexpr size_t kBytes = 128 * sizeof(float);
  const std::unique_ptr<float, void (*)(void*)> in(
      static_cast<float*>(std::aligned_alloc(64, kBytes)), std::free);
  const std::unique_ptr<float, void (*)(void*)> out(
      static_cast<float*>(std::aligned_alloc(64, kBytes)), std::free);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  session->SetCustomAllocationForTensor(session->inputs()[0], {in.get(), kBytes});
  session->SetCustomAllocationForTensor(session->outputs()[0], {out.get(), kBytes});
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
  const std::vector<float> result = session.Run();
  EXPECT_THAT(result, CloseTo(CpuResult(ThreeOpModel())));
  EXPECT_EQ(session->typed_output_tensor<float>(0), out.get());
}

TEST_P(ApplyTest, AppliedTwiceItDoesNoHarm) {
  const Delegate delegate = Make();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
}

TEST_P(ApplyTest, InvokeMayComeFromAnotherThread) {
  const Delegate delegate = Make();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  std::vector<float> result;
  std::thread([&] { result = session.Run(); }).join();
  EXPECT_THAT(result, CloseTo(CpuResult(ThreeOpModel())));
}

TEST_P(ApplyTest, OneDelegateServesInterpretersOnManyThreads) {
  const Delegate delegate = Make({{"max_delegated_partitions", "2"}});
  const std::vector<float> three = CpuResult(ThreeOpModel()), split = CpuResult(SplitModel());
  std::vector<std::vector<float>> results(4);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < results.size(); ++t) {
    threads.emplace_back([&, t] {
      Session session(t % 2 == 0 ? ThreeOpModel() : SplitModel());
      if (session->ModifyGraphWithDelegate(delegate.get()) != kTfLiteOk) return;
      for (int run = 0; run < 3; ++run) results[t] = session.Run();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < results.size(); ++t) {
    EXPECT_THAT(results[t], CloseTo(t % 2 == 0 ? three : split));
  }
  // All interpreters are gone, and with them their part of the report.
  EXPECT_EQ(ReportOf(delegate)["nodes"], 0);
}

TEST_P(ApplyTest, TwoInterpretersAreReportedTogether) {
  const Delegate delegate = Make();
  Session first(ThreeOpModel());
  ASSERT_EQ(first->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  {
    Session second(SplitModel());
    ASSERT_EQ(second->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    EXPECT_EQ(ReportOf(delegate)["nodes"], 7);
    EXPECT_EQ(ReportOf(delegate)["delegated"], 5);
  }
  EXPECT_EQ(ReportOf(delegate)["nodes"], 3);
}

// FILL of constants is computed when it is prepared. As a result of the model it has the elements
// of its type, whatever the GPU computes with.
TEST_P(ApplyTest, QuantizedResultsThatAreKnownBeforeTheRunAreElements) {
  tern::testing::ModelBuilder b;
  const int x = b.Quantize(b.Input({1, 6}, tflite::TensorType_INT8), 0.5f, 3);
  const int value = b.Quantize(b.Const<int8_t>({}, {7}), 0.5f, 3);
  b.SetOpVersion(3);
  const int filled = b.Op(tflite::BuiltinOperator_FILL, {b.Const<int32_t>({2}, {1, 6}), value},
                          {b.Quantize(b.Tensor({1, 6}, tflite::TensorType_INT8), 0.5f, 3)});
  b.SetOpVersion(2);
  const int sum =
      b.Op(tflite::BuiltinOperator_ADD, {x, filled},
           {b.Quantize(b.Tensor({1, 6}, tflite::TensorType_INT8), 0.5f, 3)}, tflite::AddOptionsT());
  b.Output(sum);
  b.Output(filled);
  const Delegate delegate = Make();
  Session session(b.Finish());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  for (int i = 0; i < 6; ++i) session->typed_input_tensor<int8_t>(0)[i] = static_cast<int8_t>(i);
  ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.errors.text;
  ASSERT_EQ(session->output_tensor(1)->bytes, 6u);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(session->typed_output_tensor<int8_t>(1)[i], 7);
    EXPECT_EQ(session->typed_output_tensor<int8_t>(0)[i], i + 7 - 3);
  }
}

// A streaming model keeps what it heard in a variable, whose shape the file states.
TEST_P(ApplyTest, NodesBesideVariablesGoToTheGpu) {
  tern::testing::ModelBuilder b;
  const auto handle = [&b] {
    tflite::VarHandleOptionsT options;
    options.shared_name = "heard";
    return b.Op(tflite::BuiltinOperator_VAR_HANDLE, {}, {b.Tensor({}, tflite::TensorType_RESOURCE)},
                options);
  };
  const int x = b.Input({1, 1, 4});
  tflite::CallOnceOptionsT once;
  once.init_subgraph_index = 1;
  b.Op(tflite::BuiltinOperator_CALL_ONCE, {}, {}, once);
  const int state = handle();
  const int heard = b.Op(tflite::BuiltinOperator_READ_VARIABLE, {state}, {b.Tensor({1, 2, 4})});
  tflite::ConcatenationOptionsT along;
  along.axis = 1;
  const int all =
      b.Op(tflite::BuiltinOperator_CONCATENATION, {heard, x}, {b.Tensor({1, 3, 4})}, along);
  const int kept = b.Op(tflite::BuiltinOperator_SLICE,
                        {all, b.Const<int32_t>({3}, {0, 1, 0}), b.Const<int32_t>({3}, {1, 2, 4})},
                        {b.Tensor({1, 2, 4})}, tflite::SliceOptionsT());
  b.Op(tflite::BuiltinOperator_ASSIGN_VARIABLE, {state, kept}, {});
  b.Output(b.Op(tflite::BuiltinOperator_TANH, {all}, {b.Tensor({1, 3, 4})}));
  b.AddSubgraph("init");
  b.Op(tflite::BuiltinOperator_ASSIGN_VARIABLE,
       {handle(), b.Const<float>({1, 2, 4}, std::vector<float>(8, 0.5f))}, {});
  const std::vector<uint8_t> model = b.Finish();
  const Delegate delegate = Make({{"max_delegated_partitions", "8"}});
  Session session(model), cpu(model);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  ASSERT_EQ(cpu->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(ReportOf(delegate)["delegated"], 3) << ReportOf(delegate)["refused"];
  for (int run = 0; run < 3; ++run) EXPECT_THAT(session.Run(), CloseTo(cpu.Run()));
}

INSTANTIATE_TEST_SUITE_P(Backends, ApplyTest, ::testing::Values("metal", "opencl"),
                         [](const auto& info) { return info.param; });

TEST(ApplyFailureTest, AnInventedDeviceLeavesTheModelToTheCpu) {
  const Delegate delegate = PluginDelegate({{"tern_backend", "null:mali"}});
  ASSERT_NE(delegate, nullptr) << testing::PluginError();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  const nlohmann::json report = ReportOf(delegate);
  EXPECT_EQ(report["delegated"], 0);
  EXPECT_EQ(report["partitions"], 0);
  ASSERT_THAT(report["refused"], SizeIs(3));
  EXPECT_EQ(report["refused"][0]["op"], "RELU");
  EXPECT_NE(report["refused"][0]["reason"], "");
  EXPECT_THAT(session.errors.text,
              HasSubstr("No operations will run on the GPU, and all 3 operations will run on the "
                        "CPU."));
  EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel()));
}

TEST(ApplyFailureTest, ContradictingPrioritiesFailWhenApplied) {
  TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
  options.inference_priority2 = options.inference_priority1;
  const Delegate delegate(TfLiteGpuDelegateV2Create(&options), TfLiteGpuDelegateV2Delete);
  ASSERT_NE(delegate, nullptr);
  Session session(ThreeOpModel());
  EXPECT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteDelegateError);
  EXPECT_THAT(session.errors.text, HasSubstr("InferenceOptions are invalid."));
  EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel()));
}

}  // namespace
}  // namespace tern::delegate
