// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_GRU (custom), FLOAT32: input x [time, batch, inputs], state h [batch,
// units], gate weights [2 * units, inputs + units] and bias, candidate weights [units, inputs +
// units] and bias -> the states after each step [time, batch, units], and the last one.
//   (r, u) = sigmoid(gates [x, h] + bias),  c = tanh(candidate [x, r h] + bias),
//   h' = (1 - u) c + u h
#include <algorithm>
#include <vector>

#include "ops/cpu_kit/conv_operands.h"
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
  void Pack(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  // Null without optimized kernels.
  const FloatMatrix* PackWeights(const OpCall& call, FloatProduct& product, int weights);
  void Step(const OpCall& call, const float* x, const float* state, float* next);

  FloatProduct gate_product_, candidate_product_;
  std::vector<float> rows_, gates_, candidates_;  // (x, h), then (x, r h)
};

Status SequenceGru::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(6, 6, 2));
  if (!KeepsPacked(call)) {
    gate_product_.Forget();
    candidate_product_.Forget();
  }
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

ConvShape ProductShape(const OpCall& call, int weights) {
  return MatrixShape(Dim(call.input(kX), 1), Dim(call.input(weights), 1),
                     Dim(call.input(weights), 0));
}

const FloatMatrix* SequenceGru::PackWeights(const OpCall& call, FloatProduct& product,
                                            int weights) {
  if (!fast()) return nullptr;
  return product.PackMatrix(ProductShape(call, weights),
                            FloatWeightsOf(call.input(weights), call.input(weights + 1)), nullptr);
}

void SequenceGru::Pack(const OpCall& call) {
  const auto pack = [&](FloatProduct& product, int weights) {
    if (CanPack(call.input(weights), call.input(weights + 1))) PackWeights(call, product, weights);
  };
  pack(gate_product_, kGates);
  pack(candidate_product_, kCandidateWeights);
}

// One step of all batch items. `next` is no part of `state`.
void SequenceGru::Step(const OpCall& call, const float* x, const float* state, float* next) {
  const int64_t batch = Dim(call.input(kX), 1), inputs = Dim(call.input(kX), 2);
  const int64_t units = Dim(call.input(kState), 1), row = inputs + units;
  const auto multiply = [&](FloatProduct& product, int weights, std::vector<float>& to) {
    const int64_t columns = Dim(call.input(weights), 0);
    to.resize(static_cast<size_t>(batch * columns));
    MultiplyRows(PackWeights(call, product, weights), fast(),
                 {ProductShape(call, weights), rows_.data()},
                 FloatWeightsOf(call.input(weights), call.input(weights + 1)),
                 OutputStage::Clamp(ActivationRange(kTfLiteActNone), to.data(), columns), nullptr);
  };
  rows_.resize(static_cast<size_t>(batch * row));
  for (int64_t b = 0; b < batch; ++b) {
    std::copy_n(x + b * inputs, inputs, rows_.begin() + b * row);
    std::copy_n(state + b * units, units, rows_.begin() + b * row + inputs);
  }
  multiply(gate_product_, kGates, gates_);
  ActivateAll(kTfLiteActSigmoid, fast(), batch * 2 * units, gates_.data());
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t u = 0; u < units; ++u) rows_[b * row + inputs + u] *= gates_[b * 2 * units + u];
  }
  multiply(candidate_product_, kCandidateWeights, candidates_);
  ActivateAll(kTfLiteActTanh, fast(), batch * units, candidates_.data());
  for (int64_t i = 0; i < batch * units; ++i) {
    const float update = gates_[i / units * 2 * units + units + i % units];
    next[i] = (1 - update) * candidates_[i] + update * state[i];
  }
}

Status SequenceGru::Eval(const OpCall& call) {
  for (int i = 0; i < 6; ++i) TERN_RETURN_IF_ERROR(CheckData(call.input(i), kGruNames[i]));
  for (int i = 0; i < 2; ++i) TERN_RETURN_IF_ERROR(CheckData(call.output(i), "output"));
  const TfLiteTensor* input = call.input(kX);
  const int64_t time = Dim(input, 0), inputs = Dim(input, 1) * Dim(input, 2);
  const int64_t states = Elements(call.input(kState));
  if (states == 0) return OkStatus();
  const float* state = Data<float>(call.input(kState));
  float* out = MutableData<float>(call.output(0));
  for (int64_t t = 0; t < time; ++t, out += states) {
    Step(call, Data<float>(input) + t * inputs, state, out);
    state = out;
  }
  std::copy_n(state, states, MutableData<float>(call.output(1)));
  return OkStatus();
}

}  // namespace

TfLiteRegistration UnidirectionalSequenceGruRegistration(OpForm form) {
  return MakeRegistration<SequenceGru>(form);
}

}  // namespace tern
