// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_GRU (custom), FLOAT32: input x [time, batch, inputs], state h [batch,
// units], gate weights [2 * units, inputs + units] and bias, candidate weights [units, inputs +
// units] and bias -> the states after each step [time, batch, units], and the last one.
//   (r, u) = sigmoid(gates [x, h] + bias),  c = tanh(candidate [x, r h] + bias),
//   h' = (1 - u) c + u h
#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/cpu_kit/dot.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/recurrent.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

enum GruInput { kX, kState, kGates, kGateBias, kCandidateWeights, kCandidateBias };
constexpr const char* kGruNames[] = {"input",     "state",     "gate weights",
                                     "gate bias", "candidate", "candidate bias"};

class SequenceGru : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "UNIDIRECTIONAL_SEQUENCE_GRU"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
};

Status SequenceGru::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(6, 6, 2));
  for (int i = 0; i < 6; ++i) {
    TERN_RETURN_IF_ERROR(CheckType(call.input(i), kTfLiteFloat32, kGruNames[i]));
  }
  for (int i = 0; i < 2; ++i) {
    TERN_RETURN_IF_ERROR(CheckType(call.output(i), kTfLiteFloat32, "output"));
  }
  TERN_RETURN_IF_ERROR(CheckRank(call.input(kX), 3, kGruNames[kX]));
  TERN_RETURN_IF_ERROR(CheckRank(call.input(kState), 2, kGruNames[kState]));
  const int64_t time = Dim(call.input(kX), 0), batch = Dim(call.input(kX), 1);
  const int64_t units = Dim(call.input(kState), 1), row = Dim(call.input(kX), 2) + units;
  const Shape shapes[] = {{}, {batch, units}, {2 * units, row}, {2 * units}, {units, row}, {units}};
  for (int i = kState; i <= kCandidateBias; ++i) {
    TERN_RETURN_IF_ERROR(CheckShape(call.input(i), shapes[i], kGruNames[i]));
  }
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), {time, batch, units}));
  return call.SetShape(call.output(1), {batch, units});
}

float Sigmoid(double v) { return static_cast<float>(1 / (1 + std::exp(-v))); }

// A cell with the memory of one step of one batch.
class Cell {
 public:
  explicit Cell(const OpCall& call)
      : inputs_(Dim(call.input(kX), 2)),
        units_(Dim(call.input(kState), 1)),
        gates_(Data<float>(call.input(kGates))),
        gate_bias_(Data<float>(call.input(kGateBias))),
        candidate_(Data<float>(call.input(kCandidateWeights))),
        candidate_bias_(Data<float>(call.input(kCandidateBias))),
        row_(static_cast<size_t>(inputs_ + units_)),
        update_(static_cast<size_t>(units_)),
        reset_(static_cast<size_t>(units_)) {}

  // `next` is no part of `state`.
  void Step(const float* x, const float* state, float* next) {
    std::copy_n(x, inputs_, row_.begin());
    std::copy_n(state, units_, row_.begin() + inputs_);
    for (int64_t u = 0; u < units_; ++u) {
      reset_[static_cast<size_t>(u)] = Sigmoid(Sum(gates_, gate_bias_, u));
      update_[static_cast<size_t>(u)] = Sigmoid(Sum(gates_, gate_bias_, units_ + u));
    }
    for (int64_t u = 0; u < units_; ++u) {
      row_[static_cast<size_t>(inputs_ + u)] = state[u] * reset_[static_cast<size_t>(u)];
    }
    for (int64_t u = 0; u < units_; ++u) {
      const auto candidate = static_cast<float>(std::tanh(Sum(candidate_, candidate_bias_, u)));
      const float update = update_[static_cast<size_t>(u)];
      next[u] = (1 - update) * candidate + update * state[u];
    }
  }

 private:
  double Sum(const float* weights, const float* bias, int64_t unit) const {
    const auto size = static_cast<int64_t>(row_.size());
    return Dot(row_.data(), weights + unit * size, size) + double{bias[unit]};
  }

  int64_t inputs_, units_;
  const float *gates_, *gate_bias_, *candidate_, *candidate_bias_;
  std::vector<float> row_, update_, reset_;
};

Status SequenceGru::Eval(const OpCall& call) {
  for (int i = 0; i < 6; ++i) TERN_RETURN_IF_ERROR(CheckData(call.input(i), kGruNames[i]));
  for (int i = 0; i < 2; ++i) TERN_RETURN_IF_ERROR(CheckData(call.output(i), "output"));
  const TfLiteTensor* input = call.input(kX);
  const int64_t time = Dim(input, 0), batch = Dim(input, 1), inputs = Dim(input, 2);
  const int64_t units = Dim(call.input(kState), 1);
  const float* state = Data<float>(call.input(kState));
  float* out = MutableData<float>(call.output(0));
  Cell cell(call);
  for (int64_t t = 0; t < time; ++t) {
    for (int64_t b = 0; b < batch; ++b) {
      cell.Step(Data<float>(input) + (t * batch + b) * inputs, state + b * units, out + b * units);
    }
    state = out;
    out += batch * units;
  }
  if (batch * units > 0) std::copy_n(state, batch * units, MutableData<float>(call.output(1)));
  return OkStatus();
}

}  // namespace

TfLiteRegistration UnidirectionalSequenceGruRegistration(OpForm form) {
  return MakeRegistration<SequenceGru>(form);
}

}  // namespace tern
