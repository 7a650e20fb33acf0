// SPDX-License-Identifier: Apache-2.0
// The steps of an LSTM cell in float.
#include "ops/lstm/float_lstm.h"

#include <algorithm>
#include <cmath>

namespace tern {

StatusOr<FloatLstm> FloatLstm::Make(const LstmOperands& operands, const LstmOptions& options) {
  FloatLstm lstm(operands, options);
  for (int g = 0; g < kLstmGates; ++g) {
    const LstmGate& gate = operands.gates[static_cast<size_t>(g)];
    TERN_ASSIGN_OR_RETURN(lstm.weights_[g], MixedMatrix::Of(gate.weights, "weights"));
    TERN_ASSIGN_OR_RETURN(lstm.recurrent_[g], MixedMatrix::Of(gate.recurrent, "recurrent weights"));
    TERN_ASSIGN_OR_RETURN(lstm.aux_[g], MixedMatrix::Of(gate.aux_weights, "aux weights"));
    TERN_ASSIGN_OR_RETURN(lstm.peephole_[g], MixedMatrix::Of(gate.peephole, "peephole weights"));
  }
  TERN_ASSIGN_OR_RETURN(lstm.projection_, MixedMatrix::Of(operands.projection, "projection"));
  return lstm;
}

void FloatLstm::Set(const float* values, int64_t size, ProductInput& row) const {
  RowForm form = RowForm::kFloat;
  if (operands_->form == LstmForm::kDynamicRange) {
    form = options_.asymmetric_quantize_inputs ? RowForm::kAsymmetric : RowForm::kSymmetric;
  }
  SetRow(values, size, form, options_.fast, row);
}

void FloatLstm::AddPeephole(int g, const float* cell, std::vector<float>& to) const {
  const MixedMatrix& weights = peephole_[g];
  if (!weights.present()) return;
  for (size_t i = 0; i < to.size(); ++i) {
    to[i] += weights.At(static_cast<int64_t>(i)) * cell[i];
  }
}

namespace {

// Layer normalization, its weights, and the bias.
void Normalize(const LstmGate& gate, std::vector<float>& z) {
  double sum = 0, squares = 0;
  for (const float v : z) sum += v;
  const double mean = sum / static_cast<double>(z.size());
  for (const float v : z) squares += (v - mean) * (v - mean);
  const double factor = 1 / std::sqrt(squares / static_cast<double>(z.size()) + 1e-8);
  const float *norm = Data<float>(gate.norm), *bias = Data<float>(gate.bias);
  for (size_t i = 0; i < z.size(); ++i) {
    z[i] = static_cast<float>((z[i] - mean) * factor) * norm[i] + bias[i];
  }
}

}  // namespace

void FloatLstm::ComputeGate(int g, const float* cell, Scratch& scratch) const {
  const LstmGate& gate = operands_->gates[static_cast<size_t>(g)];
  std::vector<float>& z = scratch.gates[g];
  const float* bias = Data<float>(gate.bias);
  if (operands_->norm) {
    z.assign(static_cast<size_t>(operands_->cells), 0.0f);
  } else {
    z.assign(bias, bias + operands_->cells);
  }
  weights_[g].AddProduct(scratch.input, operands_->cells, z.data());
  if (aux_[g].present()) aux_[g].AddProduct(scratch.aux, operands_->cells, z.data());
  if (operands_->diagonal) {
    for (size_t i = 0; i < z.size(); ++i) {
      z[i] += recurrent_[g].At(static_cast<int64_t>(i)) * scratch.recurrent.values[i];
    }
  } else {
    recurrent_[g].AddProduct(scratch.recurrent, operands_->cells, z.data());
  }
  AddPeephole(g, cell, z);
  if (operands_->norm) Normalize(gate, z);
  ActivateRow(g == kCandidate ? options_.activation : kTfLiteActSigmoid, options_.fast,
              operands_->cells, z.data());
}

void FloatLstm::ComputeOutput(float* output, Scratch& scratch) const {
  if (!projection_.present()) {
    std::copy(scratch.hidden.begin(), scratch.hidden.end(), output);
    return;
  }
  Set(scratch.hidden.data(), operands_->cells, scratch.projected);
  const auto outputs = static_cast<size_t>(operands_->outputs);
  std::vector<float> sums(outputs, 0.0f);
  if (operands_->projection_bias != nullptr) {
    std::copy_n(Data<float>(operands_->projection_bias), outputs, sums.data());
  }
  projection_.AddProduct(scratch.projected, operands_->outputs, sums.data());
  const float limit = options_.projection_clip;
  for (size_t i = 0; i < outputs; ++i) {
    output[i] = limit > 0 ? FloatRange{-limit, limit}.Clamp(sums[i]) : sums[i];
  }
}

// `output` and `cell` hold the state, and get the new one.
void FloatLstm::Step(const float* input, const float* aux, float* output, float* cell,
                     Scratch& scratch) const {
  Set(input, operands_->inputs, scratch.input);
  if (aux_[kOutputGate].present()) Set(aux, operands_->aux_inputs, scratch.aux);
  Set(output, operands_->outputs, scratch.recurrent);
  const auto cells = static_cast<size_t>(operands_->cells);
  const std::vector<float>&in = scratch.gates[kInputGate], &keep = scratch.gates[kForgetGate],
        &candidate = scratch.gates[kCandidate], &out = scratch.gates[kOutputGate];
  if (!operands_->coupled) ComputeGate(kInputGate, cell, scratch);
  ComputeGate(kForgetGate, cell, scratch);
  ComputeGate(kCandidate, cell, scratch);
  for (size_t i = 0; i < cells; ++i) {
    const float take = operands_->coupled ? 1.0f - keep[i] : in[i];
    const float c = keep[i] * cell[i] + take * candidate[i];
    const float limit = options_.cell_clip;
    cell[i] = limit > 0 ? FloatRange{-limit, limit}.Clamp(c) : c;
  }
  ComputeGate(kOutputGate, cell, scratch);  // its peephole sees the new cell
  scratch.hidden.assign(cell, cell + cells);
  ActivateRow(options_.activation, options_.fast, operands_->cells, scratch.hidden.data());
  for (size_t i = 0; i < cells; ++i) scratch.hidden[i] *= out[i];
  ComputeOutput(output, scratch);
}

void FloatLstm::Run(const SequenceRun<float>& run, ThreadPool* pool) const {
  const LstmOperands& o = *operands_;
  const int64_t cost = run.shape.time * kLstmGates * o.cells * (o.inputs + o.outputs + 1);
  // Sequences are independent of each other.
  ParallelFor(pool, run.shape.batch, cost, [&](int64_t begin, int64_t end) {
    Scratch scratch;
    for (int64_t b = begin; b < end; ++b) {
      float* output = MutableData<float>(o.output_state) + b * o.outputs;
      float* cell = MutableData<float>(o.cell_state) + b * o.cells;
      for (int64_t i = 0; i < run.shape.time; ++i) {
        const int64_t row = run.Row(i, b);
        Step(run.input + row * o.inputs,
             run.aux == nullptr ? nullptr : run.aux + row * o.aux_inputs, output, cell, scratch);
        std::copy_n(output, o.outputs, run.output + row * run.output_stride);
      }
    }
  });
}

}  // namespace tern
