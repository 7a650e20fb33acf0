// SPDX-License-Identifier: Apache-2.0
// The delegate for OpenGL ES alone, with buffers of an application that has a context of its own.
#include "tensorflow/lite/delegates/gpu/gl_delegate.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "delegate/testing/delegate_test.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/backends/gles/testing/fixtures.h"
#include "gpu/testing/faulty_device.h"
#include "tensorflow/lite/delegates/gpu/cl/gpu_api_delegate.h"

namespace tern::delegate {
namespace {

using gpu::FaultyDevice;
using gpu::testing::AppContext;

Delegate NewDelegate(const TfLiteGpuDelegateOptions* options = nullptr) {
  return Delegate(TfLiteGpuDelegateCreate(options), TfLiteGpuDelegateDelete);
}

class GlDelegateTest : public gpu::testing::AppTest {
 protected:
  // Binds through a device that counts; null when that fails.
  FaultyDevice* BindCounted(const Delegate& delegate, int tensor, GLuint buffer) {
    const absl::Status status =
        FindCore(delegate.get())
            ->BindBuffer(tensor, buffer, [this]() -> absl::StatusOr<gpu::OpenedDevice> {
              absl::StatusOr<gpu::OpenedDevice> opened = gpu::OpenSharingDevice("gles");
              if (!opened.ok()) return opened;
              counting_ = std::make_shared<FaultyDevice>(opened->device);
              return Opened(counting_);
            });
    EXPECT_TRUE(status.ok()) << status;
    return counting_.get();
  }

  std::string BindError(TfLiteDelegate* delegate, GLuint buffer, int tensor) {
    ::testing::internal::CaptureStderr();
    const TfLiteStatus status = TfLiteGpuDelegateBindBufferToTensor(delegate, buffer, tensor);
    const std::string log = ::testing::internal::GetCapturedStderr();
    return status == kTfLiteError ? log : "status " + std::to_string(status) + ": " + log;
  }

  // The report of ModifyGraphWithDelegate, which has to fail; the CPU has to go on.
  static std::string ModifyError(Session& session, const Delegate& delegate) {
    if (session->ModifyGraphWithDelegate(delegate.get()) != kTfLiteDelegateError) return "no error";
    const std::string text = session.errors.text;
    EXPECT_EQ(session->AllocateTensors(), kTfLiteOk);
    EXPECT_EQ(session->Invoke(), kTfLiteOk);
    return text;
  }

  std::shared_ptr<FaultyDevice> counting_;
};

// The names from between the two headers.
TEST(GpuApiDelegate, IsOneOfTheOthers) {
  TfLiteGpuDelegateOptions_New options = {};
  options.compile_options.precision_loss_allowed = 1;
  options.compile_options.inference_priority = TFLITE_GPU_INFERENCE_PRIORITY_MIN_LATENCY;
  TfLiteDelegate* plain = TfLiteGpuDelegateCreate_New(&options);
  ASSERT_NE(plain, nullptr);
  EXPECT_EQ(TfLiteGpuDelegateBindGlBufferToTensor(plain, 1, 0, kTfLiteFloat16,
                                                  TFLITE_GPU_DATA_LAYOUT_BHWC),
            kTfLiteError);
  size_t size = 1;
  const uint8_t* data = nullptr;
  EXPECT_FALSE(TfLiteGpuDelegateGetSerializedBinaryCache(plain, &size, &data));
  EXPECT_EQ(size, 0u);
  TfLiteGpuDelegateDelete_New(plain);
  options.egl_context = &options;  // only compared
  TfLiteDelegate* with_context = TfLiteGpuDelegateCreate_New(&options);
  ASSERT_NE(with_context, nullptr);
  EXPECT_NE(with_context->CopyFromBufferHandle, nullptr) << "that of gl_delegate.h";
  TfLiteGpuDelegateDelete_New(with_context);
  TfLiteGpuDelegateDelete_New(nullptr);
}

TEST(GlDelegateOptions, DefaultsAreTheDocumentedOnes) {
  const TfLiteGpuDelegateOptions options = TfLiteGpuDelegateOptionsDefault();
  EXPECT_EQ(options.metadata, nullptr);
  EXPECT_EQ(options.compile_options.precision_loss_allowed, 0);
  EXPECT_EQ(options.compile_options.preferred_gl_object_type, TFLITE_GL_OBJECT_TYPE_FASTEST);
  EXPECT_EQ(options.compile_options.dynamic_batch_enabled, 0);
  EXPECT_EQ(options.compile_options.inline_parameters, 0);
  const Delegate by_object(TfLiteGpuDelegateCreate(options), TfLiteGpuDelegateDelete);
  ASSERT_NE(by_object, nullptr);
  EXPECT_EQ(by_object->flags, kTfLiteDelegateFlagsNone);
  EXPECT_NE(by_object->CopyFromBufferHandle, nullptr);
  EXPECT_NE(by_object->CopyToBufferHandle, nullptr);
  EXPECT_EQ(by_object->FreeBufferHandle, nullptr);
  TfLiteGpuDelegateDelete(nullptr);
}

TEST(GlDelegateOptions, WhatHasNoEffectIsSaid) {
  const auto log_of = [](const TfLiteGpuDelegateOptions& options) {
    ::testing::internal::CaptureStderr();
    NewDelegate(&options);
    const std::string log = ::testing::internal::GetCapturedStderr();
    return log.find("WARNING") == std::string::npos ? std::string() : log;
  };
  TfLiteGpuDelegateOptions options = TfLiteGpuDelegateOptionsDefault();
  options.compile_options.precision_loss_allowed = 1;
  options.compile_options.preferred_gl_object_type = TFLITE_GL_OBJECT_TYPE_BUFFER;
  EXPECT_EQ(log_of(options), "");
  const uint8_t metadata = 0;
  options.metadata = &metadata;
  options.compile_options.preferred_gl_object_type = TFLITE_GL_OBJECT_TYPE_TEXTURE;
  options.compile_options.dynamic_batch_enabled = 1;
  options.compile_options.inline_parameters = 1;
  const std::string log = log_of(options);
  for (const char* word :
       {"preferred_gl_object_type 1: buffers are used", "dynamic_batch_enabled has no effect",
        "inline_parameters has no effect", "metadata has no effect"}) {
    EXPECT_THAT(log, HasSubstr(word));
  }
}

TEST(GlDelegateOptions, MetadataIsThatOfTheModel) {
  tern::testing::ModelBuilder b;
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {b.Input({1, 2})}, {b.Tensor({1, 2})}));
  const std::vector<uint8_t> plain = b.Finish();
  EXPECT_EQ(TfLiteGpuDelegateGetModelMetadata(nullptr), nullptr);
  EXPECT_EQ(TfLiteGpuDelegateGetModelMetadata(tflite::GetModel(plain.data())), nullptr);
  std::unique_ptr<tflite::ModelT> model = tflite::UnPackModel(plain.data());
  const int number = static_cast<int>(model->buffers.size());
  model->buffers.push_back(std::make_unique<tflite::BufferT>());
  model->buffers.back()->data = {7, 8, 9};
  model->metadata_buffer = {-1, 1000, 0, number};
  flatbuffers::FlatBufferBuilder builder;
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, model.get()));
  const uint8_t* const data =
      TfLiteGpuDelegateGetModelMetadata(tflite::GetModel(builder.GetBufferPointer()));
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(std::vector<uint8_t>(data, data + 3), (std::vector<uint8_t>{7, 8, 9}));
}

TEST_F(GlDelegateTest, WithoutBuffersItIsAnOrdinaryDelegate) {
  const Delegate delegate = NewDelegate();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  ASSERT_THAT(session->execution_plan(), SizeIs(1));
  const auto* node = session->node_and_registration(session->execution_plan()[0]);
  EXPECT_STREQ(node->second.custom_name, "TfLiteGpuDelegate");
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
  EXPECT_EQ(ReportOf(delegate)["engine"], "gles");
  EXPECT_EQ(ReportOf(delegate)["choice"], "gles: asked for by TfLiteGpuDelegateCreate");
}

// Row lengths that fill slices and others; the second shape ends inside a slice.
TEST_F(GlDelegateTest, BuffersStandForInputAndOutput) {
  const int before = gpu::GlHandle::live();
  for (const std::vector<int>& shape : std::vector<std::vector<int>>{
           {1, 4, 5, 4}, {1, 3, 5, 3}, {1, 1, 1, 1}, {1, 1, 1, 1001}, {2, 3, 3, 8}}) {
    for (const bool half : {false, true}) {
      SCOPED_TRACE(StrCat(shape[3], " channels, half precision ", half));
      const size_t count = Elements(shape);
      const GLuint in = app_->NewBuffer(Pattern(count));
      const GLuint out = app_->NewBuffer(std::vector<float>(count, -1.0f));
      TfLiteGpuDelegateOptions options = TfLiteGpuDelegateOptionsDefault();
      options.compile_options.precision_loss_allowed = half;
      Delegate delegate = NewDelegate(&options);
      Session session(ThreeOpModel(shape));
      FaultyDevice* const device = BindCounted(delegate, session->inputs()[0], in);
      ASSERT_NE(device, nullptr);
      ASSERT_EQ(BindCounted(delegate, session->outputs()[0], out), device);
      session->SetAllowBufferHandleOutput(true);
      ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
      EXPECT_EQ(ReportOf(delegate)["precision"], half ? "f16" : "f32");
      EXPECT_EQ(ReportOf(delegate)["choice"], "gles: shares buffers of the application");
      device->uploads = 0;
      const std::vector<float> want = CpuResult(ThreeOpModel(shape));
      for (int run = 0; run < 2; ++run) {
        ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.errors.text;
        EXPECT_THAT(app_->Floats(out, count), CloseTo(want, half ? 2e-3f : 1e-5f));
      }
      EXPECT_EQ(device->uploads, 0);
      EXPECT_EQ(device->downloads, 0);
      // Asked for, it is copied.
      const int output = session->outputs()[0];
      EXPECT_TRUE(session->tensor(output)->data_is_stale);
      ASSERT_EQ(session->EnsureTensorDataIsReadable(output), kTfLiteOk);
      EXPECT_FALSE(session->tensor(output)->data_is_stale);
      EXPECT_EQ(device->downloads, 1);
      const float* data = session->typed_output_tensor<float>(0);
      EXPECT_EQ(std::vector<float>(data, data + count), app_->Floats(out, count));
      counting_.reset();
      app_->DeleteBuffer(in);
      app_->DeleteBuffer(out);
    }
  }
  EXPECT_EQ(gpu::GlHandle::live(), before);
}

TEST_F(GlDelegateTest, OnlyTheInputIsInABuffer) {
  const std::vector<int> shape = {1, 3, 5, 3};
  const GLuint in = app_->NewBuffer(Pattern(Elements(shape)));
  Delegate delegate = NewDelegate();
  Session session(ThreeOpModel(shape));
  FaultyDevice* const device = BindCounted(delegate, session->inputs()[0], in);
  ASSERT_NE(device, nullptr);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  device->uploads = 0;
  // The contents of the tensor's memory do not count.
  std::fill_n(session->typed_input_tensor<float>(0), Elements(shape), 1000.0f);
  ASSERT_EQ(session->Invoke(), kTfLiteOk);
  const float* data = session->typed_output_tensor<float>(0);
  EXPECT_THAT(std::vector<float>(data, data + Elements(shape)),
              CloseTo(CpuResult(ThreeOpModel(shape))));
  EXPECT_EQ(device->uploads, 0);
  EXPECT_EQ(device->downloads, 1);
}

TEST_F(GlDelegateTest, OnlyTheOutputIsInABuffer) {
  const std::vector<int> shape = {1, 3, 5, 4};
  // Longer than needed: the rest stays.
  const GLuint out = app_->NewBuffer(std::vector<float>(Elements(shape) + 3, 55.0f));
  Delegate delegate = NewDelegate();
  Session session(ThreeOpModel(shape));
  FaultyDevice* const device = BindCounted(delegate, session->outputs()[0], out);
  ASSERT_NE(device, nullptr);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  device->uploads = 0;
  // By default the tensor's memory has the output, too.
  std::vector<float> want = CpuResult(ThreeOpModel(shape));
  EXPECT_THAT(session.Run(), CloseTo(want));
  want.insert(want.end(), 3, 55.0f);
  EXPECT_THAT(app_->Floats(out, want.size()), CloseTo(want));
  EXPECT_EQ(device->uploads, 1);
  EXPECT_EQ(device->downloads, 1);
}

// The CPU's nodes read a bound tensor, too.
TEST_F(GlDelegateTest, ABufferBetweenGpuAndCpu) {
  const std::vector<int> shape = {1, 4, 4, 3};
  const size_t count = Elements(shape);
  const GLuint middle = app_->NewBuffer(std::vector<float>(count));
  Delegate delegate = NewDelegate();
  Session session(SplitModel(shape));
  // The largest part is the one after the CPU's node.
  const int input = session->node_and_registration(1)->first.outputs->data[0];
  ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), middle, input), kTfLiteOk);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  ASSERT_FALSE(session.Run().empty());
  // Nobody wrote the buffer: the part sees zeros, and a sigmoid makes halves of them.
  const float* data = session->typed_output_tensor<float>(0);
  EXPECT_THAT(std::vector<float>(data, data + count), CloseTo(std::vector<float>(count, 0.5f)));
  // The runtime's callback fills it.
  TfLiteTensor* const tensor = session->tensor(input);
  TfLiteContext* const context = session->primary_subgraph().context();
  EXPECT_EQ(tensor->delegate, delegate.get());
  ASSERT_EQ(delegate->CopyToBufferHandle(context, delegate.get(), tensor->buffer_handle, tensor),
            kTfLiteOk);
  EXPECT_EQ(app_->Floats(middle, count),
            std::vector<float>(tensor->data.f, tensor->data.f + count));
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(SplitModel(shape))));
  // Back from the buffer.
  app_->SetBuffer(middle, std::vector<float>(count, 3.0f));
  ASSERT_EQ(delegate->CopyFromBufferHandle(context, delegate.get(), tensor->buffer_handle, tensor),
            kTfLiteOk);
  EXPECT_EQ(tensor->data.f[count - 1], 3.0f);
  EXPECT_EQ(delegate->CopyFromBufferHandle(context, delegate.get(), 777, tensor), kTfLiteError);
  EXPECT_THAT(session.errors.text,
              HasSubstr("TfLiteGpuDelegate CopyFromBufferHandle: there is no buffer handle 777"));
}

TEST_F(GlDelegateTest, ABufferBehindTheGpusPartReachesTheCpu) {
  const std::vector<int> shape = {1, 4, 4, 3};
  tern::testing::ModelBuilder b;
  const int x = b.Input(shape);
  const int r = b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor(shape)});
  b.Output(b.CustomOp("OnlyOnCpu", {r}, {b.Tensor(shape)}));
  const std::vector<uint8_t> model = b.Finish();
  const GLuint middle = app_->NewBuffer(std::vector<float>(Elements(shape)));
  Delegate delegate = NewDelegate();
  Session session(model);
  ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), middle, r), kTfLiteOk);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_EQ(session.Run(), CpuResult(model));
}

TEST_F(GlDelegateTest, HandlesOutliveTheDelegate) {
  const std::vector<int> shape = {1, 2, 2, 4};
  const GLuint out = app_->NewBuffer(std::vector<float>(Elements(shape)));
  Delegate delegate = NewDelegate();
  Session session(ThreeOpModel(shape));
  ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), out, session->outputs()[0]),
            kTfLiteOk);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  delegate.reset();
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel(shape))));
}

TEST_F(GlDelegateTest, ResizedTensorsFitOrAreRefused) {
  const std::vector<int> shape = {1, 4, 4, 4};
  const size_t count = Elements(shape);
  const GLuint in = app_->NewBuffer(Pattern(count)), out = app_->NewBuffer(Pattern(count));
  Delegate delegate = NewDelegate();
  Session session(ThreeOpModel(shape));
  const int input = session->inputs()[0], output = session->outputs()[0];
  ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), in, input), kTfLiteOk);
  ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), out, output), kTfLiteOk);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  const std::vector<int> smaller = {1, 2, 3, 3};
  ASSERT_EQ(session->ResizeInputTensor(input, smaller), kTfLiteOk);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.errors.text;
  ASSERT_EQ(session->Invoke(), kTfLiteOk);
  EXPECT_THAT(app_->Floats(out, Elements(smaller)),
              CloseTo(CpuResult(ThreeOpModel(shape), smaller)));
  const std::vector<int> larger = {1, 4, 5, 4};
  ASSERT_EQ(session->ResizeInputTensor(input, larger), kTfLiteOk);
  EXPECT_NE(session->AllocateTensors(), kTfLiteOk);
  EXPECT_THAT(session.errors.text,
              HasSubstr(StrCat("TfLiteGpuDelegate Init: buffer ", in, " has 256 bytes, tensor '")));
  EXPECT_THAT(session.errors.text, HasSubstr("' needs 320"));
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel(shape), larger)) << "on the CPU";
}

TEST_F(GlDelegateTest, TheApplicationsContextStaysAsItIs) {
  const std::vector<int> shape = {1, 4, 4, 4};
  const size_t count = Elements(shape);
  const GLuint in = app_->NewBuffer(Pattern(count)), out = app_->NewBuffer(Pattern(count));
  gl_.BindBuffer(GL_SHADER_STORAGE_BUFFER, in);
  gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, out);
  const std::string state = app_->State();
  gl_.BindBuffer(GL_TEXTURE_2D, in);  // an error that the application has not asked for
  {
    Delegate delegate = NewDelegate();
    Session session(ThreeOpModel(shape));
    ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), in, session->inputs()[0]),
              kTfLiteOk);
    EXPECT_EQ(app_->State(), state);
    ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), out, session->outputs()[0]),
              kTfLiteOk);
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    EXPECT_EQ(app_->State(), state);
    for (int run = 0; run < 3; ++run) ASSERT_EQ(session->Invoke(), kTfLiteOk);
    EXPECT_EQ(app_->State(), state);
  }
  EXPECT_EQ(app_->State(), state);
  EXPECT_EQ(gl_.GetError(), static_cast<GLenum>(GL_INVALID_ENUM));
  EXPECT_EQ(gl_.GetError(), static_cast<GLenum>(GL_NO_ERROR));
}

// Commands of the application before Invoke, without a wait of its own.
TEST_F(GlDelegateTest, InvokeSeesWhatTheApplicationAskedFor) {
  const std::vector<int> shape = {1, 4, 4, 4};
  const int count = static_cast<int>(Elements(shape));
  const GLuint in = app_->NewBuffer(std::vector<float>(count)),
               out = app_->NewBuffer(std::vector<float>(count));
  Delegate delegate = NewDelegate();
  tern::testing::ModelBuilder b;
  const int x = b.Input(shape);
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {x}, {b.Tensor(shape)}));
  Session session(b.Finish());
  ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), in, x), kTfLiteOk);
  ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), out, session->outputs()[0]),
            kTfLiteOk);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  for (int round = 1; round < 4; ++round) {
    const float start = 100.0f * static_cast<float>(round);
    app_->StartFill(in, count, start);
    ASSERT_EQ(session->Invoke(), kTfLiteOk);
    const std::vector<float> got = app_->Floats(out, count);
    for (int i = 0; i < count; ++i) ASSERT_EQ(got[i], start + static_cast<float>(i));
  }
}

TEST_F(GlDelegateTest, WrongCallsOfBindAreErrors) {
  const GLuint buffer = app_->NewBuffer({1.0f});
  const auto error = [](const std::string& text) {
    return HasSubstr("TfLiteGpuDelegateBindBufferToTensor: " + text);
  };
  const std::string none = "the delegate is none of TfLiteGpuDelegateCreate";
  EXPECT_THAT(BindError(nullptr, buffer, 0), error(none));
  TfLiteDelegate foreign = TfLiteDelegateCreate();
  EXPECT_THAT(BindError(&foreign, buffer, 0), error(none));
  const Delegate newer(TfLiteGpuDelegateV2Create(nullptr), TfLiteGpuDelegateV2Delete);
  EXPECT_THAT(BindError(newer.get(), buffer, 0), error(none));
  Delegate delegate = NewDelegate();
  EXPECT_THAT(BindError(delegate.get(), 0, 0), error("there is no buffer 0"));
  EXPECT_THAT(BindError(delegate.get(), 12345, 0), error("there is no buffer 12345"));
  EXPECT_THAT(BindError(delegate.get(), buffer, -1), error("there is no tensor #-1"));
  app_->Leave();
  EXPECT_THAT(BindError(delegate.get(), buffer, 0),
              error("no EGL context is current on this thread"));
  ASSERT_TRUE(app_->Enter());
  EXPECT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), buffer, 0), kTfLiteOk);
  const auto stranger = AppContext::Create(gl_);
  ASSERT_NE(stranger, nullptr);
  EXPECT_THAT(
      BindError(delegate.get(), stranger->NewBuffer({1.0f}), 1),
      error("the context that is current on this thread shares no buffers with the device"));
  ASSERT_TRUE(app_->Enter());
  Delegate applied = NewDelegate();
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(applied.get()), kTfLiteOk);
  EXPECT_THAT(BindError(applied.get(), buffer, 0), error("ModifyGraphWithDelegate came before"));
}

TEST_F(GlDelegateTest, AContextThatSharesWithNobodyIsAnError) {
  app_.reset();
  app_ = AppContext::Create(gl_, {.attributes = {EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE}});
  if (app_ == nullptr) GTEST_SKIP() << "no contexts without error checks here";
  if (gpu::OpenSharingDevice("gles").ok()) GTEST_SKIP() << "the driver shares with everything";
  Delegate delegate = NewDelegate();
  const GLuint buffer = app_->NewBuffer({1.0f});
  EXPECT_THAT(BindError(delegate.get(), buffer, 0),
              HasSubstr("no context shares buffers with the application's (eglCreateContext of "
                        "OpenGL ES 3.1: EGL_BAD_MATCH)"));
  // Without the buffer the delegate works.
  Session session(ThreeOpModel());
  EXPECT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
}

TEST_F(GlDelegateTest, BuffersWithoutAPlaceAreReportedByModify) {
  const GLuint buffer = app_->NewBuffer(std::vector<float>(4 * 4 * 8));
  const auto bound_to = [&](std::vector<std::pair<GLuint, int>> bindings, Session& session) {
    const Delegate delegate = NewDelegate();
    for (const auto& [name, tensor] : bindings) {
      EXPECT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), name, tensor), kTfLiteOk);
    }
    return ModifyError(session, delegate);
  };
  const std::string init = StrCat("TfLiteGpuDelegate Init: buffer ", buffer);
  Session missing(ThreeOpModel());
  EXPECT_THAT(bound_to({{buffer, 99}}, missing),
              HasSubstr(init + " is bound to tensor #99, which does not exist"));
  Session inside(ThreeOpModel());
  EXPECT_THAT(
      bound_to({{buffer, inside->node_and_registration(0)->first.outputs->data[0]}}, inside),
      HasSubstr("which is no input or output of the part on the GPU"));
  Session twice(ThreeOpModel());
  EXPECT_THAT(bound_to({{buffer, twice->inputs()[0]}, {buffer, twice->outputs()[0]}}, twice),
              HasSubstr("(output 0 shares its memory with another input or output)"));
  const GLuint small = app_->NewBuffer(std::vector<float>(127));
  Session tight(ThreeOpModel());
  EXPECT_THAT(bound_to({{small, tight->inputs()[0]}}, tight), HasSubstr("' needs 512"));
  tern::testing::ModelBuilder b;
  const int ints = b.Input({1, 4}, tflite::TensorType_INT32);
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {b.Input({1, 4})}, {b.Tensor({1, 4})}));
  Session typed(b.Finish());
  EXPECT_THAT(bound_to({{buffer, ints}}, typed), HasSubstr("of type INT32, FLOAT32 expected"));
}

// The delegate is applied to every subgraph; the buffers are those of the first.
TEST_F(GlDelegateTest, OtherSubgraphsHaveNoBuffers) {
  const std::vector<int> shape = {1, 2, 2, 3};
  const std::vector<uint8_t> one = ThreeOpModel(shape);
  std::unique_ptr<tflite::ModelT> model = tflite::UnPackModel(one.data());
  model->subgraphs.push_back(std::make_unique<tflite::SubGraphT>(*model->subgraphs[0]));
  flatbuffers::FlatBufferBuilder builder;
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, model.get()));
  const GLuint out = app_->NewBuffer(std::vector<float>(Elements(shape)));
  const Delegate delegate = NewDelegate();
  Session session({builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()});
  ASSERT_NE(session.interpreter, nullptr) << session.errors.text;
  const int output = session->outputs()[0];
  ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), out, output), kTfLiteOk);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_EQ(ReportOf(delegate)["delegated"], 6);
  const std::vector<float> want = CpuResult(one);
  EXPECT_THAT(session.Run(), CloseTo(want));
  EXPECT_THAT(app_->Floats(out, want.size()), CloseTo(want));
  app_->SetBuffer(out, std::vector<float>(want.size(), 9.0f));
  tflite::Subgraph* const second = session->subgraph(1);
  ASSERT_EQ(second->AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(second->Invoke(), kTfLiteOk);
  EXPECT_FALSE(second->tensor(output)->data_is_stale);
  EXPECT_EQ(app_->Floats(out, want.size()), std::vector<float>(want.size(), 9.0f));
}

// After a refusal another buffer may be bound.
TEST_F(GlDelegateTest, ARefusedBufferCanBeReplaced) {
  const std::vector<int> shape = {1, 2, 2, 3};
  const GLuint small = app_->NewBuffer({1.0f});
  const GLuint right = app_->NewBuffer(Pattern(Elements(shape)));
  const Delegate delegate = NewDelegate();
  Session session(ThreeOpModel(shape));
  const int input = session->inputs()[0];
  ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), small, input), kTfLiteOk);
  EXPECT_THAT(ModifyError(session, delegate), HasSubstr("has 4 bytes"));
  ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), right, input), kTfLiteOk);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel(shape))));
}

TEST_F(GlDelegateTest, ABufferThatIsDeletedIsAnErrorOfInvoke) {
  const std::vector<int> shape = {1, 2, 2, 3};
  const GLuint in = app_->NewBuffer(Pattern(Elements(shape)));
  const Delegate delegate = NewDelegate();
  Session session(ThreeOpModel(shape));
  ASSERT_EQ(TfLiteGpuDelegateBindBufferToTensor(delegate.get(), in, session->inputs()[0]),
            kTfLiteOk);
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  app_->DeleteBuffer(in);
  EXPECT_EQ(session->Invoke(), kTfLiteError);
  EXPECT_THAT(session.errors.text,
              HasSubstr(StrCat("TfLiteGpuDelegate Invoke: there is no buffer ", in)));
}

}  // namespace
}  // namespace tern::delegate
