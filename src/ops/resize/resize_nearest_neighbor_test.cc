// SPDX-License-Identifier: Apache-2.0
// RESIZE_NEAREST_NEIGHBOR in every type and mode, and its refusals.
#include <gtest/gtest.h>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

template <class T>
void CheckNearestRow(const std::vector<T>& row, int width, bool align, bool half_pixel,
                     const std::vector<T>& want) {
  TfLiteResizeNearestNeighborParams params{align, half_pixel};
  for (const Way& way : kWays) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      OpRunner run(ResizeNearestNeighborRegistration(way.form), &params, way.threads);
      run.Input({1, 1, static_cast<int>(row.size()), 1}, row);
      run.Input<int32_t>({2}, {2, width}, where);
      run.Output(run.input(0).type);
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      std::vector<T> twice = want;
      twice.insert(twice.end(), want.begin(), want.end());
      EXPECT_EQ(run.Values<T>(), twice) << way.name;
    }
  }
}

TEST(ResizeNearestNeighbor, Modes) {
  CheckNearestRow<float>({0, 1, 2, 3}, 6, false, false, {0, 0, 1, 2, 2, 3});
  CheckNearestRow<float>({0, 1, 2, 3}, 6, true, false, {0, 1, 1, 2, 2, 3});
  CheckNearestRow<float>({0, 1, 2, 3}, 6, false, true, {0, 1, 1, 2, 3, 3});
  CheckNearestRow<float>({0, 1}, 4, true, false, {0, 0, 1, 1});
  CheckNearestRow<float>({0, 1, 2, 3}, 1, true, false, {0});
}

TEST(ResizeNearestNeighbor, Types) {
  CheckNearestRow<int8_t>({-1, 5}, 4, false, false, {-1, -1, 5, 5});
  CheckNearestRow<uint8_t>({1, 5}, 4, false, false, {1, 1, 5, 5});
  CheckNearestRow<int16_t>({-1, 5}, 4, false, false, {-1, -1, 5, 5});
  CheckNearestRow<int32_t>({-1, 5}, 4, false, false, {-1, -1, 5, 5});
}

TEST(ResizeNearestNeighbor, BadOperandsAreErrors) {
  struct Bad {
    std::vector<int> shape;
    std::vector<int32_t> size;
    TfLiteType type = kTfLiteFloat32;
  };
  const Bad cases[] = {{{1, 3, 4}, {2, 2}},
                       {{1, 3, 0, 5}, {2, 2}},
                       {{1, 3, 4, 5}, {0, 2}},
                       {{1, 3, 4, 5}, {2, -1}},
                       {{1, 3, 4, 5}, {2}},
                       {{1, 3, 4, 5}, {2, 2}, kTfLiteInt64},
                       {{1, 3, 4, 5}, {1 << 16, 1 << 16}}};
  for (const Bad& bad : cases) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      TfLiteResizeNearestNeighborParams params{};
      OpRunner run(ResizeNearestNeighborRegistration(OpForm::kOptimized), &params);
      run.EmptyInput(bad.shape, bad.type);
      run.Input({static_cast<int>(bad.size.size())}, bad.size, where);
      run.Output(bad.type);
      EXPECT_EQ(run.Run(), kTfLiteError);
      EXPECT_EQ(run.error().rfind("RESIZE_NEAREST_NEIGHBOR: ", 0), 0u) << run.error();
    }
  }
}

}  // namespace
}  // namespace tern::testing
