// SPDX-License-Identifier: Apache-2.0
// Defaults, keys of the plug-in entry, and what options mean.
#include "delegate/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/status.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"

namespace tern::delegate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Text(const absl::Status& status) { return std::string(Message(status)); }

TEST(OptionsTest, DefaultsAreThoseOfTheDocuments) {
  const TfLiteGpuDelegateOptionsV2 o = TfLiteGpuDelegateOptionsV2Default();
  EXPECT_EQ(o.is_precision_loss_allowed, -1);
  EXPECT_EQ(o.inference_preference, TFLITE_GPU_INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER);
  EXPECT_EQ(o.inference_priority1, TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION);
  EXPECT_EQ(o.inference_priority2, TFLITE_GPU_INFERENCE_PRIORITY_AUTO);
  EXPECT_EQ(o.inference_priority3, TFLITE_GPU_INFERENCE_PRIORITY_AUTO);
  EXPECT_EQ(o.experimental_flags, TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT);
  EXPECT_EQ(o.max_delegated_partitions, 1);
  EXPECT_EQ(o.serialization_dir, nullptr);
  EXPECT_EQ(o.model_token, nullptr);
}

TEST(OptionsTest, AsynchronousRunsNeedAnotherPlatform) {
  const TfLiteGpuDelegateOptionsV2 o = TfLiteGpuDelegateOptionsV2Default();
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(TfLiteGpuDelegateV2CreateAsync(&o), nullptr);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("AHardwareBuffer of Android"));
}

TEST(OptionsTest, StringsAreCopied) {
  TfLiteGpuDelegateOptionsV2 o = TfLiteGpuDelegateOptionsV2Default();
  std::string directory = "/a/directory", token = "token";
  o.serialization_dir = directory.c_str();
  o.model_token = token.c_str();
  const DelegateOptions copy = FromDocumented(&o);
  directory.assign("changed");
  token.assign("changed");
  EXPECT_EQ(copy.serialization_dir, "/a/directory");
  EXPECT_EQ(copy.model_token, "token");
}

TEST(OptionsTest, EveryKeyReachesItsOwnField) {
  DelegateOptions o = DefaultOptions();
  const char* pairs[][2] = {{"is_precision_loss_allowed", "1"},
                            {"inference_preference", "2"},
                            {"inference_priority1", "3"},
                            {"inference_priority2", "2"},
                            {"inference_priority3", "1"},
                            {"experimental_flags", "6"},
                            {"max_delegated_partitions", "-7"},
                            {"serialization_dir", "/d"},
                            {"model_token", "t"},
                            {"tern_backend", "host"},
                            {"tern_precision", "f16"},
                            {"tern_slice_width", "8"},
                            {"tern_fuse", "0"},
                            {"tern_least_gain_us", "-20"}};
  for (const auto& [key, value] : pairs) EXPECT_TRUE(SetOption(key, value, &o).ok()) << key;
  EXPECT_EQ(o.documented.is_precision_loss_allowed, 1);
  EXPECT_EQ(o.documented.inference_preference, 2);
  EXPECT_EQ(o.documented.inference_priority1, 3);
  EXPECT_EQ(o.documented.inference_priority2, 2);
  EXPECT_EQ(o.documented.inference_priority3, 1);
  EXPECT_EQ(o.documented.experimental_flags, 6);
  EXPECT_EQ(o.documented.max_delegated_partitions, -7);
  EXPECT_EQ(o.max_partitions(), 1);
  EXPECT_EQ(o.serialization_dir, "/d");
  EXPECT_EQ(o.model_token, "t");
  EXPECT_EQ(o.backend, "host");
  EXPECT_EQ(o.precision, gpu::Precision::kF16);
  EXPECT_EQ(o.compile.slice_width, 8);
  EXPECT_FALSE(o.compile.fuse);
  EXPECT_EQ(o.least_gain_us, -20);
}

TEST(OptionsTest, UnknownKeysAndMalformedValuesAreNamed) {
  DelegateOptions o = DefaultOptions();
  EXPECT_EQ(Text(SetOption("speed", "9", &o)), "ParseOptions: unknown option speed.");
  EXPECT_FALSE(SetOption(nullptr, "9", &o).ok());
  for (const char* value : {"", " 1", "1 ", "0x1", "True", "99999999999", "1.5"}) {
    EXPECT_EQ(Text(SetOption("inference_preference", value, &o)),
              "ParseOptions: malformed option inference_preference.")
        << value;
  }
  EXPECT_FALSE(SetOption("experimental_flags", nullptr, &o).ok());
  EXPECT_FALSE(SetOption("tern_slice_width", "5", &o).ok());
  EXPECT_EQ(Text(SetOption("tern_precision", "f64", &o)),
            "ParseOptions: malformed option tern_precision. It takes f32 or f16, not 'f64'.");
  EXPECT_FALSE(SetOption("tern_fuse", "2", &o).ok());
  EXPECT_FALSE(SetOption("tern_least_gain_us", "1us", &o).ok());
}

gpu::Precision PrecisionOf(int p1, int p2 = 0, int p3 = 0, int loss = -1) {
  DelegateOptions o = DefaultOptions();
  o.documented.inference_priority1 = p1;
  o.documented.inference_priority2 = p2;
  o.documented.inference_priority3 = p3;
  o.documented.is_precision_loss_allowed = loss;
  return ChoosePrecision(o).value();
}

TEST(OptionsTest, PrecisionFollowsTheFirstPriority) {
  EXPECT_EQ(PrecisionOf(TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION), gpu::Precision::kF32);
  EXPECT_EQ(PrecisionOf(TFLITE_GPU_INFERENCE_PRIORITY_MIN_LATENCY), gpu::Precision::kF16);
  EXPECT_EQ(PrecisionOf(TFLITE_GPU_INFERENCE_PRIORITY_MIN_MEMORY_USAGE,
                        TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION),
            gpu::Precision::kF16);
  // The older switch wins over the priorities.
  EXPECT_EQ(PrecisionOf(TFLITE_GPU_INFERENCE_PRIORITY_MIN_LATENCY, 0, 0, 0), gpu::Precision::kF32);
  EXPECT_EQ(PrecisionOf(TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION, 0, 0, 1),
            gpu::Precision::kF16);
}

TEST(OptionsTest, ContradictingPrioritiesAreRefused) {
  const int wrong[][4] = {{0, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 2, 2, 0},
                          {1, 0, 2, 0}, {9, 0, 0, 0}, {1, 0, 0, 7}};
  for (const auto& [p1, p2, p3, usage] : wrong) {
    DelegateOptions o = DefaultOptions();
    o.documented.inference_priority1 = p1;
    o.documented.inference_priority2 = p2;
    o.documented.inference_priority3 = p3;
    o.documented.inference_preference = usage;
    EXPECT_EQ(Text(ChoosePrecision(o).status()), "InferenceOptions are invalid.") << p1 << p2 << p3;
  }
}

TEST(OptionsTest, FlagsChooseTheBackends) {
  DelegateOptions o = DefaultOptions();
  o.documented.experimental_flags =
      TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY | TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY;
  EXPECT_THAT(BackendsOf(o).backends, ElementsAre("opencl"));
  EXPECT_EQ(BackendsOf(o).option, "CL_ONLY");
  o.documented.experimental_flags = TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY;
  EXPECT_THAT(BackendsOf(o).backends, ElementsAre("gles"));
  EXPECT_EQ(BackendsOf(o).option, "GL_ONLY");
  o.backend = "host";
  EXPECT_THAT(BackendsOf(o).backends, ElementsAre("host"));
  EXPECT_EQ(BackendsOf(o).option, "tern_backend");
}

TEST(OptionsTest, WithoutFlagsTheBackendsAreTriedInOrder) {
  std::vector<std::string> order;
#ifdef TERN_WITH_OPENCL
  order.push_back("opencl");
#endif
  order.push_back("gles");
#ifdef TERN_WITH_VULKAN
  order.push_back("vulkan");
#endif
  EXPECT_EQ(BackendsOf(DefaultOptions()).backends, order);
  EXPECT_EQ(BackendsOf(DefaultOptions()).option, "");
}

TEST(OptionsTest, RequestsWithoutEffectAreNamedOnce) {
  DelegateOptions o = DefaultOptions();
  EXPECT_THAT(RequestsWithoutEffect(o), IsEmpty());
  o.documented.experimental_flags = TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION;
  EXPECT_THAT(RequestsWithoutEffect(o), IsEmpty());
  o.documented.experimental_flags =
      TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY | TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY | 64;
  EXPECT_THAT(RequestsWithoutEffect(o),
              ElementsAre(HasSubstr("GL_ONLY has no effect"), HasSubstr("64")));
  for (const int flag :
       {TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY, TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY}) {
    DelegateOptions one = DefaultOptions();
    one.documented.experimental_flags = flag;
    EXPECT_THAT(RequestsWithoutEffect(one), IsEmpty()) << flag;
  }
}

TEST(OptionsTest, ThePreferenceSaysHowLongToMeasure) {
  DelegateOptions o = DefaultOptions();
  EXPECT_EQ(TuningBudget(o), 0);
  o.documented.inference_preference = TFLITE_GPU_INFERENCE_PREFERENCE_SUSTAINED_SPEED;
  EXPECT_EQ(TuningBudget(o), 5'000'000'000);
  o.documented.inference_preference = TFLITE_GPU_INFERENCE_PREFERENCE_BALANCED;
  EXPECT_EQ(TuningBudget(o), 1'000'000'000);
  EXPECT_TRUE(SetOption("tern_tuning_ms", "250", &o).ok());
  EXPECT_EQ(TuningBudget(o), 250'000'000);
  EXPECT_TRUE(SetOption("tern_tuning_ms", "0", &o).ok());
  EXPECT_EQ(TuningBudget(o), 0);
  for (const char* value : {"", "-1", "x", "3600001", "1.5"}) {
    EXPECT_EQ(
        Text(SetOption("tern_tuning_ms", value, &o)),
        StrCat("ParseOptions: malformed option tern_tuning_ms. It takes a whole number from 0 "
               "to 3600000, not '",
               value, "'."))
        << value;
  }
}

TEST(OptionsTest, WinogradNeedsFloatsInMemory) {
  DelegateOptions options = DefaultOptions();
  ASSERT_TRUE(SetOption("tern_winograd", "1", &options).ok());
  EXPECT_THAT(RequestsWithoutEffect(options), IsEmpty());
  ASSERT_TRUE(SetOption("tern_precision", "f16", &options).ok());
  EXPECT_THAT(RequestsWithoutEffect(options), ElementsAre(HasSubstr("tern_winograd")));
}

}  // namespace
}  // namespace tern::delegate
