// SPDX-License-Identifier: Apache-2.0
// NumericVerify: differences, when they are errors, and what is reported.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/flex_options.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

std::vector<uint8_t> Options(float tolerance, bool log_if_failed) {
  return FlexOptions([&](flexbuffers::Builder& b) {
    b.Float("tolerance", tolerance);
    b.Bool("log_if_failed", log_if_failed);
  });
}

void Add(OpRunner& run, float tolerance, bool log_if_failed) {
  run.SetCustomOptions(Options(tolerance, log_if_failed));
  run.Input<int8_t>({4}, {1, 2, 3, -100});
  run.SetScales(0, {0.125f}, 0);
  run.Input<float>({4}, {0.125f, 0.25f, 0.4375f, -12.5f});
  run.Output();
}

TEST(NumericVerify, Differences) {
  for (const auto& [tolerance, log] :
       std::vector<std::pair<float, bool>>{{0.5f, true}, {0.09f, true}, {0.3f, false}}) {
    OpRunner run(NumericVerifyRegistration(OpForm::kOptimized));
    Add(run, tolerance, log);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values(), (std::vector<float>{0, 0, -0.0625f, 0}));
  }
}

TEST(NumericVerify, ReportsWhatMayNotFail) {
  OpRunner run(NumericVerifyRegistration(OpForm::kOptimized));
  Add(run, 0.3f, false);
  ASSERT_EQ(run.Run(), kTfLiteOk);
  EXPECT_EQ(run.error(),
            "std: 0.027063, mean: -0.015625, max_diff: 0.062500 (scale: 0.125000, zero_point: 0).");
}

TEST(NumericVerify, DifferencesBeyondTheToleranceAreErrors) {
  for (const float tolerance : {0.1f, 0.49f}) {
    OpRunner run(NumericVerifyRegistration(OpForm::kOptimized));
    Add(run, tolerance, true);
    EXPECT_EQ(run.Run(), kTfLiteError);
    EXPECT_NE(run.error().find("NumericVerify: element 2 differs by 0.0625"), std::string::npos)
        << run.error();
  }
}

// Of halves the model may give a scale for the limit alone.
TEST(NumericVerify, HalvesAndScales) {
  for (const float scale : {0.0f, 0.5f, 1.0f}) {
    OpRunner run(NumericVerifyRegistration(OpForm::kOptimized));
    run.SetCustomOptions(Options(5, true));
    run.InputAs<uint16_t>(kTfLiteFloat16, {2}, {0x3C00, 0x4000});
    run.input(0).params = {scale, 0};
    run.Input<float>({2}, {1, 5.5f});
    run.Output();
    EXPECT_EQ(run.Run(), scale == 1 ? kTfLiteOk : kTfLiteError) << scale;
    if (scale != 1) {
      EXPECT_EQ(run.error(), StrCat("NumericVerify: element 1 differs by 3.5 (limit ", 5 * scale,
                                    ", wanted 5.5)"));
    }
  }
}

TEST(NumericVerify, HalvesHaveNoScale) {
  OpRunner run(NumericVerifyRegistration(OpForm::kOptimized));
  run.SetCustomOptions(Options(0.05f, true));
  run.InputAs<uint16_t>(kTfLiteFloat16, {2}, {0x3C00, 0x4000});
  run.Input<float>({2}, {1, 2.5f});
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(), (std::vector<float>{0, -0.5f}));
}

TEST(NumericVerify, BadOperandsAreErrors) {
  OpRunner count(NumericVerifyRegistration(OpForm::kOptimized));
  count.SetCustomOptions(Options(5, true));
  count.Input<int8_t>({2}, {1, 2});
  count.SetScales(0, {1}, 0);
  count.Input<float>({3}, {1, 2, 3});
  count.Output();
  EXPECT_EQ(count.Run(), kTfLiteError);
  EXPECT_EQ(count.error(), "NumericVerify: there must be a wanted value per element (3, 2)");
  OpRunner type(NumericVerifyRegistration(OpForm::kOptimized));
  type.SetCustomOptions(Options(5, true));
  type.Input<int32_t>({2}, {1, 2});
  type.Input<float>({2}, {1, 2});
  type.Output();
  EXPECT_EQ(type.Run(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
