// SPDX-License-Identifier: Apache-2.0
// NON_MAX_SUPPRESSION_V4 and V5.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

struct NmsLimits {
  int max = 4;
  float overlap = 0.5f, score = 0, sigma = 0;
  bool v5 = true;
};

// Boxes: 1 overlaps 0 by half of the joint area, 2 (with swapped corners) lies apart, 3 is empty.
const std::vector<float> kBoxes = {0, 0, 1, 3, 0, 1, 1, 4, 9, 9, 7, 7, 5, 5, 5, 6};
const std::vector<float> kScores = {0.9f, 0.8f, 0.7f, 0.6f};

void AddInputs(OpRunner& run, const NmsLimits& limits, TfLiteAllocationType where) {
  run.Input({4, 4}, kBoxes);
  run.Input({4}, kScores);
  run.Input<int32_t>({}, {limits.max}, where);
  run.Input<float>({}, {limits.overlap});
  run.Input<float>({}, {limits.score});
  if (limits.v5) run.Input<float>({}, {limits.sigma});
  run.Output(kTfLiteInt32);
  if (limits.v5) run.Output();
  run.Output(kTfLiteInt32);
}

std::vector<int32_t> Chosen(const NmsLimits& limits, TfLiteAllocationType where = kTfLiteMmapRo) {
  OpRunner run(limits.v5 ? NonMaxSuppressionV5Registration(OpForm::kReference)
                         : NonMaxSuppressionV4Registration(OpForm::kReference));
  AddInputs(run, limits, where);
  if (run.Run() != kTfLiteOk) return {-1};
  const std::vector<int32_t> indices = run.Values<int32_t>();
  const auto count = static_cast<size_t>(run.Values<int32_t>(limits.v5 ? 2 : 1)[0]);
  for (size_t i = count; i < indices.size(); ++i) EXPECT_EQ(indices[i], 0);
  return {indices.begin(), indices.begin() + static_cast<long>(count)};
}

TEST(NonMaxSuppression, ThresholdsAndCounts) {
  using Indices = std::vector<int32_t>;
  for (const bool v5 : {false, true}) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      EXPECT_EQ(Chosen({.v5 = v5}, where), (Indices{0, 2, 3}));  // an equal overlap is too much
      EXPECT_EQ(Chosen({.overlap = 0.51f, .v5 = v5}, where), (Indices{0, 1, 2, 3}));
      EXPECT_EQ(Chosen({.max = 2, .overlap = 0.51f, .v5 = v5}, where), (Indices{0, 1}));
      EXPECT_EQ(Chosen({.max = 0, .v5 = v5}, where), (Indices{}));
      EXPECT_EQ(Chosen({.max = 9, .score = 0.7f, .v5 = v5}, where), (Indices{0}));
      EXPECT_EQ(Chosen({.max = -1, .v5 = v5}, where), (Indices{-1}));
      EXPECT_EQ(Chosen({.overlap = 1.5f, .v5 = v5}, where), (Indices{-1}));
      EXPECT_EQ(Chosen({.overlap = std::nanf(""), .v5 = v5}, where), (Indices{-1}));
    }
  }
  EXPECT_EQ(Chosen({.sigma = -1}), (Indices{-1}));
}

TEST(NonMaxSuppression, SoftScores) {
  OpRunner run(NonMaxSuppressionV5Registration(OpForm::kReference));
  AddInputs(run, {.overlap = 1, .score = 0.1f, .sigma = 0.5f}, kTfLiteMmapRo);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<int32_t>(), (std::vector<int32_t>{0, 2, 1, 3}));
  EXPECT_NEAR(run.Values(1)[2], 0.8f * std::exp(-0.25f), 1e-6f);
  EXPECT_EQ(run.Values<int32_t>(2)[0], 4);
}

TEST(NonMaxSuppression, BadShapesAreErrors) {
  OpRunner run(NonMaxSuppressionV5Registration(OpForm::kReference));
  AddInputs(run, {}, kTfLiteMmapRo);
  ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  for (int i = 0; i < 2; ++i) {
    for (int axis = 0; axis < run.input(i).dims->size; ++axis) {
      int& size = run.input(i).dims->data[axis];
      for (const int bad : {size - 1, size + 1, 0}) {
        const int before = size;
        size = bad;
        EXPECT_EQ(run.Prepare(), kTfLiteError) << i << " " << axis << " " << bad;
        size = before;
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing
