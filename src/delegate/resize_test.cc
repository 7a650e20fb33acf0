// SPDX-License-Identifier: Apache-2.0
// Other input shapes on a graph that the delegate took: results, and what is created again.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "delegate/testing/delegate_test.h"
#include "delegate/testing/idle_device.h"
#include "delegate/testing/resizable_models.h"
#include "gpu/testing/faulty_device.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/signature_runner.h"

namespace tern::delegate {
namespace {

using gpu::FaultyDevice;
using testing::IdleDevice;
using testing::Random;
using testing::ResizableModel;

DelegateOptions ManyParts() {
  DelegateOptions options = DefaultOptions();
  options.documented.max_delegated_partitions = 8;
  return options;
}

// Gives the first input a shape; whether the runtime took it and could allocate.
bool Resize(Session& session, const std::vector<int>& shape) {
  return session->ResizeInputTensor(session->inputs()[0], shape) == kTfLiteOk &&
         session->AllocateTensors() == kTfLiteOk;
}

bool RunsOnDelegate(Session& session) {
  for (const int node : session->execution_plan()) {
    if (session->node_and_registration(node)->second.builtin_code == kTfLiteBuiltinDelegate)
      return true;
  }
  return false;
}

class ResizeTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto opened = gpu::OpenDevice(GetParam());
    if (!opened.ok()) GTEST_SKIP() << "no " << GetParam() << " device here";
    device_ = std::make_shared<FaultyDevice>(opened->device);
    opened_ = Opened(device_);
  }
  Delegate Make() const { return DelegateOver(ManyParts(), opened_); }
  // Programs are slow to compile there.
  int Rounds() const { return GetParam() == "gles" || GetParam() == "vulkan" ? 3 : 25; }

  std::shared_ptr<FaultyDevice> device_;
  gpu::OpenedDevice opened_;
};

TEST_P(ResizeTest, RandomShapesAgreeWithTheCpu) {
  Random random(20);
  for (const ResizableModel& model : testing::ResizableModels()) {
    SCOPED_TRACE(model.name);
    const Delegate delegate = Make();
    Session cpu(model.bytes), session(model.bytes);
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    for (int round = 0; round < Rounds(); ++round) {
      const std::vector<int> shape = model.draw(random);
      SCOPED_TRACE(::testing::PrintToString(shape));
      ASSERT_TRUE(Resize(cpu, shape)) << cpu.errors.text;
      ASSERT_TRUE(Resize(session, shape)) << session.errors.text;
      EXPECT_TRUE(RunsOnDelegate(session));
      cpu->ResetVariableTensors();
      session->ResetVariableTensors();
      const std::vector<float> expected = cpu.Run();
      ASSERT_THAT(session.Run(), CloseTo(expected, model.tolerance)) << session.errors.text;
    }
  }
}

TEST_P(ResizeTest, NothingIsLeftOfATensorWithoutElements) {
  for (const ResizableModel& model : {testing::ElementwiseNet(), testing::SplitNet()}) {
    SCOPED_TRACE(model.name);
    const Delegate delegate = Make();
    Session session(model.bytes);
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    std::vector<int> shape = session->input_tensor(0)->dims->size == 3
                                 ? std::vector<int>{2, 5, 12}
                                 : std::vector<int>{1, 6, 6, 4};
    std::vector<int> empty = shape;
    empty[0] = 0;
    for (int round = 0; round < 2; ++round) {
      ASSERT_TRUE(Resize(session, empty)) << session.errors.text;
      ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.errors.text;
      EXPECT_EQ(session->output_tensor(0)->bytes, 0u);
      shape[1] += round;
      ASSERT_TRUE(Resize(session, shape)) << session.errors.text;
      EXPECT_TRUE(RunsOnDelegate(session));
      EXPECT_THAT(session.Run(), CloseTo(CpuResult(model.bytes, shape), model.tolerance));
    }
  }
}

TEST_P(ResizeTest, EachSignatureIsResizedByItself) {
  tern::testing::ModelBuilder b;
  const auto graph = [&b](tflite::BuiltinOperator code) {
    const int x = b.Input({1, 4, 4, 8});
    const int y = b.Op(code, {x}, {b.Tensor({})});
    const int z = b.Op(tflite::BuiltinOperator_ABS, {y}, {b.Tensor({})});
    b.Output(z);
    b.Signature(std::string("of ") + tflite::EnumNameBuiltinOperator(code), {{"x", x}}, {{"z", z}});
  };
  graph(tflite::BuiltinOperator_NEG);
  b.AddSubgraph("second");
  graph(tflite::BuiltinOperator_RELU);
  const std::vector<uint8_t> bytes = b.Finish();
  const Delegate delegate = Make();
  Session session(bytes);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_EQ(ReportOf(delegate)["partitions"], 2);
  for (const int size : {3, 1, 0, 5}) {
    for (const bool relu : {false, true}) {
      tflite::SignatureRunner* const runner =
          session->GetSignatureRunner(relu ? "of RELU" : "of NEG");
      ASSERT_NE(runner, nullptr) << session.errors.text;
      ASSERT_EQ(runner->ResizeInputTensor("x", {size, 2, 3, 5}), kTfLiteOk);
      ASSERT_EQ(runner->AllocateTensors(), kTfLiteOk) << session.errors.text;
      std::vector<float> expected;
      float* const x = runner->input_tensor("x")->data.f;
      for (int i = 0; i < size * 30; ++i) {
        x[i] = static_cast<float>(i % 7 - 3);
        expected.push_back(relu ? std::max(x[i], 0.0f) : std::abs(x[i]));
      }
      ASSERT_EQ(runner->Invoke(), kTfLiteOk) << session.errors.text;
      const TfLiteTensor* const z = runner->output_tensor("z");
      EXPECT_THAT(std::vector<float>(z->data.f, z->data.f + z->bytes / sizeof(float)),
                  CloseTo(expected));
      EXPECT_EQ(ReportOf(delegate)["partitions"], 2);
    }
  }
}

// Where sizes depend on data the delegate takes nothing, as documented, and resizing goes on.
TEST_P(ResizeTest, AGraphWithADynamicTensorStaysOnTheCpu) {
  tern::testing::ModelBuilder b;
  const int x = b.Input({3, 4});
  const int zero = b.Const<float>({1}, {0});
  const int above =
      b.Op(tflite::BuiltinOperator_GREATER, {x, zero}, {b.Tensor({}, tflite::TensorType_BOOL)});
  const int where =
      b.Op(tflite::BuiltinOperator_WHERE, {above}, {b.Tensor({}, tflite::TensorType_INT64)});
  const int reals = b.Op(tflite::BuiltinOperator_CAST, {where}, {b.Tensor({})});
  b.Output(b.Op(tflite::BuiltinOperator_LOGISTIC, {reals}, {b.Tensor({})}));
  const std::vector<uint8_t> bytes = b.Finish();
  const Delegate delegate = Make();
  Session session(bytes);
  EXPECT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteApplicationError);
  for (const int rows : {5, 1, 8}) {
    ASSERT_TRUE(Resize(session, {rows, 6})) << session.errors.text;
    EXPECT_FALSE(RunsOnDelegate(session));
    const std::vector<float> expected = CpuResult(bytes, {rows, 6});
    EXPECT_FALSE(expected.empty());
    EXPECT_THAT(session.Run(), CloseTo(expected));
  }
}

TEST_P(ResizeTest, WhatNoLongerFitsTheDeviceRunsOnTheCpu) {
  const ResizableModel model = testing::ConvNet();
  device_->own_info().max_buffer_bytes = 64 << 10;
  const Delegate delegate = Make();
  Session session(model.bytes);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_EQ(ReportOf(delegate)["delegated"], ReportOf(delegate)["nodes"]);
  for (const int size : {120, 16, 130, 9}) {
    const std::vector<int> shape = {1, size, size, 3};
    ASSERT_TRUE(Resize(session, shape)) << session.errors.text;
    EXPECT_EQ(ReportOf(delegate)["delegated"] == ReportOf(delegate)["nodes"], size < 100);
    EXPECT_THAT(session.Run(), CloseTo(CpuResult(model.bytes, shape), model.tolerance));
  }
  device_->FailAlways("CreateBuffer");
  ASSERT_TRUE(Resize(session, {3, 8, 8, 3})) << session.errors.text;
  EXPECT_FALSE(RunsOnDelegate(session));
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(model.bytes, {3, 8, 8, 3}), model.tolerance));
  device_->FailAlways("");
  ASSERT_TRUE(Resize(session, {2, 8, 8, 3})) << session.errors.text;
  EXPECT_TRUE(RunsOnDelegate(session));
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(model.bytes, {2, 8, 8, 3}), model.tolerance));
}

TEST_P(ResizeTest, WhatIsKeptEndsWithTheDelegate) {
  const std::vector<uint8_t> bytes = testing::SplitNet().bytes;
  for (const bool delegate_first : {false, true}) {
    Delegate delegate = Make();
    auto session = std::make_unique<Session>(bytes);
    ASSERT_EQ((*session)->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    EXPECT_GT(device_->live_buffers(), 0);
    if (delegate_first) delegate.reset();
    session.reset();
    delegate.reset();
    EXPECT_EQ(device_->live_buffers(), 0);
  }
}

// A shape that the graph itself refuses is an error, and the next one that it takes runs again.
TEST_P(ResizeTest, AfterARefusedShapeAnotherOneRuns) {
  tern::testing::ModelBuilder b;
  const int x = b.Input({1, 4, 6});
  const int r = b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor({})});
  const int flat = b.Op(tflite::BuiltinOperator_RESHAPE, {r, b.Const<int32_t>({2}, {2, 12})},
                        {b.Tensor({})}, tflite::ReshapeOptionsT());
  b.Output(b.Op(tflite::BuiltinOperator_LOGISTIC, {flat}, {b.Tensor({})}));
  const std::vector<uint8_t> bytes = b.Finish();
  const Delegate delegate = Make();
  Session session(bytes);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(Resize(session, {1, 5, 6}));
    EXPECT_NE(session->Invoke(), kTfLiteOk);
    ASSERT_TRUE(Resize(session, {3, 4, 2})) << session.errors.text;
    EXPECT_TRUE(RunsOnDelegate(session));
    EXPECT_THAT(session.Run(), CloseTo(CpuResult(bytes, {3, 4, 2})));
  }
}

TEST_P(ResizeTest, MemoryIsCreatedAgainOnlyWhereSizesDiffer) {
  const ResizableModel model = testing::ConvNet();
  const Delegate delegate = Make();
  Session session(model.bytes);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  const int64_t constants = device_->uploaded_bytes();
  EXPECT_GT(constants, 0);
  const int buffers = device_->made_buffers();
  // Constants and the output keep their sizes, what lies between and the input does not.
  ASSERT_TRUE(Resize(session, {1, 14, 19, 3})) << session.errors.text;
  EXPECT_EQ(device_->uploaded_bytes(), constants);
  EXPECT_LE(device_->made_buffers(), buffers + 2);
  EXPECT_EQ(device_->live_buffers(), buffers);
  ASSERT_TRUE(Resize(session, {1, 19, 14, 3})) << session.errors.text;
  EXPECT_EQ(device_->live_buffers(), buffers);
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(model.bytes, {1, 19, 14, 3}), model.tolerance));
}

INSTANTIATE_TEST_SUITE_P(Backends, ResizeTest,
                         ::testing::Values("metal", "opencl", "gles", "vulkan"),
                         [](const auto& info) { return info.param; });

// A text that is the same for one batch and for several.
std::string WithoutSplitZ(const std::string& text) {
  std::string same;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool splits = line.starts_with("#define INNER_Z") || line.starts_with("#define OUTER_Z");
    if (!splits) same += line + "\n";
  }
  return same;
}

// Programs by kernel, for 25 shapes of a model.
using Programs = std::map<std::string, std::set<std::string>>;

class ProgramsTest : public ::testing::TestWithParam<std::string> {
 protected:
  void Use(const ResizableModel& model) {
    device_ = std::make_shared<FaultyDevice>(std::make_shared<IdleDevice>(GetParam()));
    DelegateOptions options = ManyParts();
    options.list = true;
    delegate_ = DelegateOver(options, Opened(device_));
    session_ = std::make_unique<Session>(model.bytes);
    draw_ = model.draw;
    ASSERT_EQ((*session_)->ModifyGraphWithDelegate(delegate_.get()), kTfLiteOk)
        << session_->errors.text;
    Note();
  }
  void ResizeOften() {
    Random random(7);
    for (int i = 0; i < 25; ++i) {
      ASSERT_TRUE(Resize(*session_, draw_(random))) << session_->errors.text;
      Note();
    }
  }
  void Note() {
    const nlohmann::json report = ReportOf(delegate_);
    for (const std::string text : report["kernels"]) {
      programs_[text.substr(3, text.find('\n') - 3)].insert(WithoutSplitZ(text));
    }
  }

  std::shared_ptr<FaultyDevice> device_;
  Delegate delegate_{nullptr, DeleteDelegate};
  std::unique_ptr<Session> session_;
  std::function<std::vector<int>(Random&)> draw_;
  Programs programs_;
};

TEST_P(ProgramsTest, ShapesThatWereThereBeforeNeedNone) {
  for (const ResizableModel& model : testing::ResizableModels()) {
    SCOPED_TRACE(model.name);
    ASSERT_NO_FATAL_FAILURE(Use(model));
    ASSERT_NO_FATAL_FAILURE(ResizeOften());
    const int compiled = device_->compiles();
    EXPECT_GT(compiled, 0);
    ASSERT_NO_FATAL_FAILURE(ResizeOften());
    EXPECT_EQ(device_->compiles(), compiled);
  }
}

// Extents are arguments of programs. These still make other programs of other shapes:
//   reduce, shared_product, softmax   work-items that share a sum, a power of two: by how much work
//                                     there is; convolutions share sums where an image is one pixel
//   conv_1x1, batch_matmul            rows per work-item, at most Tuning::pixels: no more than rows
//                                     (conv_1x1: of fully connected layers; conv_1x1_lane_loop,
//                                     too)
//   conv_1x1, depthwise_conv_2d       on GPUs: rows of fewer pixels than a work-item makes
//   copy_elements, copy_pixels        axes that are walked: those of extent 1 are left out
//   elementwise, and fused operands   whether an operand is repeated along an axis
//   all of them                       channels, where an extent of the input becomes one: fewer
//                                     than a slice are known to the program; one batch or several,
//                                     which makes two programs of each text that is counted here
// and a first dimension becomes the only row of pixels, or not.
TEST_P(ProgramsTest, FewAreCompiledForNewShapes) {
  const bool cpu = GetParam() == "cpu16";
  const std::string rows = cpu ? "conv_1x1_lane_loop" : "conv_1x1";
  std::set<std::string> of_short_rows;
  if (!cpu) of_short_rows = {"conv_1x1", "depthwise_conv_2d"};
  const struct {
    ResizableModel model;
    int max;                        // programs for 25 shapes and the first
    std::set<std::string> several;  // kernels with several programs because of shapes
  } kCases[] = {
      {testing::ConvNet(), cpu ? 12 : 15, {rows, "shared_product", "reduce"}},
      {testing::ElementwiseNet(), 15, {rows, "shared_product", "reduce", "elementwise"}},
      {testing::LstmNet(), 16, {rows, "shared_product", "copy_pixels"}},
      {testing::DecoderNet(), 11, {"copy_elements"}},
      {testing::SplitNet(), cpu ? 6 : 7, {"reduce"}},
      {testing::QuantizedNet(), 2, {}},
      {testing::AttentionNet(),
       cpu ? 45 : 24,
       {"batch_matmul", rows, "copy_elements", "softmax", "shared_product"}},
      {testing::MovementNet(), cpu ? 29 : 16, {"copy_elements", "copy_pixels"}},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.model.name);
    ASSERT_NO_FATAL_FAILURE(Use(c.model));
    std::map<std::string, size_t> first;
    for (const auto& [kernel, texts] : programs_) first[kernel] = texts.size();
    ASSERT_NO_FATAL_FAILURE(ResizeOften());
    EXPECT_LE(device_->compiles(), 2 * c.max);
    size_t count = 0;
    for (const auto& [kernel, texts] : programs_) count += texts.size();
    EXPECT_LE(count, static_cast<size_t>(c.max));
    for (const auto& [kernel, texts] : programs_) {
      if (c.several.count(kernel) + of_short_rows.count(kernel) != 0) continue;
      EXPECT_EQ(texts.size(), first[kernel]) << kernel;
    }
    programs_.clear();
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ProgramsTest, ::testing::Values("cpu16", "adreno", "mali"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tern::delegate
