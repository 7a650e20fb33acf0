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

constexpr int kTime = 4, kBatch = 3, kInputs = 5, kUnits = 7;

struct Cell {
  std::vector<float> w, r, b;
  explicit Cell(uint64_t seed)
      : w(Random(seed).Floats(kUnits * kInputs, -1, 1)),
        r(Random(seed + 1).Floats(kUnits * kUnits, -1, 1)),
        b(Random(seed + 2).Floats(kUnits, -1, 1)) {}

  void Step(const float* x, std::vector<double>& h) const {
    const std::vector<double> before = h;
    for (size_t u = 0; u < kUnits; ++u) {
      double sum = b[u];
      for (size_t i = 0; i < kInputs; ++i) sum += double{w[u * kInputs + i]} * x[i];
      for (size_t i = 0; i < kUnits; ++i) sum += r[u * kUnits + i] * before[i];
      h[u] = std::tanh(sum);
    }
  }
  void Add(OpRunner& run, int first) const {
    run.Input({kUnits, kInputs}, w, kTfLiteMmapRo);
    run.Input({kUnits, kUnits}, r, kTfLiteMmapRo);
    run.Input({kUnits}, b, kTfLiteMmapRo);
    run.Input({kBatch, kUnits}, std::vector<float>(kBatch * kUnits));
    run.input(first + 3).is_variable = true;
  }
};

TEST(SequenceRnn, BothDirections) {
  const Cell forward(1), backward(11);
  const std::vector<float> x = Random(9).Floats(kTime * kBatch * kInputs, -2, 2);
  for (const bool time_major : {false, true}) {
    for (const bool merge : {false, true}) {
      TfLiteBidirectionalSequenceRNNParams params{};
      params.activation = kTfLiteActTanh;
      params.time_major = time_major;
      params.merge_outputs = merge;
      OpRunner run(BidirectionalSequenceRnnRegistration(OpForm::kFast), &params, 2);
      run.Input({time_major ? kTime : kBatch, time_major ? kBatch : kTime, kInputs}, x);
      forward.Add(run, 1);
      backward.Add(run, 5);
      for (int i = 0; i < 3; ++i) run.AbsentInput();
      run.Output();
      if (!merge) run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.OutputShape()[2], merge ? 2 * kUnits : kUnits);
      for (int b = 0; b < kBatch; ++b) {
        for (const bool back : {false, true}) {
          std::vector<double> h(kUnits);
          for (int i = 0; i < kTime; ++i) {
            const int t = back ? kTime - 1 - i : i;
            const auto row = static_cast<size_t>(time_major ? t * kBatch + b : b * kTime + t);
            (back ? backward : forward).Step(x.data() + row * kInputs, h);
            const std::vector<float> got = run.Values(back && !merge ? 1 : 0);
            const size_t start = merge ? row * 2 * kUnits + (back ? kUnits : 0) : row * kUnits;
            for (size_t u = 0; u < kUnits; ++u) EXPECT_NEAR(got[start + u], h[u], 1e-6);
          }
        }
      }
    }
  }
}

TEST(Rnn, StepsGoOnAndBadOperandsAreErrors) {
  const Cell cell(1);
  const std::vector<float> x = Random(9).Floats(kBatch * kInputs, -2, 2);
  TfLiteRNNParams params{kTfLiteActTanh, false};
  OpRunner run(RnnRegistration(OpForm::kPlain), &params);
  run.Input({kBatch, kInputs}, x);
  cell.Add(run, 1);
  run.Output();
  ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  std::vector<std::vector<double>> h(kBatch, std::vector<double>(kUnits));
  for (int pass = 0; pass < 3; ++pass) {
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    for (size_t b = 0; b < kBatch; ++b) {
      cell.Step(x.data() + b * kInputs, h[b]);
      for (size_t u = 0; u < kUnits; ++u) EXPECT_NEAR(run.Values()[b * kUnits + u], h[b][u], 1e-6);
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

}  // namespace
}  // namespace tern::testing
