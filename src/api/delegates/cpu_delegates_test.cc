// SPDX-License-Identifier: Apache-2.0
//
// Delegates that leave the graph to the CPU engine: XNNPACK, and those of absent hardware.
#include <gtest/gtest.h>

#include <string>

#include "model/testing/model_builder.h"
#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/delegates/coreml/coreml_delegate.h"
#include "tensorflow/lite/delegates/hexagon/hexagon_delegate.h"
#include "tensorflow/lite/delegates/nnapi/nnapi_delegate.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>
#endif

namespace tern {
namespace {

using testing::ModelBuilder;

class CpuDelegates : public ::testing::Test {
 protected:
  CpuDelegates() {
    ModelBuilder b;
    const int x = b.Input({2}, tflite::TensorType_FLOAT32, "x");
    const int c = b.Const<float>({2}, {1, 2});
    const int y = b.Tensor({2}, tflite::TensorType_FLOAT32, "y");
    b.Op(tflite::BuiltinOperator_ADD, {x, c}, {y}, tflite::AddOptionsT());
    b.Output(y);
    bytes_ = b.Finish();
    model_ = tflite::FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(bytes_.data()),
                                                      bytes_.size());
    tflite::ops::builtin::BuiltinOpResolver resolver;
    tflite::InterpreterBuilder(*model_, resolver)(&interpreter_);
  }

  int threads() const {
    return interpreter_->primary_subgraph().context()->recommended_num_threads;
  }

  void ExpectRuns() {
    ASSERT_EQ(interpreter_->AllocateTensors(), kTfLiteOk);
    interpreter_->typed_input_tensor<float>(0)[1] = 40;
    ASSERT_EQ(interpreter_->Invoke(), kTfLiteOk);
    EXPECT_EQ(interpreter_->typed_output_tensor<float>(0)[1], 42);
  }

  std::vector<uint8_t> bytes_;
  std::unique_ptr<tflite::FlatBufferModel> model_;
  std::unique_ptr<tflite::Interpreter> interpreter_;
};

TEST_F(CpuDelegates, XnnpackGivesItsThreadsToTheEngineAndTheGraphRuns) {
  TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
  options.num_threads = 2;
  options.flags |= TFLITE_XNNPACK_DELEGATE_FLAG_FORCE_FP16;
  TfLiteDelegate* delegate = TfLiteXNNPackDelegateCreate(&options);
  ASSERT_NE(delegate, nullptr);
  ASSERT_EQ(interpreter_->ModifyGraphWithDelegate(delegate), kTfLiteOk);
  EXPECT_EQ(threads(), 2);
  EXPECT_TRUE(interpreter_->GetAllowFp16PrecisionForFp32());
  EXPECT_EQ(interpreter_->nodes_size(), 1u);  // nothing was replaced
  ExpectRuns();
  TfLiteXNNPackDelegateDelete(delegate);
  ExpectRuns();
}

TEST_F(CpuDelegates, XnnpackAcceptsNewShapesAfterwards) {
  ASSERT_EQ(interpreter_->ModifyGraphWithDelegate(tflite::Interpreter::TfLiteDelegatePtr(
                TfLiteXNNPackDelegateCreate(nullptr), TfLiteXNNPackDelegateDelete)),
            kTfLiteOk);
  ASSERT_EQ(interpreter_->ResizeInputTensor(0, {3, 2}), kTfLiteOk);
  ExpectRuns();
  EXPECT_EQ(interpreter_->output_tensor(0)->dims->data[0], 3);
}

TEST_F(CpuDelegates, XnnpackWithoutThreadsLeavesTheInterpretersOwn) {
  ASSERT_EQ(interpreter_->SetNumThreads(3), kTfLiteOk);
  TfLiteDelegate* delegate = TfLiteXNNPackDelegateCreate(nullptr);
  ASSERT_EQ(interpreter_->ModifyGraphWithDelegate(delegate), kTfLiteOk);
  EXPECT_EQ(threads(), 3);
  TfLiteXNNPackDelegateDelete(delegate);
  // With a context its threads count.
  TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
  options.num_threads = 7;
  delegate = TfLiteXNNPackDelegateCreateWithThreadpool(&options,
                                                       interpreter_->primary_subgraph().context());
  EXPECT_EQ(TfLiteXNNPackDelegateGetOptions(delegate)->num_threads, 3);
  TfLiteXNNPackDelegateDelete(delegate);
}

TEST(XnnpackDelegate, KeepsItsOptions) {
  std::string path = "/nowhere/cache";
  TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
  EXPECT_EQ(options.num_threads, 0);
  options.flags = TFLITE_XNNPACK_DELEGATE_FLAG_QS8 | TFLITE_XNNPACK_DELEGATE_FLAG_FORCE_FP16 |
                  TFLITE_XNNPACK_DELEGATE_FLAG_DISABLE_DYNAMICALLY_QUANTIZED_OPS;
  options.weight_cache_file_path = path.c_str();
  TfLiteDelegate* delegate = TfLiteXNNPackDelegateCreate(&options);
  path.assign(path.size(), '#');  // it has a copy
  EXPECT_STREQ(TfLiteXNNPackDelegateGetOptions(delegate)->weight_cache_file_path, "/nowhere/cache");
  EXPECT_EQ(TfLiteXNNPackDelegateGetFlags(delegate), 0x805);
  EXPECT_EQ(TfLiteXNNPackDelegateGetThreadPool(delegate), nullptr);
  TfLiteXNNPackDelegateDelete(delegate);
  EXPECT_TRUE(TfLiteXNNPackDelegateCanUseInMemoryWeightCacheProvider());
  EXPECT_STREQ(TfLiteXNNPackDelegateInMemoryFilePath(), ":memory");
}

#ifndef _WIN32
TEST(XnnpackDelegate, OwnsTheDescriptorOfItsCacheFile) {
  TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
  options.weight_cache_file_descriptor = open("/dev/null", O_RDONLY);
  ASSERT_GT(options.weight_cache_file_descriptor, 0);
  TfLiteXNNPackDelegateDelete(TfLiteXNNPackDelegateCreate(&options));
  EXPECT_EQ(fcntl(options.weight_cache_file_descriptor, F_GETFD), -1);
}
#endif

TEST(XnnpackDelegate, NullAndForeignDelegates) {
  TfLiteDelegate foreign = TfLiteDelegateCreate();
  for (TfLiteDelegate* delegate : {static_cast<TfLiteDelegate*>(nullptr), &foreign}) {
    EXPECT_EQ(TfLiteXNNPackDelegateGetOptions(delegate), nullptr);
    EXPECT_EQ(TfLiteXNNPackDelegateGetFlags(delegate), 0);
    EXPECT_EQ(TfLiteXNNPackDelegateGetThreadPool(delegate), nullptr);
    TfLiteXNNPackDelegateDelete(delegate);
  }
}

TEST(XnnpackDelegate, WeightsCacheIsFinalizedOnce) {
  for (auto* finalize : {TfLiteXNNPackDelegateWeightsCacheFinalizeSoft,
                         TfLiteXNNPackDelegateWeightsCacheFinalizeHard}) {
    TfLiteXNNPackDelegateWeightsCache* cache = TfLiteXNNPackDelegateWeightsCacheCreateWithSize(64);
    ASSERT_NE(cache, nullptr);
    EXPECT_TRUE(finalize(cache));
    EXPECT_FALSE(finalize(cache));
    EXPECT_FALSE(finalize(nullptr));
    TfLiteXNNPackDelegateWeightsCacheDelete(cache);
  }
  TfLiteXNNPackDelegateWeightsCacheDelete(TfLiteXNNPackDelegateWeightsCacheCreate());
  TfLiteXNNPackDelegateWeightsCacheDelete(nullptr);
}

TEST_F(CpuDelegates, NnapiClaimsNothing) {
  tflite::StatefulNnApiDelegate::Options options;
  options.execution_preference = tflite::StatefulNnApiDelegate::Options::kSustainedSpeed;
  tflite::StatefulNnApiDelegate delegate(options);
  EXPECT_EQ(tflite::StatefulNnApiDelegate::GetOptions(&delegate).execution_preference, 2);
  EXPECT_EQ(tflite::StatefulNnApiDelegate::GetOptions(nullptr).execution_preference, -1);
  ::testing::internal::CaptureStderr();
  ASSERT_EQ(interpreter_->ModifyGraphWithDelegate(&delegate), kTfLiteOk);
  ASSERT_EQ(interpreter_->ModifyGraphWithDelegate(tflite::NnApiDelegate()), kTfLiteOk);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("Android"), std::string::npos);
  EXPECT_EQ(delegate.GetNnApiErrno(), 0);
  ExpectRuns();
}

TEST(AbsentDelegates, AreNullAndNameThePlatform) {
  ::testing::internal::CaptureStderr();
  const TfLiteCoreMlDelegateOptions coreml = {};
  EXPECT_EQ(TfLiteCoreMlDelegateCreate(&coreml), nullptr);
  TfLiteCoreMlDelegateDelete(nullptr);
  const TfLiteHexagonDelegateOptions hexagon = TfLiteHexagonDelegateOptionsDefault();
  TfLiteHexagonInit();
  TfLiteHexagonInitWithPath("/nowhere");
  EXPECT_EQ(TfLiteHexagonDelegateCreate(&hexagon), nullptr);
  TfLiteHexagonDelegateDelete(nullptr);
  TfLiteHexagonTearDown();
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("Apple"), std::string::npos);
  EXPECT_NE(text.find("Qualcomm"), std::string::npos);
}

}  // namespace
}  // namespace tern
