// SPDX-License-Identifier: Apache-2.0
// CONV_3D and CONV_3D_TRANSPOSE: small sums by hand, infinities, and refusals. Sweeps over shapes
// are in conv_3d_gpu_test.cc, which runs the CPU forms, too.
#include <gtest/gtest.h>

#include <limits>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"
#include "ops/testing/packed_once.h"

namespace tern::testing {
namespace {

TfLiteConv3DParams Params(TfLitePadding padding = kTfLitePaddingValid) {
  return {padding, 1, 1, 1, 1, 1, 1, kTfLiteActNone};
}

TEST(Conv3d, SumsTapsOfAllAxes) {
  TfLiteConv3DParams params = Params();
  for (const Way& way : kWays) {
    OpRunner run(Conv3dRegistration(way.form), &params, way.threads);
    run.Input<float>({1, 2, 2, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
    run.Input<float>({2, 2, 2, 1, 2}, {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, -1},
                     kTfLiteMmapRo);
    run.Input<float>({2}, {0.5f, 1}, kTfLiteMmapRo);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), (Shape{1, 1, 1, 1, 2}));
    EXPECT_EQ(run.Values(), (std::vector<float>{36.5f, -7})) << way.name;
    ASSERT_EQ(run.Eval(), kTfLiteOk);
    EXPECT_EQ(run.Values(), (std::vector<float>{36.5f, -7})) << way.name;
  }
}

TEST(Conv3d, PaddingIsNotMultiplied) {
  const float inf = std::numeric_limits<float>::infinity();
  TfLiteConv3DParams params = Params(kTfLitePaddingSame);
  for (const Way& way : kWays) {
    OpRunner run(Conv3dRegistration(way.form), &params, way.threads);
    run.Input<float>({1, 1, 1, 1, 1}, {2});
    run.Input<float>({3, 1, 1, 1, 1}, {inf, 3, inf}, kTfLiteMmapRo);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values(), (std::vector<float>{6})) << way.name;
  }
}

TEST(Conv3d, OperatorsOfTheSameWeightsPackThemOnce) {
  TfLiteConv3DParams params = Params();
  OpRunner first(Conv3dRegistration(OpForm::kOptimized), &params);
  OpRunner second(Conv3dRegistration(OpForm::kOptimized), &params);
  for (OpRunner* run : {&first, &second}) {
    run->Input<float>({1, 2, 1, 1, 1}, {2, 3});
    run->Input<float>({2, 1, 1, 1, 1}, {1, 10}, kTfLiteMmapRo);
    run->Output();
  }
  ExpectPackedOnce(first, second, 1);
}

TEST(Conv3dTranspose, ComputedOutputShape) {
  TfLiteConv3DParams params = Params();
  for (const Way& way : kWays) {
    OpRunner run(Conv3dTransposeRegistration(way.form), &params, way.threads);
    run.Input<int32_t>({5}, {1, 2, 1, 3, 1});
    run.Input<float>({2, 1, 2, 1, 1}, {1, 2, 3, 4}, kTfLiteMmapRo);
    run.Input<float>({1, 1, 1, 2, 1}, {1, 10});
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), (Shape{1, 2, 1, 3, 1}));
    EXPECT_EQ(run.Values(), (std::vector<float>{1, 12, 20, 3, 34, 40})) << way.name;
  }
}

struct BadVolume {
  const char* what;
  std::vector<int> input = {1, 3, 4, 5, 2}, filter = {2, 2, 2, 2, 3}, bias = {3};
  TfLiteType type = kTfLiteFloat32;
  int TfLiteConv3DParams::*field = nullptr;
  int value = 0;
  std::vector<int32_t> shape = {1, 4, 5, 6, 3};  // of CONV_3D_TRANSPOSE
};

const std::vector<BadVolume>& BadCases() {
  static const auto& cases = *new std::vector<BadVolume>{
      {.what = "rank of input", .input = {3, 4, 5, 2}},
      {.what = "rank of filter", .filter = {2, 2, 2, 2}},
      {.what = "empty input", .input = {1, 0, 4, 5, 2}},
      {.what = "empty filter", .filter = {0, 2, 2, 2, 3}},
      {.what = "channels", .filter = {2, 2, 2, 4, 4}},
      {.what = "bias", .bias = {4}},
      {.what = "type", .type = kTfLiteInt8},
      {.what = "stride of depth", .field = &TfLiteConv3DParams::stride_depth, .value = 0},
      {.what = "stride", .field = &TfLiteConv3DParams::stride_width, .value = -1},
      {.what = "dilation", .field = &TfLiteConv3DParams::dilation_depth_factor, .value = 1 << 16},
      {.what = "filter too large", .filter = {9, 2, 2, 2, 3}},
  };
  return cases;
}

TEST(Conv3d, BadOperandsAreErrors) {
  for (const BadVolume& bad : BadCases()) {
    TfLiteConv3DParams params = Params();
    if (bad.field != nullptr) params.*bad.field = bad.value;
    OpRunner run(Conv3dRegistration(OpForm::kOptimized), &params);
    run.EmptyInput(bad.input, bad.type);
    run.EmptyInput(bad.filter, bad.type);
    run.EmptyInput(bad.bias, kTfLiteFloat32);
    run.Output();
    EXPECT_EQ(run.Prepare(), kTfLiteError) << bad.what;
    EXPECT_EQ(run.error().rfind("CONV_3D: ", 0), 0u) << bad.what << ": " << run.error();
  }
}

// The message of CONV_3D or CONV_3D_TRANSPOSE with operands of these shapes.
std::string Conv3dError(bool transpose, const std::vector<int>& input,
                        const std::vector<int>& filter, const std::vector<int>& bias) {
  TfLiteConv3DParams params = Params();
  OpRunner run(transpose ? Conv3dTransposeRegistration(OpForm::kOptimized)
                         : Conv3dRegistration(OpForm::kOptimized),
               &params);
  if (transpose) run.Input<int32_t>({5}, {1, 4, 5, 6, 3});
  run.EmptyInput(transpose ? filter : input, kTfLiteFloat32);
  run.EmptyInput(transpose ? input : filter, kTfLiteFloat32);
  run.EmptyInput(bias, kTfLiteFloat32);
  run.Output();
  EXPECT_EQ(run.Prepare(), kTfLiteError);
  return run.error();
}

// Programs look for these words.
TEST(Conv3d, ErrorsHaveTheReferencesWords) {
  EXPECT_EQ(Conv3dError(false, {3, 4, 5, 2}, {2, 2, 2, 2, 3}, {3}),
            "CONV_3D: input->dims->size != 5 (4 != 5): input has the shape [3, 4, 5, 2]");
  EXPECT_EQ(Conv3dError(true, {1, 3, 4, 5, 2}, {2, 2, 2, 2}, {3}),
            "CONV_3D_TRANSPOSE: filter->dims->size != 5 (4 != 5): filter has the shape "
            "[2, 2, 2, 2]");
  EXPECT_EQ(Conv3dError(false, {1, 3, 4, 5, 2}, {2, 2, 2, 4, 3}, {3}),
            "CONV_3D: input->dims->data[4] != filter->dims->data[3] (2 != 4): filter channels must "
            "be those of the input");
  EXPECT_EQ(Conv3dError(true, {1, 3, 4, 5, 2}, {2, 2, 2, 3, 4}, {3}),
            "CONV_3D_TRANSPOSE: SizeOfDimension(input, 4) != SizeOfDimension(filter, 4) (2 != 4): "
            "filter channels must be those of the input");
  EXPECT_EQ(Conv3dError(false, {1, 3, 4, 5, 2}, {2, 2, 2, 2, 3}, {4}),
            "CONV_3D: NumElements(bias) != SizeOfDimension(filter, 4) (4 != 3): bias must have one "
            "value per output channel");
  EXPECT_EQ(Conv3dError(true, {1, 3, 4, 5, 2}, {2, 2, 2, 3, 2}, {4}),
            "CONV_3D_TRANSPOSE: NumElements(bias) != SizeOfDimension(filter, 3) (4 != 3): bias "
            "must have one value per output channel");
}

TEST(Conv3d, StepsOfDepthHaveTheirName) {
  for (const bool dilation : {false, true}) {
    TfLiteConv3DParams params = Params();
    (dilation ? params.dilation_depth_factor : params.stride_depth) = 1 << 16;
    OpRunner run(Conv3dRegistration(OpForm::kOptimized), &params);
    const BadVolume fits{};
    run.EmptyInput(fits.input, fits.type);
    run.EmptyInput(fits.filter, fits.type);
    run.EmptyInput(fits.bias, kTfLiteFloat32);
    run.Output();
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    EXPECT_EQ(run.error(), StrCat("CONV_3D: ", dilation ? "dilation" : "stride",
                                  " of depth must lie in 1..32767 (65536)"));
  }
}

TEST(Conv3dTranspose, BadOperandsAreErrors) {
  std::vector<BadVolume> cases = BadCases();
  for (BadVolume& bad : cases) std::swap(bad.filter[3], bad.filter.back());
  cases.push_back({.what = "five values", .filter = {2, 2, 2, 3, 2}, .shape = {1, 4, 5, 6}});
  cases.push_back({.what = "batch", .filter = {2, 2, 2, 3, 2}, .shape = {2, 4, 5, 6, 3}});
  cases.push_back({.what = "extent", .filter = {2, 2, 2, 3, 2}, .shape = {1, 5, 5, 6, 3}});
  cases.push_back({.what = "negative", .filter = {2, 2, 2, 3, 2}, .shape = {1, -4, 5, 6, 3}});
  for (const BadVolume& bad : cases) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      TfLiteConv3DParams params = Params();
      if (bad.field != nullptr) params.*bad.field = bad.value;
      OpRunner run(Conv3dTransposeRegistration(OpForm::kOptimized), &params);
      run.Input({static_cast<int>(bad.shape.size())}, bad.shape, where);
      run.EmptyInput(bad.filter, bad.type);
      run.EmptyInput(bad.input, bad.type);
      run.EmptyInput(bad.bias, kTfLiteFloat32);
      run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError) << bad.what;
      EXPECT_EQ(run.error().rfind("CONV_3D_TRANSPOSE: ", 0), 0u) << bad.what << run.error();
    }
  }
}

}  // namespace
}  // namespace tern::testing
