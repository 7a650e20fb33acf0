// SPDX-License-Identifier: Apache-2.0
// `tern diff` with an engine whose exponentials are wrong, with numbers beyond half precision, and
// with nothing wrong. The engine is the host's: its compiler gets a define for what to get wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>

#include "cli/cases/diff_judge.h"
#include "cli/engine/engine.h"
#include "cli/inputs/fill.h"
#include "cli/verbs.h"
#include "model/testing/model_builder.h"

namespace tern::cli {
namespace {

using ::testing::HasSubstr;
using testing::ModelBuilder;

// A file in the folder of the tests.
std::string Write(const std::string& name, const ModelBuilder& builder) {
  const std::string file = ::testing::TempDir() + name;
  const Bytes bytes = builder.Finish();
  EXPECT_TRUE(WriteFile(file, bytes.data(), bytes.size()).ok());
  return file;
}

int Pool(ModelBuilder& b, int x) {
  tflite::Pool2DOptionsT o;
  o.filter_width = o.filter_height = o.stride_w = o.stride_h = 2;
  return b.Op(tflite::BuiltinOperator_MAX_POOL_2D, {x}, {b.Tensor({1, 2, 2, 4})}, o);
}

int Scaled(ModelBuilder& b, int x, float factor) {
  const std::vector<int32_t> shape = b.tensor(x).shape;
  return b.Op(tflite::BuiltinOperator_MUL, {x, b.Const<float>({1}, {factor})}, {b.Tensor(shape)},
              tflite::MulOptionsT());
}

struct DiffOutput {
  int status = -1;
  std::string text;
};

DiffOutput RunDiff(const DiffOptions& options) {
  ::testing::internal::CaptureStdout();
  const absl::StatusOr<int> status = Diff(options);
  DiffOutput reported{status.ok() ? *status : -1, ::testing::internal::GetCapturedStdout()};
  if (!status.ok()) reported.text += std::string(status.status().message());
  return reported;
}

bool HasHost() {
  std::string error;
  EngineOptions options;
  options.engine = "host";
  return CreateGpuDelegate(options, &error) != nullptr;
}

TEST(DiffTest, TheFirstNodeThatIsWrongByItselfBecomesACase) {
  if (!HasHost()) GTEST_SKIP() << "no host engine in this build";
  ModelBuilder b;
  const int x = b.Input({1, 4, 4, 4}, tflite::TensorType_FLOAT32, "x");
  const int pooled = Pool(b, x);
  const int grown = b.Op(tflite::BuiltinOperator_EXP, {pooled},
                         {b.Tensor({1, 2, 2, 4}, tflite::TensorType_FLOAT32, "grown")});
  b.Output(Scaled(b, grown, 3));
  DiffOptions options;
  options.engine.engine = "host";
  options.model = Write("diff_exp.tflite", b);
  options.write = ::testing::TempDir() + "diff_case/bad.tflite";
  const char* compiler = std::getenv("CXX");
  const std::string before = compiler == nullptr ? TERN_HOST_COMPILER : compiler;
  setenv("CXX", (before + " -D__builtin_expf=__builtin_exp2f").c_str(), 1);
  const DiffOutput reported = RunDiff(options);
  compiler == nullptr ? unsetenv("CXX") : setenv("CXX", before.c_str(), 1);
  EXPECT_EQ(reported.status, 1);
  EXPECT_THAT(reported.text, HasSubstr("3 of 3 nodes on the GPU"));
  EXPECT_THAT(reported.text, HasSubstr("grown  BAD"));
  EXPECT_THAT(reported.text, HasSubstr("first bad node: EXP #1, tensor 'grown': "));
  // The MUL after it is right on what the CPU gives to it.
  EXPECT_THAT(reported.text, HasSubstr("#2    MUL"));
  EXPECT_EQ(reported.text.find("BAD"), reported.text.rfind("BAD")) << reported.text;

  // The case holds on the CPU and fails on the engine, which keeps the programs of this process.
  VerifyOptions verify;
  verify.roots = {::testing::TempDir() + "diff_case"};
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(*Verify(verify), 0);
  verify.engine.engine = "host";
  EXPECT_EQ(*Verify(verify), 1);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), HasSubstr("failed   DIFF/bad: output 0"));
}

TEST(DiffTest, NumbersBeyondHalfPrecisionAreNamed) {
  if (!HasHost()) GTEST_SKIP() << "no host engine in this build";
  ModelBuilder b;
  // The input of the pooling lies in memory as halves; the output of the graph does not.
  const int large = Scaled(b, Scaled(b, b.Input({1, 4, 4, 4}), 1e3f), 1e3f);
  b.Output(Scaled(b, Pool(b, large), 1e-4f));
  DiffOptions options;
  options.engine.engine = "host";
  options.engine.precision = "f16";
  options.model = Write("diff_large.tflite", b);
  options.write = ::testing::TempDir() + "diff_large_case/bad.tflite";
  DiffOutput reported = RunDiff(options);
  EXPECT_EQ(reported.status, 1) << reported.text;
  EXPECT_THAT(reported.text, HasSubstr("first bad node: MUL #1 with those that read it"));
  EXPECT_THAT(reported.text, HasSubstr("is beyond half precision (65504)"));
  VerifyOptions verify;
  verify.roots = {::testing::TempDir() + "diff_large_case"};
  verify.engine = options.engine;
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(*Verify(verify), 1);
  verify.engine.precision = "f32";
  EXPECT_EQ(*Verify(verify), 0) << ::testing::internal::GetCapturedStdout();
  ::testing::internal::GetCapturedStdout();

  options.engine.precision = "f32";
  reported = RunDiff(options);
  EXPECT_EQ(reported.status, 0) << reported.text;
  EXPECT_THAT(reported.text, HasSubstr("no bad node"));
}

TEST(DiffTest, NodesOfTheCpuAreShownAsSuch) {
  if (!HasHost()) GTEST_SKIP() << "no host engine in this build";
  ModelBuilder b;
  const int x = b.Input({4});
  const int c =
      b.Op(tflite::BuiltinOperator_NEG, {b.Const<float>({4}, {1, 2, 3, 4})}, {b.Tensor({4})});
  const int sum = b.Op(tflite::BuiltinOperator_ADD, {x, c}, {b.Tensor({4})}, tflite::AddOptionsT());
  b.Output(b.Op(tflite::BuiltinOperator_BITCAST, {sum}, {b.Tensor({4}, tflite::TensorType_INT32)}));
  DiffOptions options;
  options.engine.engine = "host";
  options.model = Write("diff_bits.tflite", b);
  const DiffOutput reported = RunDiff(options);
  EXPECT_EQ(reported.status, 0) << reported.text;
  EXPECT_THAT(reported.text, HasSubstr("  (computed from constants)"));
  EXPECT_THAT(reported.text, HasSubstr("  (on the CPU: "));
}

TEST(DiffTest, WhatCannotBeComparedIsAnError) {
  DiffOptions options;
  options.engine.engine = "cpu";
  EXPECT_THAT(RunDiff(options).text, HasSubstr("a GPU engine is compared with the CPU"));
  options.engine.engine = "host";
  options.model = ::testing::TempDir() + "diff_no_model.tflite";
  ASSERT_TRUE(WriteFile(options.model, "nothing", 7).ok());
  EXPECT_THAT(RunDiff(options).text, HasSubstr("diff_no_model.tflite: not a usable model"));
}

CaseOutput Wanted(TfLiteType type, const std::vector<double>& values) {
  CaseOutput wanted;
  wanted.type = type;
  wanted.shape = {static_cast<int>(values.size())};
  for (const double v : values) AppendElement(type, v, &wanted.wanted);
  return wanted;
}

TEST(DiffTest, LimitsFollowTypeRangeAndRounding) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const DiffRule f32 = MakeDiffRule(false, -1, -1), f16 = MakeDiffRule(true, -1, -1);
  const CaseOutput floats = Wanted(kTfLiteFloat32, {1, -8, kInf});
  EXPECT_EQ(LimitOf(f32, floats, false, 0, 1).abs, 8 * 0x1p-16);
  EXPECT_EQ(LimitOf(f16, floats, false, 0.5, 1).abs, 2 + 8 * 0x1p-10);
  EXPECT_EQ(LimitOf(f16, floats, false, kInf, 1).abs, 8 * 0x1p-10);
  EXPECT_EQ(LimitOf(MakeDiffRule(true, 0.25, -1), floats, false, 0, 2).abs, 4);
  const CaseOutput bytes = Wanted(kTfLiteInt8, {1, 2});
  EXPECT_EQ(LimitOf(f32, bytes, true, 0, 1).abs, 2);
  EXPECT_EQ(LimitOf(MakeDiffRule(false, -1, 1), bytes, true, 0, 3).abs, 3);
  EXPECT_EQ(LimitOf(f32, Wanted(kTfLiteInt32, {5}), false, 100, 1).abs, 0);
  EXPECT_EQ(LimitOf(f16, Wanted(kTfLiteInt32, {5}), false, 1, 1).abs, 4);
  EXPECT_EQ(DifferenceText(floats, 2), "2.5e-01");
  EXPECT_EQ(DifferenceText(bytes, 1), "1 step");
}

TEST(DiffTest, CausesOfWrongElements) {
  const DiffRule f16 = MakeDiffRule(true, -1, -1), f32 = MakeDiffRule(false, -1, -1);
  Verdict verdict;
  verdict.got = std::numeric_limits<double>::infinity();
  verdict.wanted = 7e4;
  EXPECT_EQ(Cause(verdict, f16, 1), "70000 is beyond half precision (65504)");
  EXPECT_EQ(Cause(verdict, f32, 1), "Inf where the CPU has a number");
  verdict.wanted = 3;
  EXPECT_EQ(Cause(verdict, f16, 7e4), "an operand of 70000 is beyond half precision (65504)");
  verdict.got = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Cause(verdict, f16, 1), "NaN where the CPU has a number");
  verdict.got = 4;
  EXPECT_EQ(Cause(verdict, f32, 7e4), "");
}

}  // namespace
}  // namespace tern::cli
