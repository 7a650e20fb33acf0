// SPDX-License-Identifier: Apache-2.0
// RNN, UNIDIRECTIONAL_SEQUENCE_RNN and BIDIRECTIONAL_SEQUENCE_RNN against their equations.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

constexpr int kTime = 4, kRnnBatch = 3, kRnnInputs = 5, kRnnUnits = 7;

struct Cell {
  std::vector<float> w, r, b;
  explicit Cell(uint64_t seed)
      : w(Random(seed).Floats(kRnnUnits * kRnnInputs, -1, 1)),
        r(Random(seed + 1).Floats(kRnnUnits * kRnnUnits, -1, 1)),
        b(Random(seed + 2).Floats(kRnnUnits, -1, 1)) {}

  void Step(const float* x, std::vector<double>& h) const {
    const std::vector<double> before = h;
    for (size_t u = 0; u < kRnnUnits; ++u) {
      double sum = b[u];
      for (size_t i = 0; i < kRnnInputs; ++i) sum += double{w[u * kRnnInputs + i]} * x[i];
      for (size_t i = 0; i < kRnnUnits; ++i) sum += r[u * kRnnUnits + i] * before[i];
      h[u] = std::tanh(sum);
    }
  }
  void Add(OpRunner& run, int first) const {
    run.Input({kRnnUnits, kRnnInputs}, w, kTfLiteMmapRo);
    run.Input({kRnnUnits, kRnnUnits}, r, kTfLiteMmapRo);
    run.Input({kRnnUnits}, b, kTfLiteMmapRo);
    run.Input({kRnnBatch, kRnnUnits}, std::vector<float>(kRnnBatch * kRnnUnits));
    run.input(first + 3).is_variable = true;
  }
};

TEST(SequenceRnn, BothDirections) {
  const Cell forward(1), backward(11);
  const std::vector<float> x = Random(9).Floats(kTime * kRnnBatch * kRnnInputs, -2, 2);
  for (const bool time_major : {false, true}) {
    for (const bool merge : {false, true}) {
      TfLiteBidirectionalSequenceRNNParams params{};
      params.activation = kTfLiteActTanh;
      params.time_major = time_major;
      params.merge_outputs = merge;
      OpRunner run(BidirectionalSequenceRnnRegistration(OpForm::kOptimized), &params, 2);
      run.Input({time_major ? kTime : kRnnBatch, time_major ? kRnnBatch : kTime, kRnnInputs}, x);
      forward.Add(run, 1);
      backward.Add(run, 5);
      for (int i = 0; i < 3; ++i) run.AbsentInput();
      run.Output();
      if (!merge) run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.OutputShape()[2], merge ? 2 * kRnnUnits : kRnnUnits);
      for (int b = 0; b < kRnnBatch; ++b) {
        for (const bool back : {false, true}) {
          std::vector<double> h(kRnnUnits);
          for (int i = 0; i < kTime; ++i) {
            const int t = back ? kTime - 1 - i : i;
            const auto row = static_cast<size_t>(time_major ? t * kRnnBatch + b : b * kTime + t);
            (back ? backward : forward).Step(x.data() + row * kRnnInputs, h);
            const std::vector<float> got = run.Values(back && !merge ? 1 : 0);
            const size_t start =
                merge ? row * 2 * kRnnUnits + (back ? kRnnUnits : 0) : row * kRnnUnits;
            for (size_t u = 0; u < kRnnUnits; ++u) EXPECT_NEAR(got[start + u], h[u], 1e-6);
          }
        }
      }
    }
  }
}

TEST(Rnn, StepsGoOnAndBadOperandsAreErrors) {
  const Cell cell(1);
  const std::vector<float> x = Random(9).Floats(kRnnBatch * kRnnInputs, -2, 2);
  TfLiteRNNParams params{kTfLiteActTanh, false};
  OpRunner run(RnnRegistration(OpForm::kReference), &params);
  run.Input({kRnnBatch, kRnnInputs}, x);
  cell.Add(run, 1);
  run.Output();
  ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  std::vector<std::vector<double>> h(kRnnBatch, std::vector<double>(kRnnUnits));
  for (int pass = 0; pass < 3; ++pass) {
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    for (size_t b = 0; b < kRnnBatch; ++b) {
      cell.Step(x.data() + b * kRnnInputs, h[b]);
      for (size_t u = 0; u < kRnnUnits; ++u)
        EXPECT_NEAR(run.Values()[b * kRnnUnits + u], h[b][u], 1e-6);
    }
  }
  for (int i = 0; i < 5; ++i) {
    for (const int delta : {-1, 1}) {
      int& size = run.input(i).dims->data[run.input(i).dims->size - 1];
      size += delta;
      EXPECT_EQ(run.Prepare(), kTfLiteError) << i;
      EXPECT_EQ(run.error().rfind("RNN: ", 0), 0u) << run.error();
      size -= delta;
    }
    const TfLiteType type = run.input(i).type;
    run.input(i).type = kTfLiteInt32;
    EXPECT_EQ(run.Prepare(), kTfLiteError) << i;
    run.input(i).type = type;
  }
  run.input(4).is_variable = false;
  EXPECT_EQ(run.Prepare(), kTfLiteError);
}

// A delegate may compute with weights of other types, so that Prepare takes them.
TEST(Rnn, OtherWeightsAreErrorsInEval) {
  TfLiteRNNParams params{kTfLiteActTanh, false};
  OpRunner run(RnnRegistration(OpForm::kReference), &params);
  run.Input({kRnnBatch, kRnnInputs}, std::vector<float>(kRnnBatch * kRnnInputs));
  Cell(1).Add(run, 1);
  run.Output();
  for (const int i : {1, 2}) run.input(i).type = kTfLiteFloat16;
  ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Eval(), kTfLiteError);
  EXPECT_EQ(run.error(), "RNN: Type FLOAT16 not currently supported (weights)");
}

}  // namespace
}  // namespace tern::testing
