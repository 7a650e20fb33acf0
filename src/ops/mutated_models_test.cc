// SPDX-License-Identifier: Apache-2.0
// Every operation with every operand, shape, type, buffer, quantization and option damaged, one at
// a time, on every route: an error or a result, never a crash.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "base/str_cat.h"
#include "ops/testing/attempt.h"
#include "ops/testing/cpu_seconds.h"
#include "ops/testing/example.h"
#include "ops/testing/good_models.h"
#include "ops/testing/mutations.h"

namespace tern::testing {
namespace {

// Seconds; more than any of these small models takes, even under a sanitizer.
constexpr double kStepLimit = 5;

// Where a crash happened is in a line that it leaves behind.
void CheckMutation(const GoodModel& good, const Mutation& mutation, const Route& route) {
  static const bool verbose = std::getenv("TERN_SHOW_MUTATIONS") != nullptr;
  const std::string label =
      StrCat(mutation.id, ": ", good.op, ", ", mutation.what, ", ", route.name);
  if (verbose) std::fprintf(stderr, "%s\n", label.c_str());
  tflite::ModelT model = good.model;
  mutation.apply(model);
  const double start = CpuSeconds();
  const Outcome outcome = Attempt(model, route);
  EXPECT_LT(CpuSeconds() - start, kStepLimit) << label;
  if (mutation.fails == Fails::kMaybe) return;
  if (mutation.fails == Fails::kUnlessAlone && route.alone()) return;
  if (mutation.fails != Fails::kAsFile || route.checked) {
    EXPECT_FALSE(outcome.planned) << label;
  }
  if (mutation.fails != Fails::kAsFile || route.checked || route.on_gpu()) {
    EXPECT_FALSE(outcome.ran()) << label;
  }
}

// Two routes of the five for every n-th damage, all of them with TERN_ALL_ENGINES set.
void CheckMutations(const std::vector<GoodModel>& models, size_t every,
                    std::vector<Mutation> (*mutations)(const tflite::ModelT&) = MutationsOf) {
  const bool all = std::getenv("TERN_ALL_ENGINES") != nullptr;
  const char* only = std::getenv("TERN_ONLY_OP");
  size_t turn = 0;
  for (const GoodModel& good : models) {
    if (only != nullptr && good.op.find(only) == std::string::npos) continue;
    for (const Mutation& mutation : mutations(good.model)) {
      if (++turn % every != 0 && !all) continue;
      for (size_t r = 0; r < std::size(kAllRoutes); ++r) {
        if (all || r == turn / every % 5 || r == (turn / every * 3 + 1) % 5) {
          CheckMutation(good, mutation, kAllRoutes[r]);
        }
      }
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  std::printf("%zu mutations\n", turn);
  for (const GoodModel& good : models) {
    EXPECT_TRUE(Attempt(good.model, Route::kFile).ran()) << good.op << " after the others";
  }
}

// The rows of the tables damage these, so they must be sound on the GPU, too.
TEST(MutatedModels, GoodModelsArePlanned) {
  const std::set<std::string> on_gpu = {
#define OP(builtin, ...) #builtin,
#define CPU_OP(...)
#define CUSTOM_OP(code, ...) code,
#define CPU_CUSTOM_OP(...)
#include "abi/op_table.inc"
  };
  for (const GoodModel& good : AllGoodModels()) {
    if (on_gpu.count(good.op) == 0) continue;
    const Outcome outcome = Attempt(good.model, Route::kGpuAlone);
    EXPECT_TRUE(outcome.planned) << good.op << ": " << outcome.report;
  }
}

TEST(MutatedModels, Floats) { CheckMutations(AllGoodModels(), 5); }

TEST(MutatedModels, Graphs) { CheckMutations(AllGoodModels(), 1, GraphMutationsOf); }

// Every operation in every element type that it has.
TEST(MutatedModels, Examples) {
  std::vector<GoodModel> models;
  std::set<std::string> ops;
  for (const Example& example : Examples::All()) {
    for (const std::vector<uint8_t>& bytes : ModelsOnCpu(example)) {
      GoodModel& good = models.emplace_back();
      good.op = example.op;
      tflite::GetModel(bytes.data())->UnPackTo(&good.model);
      ops.insert(good.op);
      const Outcome outcome = Attempt(good.model, Route::kFile);
      EXPECT_TRUE(outcome.ran()) << good.op << ": " << outcome.message;
    }
  }
  for (const auto& [op, version] : LatestVersions()) EXPECT_EQ(ops.count(op), 1u) << op;
  CheckMutations(models, 59);
}

// Files may hold tensors of any rank; operations compute or refuse.
TEST(MutatedModels, HighRanks) {
  int ran = 0;
  for (const Example& example : Examples::All()) {
    for (const int rank : {7, 9, 33, 64}) {
      for (const auto& bytes : ModelsOfRank(example, rank)) {
        tflite::ModelT model;
        tflite::GetModel(bytes.data())->UnPackTo(&model);
        for (const Route& route : {Route::kFile, Route::kFileOptimized, Route::kGpu}) {
          const Outcome outcome = Attempt(model, route);
          EXPECT_TRUE(outcome.ran() || !outcome.message.empty()) << example.op << ", rank " << rank;
          ran += outcome.ran() ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(ran, 0);
}

}  // namespace
}  // namespace tern::testing
