// SPDX-License-Identifier: Apache-2.0
// Random numbers bit for bit as TensorFlow Lite gives them, over two invocations, and operands that
// do not fit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/random/philox.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

struct KnownResult {
  int seed, seed2;
  std::vector<uint32_t> numbers;  // 8 floats of each invocation, as bits
};

void CheckKnown(TfLiteRegistration (*registration)(OpForm), const std::vector<KnownResult>& list) {
  for (const KnownResult& known : list) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      TfLiteRandomParams params{known.seed, known.seed2};
      OpRunner run(registration(OpForm::kOptimized), &params);
      run.Input<int32_t>({2}, {2, 4}, where);
      run.Output();
      ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
      std::vector<uint32_t> got;
      for (int i = 0; i < 2; ++i) {
        ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
        EXPECT_EQ(run.OutputShape(), (Shape{2, 4}));
        for (const float v : run.Values()) got.push_back(std::bit_cast<uint32_t>(v));
      }
      EXPECT_EQ(got, known.numbers) << known.seed << " " << known.seed2;
    }
  }
}

// Of the generator's authors.
TEST(Philox, KnownWords) {
  EXPECT_EQ(Philox(0, 0).Next(), (Philox::Words{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}));
  Philox ones(~uint64_t{0}, ~uint64_t{0});
  ones.Skip(~uint64_t{0});
  EXPECT_EQ(ones.Next(), (Philox::Words{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}));
  EXPECT_EQ(ones.Next(), Philox(~uint64_t{0}, 0).Next()) << "the counter starts over";
}

TEST(RandomUniform, KnownNumbers) {
  CheckKnown(&RandomUniformRegistration,
             {
                 {1,
                  2,
                  {0x3ED0133C, 0x3F5B8BA6, 0x3D62E6C0, 0x3DAFDDD0, 0x3ED305CC, 0x3D160A40,
                   0x3F283F22, 0x3DB3CF30, 0x3F5E7CAA, 0x3D2CF660, 0x3EB51118, 0x3E73BE98,
                   0x3D8BF520, 0x3EFBFD3C, 0x3F3389C4, 0x3F2BCA90}},
                 {-5,
                  123456789,
                  {0x3ED63C78, 0x3F22ACFE, 0x3E828098, 0x3E070E30, 0x3E40D418, 0x3B9F0D00,
                   0x3E8223A8, 0x3EA13F34, 0x3F5423A2, 0x3D347A20, 0x3DA2E8D0, 0x3F34900C,
                   0x3D994E00, 0x3ECCA8B8, 0x3EF15130, 0x3E337B78}},
                 {0,
                  7,
                  {0x3F78B7BA, 0x3F384A82, 0x3F3FA3E6, 0x3EF1A2C4, 0x3F6DC29A, 0x3F558F22,
                   0x3F1A1344, 0x3E67F630, 0x3F59C004, 0x3F0BDC16, 0x3E97363C, 0x3EADE3E0,
                   0x3E7EB368, 0x3F45EC3A, 0x3F4DC716, 0x3F41918E}},
             });
}

TEST(RandomStandardNormal, KnownNumbers) {
  CheckKnown(&RandomStandardNormalRegistration,
             {
                 {1,
                  2,
                  {0xBF85FCDD, 0x3F56F6E1, 0x3F9E2FE3, 0x4004150F, 0x3E9B842A, 0x3FA5EDFB,
                   0x3EF5DBD8, 0x3F47C36A, 0x3E0E3D73, 0x3F02DDD6, 0x3FB808DC, 0x3DDDD852,
                   0x3DE96C5B, 0xC01414F1, 0xBF3DA8BB, 0xBECD4153}},
                 {-5,
                  123456789,
                  {0xBF7E1E35, 0xBF5EC15B, 0x3F9BFD24, 0x3F8F0918, 0x3D643D0A, 0x3FE9CBF4,
                   0x3FC2774C, 0xBF281E47, 0x3E2B97B4, 0x3F16F900, 0xC00A5E49, 0xBF1F94E2,
                   0x3FABB724, 0xBFEB7D04, 0x3F8C0286, 0x3F0E1115}},
                 {0,
                  7,
                  {0xBE719F09, 0xBD391425, 0x3E08A768, 0xBF3FCBCF, 0xBEA9EF6F, 0x3E46BE57,
                   0x3F7F2BFA, 0x3E17A667, 0xBE27305E, 0xBF0B83BA, 0x3FA90A96, 0xBF557353,
                   0xBFD345CE, 0x3E7770CD, 0xBF290F55, 0x3CD0604C}},
             });
}

constexpr float kInfinite = std::numeric_limits<float>::infinity();
const std::vector<float> kLogits = {0, 1, 2, -1, 3, -kInfinite, 0.5f, 2.5f};

template <class T>
void CheckClasses(TfLiteType type, TfLiteAllocationType where, TfLiteRandomParams params,
                  const std::vector<T>& want) {
  OpRunner run(MultinomialRegistration(OpForm::kOptimized), &params);
  run.Input({2, 4}, kLogits);
  run.Input<int32_t>({}, {9}, where);
  run.Output(type);
  ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  std::vector<T> got;
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), (Shape{2, 9}));
    for (const T v : run.Values<T>()) got.push_back(v);
  }
  EXPECT_EQ(got, want);
}

TEST(Multinomial, KnownClasses) {
  const struct {
    TfLiteRandomParams params;
    std::vector<int32_t> classes;
  } known[] = {
      {{1, 2}, {1, 2, 1, 1, 2, 2, 2, 2, 2, 0, 0, 0, 2, 0, 3, 3, 3, 3,
                1, 3, 1, 0, 2, 1, 0, 2, 2, 3, 0, 3, 3, 0, 0, 0, 3, 3}},
      {{-5, 123456789}, {2, 0, 2, 0, 2, 2, 2, 2, 2, 0, 3, 0, 0, 2, 2, 0, 3, 3,
                         2, 1, 2, 1, 0, 1, 2, 1, 2, 2, 0, 3, 3, 0, 3, 3, 0, 3}},
  };
  for (const auto& [params, classes] : known) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      CheckClasses(kTfLiteInt32, where, params, classes);
      CheckClasses(kTfLiteInt64, where, params,
                   std::vector<int64_t>(classes.begin(), classes.end()));
    }
  }
}

TEST(Multinomial, OftenAsLogitsSay) {
  constexpr int kCount = 100000;
  TfLiteRandomParams params{3, 4};
  OpRunner run(MultinomialRegistration(OpForm::kOptimized), &params);
  run.Input<float>({1, 3}, {std::log(0.5f), std::log(0.3f), std::log(0.2f)});
  run.Input<int32_t>({}, {kCount});
  run.Output(kTfLiteInt32);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  double found[3] = {};
  for (const int32_t v : run.Values<int32_t>()) found[v] += 1.0 / kCount;
  EXPECT_NEAR(found[0], 0.5, 0.01);
  EXPECT_NEAR(found[1], 0.3, 0.01);
  EXPECT_NEAR(found[2], 0.2, 0.01);
}

TEST(Random, SeedsOfZeroStandForAny) {
  TfLiteRandomParams params{};
  std::vector<std::vector<float>> all;
  for (int i = 0; i < 2; ++i) {
    OpRunner run(RandomUniformRegistration(OpForm::kOptimized), &params);
    run.Input<int32_t>({1}, {1001});  // no multiple of four
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    all.push_back(run.Values());
    for (const float v : all.back()) EXPECT_TRUE(v >= 0 && v < 1) << v;
  }
  EXPECT_NE(all[0], all[1]);
}

TEST(Random, OddCountsAndNoElements) {
  for (const int32_t count : {0, 1, 3, 5}) {
    TfLiteRandomParams params{1, 2};
    OpRunner run(RandomStandardNormalRegistration(OpForm::kOptimized), &params);
    run.Input<int32_t>({2}, {count, 1}, kTfLiteMmapRo);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values().size(), static_cast<size_t>(count));
  }
}

std::string ShapeError(const std::vector<int32_t>& shape, TfLiteType type = kTfLiteFloat32) {
  TfLiteRandomParams params{1, 2};
  OpRunner run(RandomUniformRegistration(OpForm::kOptimized), &params);
  run.Input({static_cast<int>(shape.size())}, shape, kTfLiteMmapRo);
  run.Output(type);
  EXPECT_EQ(run.Run(), kTfLiteError);
  return run.error();
}

TEST(Random, BadShapesAreErrors) {
  EXPECT_NE(ShapeError({2, -1}), "");
  EXPECT_NE(ShapeError({INT32_MAX, INT32_MAX, 7}), "");
  EXPECT_NE(ShapeError({2}, kTfLiteInt32), "");
}

std::string MultinomialError(const std::vector<int>& shape, float logit, int32_t count,
                             TfLiteType type = kTfLiteInt32) {
  TfLiteRandomParams params{1, 2};
  OpRunner run(MultinomialRegistration(OpForm::kOptimized), &params);
  size_t size = 1;
  for (const int n : shape) size *= static_cast<size_t>(n);
  run.Input(shape, std::vector<float>(size, logit));
  run.Input<int32_t>({}, {count});
  run.Output(type);
  EXPECT_EQ(run.Run(), kTfLiteError);
  return run.error();
}

TEST(Multinomial, BadOperandsAreErrors) {
  EXPECT_EQ(MultinomialError({1, 2}, 0, -1), "MULTINOMIAL: count must not be negative (-1)");
  EXPECT_EQ(MultinomialError({1, 2}, -kInfinite, 1),
            "MULTINOMIAL: no logit of row 0 is finite (2 classes)");
  EXPECT_NE(MultinomialError({2}, 0, 1), "");
  EXPECT_NE(MultinomialError({1, 0}, 0, 1), "");
  EXPECT_NE(MultinomialError({1, 2}, 0, 1, kTfLiteFloat32), "");
}

}  // namespace
}  // namespace tern::testing
