// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_GRU against its equations, and operands that do not fit.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

constexpr int kBatch = 3, kInputs = 5, kUnits = 4, kRow = kInputs + kUnits;

double Sigmoid(double v) { return 1 / (1 + std::exp(-v)); }

struct Weights {
  std::vector<float> gates = Random(1).Floats(2 * kUnits * kRow, -1, 1);
  std::vector<float> gate_bias = Random(2).Floats(2 * kUnits, -1, 1);
  std::vector<float> candidate = Random(3).Floats(kUnits * kRow, -1, 1);
  std::vector<float> candidate_bias = Random(4).Floats(kUnits, -1, 1);

  static double Sum(const std::vector<float>& w, float bias, size_t unit,
                    const std::vector<double>& x, const std::vector<double>& h) {
    double sum = bias;
    for (size_t i = 0; i < kInputs; ++i) sum += w[unit * kRow + i] * x[i];
    for (size_t i = 0; i < kUnits; ++i) sum += w[unit * kRow + kInputs + i] * h[i];
    return sum;
  }

  std::vector<double> Step(const std::vector<double>& x, const std::vector<double>& h) const {
    std::vector<double> held = h, next(kUnits);
    for (size_t u = 0; u < kUnits; ++u) held[u] *= Sigmoid(Sum(gates, gate_bias[u], u, x, h));
    for (size_t u = 0; u < kUnits; ++u) {
      const double update = Sigmoid(Sum(gates, gate_bias[kUnits + u], kUnits + u, x, h));
      const double made = std::tanh(Sum(candidate, candidate_bias[u], u, x, held));
      next[u] = (1 - update) * made + update * h[u];
    }
    return next;
  }
};

void Add(OpRunner& run, int time, const std::vector<float>& x, const std::vector<float>& h,
         int gate_rows = 2 * kUnits) {
  const Weights w;
  run.Input({time, kBatch, kInputs}, x);
  run.Input({kBatch, kUnits}, h);
  run.Input({gate_rows, kRow}, w.gates, kTfLiteMmapRo);
  run.Input({2 * kUnits}, w.gate_bias, kTfLiteMmapRo);
  run.Input({kUnits, kRow}, w.candidate, kTfLiteMmapRo);
  run.Input({kUnits}, w.candidate_bias, kTfLiteMmapRo);
  run.Output();
  run.Output();
}

TEST(SequenceGru, Equations) {
  const Weights weights;
  for (const int time : {0, 1, 3}) {
    const std::vector<float> x =
        Random(7).Floats(static_cast<size_t>(time) * kBatch * kInputs, -2, 2);
    const std::vector<float> h = Random(8).Floats(kBatch * kUnits, -1, 1);
    OpRunner run(UnidirectionalSequenceGruRegistration(OpForm::kOptimized));
    Add(run, time, x, h);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(0), (Shape{time, kBatch, kUnits}));
    EXPECT_EQ(run.OutputShape(1), (Shape{kBatch, kUnits}));
    const std::vector<float> out = run.Values(0), last = run.Values(1);
    for (size_t b = 0; b < kBatch; ++b) {
      std::vector<double> state(h.begin() + static_cast<long>(b * kUnits),
                                h.begin() + static_cast<long>((b + 1) * kUnits));
      for (size_t t = 0; t < static_cast<size_t>(time); ++t) {
        const auto row = x.begin() + static_cast<long>((t * kBatch + b) * kInputs);
        state = weights.Step({row, row + kInputs}, state);
        for (size_t u = 0; u < kUnits; ++u) {
          EXPECT_NEAR(out[(t * kBatch + b) * kUnits + u], state[u], 1e-6);
        }
      }
      for (size_t u = 0; u < kUnits; ++u) EXPECT_NEAR(last[b * kUnits + u], state[u], 1e-6);
    }
  }
}

TEST(SequenceGru, BadOperandsAreErrors) {
  OpRunner rows(UnidirectionalSequenceGruRegistration(OpForm::kOptimized));
  Add(rows, 1, std::vector<float>(kBatch * kInputs), std::vector<float>(kBatch * kUnits), 7);
  EXPECT_EQ(rows.Prepare(), kTfLiteError);
  EXPECT_NE(rows.error().find("gate weights"), std::string::npos) << rows.error();
  OpRunner type(UnidirectionalSequenceGruRegistration(OpForm::kOptimized));
  Add(type, 1, std::vector<float>(kBatch * kInputs), std::vector<float>(kBatch * kUnits));
  type.input(2).type = kTfLiteInt32;
  EXPECT_EQ(type.Prepare(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
