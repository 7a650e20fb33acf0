// SPDX-License-Identifier: Apache-2.0
// The delegate for Metal with buffers and command buffers of an application, over the stand-in of
// tests/metal.
#include "tensorflow/lite/delegates/gpu/metal_delegate.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "delegate/testing/delegate_test.h"
#include "gpu/backends/metal/metal_messages.h"
#include "metal/standin.h"
#include "metal/standin_runtime.h"
#include "tensorflow/lite/delegates/gpu/metal_delegate_internal.h"

namespace tern::delegate {
namespace {

using gpu::Id;
using metal_standin::Contents;
using metal_standin::TheCounts;
using metal_standin::TheSettings;

class MetalDelegateTest : public ::testing::Test {
 protected:
  void SetUp() override { system_ = metal_standin::TakeDevice(); }
  void TearDown() override {
    for (const Id object : owned_) metal_standin::Release(object);
    metal_standin::Release(system_);
  }

  Id NewBuffer(const std::vector<float>& values) {
    owned_.push_back(metal_standin::NewBuffer(system_, 4 * values.size()));
    std::copy(values.begin(), values.end(), static_cast<float*>(Contents(owned_.back())));
    return owned_.back();
  }
  static std::vector<float> Floats(Id buffer, size_t count) {
    const auto* data = static_cast<const float*>(Contents(buffer));
    return {data, data + count};
  }
  static Delegate NewDelegate(TFLGpuDelegateWaitType wait = TFLGpuDelegateWaitTypePassive,
                              bool half = false) {
    TFLGpuDelegateOptions options = TFLGpuDelegateOptionsDefault();
    options.wait_type = wait;
    options.allow_precision_loss = half;
    return Delegate(TFLGpuDelegateCreate(&options), TFLGpuDelegateDelete);
  }
  static bool Bind(const Delegate& delegate, int tensor, Id buffer) {
    return TFLGpuDelegateBindMetalBufferToTensor(delegate.get(), tensor, buffer);
  }
  // Applies the delegate, and binds the first input and output.
  static void ApplyBound(Session& session, const Delegate& delegate, Id in, Id out) {
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
    ASSERT_TRUE(Bind(delegate, session->inputs()[0], in));
    ASSERT_TRUE(Bind(delegate, session->outputs()[0], out));
  }
  static std::string BindError(TfLiteDelegate* delegate, int tensor, Id buffer) {
    ::testing::internal::CaptureStderr();
    const bool bound = TFLGpuDelegateBindMetalBufferToTensor(delegate, tensor, buffer);
    const std::string log = ::testing::internal::GetCapturedStderr();
    return bound ? "bound: " + log : log;
  }

  const gpu::ObjcFunctions objc_ = metal_standin::Functions();
  const gpu::MetalMessages say_{objc_};
  Id system_ = nullptr;
  std::vector<Id> owned_;
};

TEST_F(MetalDelegateTest, DefaultsAreTheDocumentedOnes) {
  const TFLGpuDelegateOptions options = TFLGpuDelegateOptionsDefault();
  EXPECT_FALSE(options.allow_precision_loss);
  EXPECT_EQ(options.wait_type, TFLGpuDelegateWaitTypePassive);
  EXPECT_TRUE(options.enable_quantization);
  const Delegate by_object(TFLGpuDelegateCreate(options), TFLGpuDelegateDelete);
  ASSERT_NE(by_object, nullptr);
  EXPECT_EQ(by_object->flags, kTfLiteDelegateFlagsNone);
  EXPECT_EQ(by_object->CopyFromBufferHandle, nullptr);
  EXPECT_EQ(by_object->CopyToBufferHandle, nullptr);
  TFLGpuDelegateDelete(nullptr);
  TFLGpuDelegateOptions odd = options;
  const int nine = 9;
  std::memcpy(&odd.wait_type, &nine, sizeof(nine));
  ::testing::internal::CaptureStderr();
  TFLGpuDelegateDelete(TFLGpuDelegateCreate(&odd));
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("wait_type 9"));
}

TEST_F(MetalDelegateTest, EveryWaitTypeGivesTheResults) {
  for (const TFLGpuDelegateWaitType wait :
       {TFLGpuDelegateWaitTypePassive, TFLGpuDelegateWaitTypeActive,
        TFLGpuDelegateWaitTypeDoNotWait, TFLGpuDelegateWaitTypeAggressive}) {
    for (const bool half : {false, true}) {
      SCOPED_TRACE(StrCat("wait ", static_cast<int>(wait), " half ", half));
      const Delegate delegate = NewDelegate(wait, half);
      Session session(ThreeOpModel());
      ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
      ASSERT_THAT(session->execution_plan(), SizeIs(1));
      const auto* node = session->node_and_registration(session->execution_plan()[0]);
      EXPECT_STREQ(node->second.custom_name, "TfLiteMetalDelegate");
      for (int run = 0; run < 3; ++run)
        EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel()), half ? 2e-3f : 1e-5f));
      EXPECT_EQ(ReportOf(delegate)["precision"], half ? "f16" : "f32");
      EXPECT_THAT(std::string(ReportOf(delegate)["device"]), HasSubstr("stand-in"));
    }
  }
}

// Row lengths that fill slices and others; counted: nothing is copied.
TEST_F(MetalDelegateTest, BuffersStandForInputAndOutput) {
  for (const std::vector<int>& shape : std::vector<std::vector<int>>{
           {1, 4, 5, 4}, {1, 3, 5, 3}, {1, 1, 1, 1}, {1, 1, 1, 1001}, {2, 3, 3, 8}}) {
    for (const bool half : {false, true}) {
      SCOPED_TRACE(StrCat(shape[3], " channels, half precision ", half));
      const size_t count = Elements(shape);
      const Id in = NewBuffer(Pattern(count)), out = NewBuffer(std::vector<float>(count, -1.0f));
      const Delegate delegate = NewDelegate(TFLGpuDelegateWaitTypePassive, half);
      Session session(ThreeOpModel(shape));
      ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
      session->SetAllowBufferHandleOutput(true);
      const auto work = [] {
        return TheCounts().contents + TheCounts().copies + TheCounts().libraries;
      };
      const long applied = work();
      ASSERT_TRUE(Bind(delegate, session->inputs()[0], in));
      ASSERT_TRUE(Bind(delegate, session->outputs()[0], out));
      EXPECT_EQ(work(), applied) << "nothing is compiled or uploaded again";
      const std::vector<float> want = CpuResult(ThreeOpModel(shape));
      const long before = TheCounts().contents + TheCounts().copies;
      for (int run = 0; run < 2; ++run) {
        ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.errors.text;
        EXPECT_THAT(Floats(out, count), CloseTo(want, half ? 2e-3f : 1e-5f));
      }
      std::thread([&] { ASSERT_EQ(session->Invoke(), kTfLiteOk); }).join();
      EXPECT_EQ(TheCounts().contents + TheCounts().copies, before);
      EXPECT_FALSE(session->tensor(session->outputs()[0])->data_is_stale);
    }
  }
}

TEST_F(MetalDelegateTest, OneOfThemStaysWithTheRuntime) {
  const std::vector<int> shape = {1, 3, 5, 3};
  const std::vector<float> want = CpuResult(ThreeOpModel(shape));
  const Id in = NewBuffer(Pattern(Elements(shape)));
  {
    const Delegate delegate = NewDelegate();
    Session session(ThreeOpModel(shape));
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    ASSERT_TRUE(Bind(delegate, session->inputs()[0], in));
    std::fill_n(session->typed_input_tensor<float>(0), Elements(shape), 1000.0f);
    ASSERT_EQ(session->Invoke(), kTfLiteOk);
    const float* data = session->typed_output_tensor<float>(0);
    EXPECT_THAT(std::vector<float>(data, data + want.size()), CloseTo(want));
  }
  // Longer than needed: the rest stays.
  const Id out = NewBuffer(std::vector<float>(want.size() + 3, 55.0f));
  const Delegate delegate = NewDelegate();
  Session session(ThreeOpModel(shape));
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  ASSERT_TRUE(Bind(delegate, session->outputs()[0], out));
  session.Run();
  std::vector<float> all = want;
  all.insert(all.end(), 3, 55.0f);
  EXPECT_THAT(Floats(out, all.size()), CloseTo(all));
  // Another buffer takes its place.
  const Id other = NewBuffer(std::vector<float>(want.size()));
  ASSERT_TRUE(Bind(delegate, session->outputs()[0], other));
  std::fill_n(static_cast<float*>(Contents(out)), all.size(), 55.0f);
  session.Run();
  EXPECT_THAT(Floats(other, want.size()), CloseTo(want));
  EXPECT_EQ(Floats(out, all.size()), std::vector<float>(all.size(), 55.0f));
}

TEST_F(MetalDelegateTest, BuffersStayBoundWhenShapesChange) {
  const std::vector<int> shape = {1, 4, 4, 4}, smaller = {1, 2, 3, 3}, larger = {1, 4, 5, 4};
  const size_t count = Elements(shape);
  const Id in = NewBuffer(Pattern(count)), out = NewBuffer(Pattern(count));
  const Delegate delegate = NewDelegate();
  Session session(ThreeOpModel(shape));
  const int input = session->inputs()[0], output = session->outputs()[0];
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  ASSERT_TRUE(Bind(delegate, input, in));
  ASSERT_TRUE(Bind(delegate, output, out));
  ASSERT_EQ(session->ResizeInputTensor(input, smaller), kTfLiteOk);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
  const long before = TheCounts().contents + TheCounts().copies;
  ASSERT_EQ(session->Invoke(), kTfLiteOk);
  EXPECT_EQ(TheCounts().contents + TheCounts().copies, before);
  EXPECT_THAT(Floats(out, Elements(smaller)), CloseTo(CpuResult(ThreeOpModel(shape), smaller)));
  ASSERT_EQ(session->ResizeInputTensor(input, larger), kTfLiteOk);
  EXPECT_NE(session->AllocateTensors(), kTfLiteOk);
  EXPECT_THAT(session.errors.text, HasSubstr(" has 256 bytes, tensor '"));
  EXPECT_THAT(session.errors.text, HasSubstr("' needs 320"));
}

// x (8 bits) -> RELU -> y (8 bits)
std::vector<uint8_t> QuantizedModel(const std::vector<int>& shape) {
  tern::testing::ModelBuilder b;
  const int x = b.Input(shape, tflite::TensorType_INT8);
  b.Quantize(x, 0.25f, 3);
  const int y = b.Tensor(shape, tflite::TensorType_INT8);
  b.Quantize(y, 0.25f, 3);
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {x}, {y}));
  return b.Finish();
}

// The documents: floats, whatever the tensor holds.
TEST_F(MetalDelegateTest, BuffersOfQuantizedTensorsHoldFloats) {
  const std::vector<int> shape = {1, 3, 5, 3};
  const size_t count = Elements(shape);
  const std::vector<float> values = Pattern(count);
  const Id in = NewBuffer(values), out = NewBuffer(std::vector<float>(count, -1.0f));
  const Delegate delegate = NewDelegate();
  Session session(QuantizedModel(shape));
  ASSERT_NO_FATAL_FAILURE(ApplyBound(session, delegate, in, out));
  const long before = TheCounts().contents + TheCounts().copies;
  ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.errors.text;
  EXPECT_EQ(TheCounts().contents + TheCounts().copies, before);
  for (size_t i = 0; i < count; ++i)
    EXPECT_EQ(Floats(out, count)[i], std::max(0.0f, values[i])) << i;
  ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], {1, 2, 2, 3}), kTfLiteOk);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
  std::fill_n(static_cast<float*>(Contents(out)), count, -1.0f);
  ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.errors.text;
  for (size_t i = 0; i < 12; ++i) EXPECT_EQ(Floats(out, count)[i], std::max(0.0f, values[i])) << i;
  EXPECT_EQ(Floats(out, count)[12], -1.0f);
}

TEST_F(MetalDelegateTest, WrongCallsOfBindAreRefused) {
  const std::vector<int> shape = {1, 4, 4, 8};
  const Id buffer = NewBuffer(std::vector<float>(Elements(shape)));
  const auto error = [](const std::string& text) {
    return HasSubstr("TFLGpuDelegateBindMetalBufferToTensor: " + text);
  };
  const std::string none = "the delegate is none of TFLGpuDelegateCreate";
  EXPECT_THAT(BindError(nullptr, 0, buffer), error(none));
  TfLiteDelegate foreign = TfLiteDelegateCreate();
  EXPECT_THAT(BindError(&foreign, 0, buffer), error(none));
  const Delegate newer(TfLiteGpuDelegateV2Create(nullptr), TfLiteGpuDelegateV2Delete);
  EXPECT_THAT(BindError(newer.get(), 0, buffer), error(none));

  const Delegate delegate = NewDelegate();
  Session session(ThreeOpModel(shape));
  const int input = session->inputs()[0], output = session->outputs()[0];
  const auto no_io = [&](int tensor) {
    return error(StrCat("tensor #", tensor, " is no input or output of the part on the GPU"));
  };
  EXPECT_THAT(BindError(delegate.get(), input, buffer), no_io(input)) << "too early";
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  const int inside = session->node_and_registration(0)->first.outputs->data[0];
  EXPECT_THAT(BindError(delegate.get(), inside, buffer), no_io(inside));
  EXPECT_THAT(BindError(delegate.get(), -1, buffer), no_io(-1));
  EXPECT_THAT(BindError(delegate.get(), 99, buffer), no_io(99));
  EXPECT_THAT(BindError(delegate.get(), input, nullptr), error("the Metal buffer is nil"));
  EXPECT_THAT(BindError(delegate.get(), input, NewBuffer(std::vector<float>(127))),
              HasSubstr("' needs 512"));
  ASSERT_TRUE(Bind(delegate, input, buffer));
  EXPECT_THAT(BindError(delegate.get(), output, buffer), HasSubstr("shares its memory"));
  {
    Session second(ThreeOpModel(shape));
    ASSERT_EQ(second->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << second.errors.text;
    EXPECT_THAT(BindError(delegate.get(), input, buffer),
                error("the delegate is in use by several"));
  }
  EXPECT_TRUE(Bind(delegate, input, buffer));
  const Id other = metal_standin::NewDevice();
  const Id abroad = metal_standin::NewBuffer(other, 512);
  EXPECT_THAT(BindError(delegate.get(), input, abroad),
              error("the Metal buffer is of another device"));
  metal_standin::Release(abroad);
  metal_standin::Release(other);
  EXPECT_THAT(session.Run(), SizeIs(Elements(shape))) << "the run is as good as before";
  session.interpreter.reset();
  EXPECT_THAT(BindError(delegate.get(), input, buffer), no_io(input)) << "its interpreter is gone";
}

// No buffer can stand for a tensor that nodes on the CPU use as well.
TEST_F(MetalDelegateTest, TensorsOfTheCpuAreRefused) {
  const std::vector<int> shape = {1, 4, 4, 3};
  const Id buffer = NewBuffer(std::vector<float>(Elements(shape)));
  const Delegate delegate = NewDelegate();
  Session session(SplitModel(shape));
  const int between = session->node_and_registration(1)->first.outputs->data[0];
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_THAT(BindError(delegate.get(), between, buffer),
              HasSubstr("is written or read by nodes on the CPU"));
  ASSERT_TRUE(Bind(delegate, session->outputs()[0], buffer));
  session.Run();
  EXPECT_THAT(Floats(buffer, Elements(shape)), CloseTo(CpuResult(SplitModel(shape))));
}

TEST_F(MetalDelegateTest, WithoutWaitingTheRunGoesOn) {
  const std::vector<int> shape = {1, 4, 4, 4};
  const size_t count = Elements(shape);
  const Id in = NewBuffer(Pattern(count)), out = NewBuffer(std::vector<float>(count, -1.0f));
  const Delegate delegate = NewDelegate(TFLGpuDelegateWaitTypeDoNotWait);
  Session session(ThreeOpModel(shape));
  ASSERT_NO_FATAL_FAILURE(ApplyBound(session, delegate, in, out));
  TheSettings().holds = true;
  ASSERT_EQ(session->Invoke(), kTfLiteOk);
  EXPECT_EQ(Floats(out, count), std::vector<float>(count, -1.0f)) << "the GPU has not begun";
  TheSettings().holds = false;
  const std::vector<float> want = CpuResult(ThreeOpModel(shape));
  const auto done = [&] { return Floats(out, count)[count - 1] != -1.0f; };
  for (int i = 0; i < 10000 && !done(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_THAT(Floats(out, count), CloseTo(want));
}

TEST_F(MetalDelegateTest, RunsInACommandBufferOfTheApplication) {
  const std::vector<int> shape = {1, 4, 4, 4};
  const size_t count = Elements(shape);
  const gpu::ObjcRef queue = gpu::ObjcRef::Take(objc_, say_.new_queue(system_));
  const Id in = NewBuffer(Pattern(count)), out = NewBuffer(std::vector<float>(count, -1.0f));
  const Delegate delegate = NewDelegate();
  Session session(ThreeOpModel(shape));
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  const std::vector<float> want = CpuResult(ThreeOpModel(shape));
  {
    const gpu::ObjcPool pool(objc_);
    const Id commands = say_.command_buffer(queue.get());
    ASSERT_TRUE(TFLGpuDelegateSetCommandBuffer(delegate.get(), commands));
    EXPECT_EQ(session->Invoke(), kTfLiteError);
    EXPECT_THAT(session.errors.text, HasSubstr("External command encoder is used, but not all "
                                               "output buffers are bound."));
  }
  ASSERT_TRUE(Bind(delegate, session->outputs()[0], out));
  for (const bool input_bound : {false, true}) {
    SCOPED_TRACE(input_bound);
    if (input_bound) {
      ASSERT_TRUE(Bind(delegate, session->inputs()[0], in));
    } else {
      const std::vector<float> pattern = Pattern(count);
      std::copy(pattern.begin(), pattern.end(), session->typed_input_tensor<float>(0));
    }
    std::fill_n(static_cast<float*>(Contents(out)), count, -1.0f);
    const gpu::ObjcPool pool(objc_);
    const Id commands = say_.command_buffer(queue.get());
    ASSERT_TRUE(TFLGpuDelegateSetCommandBuffer(delegate.get(), commands));
    const long commits = TheCounts().commits;
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.errors.text;
    EXPECT_EQ(TheCounts().commits, commits) << "nothing is committed";
    EXPECT_EQ(Floats(out, count), std::vector<float>(count, -1.0f));
    if (!input_bound) {
      // The input's memory is still to be read.
      ASSERT_TRUE(TFLGpuDelegateSetCommandBuffer(delegate.get(), say_.command_buffer(queue.get())));
      EXPECT_EQ(session->Invoke(), kTfLiteError);
      EXPECT_THAT(session.errors.text, HasSubstr("was not committed yet"));
    }
    say_.commit(commands);
    say_.wait(commands);
    EXPECT_THAT(Floats(out, count), CloseTo(want));
  }
  // Without another one the run is an ordinary one.
  std::fill_n(static_cast<float*>(Contents(out)), count, -1.0f);
  ASSERT_EQ(session->Invoke(), kTfLiteOk);
  EXPECT_THAT(Floats(out, count), CloseTo(want));
}

// A run that is not waited for, and one in a command buffer of the application behind it.
TEST_F(MetalDelegateTest, RunsOnTwoQueuesKeepTheirOrder) {
  const std::vector<int> shape = {1, 4, 4, 4};
  const size_t count = Elements(shape);
  const gpu::ObjcRef queue = gpu::ObjcRef::Take(objc_, say_.new_queue(system_));
  const Id in = NewBuffer(Pattern(count)), out = NewBuffer(std::vector<float>(count, -1.0f));
  const Delegate delegate = NewDelegate(TFLGpuDelegateWaitTypeDoNotWait);
  Session session(ThreeOpModel(shape));
  ASSERT_NO_FATAL_FAILURE(ApplyBound(session, delegate, in, out));
  for (const bool events : {true, false}) {
    SCOPED_TRACE(events);
    TheSettings().has_events = events;
    std::fill_n(static_cast<float*>(Contents(out)), count, -1.0f);
    const gpu::ObjcPool pool(objc_);
    const Id commands = say_.command_buffer(queue.get());
    const long waits = TheCounts().waits;
    TheSettings().holds = true;
    ASSERT_EQ(session->Invoke(), kTfLiteOk);
    ASSERT_TRUE(TFLGpuDelegateSetCommandBuffer(delegate.get(), commands));
    std::thread released;
    if (!events) {
      released = std::thread([waits] {
        while (TheCounts().waits == waits) std::this_thread::yield();
        TheSettings().holds = false;
      });
    }
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.errors.text;
    EXPECT_EQ(TheCounts().waits - waits, events ? 0 : 1);
    if (released.joinable()) released.join();
    say_.commit(commands);
    TheSettings().holds = false;
    say_.wait(commands);
    EXPECT_THAT(Floats(out, count), CloseTo(CpuResult(ThreeOpModel(shape))));
  }
  TheSettings().has_events = true;
}

TEST_F(MetalDelegateTest, WrongCommandBuffersAreRefused) {
  const auto error_of = [](TfLiteDelegate* delegate, Id buffer) {
    ::testing::internal::CaptureStderr();
    const bool set = TFLGpuDelegateSetCommandBuffer(delegate, buffer);
    const std::string log = ::testing::internal::GetCapturedStderr();
    return set ? "set: " + log : log;
  };
  const Delegate delegate = NewDelegate();
  EXPECT_THAT(error_of(nullptr, nullptr),
              HasSubstr("TFLGpuDelegateSetCommandBuffer: the delegate is none of"));
  EXPECT_THAT(error_of(delegate.get(), nullptr), HasSubstr("the Metal command buffer is nil"));
}

TEST_F(MetalDelegateTest, NothingIsLeft) {
  const std::vector<int> shape = {1, 4, 4, 4};
  const Id in = NewBuffer(Pattern(64)), out = NewBuffer(Pattern(64));
  const auto use = [&] {
    const Delegate delegate = NewDelegate();
    Session session(ThreeOpModel(shape));
    ASSERT_NO_FATAL_FAILURE(ApplyBound(session, delegate, in, out));
    ASSERT_EQ(session->Invoke(), kTfLiteOk);
  };
  use();
  metal_standin::WaitUntilIdle();
  const long before = metal_standin::LiveObjects();
  for (int i = 0; i < 20; ++i) use();
  metal_standin::WaitUntilIdle();
  EXPECT_EQ(metal_standin::LiveObjects(), before);
}

}  // namespace
}  // namespace tern::delegate
