// SPDX-License-Identifier: Apache-2.0
// DEPTH_TO_SPACE, SPACE_TO_DEPTH, SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND.
#include <gtest/gtest.h>

#include "ops/cpu_registry.h"
#include "ops/testing/index_walk.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

// `deep` is [B, H, W, C * block^2].
template <class T>
void CheckDepth(const Index& deep, int block, TfLiteType type) {
  const int part = deep[3] / (block * block);
  const Index wide = {deep[0], deep[1] * block, deep[2] * block, part};
  const std::vector<T> spread = Picked(Numbered<T>(deep), deep, wide, [&](const Index& i) {
    return Index{i[0], i[1] / block, i[2] / block,
                 (i[1] % block * block + i[2] % block) * part + i[3]};
  });
  TfLiteDepthToSpaceParams to_space{block};
  OpRunner run(DepthToSpaceRegistration(OpForm::kOptimized), &to_space);
  run.InputAs(type, deep, Numbered<T>(deep));
  run.Output(type);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(Dims(run.OutputShape()), wide);
  EXPECT_EQ(run.Values<T>(), spread);
  TfLiteSpaceToDepthParams to_depth{block};
  OpRunner back(SpaceToDepthRegistration(OpForm::kOptimized), &to_depth);
  back.InputAs(type, wide, spread);
  back.Output(type);
  ASSERT_EQ(back.Run(), kTfLiteOk) << back.error();
  EXPECT_EQ(Dims(back.OutputShape()), deep);
  EXPECT_EQ(back.Values<T>(), Numbered<T>(deep));
}

TEST(DepthAndSpace, BlocksAndTypes) {
  CheckDepth<float>({2, 3, 2, 12}, 2, kTfLiteFloat32);
  CheckDepth<float>({1, 1, 3, 45}, 3, kTfLiteFloat32);
  CheckDepth<float>({2, 1, 3, 5}, 1, kTfLiteFloat32);
  CheckDepth<float>({0, 2, 2, 4}, 2, kTfLiteFloat32);
  CheckDepth<uint8_t>({1, 2, 3, 4}, 2, kTfLiteUInt8);
  CheckDepth<int16_t>({1, 2, 3, 16}, 4, kTfLiteFloat16);
  CheckDepth<int64_t>({1, 2, 3, 8}, 2, kTfLiteInt64);
}

TEST(DepthAndSpace, BadBlocksAreErrors) {
  for (const int block : {0, -1, 2, 1 << 20}) {
    TfLiteDepthToSpaceParams to_space{block};
    OpRunner run(DepthToSpaceRegistration(OpForm::kOptimized), &to_space);
    run.EmptyInput({1, 3, 3, 6}, kTfLiteFloat32);
    run.Output();
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    TfLiteSpaceToDepthParams to_depth{block};
    OpRunner back(SpaceToDepthRegistration(OpForm::kOptimized), &to_depth);
    back.EmptyInput({1, 3, 3, 6}, kTfLiteFloat32);
    back.Output();
    EXPECT_EQ(back.Prepare(), kTfLiteError);
  }
  TfLiteDepthToSpaceParams params{1};
  OpRunner rank(DepthToSpaceRegistration(OpForm::kOptimized), &params);
  rank.EmptyInput({3, 3, 6}, kTfLiteFloat32);
  rank.Output();
  EXPECT_EQ(rank.Prepare(), kTfLiteError);
}

// An image [B, H, W, C], or [B, H, C] with one block size, and borders [before, after] per axis.
struct Dealt {
  Index image;
  std::vector<int32_t> block, borders;
};

int At(const std::vector<int32_t>& v, size_t i) { return i < v.size() ? v[i] : 0; }

template <class T>
void CheckSpaceToBatch(const Dealt& c, TfLiteType type, T fill) {
  const bool flat = c.image.size() == 3;
  const int block_h = c.block[0], block_w = flat ? 1 : c.block[1];
  Index image = c.image;
  if (flat) image.insert(image.begin() + 2, 1);
  const int h = (image[1] + c.borders[0] + c.borders[1]) / block_h;
  const int w = (image[2] + At(c.borders, 2) + At(c.borders, 3)) / block_w;
  const Index to = {image[0] * block_h * block_w, h, w, image[3]};
  const std::vector<T> want = Picked(
      Numbered<T>(image), image, to,
      [&](const Index& i) {
        const int cell = i[0] / image[0];
        const int y = i[1] * block_h + cell / block_w - c.borders[0];
        const int x = i[2] * block_w + cell % block_w - At(c.borders, 2);
        if (y < 0 || x < 0 || y >= image[1] || x >= image[2]) return Index();
        return Index{i[0] % image[0], y, x, i[3]};
      },
      fill);
  const int axes = static_cast<int>(c.block.size());
  for (const auto where : kPlaces) {
    OpRunner run(SpaceToBatchNdRegistration(OpForm::kOptimized));
    run.InputAs(type, c.image, Numbered<T>(c.image));
    run.Input<int32_t>({axes}, c.block, where);
    run.Input<int32_t>({axes, 2}, c.borders, where);
    run.Output(type);
    run.input(0).params = run.output().params = {1.0f, static_cast<int>(fill)};
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Dims(run.OutputShape()), flat ? Index({to[0], to[1], to[3]}) : to);
    EXPECT_EQ(run.Values<T>(), want);
  }
}

// `dealt` is the batch.
template <class T>
void CheckBatchToSpace(const Dealt& c, TfLiteType type) {
  const bool flat = c.image.size() == 3;
  const int block_h = c.block[0], block_w = flat ? 1 : c.block[1];
  Index from = c.image;
  if (flat) from.insert(from.begin() + 2, 1);
  const int batch = from[0] / (block_h * block_w);
  const Index to = {batch, from[1] * block_h - c.borders[0] - c.borders[1],
                    from[2] * block_w - At(c.borders, 2) - At(c.borders, 3), from[3]};
  const std::vector<T> want = Picked(Numbered<T>(from), from, to, [&](const Index& i) {
    const int y = i[1] + c.borders[0], x = i[2] + At(c.borders, 2);
    const int cell = y % block_h * block_w + x % block_w;
    return Index{cell * batch + i[0], y / block_h, x / block_w, i[3]};
  });
  const int axes = static_cast<int>(c.block.size());
  for (const auto where : kPlaces) {
    OpRunner run(BatchToSpaceNdRegistration(OpForm::kOptimized));
    run.InputAs(type, c.image, Numbered<T>(c.image));
    run.Input<int32_t>({axes}, c.block, where);
    run.Input<int32_t>({axes, 2}, c.borders, where);
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Dims(run.OutputShape()), flat ? Index({to[0], to[1], to[3]}) : to);
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(SpaceToBatch, BlocksPaddingsAndTypes) {
  CheckSpaceToBatch<float>({{1, 4, 6, 3}, {2, 2}, {0, 0, 0, 0}}, kTfLiteFloat32, 0);
  CheckSpaceToBatch<float>({{2, 4, 3, 7}, {3, 2}, {1, 1, 2, 1}}, kTfLiteFloat32, 0);
  CheckSpaceToBatch<float>({{1, 2, 2, 1}, {4, 1}, {5, 5, 0, 3}}, kTfLiteFloat32, 0);
  CheckSpaceToBatch<float>({{2, 4, 5}, {3}, {0, 2}}, kTfLiteFloat32, 0);
  CheckSpaceToBatch<float>({{0, 2, 2, 1}, {2, 2}, {0, 0, 0, 0}}, kTfLiteFloat32, 0);
  CheckSpaceToBatch<int8_t>({{1, 3, 5, 2}, {2, 2}, {1, 0, 0, 1}}, kTfLiteInt8, -7);
  CheckSpaceToBatch<uint8_t>({{1, 3, 5, 2}, {2, 2}, {1, 0, 0, 1}}, kTfLiteUInt8, 130);
  CheckSpaceToBatch<int16_t>({{1, 3, 5, 2}, {2, 2}, {1, 0, 0, 1}}, kTfLiteFloat16, 0);
  CheckSpaceToBatch<int64_t>({{1, 3, 5, 2}, {2, 2}, {1, 0, 0, 1}}, kTfLiteInt64, 0);
}

TEST(BatchToSpace, BlocksCropsAndTypes) {
  CheckBatchToSpace<float>({{4, 2, 3, 3}, {2, 2}, {0, 0, 0, 0}}, kTfLiteFloat32);
  CheckBatchToSpace<float>({{12, 2, 3, 7}, {3, 2}, {1, 2, 3, 0}}, kTfLiteFloat32);
  CheckBatchToSpace<float>({{4, 1, 1, 1}, {2, 2}, {2, 0, 0, 0}}, kTfLiteFloat32);
  CheckBatchToSpace<float>({{4, 3, 3}, {2}, {1, 2}}, kTfLiteFloat32);
  CheckBatchToSpace<int8_t>({{4, 2, 3, 3}, {2, 2}, {1, 0, 0, 1}}, kTfLiteInt8);
  CheckBatchToSpace<int16_t>({{4, 2, 3, 3}, {2, 2}, {1, 0, 0, 1}}, kTfLiteInt16);
  CheckBatchToSpace<int64_t>({{4, 2, 3, 3}, {2, 2}, {1, 0, 0, 1}}, kTfLiteInt64);
}

TEST(SpaceAndBatch, BadBlocksAreErrors) {
  const Dealt cases[] = {{{4, 3, 4, 2}, {2, 2}, {0, 0, 1, 0}},
                         {{4, 3, 4, 2}, {2}, {1, 0}},
                         {{4, 3, 4, 2}, {0, 2}, {0, 0, 0, 0}},
                         {{4, 3, 4, 2}, {1, 1}, {-1, 0, 0, 0}},
                         {{4, 2}, {}, {}},
                         {{4, 3, 4, 2}, {1, 1}, {0, 0}},
                         {{1, 1, 1, 1, 1}, {1, 1, 1}, {0, 0, 0, 0, 0, 0}},
                         {{4, 3, 4, 2}, {1 << 16, 2}, {0, 0, 0, 0}},
                         {{4, 3, 4, 2}, {1, 1}, {INT32_MAX, 0, INT32_MAX, 0}}};
  for (const Dealt& c : cases) {
    const int axes = static_cast<int>(c.block.size());
    const int rows = static_cast<int>(c.borders.size()) / 2;
    for (const auto where : kPlaces) {
      OpRunner run(SpaceToBatchNdRegistration(OpForm::kOptimized));
      run.Input(c.image, Numbered<float>(c.image));
      run.Input<int32_t>({axes}, c.block, where);
      run.Input<int32_t>({rows, 2}, c.borders, where);
      run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError);
      EXPECT_EQ(run.error().rfind("SPACE_TO_BATCH_ND: ", 0), 0u) << run.error();
    }
  }
  const Dealt batches[] = {{{3, 3, 4, 2}, {2, 2}, {0, 0, 0, 0}},
                           {{4, 3, 4, 2}, {1, 1}, {2, 2, 0, 0}},
                           {{4, 3, 4, 2}, {1, 1}, {-1, 0, 0, 0}}};
  for (const Dealt& c : batches) {
    OpRunner run(BatchToSpaceNdRegistration(OpForm::kOptimized));
    run.Input(c.image, Numbered<float>(c.image));
    run.Input<int32_t>({2}, c.block);
    run.Input<int32_t>({2, 2}, c.borders);
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("BATCH_TO_SPACE_ND: ", 0), 0u) << run.error();
  }
}

}  // namespace
}  // namespace tern::testing
