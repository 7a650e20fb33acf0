// SPDX-License-Identifier: Apache-2.0
// LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM and BIDIRECTIONAL_SEQUENCE_LSTM against the equations in
// double precision, and with operands that do not fit together.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "model/testing/model_builder.h"
#include "ops/cpu_registry.h"
#include "ops/testing/engines.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

struct Variant {
  int time = 3, batch = 2, inputs = 5, cells = 7, outputs = 7;
  bool coupled = false, peephole = false, norm = false, projection = false;
  float cell_clip = 0, projection_clip = 0;
};

using Operands = std::map<int, std::vector<float>>;  // by position; what is missing is absent

Operands MakeOperands(const Variant& v, uint64_t seed) {
  Operands operands;
  const auto set = [&](int i, int count) {
    operands[i] = Random(seed + static_cast<uint64_t>(i)).Floats(count, -1, 1);
  };
  for (int g = v.coupled ? 1 : 0; g < 4; ++g) {
    set(1 + g, v.cells * v.inputs);
    set(5 + g, v.cells * v.outputs);
    set(12 + g, v.cells);
    if (v.peephole && g != 2) set(g == 3 ? 11 : 9 + g, v.cells);
    if (v.norm) set(20 + g, v.cells);
  }
  if (v.projection) set(16, v.outputs * v.cells), set(17, v.outputs);
  return operands;
}

double LogisticOf(double x) { return 1 / (1 + std::exp(-x)); }
double Clipped(double x, double limit) {
  return limit > 0 ? std::min(std::max(x, -limit), limit) : x;
}

// One step of one row; h and c are the state.
void OracleStep(const Variant& v, const Operands& o, const float* x, std::vector<double>& h,
                std::vector<double>& c) {
  const auto gate = [&](int g) {
    std::vector<double> z(static_cast<size_t>(v.cells));
    for (int i = 0; i < v.cells; ++i) {
      double& sum = z[static_cast<size_t>(i)];
      sum = v.norm ? 0 : o.at(12 + g)[static_cast<size_t>(i)];
      for (int k = 0; k < v.inputs; ++k)
        sum += double{o.at(1 + g)[static_cast<size_t>(i * v.inputs + k)]} * x[k];
      for (int k = 0; k < v.outputs; ++k)
        sum += o.at(5 + g)[static_cast<size_t>(i * v.outputs + k)] * h[static_cast<size_t>(k)];
      if (v.peephole && g != 2)
        sum += o.at(g == 3 ? 11 : 9 + g)[static_cast<size_t>(i)] * c[static_cast<size_t>(i)];
    }
    if (!v.norm) return z;
    double mean = 0, variance = 0;
    for (const double s : z) mean += s / v.cells;
    for (const double s : z) variance += (s - mean) * (s - mean) / v.cells;
    for (size_t i = 0; i < z.size(); ++i) {
      z[i] = (z[i] - mean) / std::sqrt(variance + 1e-8) * o.at(20 + g)[i] + o.at(12 + g)[i];
    }
    return z;
  };
  const std::vector<double> f = gate(1), z = gate(2), in = v.coupled ? f : gate(0);
  for (size_t i = 0; i < c.size(); ++i) {
    const double keep = LogisticOf(f[i]), take = v.coupled ? 1 - keep : LogisticOf(in[i]);
    c[i] = Clipped(keep * c[i] + take * std::tanh(z[i]), v.cell_clip);
  }
  const std::vector<double> out = gate(3);
  std::vector<double> hidden(c.size());
  for (size_t i = 0; i < c.size(); ++i) hidden[i] = LogisticOf(out[i]) * std::tanh(c[i]);
  if (!v.projection) {
    h = hidden;
    return;
  }
  for (size_t r = 0; r < h.size(); ++r) {
    h[r] = o.at(17)[r];
    for (size_t i = 0; i < c.size(); ++i) h[r] += o.at(16)[r * c.size() + i] * hidden[i];
    h[r] = Clipped(h[r], v.projection_clip);
  }
}

std::vector<int> ShapeOfOperand(const Variant& v, int i) {
  if (i >= 1 && i <= 4) return {v.cells, v.inputs};
  if (i >= 5 && i <= 8) return {v.cells, v.outputs};
  if (i == 16) return {v.outputs, v.cells};
  return {i == 17 ? v.outputs : v.cells};
}

// Adds inputs 1 to 23 of a full LSTM; the states start at zero.
void AddOperands(OpRunner& run, const Variant& v, const Operands& operands,
                 TfLiteAllocationType where = kTfLiteMmapRo) {
  for (int i = 1; i < 24; ++i) {
    if (i == 18 || i == 19) {
      const int size = i == 18 ? v.outputs : v.cells;
      run.Input({v.batch, size}, std::vector<float>(static_cast<size_t>(v.batch * size)));
      run.input(i).is_variable = true;
    } else if (operands.count(i) != 0) {
      run.Input(ShapeOfOperand(v, i), operands.at(i), where);
    } else {
      run.AbsentInput();
    }
  }
}

TfLiteUnidirectionalSequenceLSTMParams SequenceParams(const Variant& v, bool time_major) {
  TfLiteUnidirectionalSequenceLSTMParams params{};
  params.activation = kTfLiteActTanh;
  params.cell_clip = v.cell_clip;
  params.proj_clip = v.projection_clip;
  params.time_major = time_major;
  return params;
}

// Two runs of a sequence: the second one goes on where the first one ended, with other weights
// where they are no constants.
void CheckSequence(const Variant& v, bool time_major, OpForm form,
                   TfLiteAllocationType where = kTfLiteMmapRo) {
  Operands operands = MakeOperands(v, 7);
  auto params = SequenceParams(v, time_major);
  OpRunner run(UnidirectionalSequenceLstmRegistration(form), &params, 2);
  const int t = time_major ? v.time : v.batch, b = time_major ? v.batch : v.time;
  const std::vector<float> x = Random(3).Floats(t * b * v.inputs, -2, 2);
  run.Input({t, b, v.inputs}, x);
  AddOperands(run, v, operands, where);
  run.Output();
  ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(), (Shape{t, b, v.outputs}));
  std::vector<std::vector<double>> h(static_cast<size_t>(v.batch)), c = h;
  for (auto& row : h) row.resize(static_cast<size_t>(v.outputs));
  for (auto& row : c) row.resize(static_cast<size_t>(v.cells));
  for (int pass = 0; pass < 2; ++pass) {
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    const std::vector<float> got = run.Values();
    for (int row = 0; row < v.batch; ++row) {
      auto& state = h[static_cast<size_t>(row)];
      for (int step = 0; step < v.time; ++step) {
        const int at = time_major ? step * v.batch + row : row * v.time + step;
        OracleStep(v, operands, x.data() + at * v.inputs, state, c[static_cast<size_t>(row)]);
        for (int i = 0; i < v.outputs; ++i) {
          ASSERT_NEAR(got[static_cast<size_t>(at * v.outputs + i)], state[static_cast<size_t>(i)],
                      2e-6)
              << "pass " << pass << " row " << row << " step " << step;
        }
      }
    }
    if (where == kTfLiteMmapRo) continue;
    for (auto& [i, values] : operands) {
      for (float& value : values) value = 0.5f - value;
      std::copy(values.begin(), values.end(), MutableData<float>(&run.input(i)));
    }
  }
}

TEST(SequenceLstm, EveryPartAgreesWithTheEquations) {
  for (int bits = 0; bits < 32; ++bits) {
    Variant v;
    v.coupled = (bits & 1) != 0;
    v.peephole = (bits & 2) != 0;
    v.norm = (bits & 4) != 0;
    v.projection = (bits & 8) != 0;
    if (v.projection) v.outputs = 4;
    if ((bits & 16) != 0) v.cell_clip = v.projection_clip = 0.3f;
    SCOPED_TRACE(bits);
    CheckSequence(v, bits % 3 != 0, bits % 2 == 0 ? OpForm::kReference : OpForm::kOptimized);
  }
  for (const int batch : {1, 3, 7})
    CheckSequence({.time = 1, .batch = batch}, true, OpForm::kOptimized);
  // More steps than are computed with at once.
  for (const int batch : {1, 3}) {
    for (const bool time_major : {true, false}) {
      CheckSequence({.time = 150, .batch = batch}, time_major, OpForm::kOptimized);
    }
  }
  CheckSequence({.time = 2, .batch = 1, .inputs = 1, .cells = 1, .outputs = 1}, false,
                OpForm::kReference);
  CheckSequence({.time = 0}, true, OpForm::kReference);
  CheckSequence({.batch = 0}, true, OpForm::kReference);
}

TEST(SequenceLstm, WeightsMayChange) {
  const Variant v = {.batch = 4, .outputs = 3, .peephole = true, .norm = true, .projection = true};
  for (const OpForm form : {OpForm::kReference, OpForm::kOptimized}) {
    CheckSequence(v, true, form, kTfLiteArenaRw);
  }
}

// Recurrent matrices by their diagonals, in float and as bytes, which UINT8 weights are, too.
// Diagonals may be floats beside matrices of bytes.
void CheckDiagonals(TfLiteType type, bool float_diagonals) {
  constexpr float kScale = 0.01f;
  const Variant v;
  Operands full = MakeOperands(v, 5), given = full;
  for (int i = 1; i <= 8; ++i) {
    for (float& w : given[i]) w = kScale * std::round(w / kScale);
    full[i] = given[i];
    if (i < 5) continue;
    given[i].resize(static_cast<size_t>(v.cells));
    std::fill(full[i].begin(), full[i].end(), 0.0f);
    for (int k = 0; k < v.cells; ++k) {
      full[i][static_cast<size_t>(k * (v.outputs + 1))] = given[i][static_cast<size_t>(k)];
    }
  }
  auto params = SequenceParams(v, true);
  params.diagonal_recurrent_tensors = true;
  OpRunner run(UnidirectionalSequenceLstmRegistration(OpForm::kOptimized), &params, 4);
  const std::vector<float> x = Random(3).Floats(v.time * v.batch * v.inputs, -1, 1);
  run.Input({v.time, v.batch, v.inputs}, x);
  for (int i = 1; i < 24; ++i) {
    if (i == 18 || i == 19) {
      run.Input({v.batch, v.cells}, std::vector<float>(static_cast<size_t>(v.batch * v.cells)));
      run.input(i).is_variable = true;
    } else if (given.count(i) == 0) {
      run.AbsentInput();
    } else if (i > 8 || type == kTfLiteFloat32 || (i > 4 && float_diagonals)) {
      run.Input({i > 4 ? std::vector<int>{v.cells} : std::vector<int>{v.cells, v.inputs}}, given[i],
                kTfLiteMmapRo);
    } else {
      std::vector<int8_t> bytes;
      for (const float w : given[i]) bytes.push_back(static_cast<int8_t>(std::lround(w / kScale)));
      run.InputAs(type, i > 4 ? std::vector<int>{v.cells} : std::vector<int>{v.cells, v.inputs},
                  bytes, kTfLiteMmapRo);
      run.SetScales(i, {kScale}, 0);
    }
  }
  run.Output();
  ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
  const std::vector<float> got = run.Values();
  const double tolerance = type == kTfLiteFloat32 ? 2e-6 : 0.02;
  for (int row = 0; row < v.batch; ++row) {
    std::vector<double> h(static_cast<size_t>(v.outputs)), c(static_cast<size_t>(v.cells));
    for (int step = 0; step < v.time; ++step) {
      const int at = step * v.batch + row;
      OracleStep(v, full, x.data() + at * v.inputs, h, c);
      for (int i = 0; i < v.outputs; ++i) {
        ASSERT_NEAR(got[static_cast<size_t>(at * v.outputs + i)], h[static_cast<size_t>(i)],
                    tolerance);
      }
    }
  }
}

TEST(SequenceLstm, DiagonalRecurrentWeights) {
  for (const TfLiteType type : {kTfLiteFloat32, kTfLiteInt8, kTfLiteUInt8}) {
    for (const bool float_diagonals : {false, true}) {
      SCOPED_TRACE(std::string(TfLiteTypeGetName(type)) + (float_diagonals ? " and floats" : ""));
      CheckDiagonals(type, float_diagonals);
    }
  }
}

TEST(Lstm, OperandsThatDoNotFitAreErrors) {
  const Variant v{.coupled = false, .peephole = true, .norm = true, .projection = true};
  const Operands operands = MakeOperands(v, 7);
  const auto prepare = [&](int changed, const std::function<void(TfLiteTensor&)>& change) {
    auto params = SequenceParams(v, true);
    OpRunner run(UnidirectionalSequenceLstmRegistration(OpForm::kReference), &params);
    run.Input({v.time, v.batch, v.inputs},
              std::vector<float>(static_cast<size_t>(v.time * v.batch * v.inputs)));
    AddOperands(run, v, operands);
    run.Output();
    if (changed >= 0) change(run.input(changed));
    return run.Prepare();
  };
  EXPECT_EQ(prepare(-1, {}), kTfLiteOk);
  for (int i = 0; i < 24; ++i) {
    for (const int delta : {-1, 1}) {
      EXPECT_EQ(prepare(i, [&](TfLiteTensor& t) { t.dims->data[t.dims->size - 1] += delta; }),
                kTfLiteError)
          << i << " " << delta;
    }
    EXPECT_EQ(prepare(i, [](TfLiteTensor& t) { t.type = kTfLiteInt32; }), kTfLiteError) << i;
    EXPECT_EQ(prepare(i, [](TfLiteTensor& t) { t.dims->size = 0; }), kTfLiteError) << i;
  }
  EXPECT_EQ(prepare(18, [](TfLiteTensor& t) { t.is_variable = false; }), kTfLiteError);
  EXPECT_EQ(prepare(19, [](TfLiteTensor& t) { t.is_variable = false; }), kTfLiteError);
}

TEST(Lstm, MissingPartsAndNegativeLimitsAreErrors) {
  const Variant v{.peephole = true, .norm = true, .projection = true};
  for (int missing = 1; missing < 24; ++missing) {
    Operands operands = MakeOperands(v, 7);
    operands.erase(missing);
    auto params = SequenceParams(v, true);
    OpRunner run(UnidirectionalSequenceLstmRegistration(OpForm::kReference), &params);
    run.EmptyInput({v.time, v.batch, v.inputs}, kTfLiteFloat32);
    AddOperands(run, v, operands);
    run.Output();
    // The states are there always, and the projection's bias may be missing.
    const bool fine = missing == 17 || missing == 18 || missing == 19;
    EXPECT_EQ(run.Prepare(), fine ? kTfLiteOk : kTfLiteError) << missing;
  }
  for (const float limit : {-1.0f, std::nanf("")}) {
    auto params = SequenceParams({}, true);
    params.cell_clip = limit;
    OpRunner run(UnidirectionalSequenceLstmRegistration(OpForm::kReference), &params);
    run.EmptyInput({3, 2, 5}, kTfLiteFloat32);
    AddOperands(run, {}, MakeOperands({}, 7));
    run.Output();
    EXPECT_EQ(run.Prepare(), kTfLiteError);
  }
}

TEST(BasicLstm, KeepsItsStateInVariables) {
  constexpr int kBatch = 3, kInputs = 5, kCells = 7;
  TfLiteLSTMParams params{};
  params.activation = kTfLiteActTanh;
  params.kernel_type = kTfLiteLSTMBasicKernel;
  const std::vector<float> x = Random(1).Floats(kBatch * kInputs, -2, 2),
                           w = Random(2).Floats(4 * kCells * (kInputs + kCells), -1, 1),
                           bias = Random(3).Floats(4 * kCells, -1, 1);
  for (const bool variable : {true, false}) {
    OpRunner run(LstmRegistration(OpForm::kOptimized), &params, 2);
    run.Input({kBatch, kInputs}, x);
    run.Input({kBatch, kCells}, std::vector<float>(kBatch * kCells));
    run.Input({4 * kCells, kInputs + kCells}, w, kTfLiteMmapRo);
    run.Input({4 * kCells}, bias, kTfLiteMmapRo);
    run.Input({kBatch, kCells}, std::vector<float>(kBatch * kCells));
    for (const int i : {1, 4}) run.input(i).is_variable = variable;
    for (int i = 0; i < 4; ++i) run.Output();
    ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
    std::vector<double> h(kBatch * kCells), c = h;
    for (int pass = 0; pass < 3; ++pass) {
      ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
      if (!variable) h.assign(h.size(), 0), c.assign(c.size(), 0);
      const std::vector<double> before = h;
      for (size_t i = 0; i < h.size(); ++i) {
        const size_t row = i / kCells;
        double z[4];
        for (size_t g = 0; g < 4; ++g) {
          const size_t at = g * kCells + i % kCells;
          z[g] = bias[at];
          for (size_t k = 0; k < kInputs + kCells; ++k) {
            z[g] += w[at * (kInputs + kCells) + k] *
                    (k < kInputs ? x[row * kInputs + k] : before[row * kCells + k - kInputs]);
          }
        }
        c[i] = LogisticOf(z[0]) * std::tanh(z[1]) + LogisticOf(z[2]) * c[i];
        h[i] = LogisticOf(z[3]) * std::tanh(c[i]);
        EXPECT_NEAR(run.Values(0)[i], h[i], 1e-6);
        EXPECT_NEAR(run.Values(1)[i], c[i], 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing
