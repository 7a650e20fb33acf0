// SPDX-License-Identifier: Apache-2.0
//
// Tests the helpers that the headers for authors of ops offer beside the C structs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "base/tensor/half.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/experimental/remat/metadata_util.h"
#include "tensorflow/lite/kernels/cpu_backend_context.h"
#include "tensorflow/lite/kernels/internal/reference/pad.h"
#include "tensorflow/lite/kernels/internal/reference/resize_bilinear.h"
#include "tensorflow/lite/kernels/op_macros.h"
#include "tensorflow/lite/model.h"
#include "tensorflow/lite/tools/logging.h"
#include "tensorflow/lite/types/half.h"
#include "tensorflow/lite/util.h"

namespace tflite {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;
using ::testing::Pointwise;

std::string last_report;

void KeepReport(TfLiteContext*, const char* format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  last_report = text;
}

TfLiteContext MakeContext() {
  TfLiteContext context = {};
  context.ReportError = KeepReport;
  return context;
}

TEST(Half, EveryValueGoesToFloatAndBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const half value = half::from_bits(static_cast<uint16_t>(bits));
    const float expected = tern::HalfToFloat(static_cast<uint16_t>(bits));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(value))) << bits;
      EXPECT_TRUE(std::isnan(static_cast<float>(half(static_cast<float>(value))))) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<float>(value), expected) << bits;
    ASSERT_EQ(half(expected).to_bits(), bits);
  }
}

TEST(Half, RoundsAsTheLibraryDoes) {
  // All neighbourhoods of halves, and of the borders between them.
  for (uint32_t bits = 0; bits < 0x47900000u; bits += 0x7FFu) {
    for (const uint32_t signed_bits : {bits, bits | 0x80000000u}) {
      float value;
      std::memcpy(&value, &signed_bits, sizeof(value));
      ASSERT_EQ(half(value).to_bits(), tern::FloatToHalf(value)) << value;
    }
  }
  EXPECT_EQ(half(65519.0f).to_bits(), 0x7BFF);
  EXPECT_EQ(half(65520.0f).to_bits(), 0x7C00);
  EXPECT_EQ(half(-1e30f).to_bits(), 0xFC00);
  EXPECT_EQ(half(3).to_bits(), 0x4200);
}

TEST(Half, IsAValueTypeOf16Bits) {
  static_assert(sizeof(half) == 2);
  static_assert(half::max().to_bits() == 0x7BFF);
  EXPECT_EQ(half(1.5f) + half(0.25f), 1.75f);
  EXPECT_EQ(half::max(), 65504.0f);
  EXPECT_EQ(half::min(), -65504.0f);
  EXPECT_EQ(half::epsilon(), 0.0009765625f);
  EXPECT_EQ(half::smallest_normal(), 6.103515625e-05f);
  EXPECT_EQ(half::infinity(), std::numeric_limits<float>::infinity());
  EXPECT_EQ(half::max_identity(), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(half(-0.0f).is_zero());
  EXPECT_FALSE(half(1e-7f).is_zero());
}

TfLiteStatus EnsureEqual(TfLiteContext* context, int a, int b) {
  TF_LITE_ENSURE_EQ(context, a, b);
  return kTfLiteOk;
}
TfLiteStatus EnsureType(TfLiteContext* context, TfLiteType type) {
  TF_LITE_ENSURE_TYPES_EQ(context, type, kTfLiteInt8);
  return kTfLiteOk;
}
TfLiteStatus EnsureOk(TfLiteContext* context, TfLiteStatus status) {
  TF_LITE_ENSURE_OK(context, status, "step %d failed", 7);
  return kTfLiteOk;
}
TfLiteStatus EnsureOkPlainly([[maybe_unused]] TfLiteContext* context, TfLiteStatus status) {
  TF_LITE_ENSURE_OK(context, status);
  return kTfLiteOk;
}
TfLiteStatus EnsureMessage(TfLiteContext* context, bool value) {
  TF_LITE_ENSURE_MSG(context, value, "too many: %d", 9);
  return kTfLiteOk;
}
TfLiteStatus Unsupported(TfLiteContext* context) {
  TF_LITE_UNSUPPORTED_TYPE(context, kTfLiteString, "MINE");
}

TEST(Checks, SayWhereAndWhat) {
  TfLiteContext context = MakeContext();
  EXPECT_EQ(EnsureEqual(&context, 2, 2), kTfLiteOk);
  EXPECT_EQ(EnsureEqual(&context, 2, 3), kTfLiteError);
  EXPECT_THAT(last_report, HasSubstr("kernel_helpers_test.cc:"));
  EXPECT_THAT(last_report, HasSubstr(" a != b (2 != 3)"));
  EXPECT_EQ(EnsureType(&context, kTfLiteFloat32), kTfLiteError);
  EXPECT_THAT(last_report, HasSubstr(" type != kTfLiteInt8 (FLOAT32 != INT8)"));
  EXPECT_EQ(Unsupported(&context), kTfLiteError);
  EXPECT_THAT(last_report, HasSubstr("Type STRING is unsupported by op MINE."));
}

TEST(Checks, MessagesBeginWithTheFile) {
  TfLiteContext context = MakeContext();
  EXPECT_EQ(EnsureMessage(&context, true), kTfLiteOk);
  EXPECT_EQ(EnsureMessage(&context, false), kTfLiteError);
  EXPECT_EQ(last_report, std::string(__FILE__) + " too many: 9");
  last_report.clear();
  EXPECT_EQ(EnsureOk(&context, kTfLiteCancelled), kTfLiteCancelled);
  EXPECT_EQ(last_report, std::string(__FILE__) + " step 7 failed");
  EXPECT_EQ(EnsureOk(nullptr, kTfLiteError), kTfLiteError) << "without a context";
  last_report.clear();
  EXPECT_EQ(EnsureOkPlainly(&context, kTfLiteUnresolvedOps), kTfLiteUnresolvedOps);
  EXPECT_EQ(last_report, "");
}

TEST(ChecksDeathTest, FatalOnesEndTheProgram) {
  TF_LITE_ASSERT(1 + 1 == 2);
  EXPECT_DEATH(TF_LITE_ASSERT(1 == 2), "1 == 2");
  EXPECT_DEATH(TF_LITE_ASSERT_EQ(1, 2), "1 didn't equal 2");
}

TEST(ToolLogging, WritesLinesWithTheirSeverity) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  TFLITE_LOG(INFO) << "answer " << 42;
  TFLITE_MAY_LOG(WARN, false) << "unseen";
  TFLITE_LOG(ERROR) << "wrong";
  TFLITE_TOOLS_CHECK(true) << "unseen";
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "INFO: answer 42\n");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "ERROR: wrong\n");
}

TEST(ToolLoggingDeathTest, AFailedCheckEndsTheProgram) {
  EXPECT_DEATH(TFLITE_TOOLS_CHECK_EQ(1, 2) << "not so", "FATAL: not so");
}

TEST(CpuBackendContext, IsMadeOnceAndFollowsTheThreads) {
  TfLiteExternalContext other = {};  // of no class, but set as the CPU's
  Interpreter interpreter;
  TfLiteContext* context = interpreter.primary_subgraph().context();
  ASSERT_EQ(interpreter.SetNumThreads(3), kTfLiteOk);
  CpuBackendContext* backend = CpuBackendContext::GetFromContext(context);
  ASSERT_NE(backend, nullptr);
  EXPECT_EQ(backend->max_num_threads(), 3);
  EXPECT_EQ(CpuBackendContext::GetFromContext(context), backend);
  ASSERT_EQ(interpreter.SetNumThreads(2), kTfLiteOk);
  EXPECT_EQ(backend->max_num_threads(), 2);
  backend->SetMaxNumThreads(-5);
  EXPECT_EQ(backend->max_num_threads(), 1);
  backend->SetUseCaching(true);
  EXPECT_TRUE(backend->use_caching());
  interpreter.SetExternalContext(kTfLiteCpuBackendContext, nullptr);
  EXPECT_EQ(CpuBackendContext::GetFromContext(context), nullptr);
  interpreter.SetExternalContext(kTfLiteCpuBackendContext, &other);
  EXPECT_EQ(CpuBackendContext::GetFromContext(context), nullptr);
}

class CountedBackend : public TfLiteInternalBackendContext {
 public:
  explicit CountedBackend(int* cleared) : cleared_(cleared) {}
  void SetMaxNumThreads(int) override {}
  void ClearCaches() override { ++*cleared_; }

 private:
  int* cleared_;
};

TEST(ExternalCpuBackendContext, IsClearedWhenAnInterpreterEnds) {
  int cleared = 0;
  ExternalCpuBackendContext shared;
  shared.set_internal_backend_context(std::make_unique<CountedBackend>(&cleared));
  {
    Interpreter first;
    Interpreter second;
    first.SetExternalContext(kTfLiteCpuBackendContext, &shared);
    second.SetExternalContext(kTfLiteCpuBackendContext, &shared);
    EXPECT_EQ(CpuBackendContext::GetFromContext(first.primary_subgraph().context()), nullptr);
    EXPECT_EQ(cleared, 0);
  }
  EXPECT_EQ(cleared, 2);
}

TEST(RuntimeShape, IsBuiltFromListsAndSequences) {
  RuntimeShape shape;
  shape.BuildFrom({2, 3});
  EXPECT_EQ(shape, RuntimeShape({2, 3}));
  shape.BuildFrom(std::vector<int>{4, 5, 6});
  EXPECT_EQ(shape.FlatSize(), 120);
  TransposeParams params = {};
  params.perm_count = 2;
  params.perm[0] = 1;
  static_assert(sizeof(params.perm) / sizeof(params.perm[0]) == kTransposeMaxDimensions);
  EXPECT_EQ(params.perm[0], 1);
}

TEST(ReferencePad, AddsBeforeAndAfterEachDimension) {
  PadParams params = {};
  params.left_padding_count = params.right_padding_count = 2;
  params.left_padding[0] = 1;
  params.right_padding[1] = 2;
  const std::vector<int8_t> in = {1, 2, 3, 4};
  const int32_t value = 9;
  std::vector<int8_t> out(12);
  reference_ops::Pad(params, RuntimeShape({2, 2}), in.data(), &value, RuntimeShape({3, 4}),
                     out.data());
  EXPECT_THAT(out, ElementsAre(9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9, 9));
}

TEST(ReferencePad, ImagesKeepTheirChannels) {
  PadParams params = {};
  params.resizing_category = ResizingCategory::kImageStyle;
  params.left_padding_count = params.right_padding_count = 4;
  params.left_padding[2] = 1;
  const std::vector<float> in = {1, 2, 3, 4};  // 1 x 1 x 2 x 2
  const float value = 0.5f;
  std::vector<float> out(6);
  reference_ops::PadImageStyle(params, RuntimeShape({1, 1, 2, 2}), in.data(), &value,
                               RuntimeShape({1, 1, 3, 2}), out.data());
  EXPECT_THAT(out, ElementsAre(0.5f, 0.5f, 1, 2, 3, 4));
}

TEST(ReferenceResizeBilinear, InterpolatesFloats) {
  const std::vector<float> in = {3, 6, 9, 12};  // 2 x 2
  const int32_t size[] = {3, 3};
  std::vector<float> out(9);
  reference_ops::ResizeBilinear({false, false}, RuntimeShape({1, 2, 2, 1}), in.data(),
                                RuntimeShape({2}), size, RuntimeShape({1, 3, 3, 1}), out.data());
  EXPECT_THAT(out, ElementsAre(3, 5, 6, 7, 9, 10, 9, 11, 12));
  reference_ops::ResizeBilinear({true, false}, RuntimeShape({1, 2, 2, 1}), in.data(),
                                RuntimeShape({2}), size, RuntimeShape({1, 3, 3, 1}), out.data());
  EXPECT_THAT(out, ElementsAre(3, 4.5f, 6, 6, 7.5f, 9, 9, 10.5f, 12));
  reference_ops::ResizeBilinear({false, true}, RuntimeShape({1, 2, 2, 1}), in.data(),
                                RuntimeShape({2}), size, RuntimeShape({1, 3, 3, 1}), out.data());
  EXPECT_THAT(out, Pointwise(FloatEq(), std::vector<float>{3, 4.5f, 6, 6, 7.5f, 9, 9, 10.5f, 12}));
}

TEST(ReferenceResizeBilinear, RoundsIntegersToNearest) {
  const std::vector<int8_t> in = {-3, -6, 9, 12};
  const int32_t size[] = {3, 3};
  std::vector<int8_t> out(9);
  reference_ops::ResizeBilinearInteger({true, false}, RuntimeShape({1, 2, 2, 1}), in.data(),
                                       RuntimeShape({2}), size, RuntimeShape({1, 3, 3, 1}),
                                       out.data());
  EXPECT_THAT(out, ElementsAre(-3, -5, -6, 3, 3, 3, 9, 11, 12));
}

TEST(Names, OfOtherHeaders) {
  TfLiteTensor tensor = {};
  tensor.type = kTfLiteVariant;
  EXPECT_TRUE(IsResourceOrVariant(&tensor));
  tensor.type = kTfLiteInt32;
  EXPECT_FALSE(IsResourceOrVariant(&tensor));
  EXPECT_STREQ(kModelUseStablehloTensorKey, "keep_stablehlo_constant");
  EXPECT_EQ(impl::FlatBufferModelBase<FlatBufferModel>::BuildFromFile("/no/such/model"), nullptr);
}

}  // namespace
}  // namespace tflite
