// SPDX-License-Identifier: Apache-2.0
// EMBEDDING_LOOKUP_SPARSE: the combiners, ids in any order, and ids that do not fit.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

struct LookupSparseCase {
  TfLiteCombinerType combiner = kTfLiteCombinerTypeSum;
  std::vector<int32_t> ids = {}, indices = {}, dense = {3, 2};
  std::vector<float> weights = {};
  std::vector<int> embeddings = {4, 2};
  TfLiteAllocationType where = kTfLiteArenaRw;
};

// Embedding i is 2 i + 1, 2 i + 2, ...
std::string Lookup(const LookupSparseCase& c, Shape& shape, std::vector<float>& values) {
  TfLiteEmbeddingLookupSparseParams params{c.combiner};
  OpRunner run(EmbeddingLookupSparseRegistration(OpForm::kOptimized), &params);
  const int count = static_cast<int>(c.ids.size()), rank = static_cast<int>(c.dense.size());
  run.Input({count}, c.ids);
  run.Input({count, rank}, c.indices);
  run.Input({rank}, c.dense, c.where);
  run.Input({count}, c.weights);
  std::vector<float> embeddings;
  for (int i = 0; i < 8; ++i) embeddings.push_back(static_cast<float>(i + 1));
  run.Input(c.embeddings, embeddings);
  run.Output();
  if (run.Run() != kTfLiteOk) return run.error();
  shape = run.OutputShape();
  values = run.Values();
  return "";
}

void CheckLookup(const LookupSparseCase& c, const std::vector<float>& want,
                 const Shape& want_shape = {3, 2}) {
  for (const auto where : {kTfLiteArenaRw, kTfLiteMmapRo}) {
    LookupSparseCase placed = c;
    placed.where = where;
    Shape shape;
    std::vector<float> values;
    ASSERT_EQ(Lookup(placed, shape, values), "");
    EXPECT_EQ(shape, want_shape);
    EXPECT_EQ(values, want);
  }
}

TEST(EmbeddingLookupSparse, Combiners) {
  LookupSparseCase c = {.ids = {1, 3, 0}, .indices = {0, 0, 2, 0, 2, 1}, .weights = {2, 3, 4}};
  CheckLookup(c, {6, 8, 0, 0, 25, 32});
  c.combiner = kTfLiteCombinerTypeMean;
  CheckLookup(c, {3, 4, 0, 0, 25.0f / 7, 32.0f / 7});
  c.combiner = kTfLiteCombinerTypeSqrtn;
  CheckLookup(c, {3, 4, 0, 0, 5, 6.4f});
}

TEST(EmbeddingLookupSparse, PlacesThatComeTwiceAreDividedTwice) {
  CheckLookup({.combiner = kTfLiteCombinerTypeMean,
               .ids = {1, 0, 1},
               .indices = {0, 0, 1, 0, 0, 1},
               .weights = {2, 1, 4}},
              {(3.0f + 12) / 4, (4.0f + 16) / 4, 1, 2, 0, 0});
}

TEST(EmbeddingLookupSparse, RanksAndNoWeights) {
  CheckLookup({.ids = {1, 0}, .indices = {0, 1, 9, 1, 0, 0}, .dense = {2, 2, 1}, .weights = {1, 2}},
              {0, 0, 3, 4, 2, 4, 0, 0}, {2, 2, 2});
  CheckLookup({.ids = {1}, .indices = {5}, .dense = {1}, .weights = {1}, .embeddings = {2, 2, 2}},
              {5, 6, 7, 8}, {2, 2});
  CheckLookup({}, {0, 0, 0, 0, 0, 0});
  Shape shape;
  std::vector<float> values;
  ASSERT_EQ(
      Lookup({.combiner = kTfLiteCombinerTypeMean, .ids = {1}, .indices = {0, 0}, .weights = {0}},
             shape, values),
      "");
  EXPECT_TRUE(std::isnan(values[0]));
}

TEST(EmbeddingLookupSparse, BadOperandsAreErrors) {
  Shape shape;
  std::vector<float> values;
  const auto error = [&](const LookupSparseCase& c) { return Lookup(c, shape, values); };
  EXPECT_EQ(error({.ids = {4}, .indices = {0, 0}, .weights = {1}}),
            "EMBEDDING_LOOKUP_SPARSE: an id is out of range (4, limit 4)");
  EXPECT_EQ(error({.ids = {1}, .indices = {3, 0}, .weights = {1}}),
            "EMBEDDING_LOOKUP_SPARSE: an index is out of range (3, limit 3)");
  EXPECT_NE(error({.ids = {1}, .indices = {-1, 0}, .weights = {1}}), "");
  EXPECT_NE(error({.dense = {-3, 2}}), "");
  EXPECT_NE(error({.dense = {}}), "");
}

}  // namespace
}  // namespace tern::testing
