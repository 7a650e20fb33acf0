// SPDX-License-Identifier: Apache-2.0
// util.h, kernel_util.h, reporters and logging.
#include "tensorflow/lite/util.h"
#include "tensorflow/lite/core/c/operator.h"

#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <limits>
#include <string>
#include <type_traits>

#include "abi/builtin_names.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/error_reporter.h"
#include "tensorflow/lite/interpreter_options.h"
#include "tensorflow/lite/kernels/internal/quantization_util.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/minimal_logging.h"
#include "tensorflow/lite/type_to_tflitetype.h"

namespace tflite {
namespace {

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

TEST(Types, MapBothWays) {
  static_assert(typeToTfLiteType<float>() == kTfLiteFloat32);
  static_assert(typeToTfLiteType<const int8_t>() == kTfLiteInt8);
  static_assert(typeToTfLiteType<std::string>() == kTfLiteString);
  static_assert(typeToTfLiteType<TfLiteFloat16>() == kTfLiteFloat16);
  static_assert(typeToTfLiteType<void*>() == kTfLiteNoType);
  static_assert(std::is_same_v<TfLiteTypeToType<kTfLiteUInt8>::Type, unsigned char>);
}

TEST(BytesRequired, PackedTypesOverflowAndStrings) {
  size_t bytes = 0;
  const int odd[] = {3, 3};
  EXPECT_EQ(BytesRequired(kTfLiteInt4, odd, 2, &bytes, nullptr), kTfLiteOk);
  EXPECT_EQ(bytes, 5u);
  EXPECT_EQ(BytesRequired(kTfLiteInt2, odd, 2, &bytes, nullptr), kTfLiteOk);
  EXPECT_EQ(bytes, 3u);
  EXPECT_EQ(BytesRequired(kTfLiteComplex128, odd, 2, &bytes, nullptr), kTfLiteOk);
  EXPECT_EQ(bytes, 144u);
  EXPECT_EQ(BytesRequired(kTfLiteFloat32, nullptr, 0, &bytes, nullptr), kTfLiteOk);
  EXPECT_EQ(bytes, 4u) << "a scalar";
  const int huge[] = {1 << 30, 1 << 30, 1 << 30};
  TfLiteContext context = MakeContext();
  EXPECT_EQ(BytesRequired(kTfLiteFloat32, huge, 3, &bytes, &context), kTfLiteError);
  EXPECT_EQ(last_report, "BytesRequired number of bytes overflowed.\n");
  const int negative[] = {-1, 4};
  EXPECT_EQ(BytesRequired(kTfLiteFloat32, negative, 2, &bytes, nullptr), kTfLiteError);
  EXPECT_EQ(BytesRequired(kTfLiteString, odd, 2, &bytes, nullptr), kTfLiteError);
}

TEST(CheckedInt, KeepsTheOverflow) {
  CheckedInt<int> a = 1 << 30;
  EXPECT_FALSE((a + 5).Overflow());
  const CheckedInt<int> b = a * 4;
  EXPECT_TRUE(b.Overflow());
  EXPECT_TRUE((b / 4).Overflow());
  EXPECT_EQ(b.Status(), kTfLiteError);
  EXPECT_TRUE((a / 0).Overflow());
  EXPECT_TRUE(CheckedInt<int>(int64_t{1} << 40).Overflow());
  EXPECT_TRUE(CheckedInt<int>(-1) < 1u) << "compared as numbers";
  EXPECT_TRUE(CheckedInt<uint32_t>(7u) == CheckedInt<int64_t>(7));
  EXPECT_TRUE(CheckedInt<size_t>(-1).Overflow());
}

TEST(CheckedInt, MixesWithIntegersAndOtherWidthsOnBothSides) {
  const CheckedInt<int> small = 6;
  static_assert(std::is_same_v<decltype(small + int64_t{1}), CheckedInt<int64_t>>);
  static_assert(std::is_same_v<decltype(small * CheckedInt<int64_t>(1)), CheckedInt<int64_t>>);
  static_assert(std::is_same_v<decltype(uint8_t{1} + CheckedInt<uint8_t>(1)), CheckedInt<uint8_t>>);
  static_assert(std::is_same_v<decltype(CheckedInt(3)), CheckedInt<int>>);
  EXPECT_EQ((7 + small).Value(), 13);
  EXPECT_EQ((7 - small).Value(), 1);
  EXPECT_EQ((7 * small).Value(), 42);
  EXPECT_EQ((13 / small).Value(), 2);
  EXPECT_TRUE(6 == small && 5 != small && 5 < small && 6 <= small && 7 > small && 6 >= small);
  EXPECT_TRUE(uint64_t{6} == small);
  EXPECT_FALSE((small * int64_t{1000000000}).Overflow());
  EXPECT_TRUE((std::numeric_limits<int>::max() + small).Overflow());
  EXPECT_TRUE((std::numeric_limits<int64_t>::max() + small).Overflow());
  CheckedInt<int> product = small;
  EXPECT_TRUE((product *= int64_t{1000000000}).Overflow()) << "it stays an int";
  EXPECT_EQ((small / 0).Value(), std::numeric_limits<int>::max());
  EXPECT_TRUE((std::numeric_limits<int>::min() / CheckedInt<int>(-1)).Overflow());
}

TEST(CheckedInt, SignsOfTheWidestTypes) {
  const CheckedInt<int64_t> min = std::numeric_limits<int64_t>::min();
  const uint64_t max = std::numeric_limits<uint64_t>::max();
  EXPECT_TRUE(min < max && max > min && min != max && min <= min && min >= min);
  EXPECT_FALSE(CheckedInt<int64_t>(-1) == max);
  EXPECT_TRUE(CheckedInt<int64_t>(-3) < -2 && CheckedInt<int64_t>(-2) > -3);
  EXPECT_EQ((CheckedInt<int64_t>(-7) / 2).Value(), -3);
  EXPECT_EQ((min / 1).Value(), min.Value());
  EXPECT_TRUE((min / -1).Overflow());
  EXPECT_TRUE((CheckedInt<int64_t>(-4) / uint64_t{2}).Overflow()) << "the result is unsigned";
  EXPECT_EQ((CheckedInt<uint64_t>(max) / 1).Value(), max);
}

TEST(Names, OfOperations) {
  TfLiteRegistration registration = {};
  registration.builtin_code = kTfLiteBuiltinConv2d;
  EXPECT_EQ(GetOpNameByRegistration(registration), "CONV_2D");
  registration.builtin_code = kTfLiteBuiltinDelegate;
  registration.custom_name = "TfLiteGpuDelegateV2";
  EXPECT_EQ(GetOpNameByRegistration(registration), "DELEGATE TfLiteGpuDelegateV2");
  EXPECT_STREQ(tern::BuiltinOpName(209), "STABLEHLO_CASE");
  EXPECT_EQ(tern::BuiltinOpName(210), nullptr);
  EXPECT_EQ(tern::BuiltinOpName(-1), nullptr);
  EXPECT_TRUE(IsFlexOp("FlexAdd"));
  EXPECT_FALSE(IsFlexOp(nullptr));
  EXPECT_TRUE(IsValidationSubgraph("VALIDATION:main"));
  EXPECT_EQ(GetBuiltinDataSize(static_cast<BuiltinOperator>(kTfLiteBuiltinConv2d)),
            static_cast<int>(sizeof(TfLiteConvParams)));
  EXPECT_EQ(GetBuiltinDataSize(static_cast<BuiltinOperator>(kTfLiteBuiltinRelu)), 0);
}

TEST(Unresolved, InvokeFailsWithAText) {
  const TfLiteRegistration registration = CreateUnresolvedCustomOp("Mine");
  EXPECT_TRUE(IsUnresolvedCustomOp(registration));
  TfLiteContext context = MakeContext();
  TfLiteNode node = {};
  EXPECT_EQ(registration.invoke(&context, &node), kTfLiteError);
  EXPECT_NE(last_report.find("unresolved custom op"), std::string::npos);
}

class KernelUtil : public testing::Test {
 protected:
  KernelUtil() : context_(MakeContext()) {}

  void Use(std::vector<TfLiteTensor>& tensors) {
    context_.tensors = tensors.data();
    context_.tensors_size = tensors.size();
  }

  TfLiteContext context_;
};

TEST_F(KernelUtil, TensorsByPosition) {
  std::vector<TfLiteTensor> tensors(3);
  Use(tensors);
  tensors[2].is_variable = true;
  IntArrayUniquePtr inputs = BuildTfLiteArray({2, kTfLiteOptionalTensor, 9});
  TfLiteNode node = {};
  node.inputs = inputs.get();
  EXPECT_EQ(GetInput(&context_, &node, 0), &tensors[2]);
  EXPECT_EQ(GetVariableInput(&context_, &node, 0), &tensors[2]);
  EXPECT_EQ(GetOptionalInputTensor(&context_, &node, 1), nullptr);
  EXPECT_EQ(GetInput(&context_, &node, 2), nullptr) << "index out of range";
  EXPECT_EQ(GetInput(&context_, &node, 3), nullptr);
  EXPECT_EQ(GetOutput(&context_, &node, 0), nullptr);
  const TfLiteTensor* found = nullptr;
  EXPECT_EQ(GetInputSafe(&context_, &node, 0, &found), kTfLiteOk);
  EXPECT_EQ(GetInputSafe(&context_, &node, 1, &found), kTfLiteError);
  EXPECT_EQ(NumInputs(&node), 3);
  EXPECT_EQ(NumOutputs(&node), 0);
}

TEST_F(KernelUtil, Broadcast) {
  TensorUniquePtr a = BuildTfLiteTensor(kTfLiteFloat32, std::vector<int>{2, 1, 4}, kTfLiteArenaRw);
  TensorUniquePtr b = BuildTfLiteTensor(kTfLiteFloat32, std::vector<int>{3, 1}, kTfLiteArenaRw);
  TensorUniquePtr c = BuildTfLiteTensor(kTfLiteFloat32, std::vector<int>{5}, kTfLiteArenaRw);
  TfLiteIntArray* shape = nullptr;
  ASSERT_EQ(CalculateShapeForBroadcast(&context_, a.get(), b.get(), &shape), kTfLiteOk);
  EXPECT_EQ(GetShapeDebugString(shape), "[2,3,4]");
  TfLiteIntArrayFree(shape);
  EXPECT_EQ(CalculateShapeForBroadcast(&context_, a.get(), b.get(), c.get(), &shape), kTfLiteError);
  EXPECT_EQ(last_report, "Given shapes, [2,1,4] and [3,1] and [5], are not broadcastable.");
}

TEST_F(KernelUtil, ShapeProducts) {
  size_t product = 0;
  EXPECT_EQ(CheckedShapeProduct(&context_, {2, 3, 4}, "too big", product), kTfLiteOk);
  EXPECT_EQ(product, 24u);
  int narrow = 0;
  EXPECT_EQ(CheckedShapeProductToInt(&context_, {1 << 16, 1 << 16}, "too big", narrow),
            kTfLiteError);
  EXPECT_EQ(last_report, "too big");
  EXPECT_EQ(CheckedShapeProduct(&context_, {-1, -1}, "negative", product), kTfLiteError);
}

TEST_F(KernelUtil, ActivationRanges) {
  TfLiteTensor output = {};
  output.type = kTfLiteInt8;
  output.params = {0.1f, -128};
  int32_t low = 0;
  int32_t high = 0;
  ASSERT_EQ(CalculateActivationRangeQuantized(&context_, kTfLiteActRelu6, &output, &low, &high),
            kTfLiteOk);
  EXPECT_EQ(low, -128);
  EXPECT_EQ(high, -68);
  ASSERT_EQ(CalculateActivationRangeQuantized(&context_, kTfLiteActNone, &output, &low, &high),
            kTfLiteOk);
  EXPECT_EQ(high, 127);
  // Limits of more than 31 bits are errors.
  output.params = {1e-10f, 0};
  for (const auto activation : {kTfLiteActRelu6, kTfLiteActReluN1To1}) {
    EXPECT_EQ(CalculateActivationRangeQuantized(&context_, activation, &output, &low, &high),
              kTfLiteError);
    EXPECT_NE(last_report.find("no_integer_overflow_from_quantization was not true"),
              std::string::npos)
        << last_report;
  }
  EXPECT_EQ(CalculateActivationRangeQuantized(&context_, kTfLiteActRelu, &output, &low, &high),
            kTfLiteOk);
  output.type = kTfLiteFloat32;
  EXPECT_EQ(CalculateActivationRangeQuantized(&context_, kTfLiteActNone, &output, &low, &high),
            kTfLiteError);
  float f_low = 0;
  float f_high = 0;
  CalculateActivationRange(kTfLiteActReluN1To1, &f_low, &f_high);
  EXPECT_EQ(f_low, -1.0f);
  EXPECT_EQ(f_high, 1.0f);
}

TEST(QuantizeMultiplier, FixedPoint) {
  int32_t multiplier = 0;
  int shift = 0;
  QuantizeMultiplier(0.5, &multiplier, &shift);
  EXPECT_EQ(multiplier, 1 << 30);
  EXPECT_EQ(shift, 0);
  QuantizeMultiplier(3.0, &multiplier, &shift);
  EXPECT_EQ(multiplier, 3 << 29);
  EXPECT_EQ(shift, 2);
  QuantizeMultiplier(0.99999999999, &multiplier, &shift);
  EXPECT_EQ(multiplier, 1 << 30) << "rounded up to 2^31, halved";
  EXPECT_EQ(shift, 1);
  QuantizeMultiplier(1e-12, &multiplier, &shift);
  EXPECT_EQ(multiplier, 0);
  EXPECT_EQ(shift, 0);
}

TEST_F(KernelUtil, ConvolutionMultipliersPerChannel) {
  TensorUniquePtr filter =
      BuildTfLiteTensor(kTfLiteInt8, std::vector<int>{2, 1, 1, 1}, kTfLiteDynamic);
  TensorUniquePtr input = BuildTfLiteTensor(kTfLiteInt8, std::vector<int>{1}, kTfLiteDynamic);
  TfLiteTensor output = {};
  output.type = kTfLiteInt8;
  output.params = {1.0f, 0};
  input->params = {0.5f, 0};
  auto* affine =
      static_cast<TfLiteAffineQuantization*>(std::malloc(sizeof(TfLiteAffineQuantization)));
  *affine = {BuildTfLiteArray({1.0f, 4.0f}).release(), BuildTfLiteArray({0, 0}).release(), 0};
  filter->quantization = {kTfLiteAffineQuantization, affine};
  input->quantization.type = kTfLiteAffineQuantization;
  int32_t multiplier = 0, low = 0, high = 0;
  int shift = 0;
  int32_t multipliers[2] = {}, shifts[2] = {};
  ASSERT_EQ(PopulateConvolutionQuantizationParams(&context_, input.get(), filter.get(), nullptr,
                                                  &output, kTfLiteActNone, &multiplier, &shift,
                                                  &low, &high, multipliers, shifts),
            kTfLiteOk);
  EXPECT_EQ(multipliers[0], 1 << 30);
  EXPECT_EQ(shifts[0], 0);
  EXPECT_EQ(multipliers[1], 1 << 30);
  EXPECT_EQ(shifts[1], 2);
  EXPECT_EQ(low, -128);
  EXPECT_EQ(PopulateConvolutionQuantizationParams(&context_, input.get(), filter.get(), nullptr,
                                                  &output, kTfLiteActNone, &multiplier, &shift,
                                                  &low, &high, multipliers, shifts, 3),
            kTfLiteError)
      << "as many scales as channels";
}

TEST(Logging, ThresholdAndFormat) {
  const LogSeverity old = LoggerOptions::SetMinimumLogSeverity(TFLITE_LOG_WARNING);
#ifdef NDEBUG
  EXPECT_EQ(old, TFLITE_LOG_INFO);
#endif
  testing::internal::CaptureStderr();
  TFLITE_LOG_PROD(TFLITE_LOG_INFO, "hidden");
  TFLITE_LOG_PROD(TFLITE_LOG_WARNING, "op code #%d", 42);
  for (int i = 0; i < 3; ++i) {
    TFLITE_LOG_PROD_ONCE(TFLITE_LOG_ERROR, "once");
  }
  DefaultErrorReporter()->Report("%s failed", "it");
  TF_LITE_REPORT_ERROR(DefaultErrorReporter(), "plain");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "WARNING: op code #42\nERROR: once\nERROR: it failed\nERROR: plain\n");
  EXPECT_EQ(LoggerOptions::SetMinimumLogSeverity(old), TFLITE_LOG_WARNING);
}

TEST(InterpreterOptions, LargeTensorsImplyRelease) {
  InterpreterOptions options;
  options.OptimizeMemoryForLargeTensors(0);
  EXPECT_FALSE(options.GetEnsureDynamicTensorsAreReleased());
  options.OptimizeMemoryForLargeTensors();
  EXPECT_EQ(options.GetDynamicAllocationForLargeTensors(), 1 << 20);
  EXPECT_TRUE(options.GetEnsureDynamicTensorsAreReleased());
}

TEST(Operator, NullHasNoVersionNameOrData) {
  EXPECT_EQ(TfLiteOperatorGetVersion(nullptr), -1);
  EXPECT_EQ(TfLiteOperatorGetCustomName(nullptr), nullptr);
  EXPECT_EQ(TfLiteOperatorGetUserData(nullptr), nullptr);
}

}  // namespace
}  // namespace tflite
