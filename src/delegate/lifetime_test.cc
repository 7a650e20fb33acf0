// SPDX-License-Identifier: Apache-2.0
// Creating and deleting: the documented snippets, every order of ends, wrong pointers, the plug-in
// entry.
#include "base/str_cat.h"
#include "delegate/testing/delegate_test.h"
#include "tensorflow/lite/delegates/gpu/report.h"

namespace tern::delegate {
namespace {

// The first backend that runs here, or a skipped test.
#define TERN_NEED_BACKEND(name)                                    \
  const std::vector<std::string> backends_here = BackendsAtHand(); \
  if (backends_here.empty()) GTEST_SKIP() << "no device here";     \
  const std::string name = backends_here.front()

TEST(LifetimeTest, TheDelegateMayEndBeforeTheInterpreter) {
  TERN_NEED_BACKEND(backend);
  Delegate delegate = PluginDelegate({{"tern_backend", backend}});
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk) << session.errors.text;
  delegate.reset();
  // Kernels that exist go on working.
  EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
}

TEST(LifetimeTest, AResizeAfterDeletionEndsOnTheCpu) {
  TERN_NEED_BACKEND(backend);
  Delegate delegate = PluginDelegate({{"tern_backend", backend}});
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  delegate.reset();
  const std::vector<int> shape = {1, 2, 2, 3};
  ASSERT_EQ(session->ResizeInputTensor(session->inputs()[0], shape), kTfLiteOk);
  if (session->AllocateTensors() != kTfLiteOk) {
    EXPECT_THAT(session.errors.text, HasSubstr("deleted"));
    ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  }
  EXPECT_EQ(session.Run(), CpuResult(ThreeOpModel(), shape));
}

TEST(LifetimeTest, DeletingTwiceOrNothingOrSomethingElseIsHarmless) {
  TfLiteGpuDelegateV2Delete(nullptr);
  tflite_plugin_destroy_delegate(nullptr);
  TfLiteDelegate* const delegate = TfLiteGpuDelegateV2Create(nullptr);
  ASSERT_NE(delegate, nullptr);
  TfLiteGpuDelegateV2Delete(delegate);
  TfLiteGpuDelegateV2Delete(delegate);
  TfLiteDelegate foreign = TfLiteDelegateCreate();
  TfLiteGpuDelegateV2Delete(&foreign);
  EXPECT_EQ(TfLiteGpuDelegateV2Report(&foreign), nullptr);
  EXPECT_EQ(TfLiteGpuDelegateV2Report(nullptr), nullptr);
}

TEST(LifetimeTest, ManyDelegatesComeAndGo) {
  TfLiteDelegate* const first = TfLiteGpuDelegateV2Create(nullptr);
  TfLiteGpuDelegateV2Delete(first);
  for (int i = 0; i < 3000; ++i) {
    TfLiteDelegate* const delegate = TfLiteGpuDelegateV2Create(nullptr);
    ASSERT_NE(delegate, nullptr);
    if (i < 1000) {
      EXPECT_NE(delegate, first);  // a recent pointer is not handed out again
    }
    TfLiteGpuDelegateV2Delete(delegate);
  }
}

TEST(LifetimeTest, ObjectsAndFlagsOfTheDocumentsCompile) {
  TfLiteGpuDelegateOptionsV2 options = TfLiteGpuDelegateOptionsV2Default();
  options.experimental_flags = TFLITE_GPU_EXPERIMENTAL_FLAGS_NONE;
  options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT;
  options.experimental_flags |= TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION;
  constexpr char kTmpDir[] = "/data/cache";
  const std::string token = "model";
  options.serialization_dir = kTmpDir;
  options.model_token = token.c_str();
  TfLiteDelegate* const by_object = TfLiteGpuDelegateV2Create(options);
  TfLiteDelegate* const by_default = TfLiteGpuDelegateV2Create(nullptr);
  EXPECT_NE(by_object, nullptr);
  EXPECT_NE(by_default, nullptr);
  EXPECT_EQ(by_object->flags, kTfLiteDelegateFlagsNone);
  EXPECT_EQ(by_object->CopyFromBufferHandle, nullptr);
  EXPECT_EQ(by_object->CopyToBufferHandle, nullptr);
  EXPECT_EQ(by_object->FreeBufferHandle, nullptr);
  TfLiteGpuDelegateV2Delete(by_object);
  TfLiteGpuDelegateV2Delete(by_default);
}

TEST(PluginTest, WrongOptionsGiveNoDelegateButAText) {
  EXPECT_EQ(PluginDelegate({{"no_such_key", "1"}}), nullptr);
  EXPECT_EQ(PluginError(), "ParseOptions: unknown option no_such_key.\n");
  EXPECT_EQ(PluginDelegate({{"inference_priority1", "high"}}), nullptr);
  EXPECT_EQ(PluginError(), "ParseOptions: malformed option inference_priority1.\n");
  EXPECT_EQ(PluginDelegate({{"inference_priority1", "0"}}), nullptr);
  EXPECT_EQ(PluginError(), "InferenceOptions are invalid.\n");
  EXPECT_EQ(tflite_plugin_create_delegate(nullptr, nullptr, 1, nullptr), nullptr);
}

TEST(PluginTest, AMissingDriverGivesNoDelegateButAReason) {
  EXPECT_EQ(PluginDelegate({{"tern_backend", "nonsense"}}), nullptr);
  EXPECT_THAT(PluginError(), HasSubstr("no usable GPU (nonsense: "));
}

TEST(PluginTest, AFlagForOneApiIsHeld) {
  const std::pair<const char*, const char*> flags[] = {{"2", "opencl"}, {"4", "gles"}};
  for (const auto& [flag, backend] : flags) {
    const Delegate delegate = PluginDelegate({{"experimental_flags", flag}});
    const absl::StatusOr<gpu::OpenedDevice> opened = gpu::OpenDevice(backend);
    ASSERT_EQ(delegate != nullptr, opened.ok()) << PluginError();
    if (delegate == nullptr) {
      EXPECT_THAT(PluginError(), HasSubstr(StrCat("no usable GPU (", backend, ": ")));
#ifndef TERN_WITH_GLES
      if (std::string(backend) == "gles") {
        EXPECT_THAT(PluginError(), HasSubstr("OpenGL-based API disabled"));
      }
#endif
      continue;
    }
    EXPECT_EQ(ReportOf(delegate)["engine"], backend);
    Session session(ThreeOpModel());
    ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
    EXPECT_EQ(ReportOf(delegate)["engine"], backend);
    EXPECT_EQ(ReportOf(delegate)["delegated"], 3);
    EXPECT_THAT(session.Run(), CloseTo(CpuResult(ThreeOpModel())));
  }
}

TEST(PluginTest, TheKernelIsNamedAsDocumented) {
  TERN_NEED_BACKEND(backend);
  const Delegate delegate = PluginDelegate({{"tern_backend", backend}});
  Session session(ThreeOpModel());
  ASSERT_EQ(session->ModifyGraphWithDelegate(delegate.get()), kTfLiteOk);
  ASSERT_THAT(session->execution_plan(), SizeIs(1));
  const auto* node = session->node_and_registration(session->execution_plan()[0]);
  EXPECT_STREQ(node->second.custom_name, "TfLiteGpuDelegateV2");
  EXPECT_EQ(node->second.version, 1);
}

}  // namespace
}  // namespace tern::delegate
